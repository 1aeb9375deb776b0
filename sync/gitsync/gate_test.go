package gitsync

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWebAddressOfARemoteIsKnownForForgesAndTheWeb(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"git@github.com:me/memory.git":             "https://github.com/me/memory.git",
		"github.com:me/memory.git":                 "https://github.com/me/memory.git",
		"git@ssh.github.com:me/memory.git":         "https://github.com/me/memory.git",
		"ssh://git@GitLab.com/me/memory.git":       "https://gitlab.com/me/memory.git",
		"ssh://git@altssh.gitlab.com:443/me/m.git": "https://gitlab.com/me/m.git",
		"https://me@host.example/me/memory.git":    "https://host.example/me/memory.git",
		"http://host.example:8080/m.git":           "http://host.example:8080/m.git",
		"git@host.example:me/memory.git":           "",
		"ssh://host.example/m.git":                 "",
		"/srv/memory.git":                          "",
		"file:///srv/memory.git":                   "",
	} {
		if got := WebAddress(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestWhoReadsARemoteIsSaidAndWhatCannotBeKnownToo(t *testing.T) {
	t.Parallel()
	open := func(context.Context, string) (bool, error) { return true, nil }
	closed := func(context.Context, string) (bool, error) { return false, nil }
	away := func(context.Context, string) (bool, error) { return false, errors.New("no network") }
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		url       string
		ask       func(context.Context, string) (bool, error)
		everybody bool
		words     string
	}{
		{"git@github.com:me/m.git", open, true, "everybody"},
		{"git@github.com:me/m.git", closed, false, "without a login it cannot be read"},
		{"git@github.com:me/m.git", away, false, "could not be seen (no network)"},
		{"git@host.example:me/m.git", open, false, "whoever runs host.example"},
		{folder, nil, false, "every user of this machine"},
		{filepath.Join(folder, "none"), nil, false, "whoever has the disk"},
	} {
		got := WhoReads(t.Context(), tt.url, tt.ask)
		if got.Everybody != tt.everybody || !strings.Contains(got.Words, tt.words) {
			t.Errorf("%s: %+v, want %q", tt.url, got, tt.words)
		}
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := WhoReads(t.Context(), folder, nil); strings.Contains(got.Words, "every user") {
		t.Errorf("a closed folder: %+v", got)
	}
}

func TestWhatARemoteHoldsIsSeenBeforeItIsUsed(t *testing.T) {
	t.Parallel()
	a, b, remote := newMachine(t, "aa"), newMachine(t, "bb"), bare(t)
	holds := func(m *machine, want string) {
		t.Helper()
		if got, err := m.sync.Holds(t.Context(), remote); err != nil || got != want {
			t.Errorf("it holds %q %v, want %q", got, err, want)
		}
	}
	holds(b, HoldsNothing)
	a.learn("one")
	a.setup(remote)
	holds(b, HoldsMemory)
	if b.knows() != "" || !b.head().IsZero() {
		t.Error("looking has taken something")
	}
	code := bare(t)
	seed(t, code, "main.go")
	remote = code
	holds(b, HoldsOther)
}

func TestWhatIsLeftToSendAndToReceiveIsCounted(t *testing.T) {
	t.Parallel()
	a, b, remote := newMachine(t, "aa"), newMachine(t, "bb"), bare(t)
	left := func(m *machine, send, receive int) {
		t.Helper()
		if s, r, err := m.sync.Unsettled(); err != nil || s != send || r != receive {
			t.Errorf("%s: %d to send and %d to receive, %v; want %d and %d", m.id, s, r, err, send, receive)
		}
	}
	left(a, 0, 0)
	a.learn("one", "two")
	a.setup(remote)
	left(a, 0, 0)
	b.setup(remote)
	a.learn("three")
	left(a, 2, 0) // the decision and its run
	b.learn("four")
	b.exchange()
	a.exchange()
	left(a, 0, 0)
	left(b, 0, 0)
}

// seed pushes one file to a remote.
func seed(t *testing.T, remote, name string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	git(t, t.TempDir(), "init", "-q", "-b", "main", dir)
	edit(t, filepath.Join(dir, name), func(string) string { return "x\n" })
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "code")
	git(t, dir, "push", "-q", remote, "HEAD:main")
}

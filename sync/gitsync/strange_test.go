package gitsync

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLogThatDoesNotGoOnIsSetAsideWhileTheRestGoesOn(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(string) string{
		"changed": func(s string) string { return strings.Replace(s, "b1", "b9", 1) },
		"shorter and other": func(s string) string {
			_, rest, _ := strings.Cut(s, "\n")
			return rest
		},
		"torn": func(s string) string { return s + "{broken" },
		"huge": func(s string) string { return s + strings.Repeat("x", maxLog) + "\n" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			remote, a, b := pair(t)
			c := newMachine(t, "cc")
			c.learn("c1")
			c.setup(remote)
			known := files(t, a.dir, "log/bb")
			tamper(t, remote, func(dir string) { edit(t, filepath.Join(dir, "log", "bb", "2026-06-18.jsonl"), change) })
			a.learn("a3")
			a.exchange()
			if a.knows() != "a1,a2,a3,b1,b2,c1" || files(t, a.dir, "log/bb") != known {
				t.Errorf("a knows %s", a.knows())
			}
			list, err := a.sync.Asides()
			if err != nil || len(list) != 1 || list[0].Log != "log/bb/2026-06-18.jsonl" || !strings.Contains(list[0].String(), "stays in force") {
				t.Fatalf("%+v %v", list, err)
			}
			if kept, err := os.ReadFile(list[0].Kept); name != "huge" && (err != nil || string(kept) == "") {
				t.Errorf("kept: %v", err)
			}
			// Machines that know another version do not overwrite each other for ever.
			for _, m := range []*machine{a, c, a, c} {
				m.exchange()
			}
			if head := a.head(); c.head() != head || a.exchange() != (Result{}) || a.head() != head {
				t.Error("no rest")
			}
			a.open() // a start in between keeps what is in force
			if a.knows() != "a1,a2,a3,b1,b2,c1" {
				t.Errorf("after a start a knows %s", a.knows())
			}
			// Its writer finds its log changed, sends nothing, and puts it back when told to.
			b.learn("b3")
			if _, err := b.sync.Sync(t.Context()); !errors.Is(err, ErrOwnLog) || !strings.Contains(err.Error(), "restore-remote") || !strings.Contains(b.knows(), "c1") {
				t.Fatalf("%v; b knows %s", err, b.knows())
			}
			if _, err := b.sync.Setup(t.Context(), remote, true); err != nil {
				t.Fatal(err)
			}
			for _, m := range []*machine{a, b, c, a} {
				m.exchange()
			}
			if list, err := a.sync.Asides(); err != nil || len(list) != 0 {
				t.Errorf("%v %v", list, err)
			}
			for _, m := range []*machine{a, b, c} {
				if m.knows() != "a1,a2,a3,b1,b2,b3,c1" || m.published() != a.published() {
					t.Errorf("%s knows %s", m.id, m.knows())
				}
			}
			if name != "huge" { // its blob stays in the history
				a.sound()
			}
		})
	}
}

func TestOwnLogIsNeverTakenFromTheRemote(t *testing.T) {
	t.Parallel()
	remote, a, b := pair(t)
	own := files(t, a.dir, "log/aa")
	tamper(t, remote, func(dir string) {
		edit(t, filepath.Join(dir, "log", "aa", "2026-06-18.jsonl"), func(s string) string { return s + `{"type":"decision","machine":"aa"}` + "\n" })
	})
	b.learn("b3")
	b.exchange()
	_, err := a.sync.Sync(t.Context())
	if !errors.Is(err, ErrOwnLog) || !strings.Contains(err.Error(), "restore-remote") {
		t.Errorf("%v", err)
	}
	if files(t, a.dir, "log/aa") != own || !strings.Contains(a.knows(), "b3") {
		t.Errorf("a knows %s", a.knows())
	}
	// The other way out: going on as a new machine, which knows both.
	a.learn("a3")
	d := machineAt(t, a.dir, "dd")
	d.learn("d1")
	d.exchange()
	b.exchange()
	if d.knows() != "a1,a2,a3,b1,b2,b3,d1" {
		t.Errorf("the new machine knows %s", d.knows())
	}
}

func TestStateFolderRestoredFromABackupGoesOnAsANewMachineAndKnowsAll(t *testing.T) {
	t.Parallel()
	remote, a, b := pair(t)
	backup := filepath.Join(t.TempDir(), "memory")
	if err := os.CopyFS(backup, os.DirFS(a.dir)); err != nil {
		t.Fatal(err)
	}
	a.learn("a3")
	a.exchange()
	old := machineAt(t, backup, "aa")
	if _, err := old.sync.Sync(t.Context()); !errors.Is(err, ErrOwnLog) {
		t.Fatalf("%v", err)
	}
	renewed := machineAt(t, backup, "dd")
	renewed.exchange()
	renewed.learn("d1")
	renewed.exchange()
	b.exchange()
	if want := "a1,a2,a3,b1,b2,d1"; renewed.knows() != want || b.knows() != want || renewed.published() != b.published() {
		t.Errorf("renewed knows %s, b %s", renewed.knows(), b.knows())
	}
	renewed.sound()
	_ = remote
}

func TestNothingButLogsIsEverWritten(t *testing.T) {
	t.Parallel()
	remote, a, b := pair(t)
	secret := filepath.Join(t.TempDir(), "secret")
	edit(t, secret, func(string) string { return "safe" })
	blob := func(s string) string {
		p := filepath.Join(t.TempDir(), "blob")
		edit(t, p, func(string) string { return s })
		return git(t, remote, "hash-object", "-w", p)
	}
	tree := func(lines ...string) string {
		p := filepath.Join(t.TempDir(), "tree")
		edit(t, p, func(string) string { return strings.Join(lines, "\n") + "\n" })
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close() //nolint:errcheck // test
		return gitIn(t, remote, f, "mktree", "--missing")
	}
	evil, link := blob(`{"type":"decision","machine":"ee"}`+"\n"), blob(secret)
	var top []string
	for line := range strings.SplitSeq(git(t, remote, "ls-tree", "main:log"), "\n") {
		top = append(top, line)
	}
	ee := tree("120000 blob "+link+"\t2026-06-18.jsonl", "100644 blob "+evil+"\tx.jsonl", "100644 blob "+evil+"\t2026-06-19.jsonl",
		"160000 commit "+git(t, remote, "rev-parse", "main")+"\t2026-06-20.jsonl")
	up := tree("100644 blob " + evil + "\t2026-06-18.jsonl")
	logTree := tree(append(top, "040000 tree "+ee+"\tee", "040000 tree "+up+"\t..", "040000 tree "+up+"\tNOT-HEX", "120000 blob "+link+"\tff")...)
	root := tree("040000 tree "+logTree+"\tlog", "100644 blob "+evil+"\tcore.md", "100644 blob "+evil+"\t..", "120000 blob "+link+"\tgraph")
	git(t, remote, "update-ref", "refs/heads/main", git(t, remote, "commit-tree", "-p", "main", "-m", "evil", root))
	b.learn("b3")
	b.exchange()
	a.exchange()
	for _, m := range []*machine{a, b} {
		got := files(t, m.dir, "log")
		if strings.Contains(got, "NOT-HEX") || strings.Contains(got, "x.jsonl") || strings.Contains(got, "safe") || !strings.Contains(got, "ee/2026-06-19") {
			t.Errorf("%s: %s", m.id, got)
		}
		for _, p := range []string{"core.md", "2026-06-18.jsonl", "../2026-06-18.jsonl", "log/ff", "log/ee/2026-06-18.jsonl", "log/ee/2026-06-20.jsonl"} {
			if _, err := os.Lstat(filepath.Join(m.dir, p)); err == nil {
				t.Errorf("%s: %s was written", m.id, p)
			}
		}
		list, err := m.sync.Asides()
		if err != nil || len(list) != 2 || list[0].Reason != reasonLink || list[1].Reason != reasonLink {
			t.Errorf("%s: %+v %v", m.id, list, err)
		}
	}
	if a.knows() != "a1,a2,b1,b2,b3" || a.head() != b.head() {
		t.Errorf("a knows %s", a.knows())
	}
}

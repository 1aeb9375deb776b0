package ledger

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// committedAs is a memory repository that holds files as they are now.
func committedAs(t *testing.T, dir string, names ...string) func() ([]Committed, error) {
	t.Helper()
	var out []Committed
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, Committed{Path: name,
			Same: func(b []byte) bool { return bytes.Equal(b, data) },
			Read: func() ([]byte, error) { return data, nil }})
	}
	return func() ([]Committed, error) { return out, nil }
}

func TestADamagedLogIsBroughtBackFromWhatWasCommitted(t *testing.T) {
	const name = "log/aa/2026-06-18.jsonl"
	damage := map[string]func(path string, data []byte) error{
		"deleted": func(p string, _ []byte) error { return os.RemoveAll(filepath.Dir(p)) },
		"emptied": func(p string, _ []byte) error { return os.Truncate(p, 0) },
		"cut":     func(p string, d []byte) error { return os.Truncate(p, int64(len(d)-30)) },
		"changed in its text": func(p string, d []byte) error {
			return os.WriteFile(p, bytes.Replace(d, []byte("One"), []byte("Two"), 1), 0o600)
		},
		"garbled at the end": func(p string, d []byte) error {
			return os.WriteFile(p, append(d[:len(d)-10:len(d)-10], "xxxxxxxxx\n"...), 0o600)
		},
		"without a line": func(p string, d []byte) error {
			return os.WriteFile(p, d[bytes.IndexByte(d, '\n')+1:], 0o600)
		},
	}
	for how, spoil := range damage {
		t.Run(how, func(t *testing.T) {
			dir, aside := t.TempDir(), filepath.Join(t.TempDir(), "damaged")
			mustAppend(t, open(t, dir, "aa", day1), 1, "One", "Three")
			committed := committedAs(t, dir, name)
			path := filepath.Join(dir, filepath.FromSlash(name))
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(path, bytes.Clone(want)); err != nil {
				t.Fatal(err)
			}
			damaged, _ := os.ReadFile(path)
			l := openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, Committed: committed, Aside: aside})
			if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
				t.Errorf("the log is\n%s\nand was\n%s", got, want)
			}
			if p := l.Problems(); len(p) != 1 || !strings.Contains(p[0], path) || !strings.Contains(p[0], "brought back") {
				t.Errorf("problems %q", p)
			}
			if got := timeline(l); len(got) != 2 {
				t.Errorf("timeline %q", got)
			}
			kept, _ := filepath.Glob(filepath.Join(aside, "*"))
			if len(damaged) > 0 {
				if len(kept) != 1 {
					t.Fatalf("kept aside: %v", kept)
				}
				if got, _ := os.ReadFile(kept[0]); !bytes.Equal(got, damaged) {
					t.Error("what was there is not kept aside as it was")
				}
			}
			mustAppend(t, l, 3, "Four")
			if _, faults, err := open(t, dir, "aa", day1).Verify(); err != nil || len(faults) > 0 {
				t.Errorf("%v %v", faults, err)
			}
		})
	}
}

func TestALogThatGoesOnFromWhatWasCommittedStaysAndIsCommitted(t *testing.T) {
	const name = "log/aa/2026-06-18.jsonl"
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "One")
	committed := committedAs(t, dir, name)
	mustAppend(t, l, 2, "Two")
	mustAppend(t, open(t, dir, "bb", day1), 3, "Three")
	var got []string
	l = openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, Committed: committed,
		Commit: func(paths []string, _ string, _ time.Time) error { got = paths; return nil }})
	if p := l.Problems(); len(p) > 0 || len(timeline(l)) != 3 {
		t.Errorf("problems %q, timeline %q", p, timeline(l))
	}
	if strings.Join(got, " ") != name { // the other machine's log is that machine's to commit
		t.Errorf("committed %q", got)
	}
}

func TestAnUnreadableEndThatWasNeverCommittedIsCutOffAndKeptAside(t *testing.T) {
	dir, aside := t.TempDir(), filepath.Join(t.TempDir(), "damaged")
	mustAppend(t, open(t, dir, "aa", day1), 1, "One")
	path := logPath(dir, "aa", "2026-06-18.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(bytes.Clone(whole), "\x00\x00\x00\x00\n{\"type\":\n\n{\"torn"...), 0o600); err != nil {
		t.Fatal(err)
	}
	l := openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, Aside: aside})
	if got, _ := os.ReadFile(path); !bytes.Equal(got, whole) {
		t.Errorf("the log is\n%q", got)
	}
	if p := l.Problems(); len(p) != 1 || !strings.Contains(p[0], path) || !strings.Contains(p[0], aside) {
		t.Errorf("problems %q", p)
	}
}

func TestTheChainGoesOnOverANewFileWhoseFirstLineWasTorn(t *testing.T) {
	dir := t.TempDir()
	mustAppend(t, open(t, dir, "aa", day1), 1, "One")
	next := day1.AddDate(0, 0, 1)
	if err := os.WriteFile(logPath(dir, "aa", next.Format(time.DateOnly)+".jsonl"), []byte(`{"type":"deci`), 0o600); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, open(t, dir, "aa", next), 2, "Two")
	if _, faults, err := open(t, dir, "aa", next).Verify(); err != nil || len(faults) > 0 {
		t.Errorf("%v %v", faults, err)
	}
}

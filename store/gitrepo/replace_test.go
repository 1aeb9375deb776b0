package gitrepo

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestReplaceHoldsTheNewestContentWhateverItsLength(t *testing.T) {
	r := newRepo(t)
	path := filepath.Join(r.dir, "meta.json")
	for _, text := range []string{"one", "longer than before", "", strings.Repeat("x", 100_000), "short"} {
		if err := r.Replace(path, "meta", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != text {
			t.Fatalf("%d bytes, want %d", len(got), len(text))
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	a, _ := os.Stat(path)
	for range 2 {
		if err := r.Replace(path, "meta", []byte("again")); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.Stat(path); !os.SameFile(a, b) {
		t.Error("files are made anew and not used again")
	}
}

// TestReplaceNeverWritesIntoAFileThatHasAnotherName guards backups that are made of hard links: what they hold was the file once.
func TestReplaceNeverWritesIntoAFileThatHasAnotherName(t *testing.T) {
	r := newRepo(t)
	path, backup := filepath.Join(r.dir, "meta.json"), filepath.Join(r.dir, "backup")
	if err := r.Replace(path, "meta", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, backup); err != nil {
		t.Skipf("this file system has no hard links: %v", err)
	}
	for _, text := range []string{"two", "three", "four"} {
		if err := r.Replace(path, "meta", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != text {
			t.Fatalf("%q, want %q", got, text)
		}
	}
	if got := content(t, backup); got != "one" {
		t.Errorf("the backup became %q", got)
	}
}

// TestReplaceGoesOnAfterACrashAtEachStep leaves the files as they are when the process ends between two steps.
func TestReplaceGoesOnAfterACrashAtEachStep(t *testing.T) {
	for name, leave := range map[string]func(spare, path string) error{
		"half written": func(spare, path string) error { return os.WriteFile(spare, []byte("ha"), 0o600) },
		"linked":       func(spare, path string) error { return os.Link(path, spare+"_old") },
		"spare is the file": func(spare, path string) error {
			_ = os.Remove(spare)
			return os.Link(path, spare)
		},
		"exchanged": func(spare, path string) error { return os.Rename(spare, spare+"_old") },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			path := filepath.Join(r.dir, "meta.json")
			for _, text := range []string{"one", "two"} {
				if err := r.Replace(path, "meta", []byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			spare := filepath.Join(r.git, sparePrefix+"meta")
			if runtime.GOOS == "windows" {
				if err := os.WriteFile(spare, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := leave(spare, path); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"three", "four", "five"} {
				before := content(t, path)
				f, err := openSpare(spare)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := f.WriteString("unfinished"); err != nil {
					t.Fatal(err)
				}
				_ = f.Close()
				if got := content(t, path); got != before {
					t.Fatalf("an unfinished write shows: %q", got)
				}
				if err := r.Replace(path, "meta", []byte(text)); err != nil {
					t.Fatal(err)
				}
				if got := content(t, path); got != text {
					t.Fatalf("%q, want %q", got, text)
				}
			}
			if err := r.RemoveTemps(); err != nil {
				t.Fatal(err)
			}
			if left, _ := filepath.Glob(filepath.Join(r.git, tempPrefix+"*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

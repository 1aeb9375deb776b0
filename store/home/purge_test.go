package home

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestPurgeRemovesWhatIsOursAndNothingElse(t *testing.T) {
	user := t.TempDir()
	h := At(filepath.Join(user, ".dormouse"))
	if _, err := h.Purge(user); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
	make := func() {
		t.Helper()
		if err := h.Create(); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Machine(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(h.Sessions(), "x"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	make()
	lock, err := h.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Purge(user); !errors.Is(err, ErrLocked) || !h.Used() {
		t.Errorf("while a service runs: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(h.Dir(), "thesis.tex")
	if err := os.WriteFile(theirs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	left, err := h.Purge(user)
	if err != nil || len(left) != 1 || left[0] != theirs {
		t.Errorf("left %v, %v", left, err)
	}
	if entries, err := os.ReadDir(h.Dir()); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := os.Remove(theirs); err != nil {
		t.Fatal(err)
	}
	make()
	if left, err := h.Purge(user); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := os.Lstat(h.Dir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
	real := filepath.Join(user, "disk")
	if err := errors.Join(os.Mkdir(real, 0o700), os.Symlink(real, h.Dir())); err != nil {
		t.Fatal(err)
	}
	make()
	if _, err := h.Purge(user); err != nil {
		t.Error(err)
	}
	for _, path := range []string{real, h.Dir()} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
}

func TestAFolderThatIsNoStateFolderIsNotPurged(t *testing.T) {
	user := t.TempDir()
	docs := filepath.Join(user, "docs")
	if err := os.MkdirAll(filepath.Join(docs, "projects"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{docs, user, filepath.Dir(user), "/"} {
		if err := os.WriteFile(filepath.Join(user, "machine"), []byte("0123abcd\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := At(dir).Purge(user); !errors.Is(err, ErrNotOurs) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if _, err := os.Stat(filepath.Join(docs, "projects")); err != nil {
		t.Error(err)
	}
	started := At(filepath.Join(user, "log-only")) // a service that never came up
	if err := errors.Join(Mkdir(started.Dir()), Mkdir(started.Logs())); err != nil {
		t.Fatal(err)
	}
	if left, err := started.Purge(user); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

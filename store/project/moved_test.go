package project

import (
	"path/filepath"
	"testing"
)

func TestMovedFolderIsTheSameProject(t *testing.T) {
	w := newWorld(t)
	dir := mkdir(t, filepath.Join(w.home, "notes"))
	p, err := w.Bind(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	other := w.resolve(t, Hints{Cwd: mkdir(t, filepath.Join(w.home, "notes2"))})
	now := mkdir(t, filepath.Join(w.home, "papers"))
	if err := w.Moved(dir, now); err != nil {
		t.Fatal(err)
	}
	if err := w.Moved(filepath.Join(w.home, "nowhere"), now); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Registry{w.Registry, w.again()} {
		got, err := r.Resolve(t.Context(), Hints{Cwd: now})
		if err != nil || got.ID != p.ID || got.Path != now || got.BoundAt == 0 {
			t.Errorf("%+v %v", got, err)
		}
		if same, err := r.Get(other.ID); err != nil || same.Path != filepath.Join(w.home, "notes2") {
			t.Errorf("another folder was moved, too: %+v %v", same, err)
		}
	}
}

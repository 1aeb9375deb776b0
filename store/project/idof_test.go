package project

import (
	"path/filepath"
	"testing"
)

func TestTheIDThatAFolderWouldHaveIsTheOneThatItGets(t *testing.T) {
	w := newWorld(t)
	work := mkdir(t, filepath.Join(w.home, "work"))
	remote, local, notes := repo(t, filepath.Join(work, "a"), "https://example.org/o/a.git"), repo(t, filepath.Join(work, "b"), ""), mkdir(t, filepath.Join(w.home, "notes"))
	before, err := w.List()
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for _, dir := range []string{remote, local, notes} {
		id, main, err := w.IDOf(t.Context(), dir)
		if err != nil || main != resolved(dir) {
			t.Errorf("%s: main folder %q, %v", dir, main, err)
		}
		ids[dir] = id
	}
	if after, err := w.List(); err != nil || len(after) != len(before) {
		t.Errorf("%d projects became %d, %v", len(before), len(after), err)
	}
	for dir, id := range ids {
		if p := w.resolve(t, Hints{Cwd: dir}); p.ID != id {
			t.Errorf("%s got %s, and was told %s", dir, p.ID, id)
		}
		if again, _, err := w.IDOf(t.Context(), dir); again != id || err != nil {
			t.Errorf("%s: %s, now %s, %v", dir, id, again, err)
		}
	}
	if id, main, err := w.IDOf(t.Context(), w.home); id != "" || main != "" || err != nil {
		t.Errorf("the home folder: %q %q %v", id, main, err)
	}
}

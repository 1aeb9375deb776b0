package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestAFolderIsAProjectNewOrWide(t *testing.T) {
	w := newWorld(t)
	work := mkdir(t, filepath.Join(w.home, "work"))
	a := repo(t, filepath.Join(work, "a"), "https://example.org/o/a.git")
	b := repo(t, filepath.Join(work, "b"), "")
	fresh := repo(t, filepath.Join(work, "fresh"), "")
	plain := mkdir(t, filepath.Join(w.home, "notes"))
	link := filepath.Join(w.home, "link")
	if err := os.Symlink(a, link); err != nil {
		t.Skip(err)
	}
	pa, pb := w.resolve(t, Hints{Cwd: a}), w.resolve(t, Hints{Cwd: b})
	for dir, want := range map[string]struct {
		id     string
		wide   bool
		inside []string
	}{
		a:                                 {id: pa.ID},
		mkdir(t, filepath.Join(a, "sub")): {id: pa.ID},
		link:                              {id: pa.ID},
		filepath.Join(b, "gone"):          {id: pb.ID},
		fresh:                             {},
		plain:                             {wide: true},
		work:                              {wide: true, inside: []string{pa.ID, pb.ID}},
		w.home:                            {wide: true, inside: []string{"default", pa.ID, pb.ID}},
		"/":                               {wide: true, inside: []string{"default", pa.ID, pb.ID}},
	} {
		at, err := w.At(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		var id string
		if at.Project != nil {
			id = at.Project.ID
		}
		var inside []string
		for _, p := range at.Inside {
			inside = append(inside, p.ID)
		}
		slices.Sort(want.inside)
		if id != want.id || at.Wide != want.wide || !slices.Equal(inside, want.inside) {
			t.Errorf("%s: %q %v %v, want %+v", dir, id, at.Wide, inside, want)
		}
	}
	if list, err := w.List(); err != nil || len(list) != 3 {
		t.Errorf("looking registered something: %v %v", list, err)
	}
}

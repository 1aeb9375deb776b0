package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dormouse/store/memory"
)

func TestSessionMovesIntoItsProjectWhenThatIsBound(t *testing.T) {
	b := newBound(t)
	project := b.project
	b.project = ""
	x := ensure(t, b.Store, "a")
	nodes := talk(1, 5)
	add(t, x, false, false, nodes[:17]...)
	old, before := x.Dir(), shas(t, x)
	if moved, err := b.Settle(x.id); moved || err != nil {
		t.Errorf("it moves without a binding: %v", err)
	}
	b.project = project
	if moved, err := b.Settle(x.id); !moved || err != nil {
		t.Fatalf("%v %v", moved, err)
	}
	if moved, err := b.Settle(x.id); moved || err != nil {
		t.Errorf("it moves twice: %v", err)
	}
	if x.Dir() != filepath.Join(inside(project), x.id) || !exists(old) {
		t.Fatalf("it lives in %s", x.Dir())
	}
	add(t, x, false, true, nodes[17:]...)
	clean(t, x)
	sound(t, x)
	for _, s := range []*Store{b.Store, b.again(t)} {
		if err := s.SweepMoved(); err != nil || exists(old) {
			t.Errorf("the old folder is still there: %v", err)
		}
		y, err := s.Open(x.id)
		if err != nil || y.Len() != 20 || len(listed(t, s)) != 1 {
			t.Fatalf("%v", err)
		}
		if got := shas(t, y); !slices.Equal(got[len(got)-len(before):], before) {
			t.Error("commits have changed")
		}
	}
	if out := stock(t, project, "status", "--porcelain", "-uall"); out != "" {
		t.Errorf("git status of the project says %q", out)
	}
	b.project = "" // unbound: nothing is removed, and nothing moves back
	if moved, err := b.Settle(x.id); moved || err != nil || x.Len() != 20 {
		t.Errorf("%v %v", moved, err)
	}
}

// TestMoveThatWasInterruptedLosesNothing goes through the states that a kill can leave.
func TestMoveThatWasInterruptedLosesNothing(t *testing.T) {
	for name, kill := range map[string]func(t *testing.T, b *bound, x *Session, to string){
		"while it was copied": func(t *testing.T, b *bound, x *Session, to string) {
			if err := os.MkdirAll(filepath.Join(filepath.Dir(to), newPrefix+x.id, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
		},
		"before it was written down": func(t *testing.T, b *bound, x *Session, to string) {
			if err := copyWhole(x.Dir(), to); err != nil {
				t.Fatal(err)
			}
		},
		"before the old one was removed": func(t *testing.T, b *bound, x *Session, to string) {
			if _, err := b.Settle(x.id); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBound(t)
			project := b.project
			b.project = ""
			x := ensure(t, b.Store, "a")
			add(t, x, false, false, talk(1, 4)...)
			b.project = project
			if err := b.shelter(project); err != nil {
				t.Fatal(err)
			}
			kill(t, b, x, filepath.Join(inside(project), x.id))
			s := b.again(t)
			if got := listed(t, s); !slices.Equal(got, []string{x.id}) {
				t.Fatalf("listed %v", got)
			}
			y := ensure(t, s, "a")
			if y.Len() != 15 {
				t.Fatalf("%d nodes", y.Len())
			}
			if _, err := s.Settle(x.id); err != nil {
				t.Fatal(err)
			}
			if add(t, y, false, true, talk(1, 6)...) != 10 {
				t.Error("nodes come twice, or not at all")
			}
			if err := s.SweepMoved(); err != nil || exists(s.path(x.id)) || y.Dir() != filepath.Join(inside(project), x.id) {
				t.Errorf("%s, %v", y.Dir(), err)
			}
			clean(t, y)
			sound(t, y)
		})
	}
}

func TestSessionDoesNotMoveOverAnotherOne(t *testing.T) {
	b := newBound(t)
	project := b.project
	b.project = ""
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 3)...)
	if err := b.shelter(project); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(inside(project), x.id)
	if err := copyWhole(x.Dir(), to); err != nil {
		t.Fatal(err)
	}
	add(t, x, false, true, talk(3, 5)...)
	b.project = project
	if moved, err := b.Settle(x.id); moved || err != nil || x.Dir() != b.path(x.id) {
		t.Errorf("%v %v", moved, err)
	}
	if m, err := readMeta(to); err != nil || m.Nodes != 10 {
		t.Errorf("the other one has changed: %v", err)
	}
	if err := b.places.put(x.id, Location{Path: project, Seen: memory.Session{}}); err != nil {
		t.Fatal(err)
	}
	if err := b.SweepMoved(); err != nil || !exists(b.path(x.id)) {
		t.Errorf("a folder that holds more was removed: %v", err)
	}
}

package session

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestMovedProjectIsFoundAgainByItsSessions(t *testing.T) {
	for name, find := range map[string]func(t *testing.T, b *bound, s *Store, now string){
		"beside its old place": func(*testing.T, *bound, *Store, string) {},
		"when one works in it": func(t *testing.T, b *bound, s *Store, now string) {
			if from, err := s.Discover(now); err != nil || s == b.Store && !slices.Equal(from, []string{b.project}) {
				t.Errorf("came from %v, %v", from, err)
			}
		},
		"where projects are known to lie": func(_ *testing.T, _ *bound, s *Store, now string) {
			s.opts.Projects = func() []string { return []string{"/nowhere", now} }
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBound(t)
			x := ensure(t, b.Store, "a")
			add(t, x, false, false, talk(1, 3)...)
			now := filepath.Join(b.root, "store")
			if !strings.HasPrefix(name, "beside") {
				now = filepath.Join(b.root, "deep", "er", "store")
				if err := os.MkdirAll(filepath.Dir(now), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			rename(t, b.project, now)
			for _, s := range []*Store{b.Store, b.again(t)} { // the running service, and the next one
				find(t, b, s, now)
				y, err := s.Open(x.id)
				if err != nil || y.Dir() != filepath.Join(inside(now), x.id) || y.Len() != 10 {
					t.Fatalf("%v", err)
				}
				if s == b.Store {
					add(t, y, false, true, talk(1, 3)...)
				}
			}
			if exists(b.project) {
				t.Error("the old folder was made anew")
			}
			sound(t, reopened(t, x))
		})
	}
}

func TestCopyOfAProjectIsNotClaimed(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 3)...)
	copied := filepath.Join(b.root, "copy")
	if out, err := exec.Command("cp", "-r", b.project, copied).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if from, err := b.Discover(copied); err != nil || from != nil {
		t.Errorf("%v %v", from, err)
	}
	if y, err := b.again(t).Open(x.id); err != nil || y.Dir() != x.Dir() {
		t.Errorf("%v", err)
	}
	// Nor are the sessions of another machine, in a folder that came from there.
	y, err := New(Options{Dir: filepath.Join(t.TempDir(), "sessions"), Machine: "00000002"}).Open(x.id)
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("%v %v", y, err)
	}
	foreign := New(Options{Dir: filepath.Join(t.TempDir(), "sessions"), Machine: "00000002", Temps: []string{}})
	if from, err := foreign.Discover(copied); err != nil || from != nil || len(listed(t, foreign)) != 0 {
		t.Errorf("another machine claims it: %v %v", from, err)
	}
}

func TestLostLocationsAreMadeAgainFromTheProjectsFolders(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 3)...)
	for _, damage := range []string{"", "{", "null", "[]"} {
		if err := os.WriteFile(b.path(locationsFile), []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		s := b.again(t)
		if _, err := s.Discover(b.project); err != nil {
			t.Fatal(err)
		}
		if got := listed(t, s); !slices.Equal(got, []string{x.id}) {
			t.Errorf("%q: listed %v", damage, got)
		}
		if told := len(s.Problems()) > 0; told != (damage != "null") {
			t.Errorf("%q: problems %q", damage, s.Problems())
		}
	}
}

func TestSessionOfAVanishedProjectIsOutOfReachWithTheReason(t *testing.T) {
	b := newBound(t)
	x, own := ensure(t, b.Store, "a"), ensure(t, b.Store, "b")
	add(t, x, false, true, talk(1, 3)...)
	if err := x.Update(func(m *memory.Session) { m.Title = "Mend the till" }); err != nil {
		t.Fatal(err)
	}
	if err := b.Note(); err != nil {
		t.Fatal(err)
	}
	gone := b.project
	rename(t, gone, filepath.Join(t.TempDir(), "elsewhere"))
	b.project = ""
	add(t, own, false, true, talk(1, 2)...)
	for _, s := range []*Store{b.Store, b.again(t)} {
		if got := listed(t, s); !slices.Equal(got, []string{own.id}) {
			t.Errorf("listed %v", got)
		}
		away := s.Away()
		if len(away) != 1 || away[0].Meta.ID != x.id || away[0].Meta.Title != "Mend the till" || !strings.Contains(away[0].Reason, gone) {
			t.Errorf("away: %+v", away)
		}
		if _, err := s.Open(x.id); !errors.Is(err, ErrUnreachable) || errors.Is(err, ErrNotFound) {
			t.Errorf("opened: %v", err)
		}
		if _, err := s.Ensure(x.Meta(), "cc"); !errors.Is(err, ErrUnreachable) {
			t.Errorf("a second one is begun beside it: %v", err)
		}
	}
	batch := x.Begin(false)
	if _, err := batch.Append(talk(3, 4)[0]); !errors.Is(err, ErrUnreachable) {
		t.Errorf("something is written: %v", err)
	}
	batch.Abort()
	if exists(gone) {
		t.Error("the folder was made anew")
	}
}

func TestSessionThatWasRemovedFromItsProjectCanBeCapturedAgain(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 3)...)
	stock(t, b.project, "clean", "-ffdxq")
	s := b.again(t)
	if away := s.Away(); len(away) != 1 || !strings.Contains(away[0].Reason, "removed") {
		t.Errorf("%+v", away)
	}
	y := ensure(t, s, "a")
	if n := add(t, y, true, true, talk(1, 3)...); n != 10 || y.id != x.id || len(s.Away()) != 0 {
		t.Errorf("%d nodes", n)
	}
}

package session

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dormouse/store/memory"
)

func TestDeletedSessionIsGoneAndStaysGone(t *testing.T) {
	s := newStore(t)
	var told []string
	s.opts.OnChange = func(id string) { told = append(told, id) }
	s.opts.Now = func() time.Time { return fixed }
	x := ensure(t, s, "a")
	add(t, x, false, true, talk(1, 3)...)
	meta := x.Meta()
	if err := s.Delete(x.id); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.opts.Dir); len(left) != 1 || left[0].Name() != gravesFile || len(told) != 2 {
		t.Errorf("left %v, told of %v", left, told)
	}
	b := x.Begin(false)
	if _, err := b.Append(talk(1, 2)[0]); !errors.Is(err, ErrNotFound) {
		t.Errorf("appending to it: %v", err)
	}
	if err := b.Close(true); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if err := x.Update(func(m *memory.Session) { m.Title = "x" }); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	for _, s := range []*Store{s, New(s.opts)} {
		if _, err := s.Ensure(meta, "cc"); !errors.Is(err, ErrDeleted) {
			t.Errorf("the next scan of its transcript brings it back: %v", err)
		}
		if _, err := s.Open(x.id); !errors.Is(err, ErrDeleted) || !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
		if err := s.Delete(x.id); !errors.Is(err, ErrDeleted) {
			t.Error(err)
		}
		if g := s.Deleted()[x.id]; g.Meta != meta || g.At != fixed.Unix() {
			t.Errorf("remembered as %+v", g)
		}
	}
}

func TestUndeletedSessionCanBeCapturedAgain(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	add(t, x, false, true, talk(1, 3)...)
	if err := x.Update(func(m *memory.Session) { m.Title, m.TitleBy, m.Pinned = "Mine", "user", true }); err != nil {
		t.Fatal(err)
	}
	want := x.Meta()
	if err := s.Delete(x.id); err != nil {
		t.Fatal(err)
	}
	s = New(s.opts)
	if g, err := s.Undelete(x.id); err != nil || g.Meta.AgentSessionID != "a" {
		t.Errorf("%+v %v", g, err)
	}
	if y := ensure(t, s, "a"); add(t, y, false, true, talk(1, 3)...) != 10 || y.Meta() != want {
		t.Errorf("%+v, want %+v", y.Meta(), want)
	}
	for _, id := range []string{x.id, "nothing"} {
		if _, err := s.Undelete(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestDeleteRemovesRepositoryAndLocationOfASessionInAProject(t *testing.T) {
	b := newBound(t)
	x, y := ensure(t, b.Store, "a"), ensure(t, b.Store, "b")
	add(t, x, false, true, talk(1, 3)...)
	add(t, y, false, true, talk(1, 3)...)
	if err := b.Delete(x.id); err != nil {
		t.Fatal(err)
	}
	places, err := b.again(t).places.list()
	if _, there := places[x.id]; err != nil || there || len(places) != 1 || exists(x.Dir()) {
		t.Errorf("%v %v", places, err)
	}
	if got := listed(t, b.again(t)); !slices.Equal(got, []string{y.id}) {
		t.Errorf("listed %v", got)
	}
}

func TestDeletionThatWasInterruptedIsEndedByTheNextStart(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 3)...)
	b.project = ""
	y := ensure(t, b.Store, "b")
	add(t, y, false, true, talk(1, 3)...)
	for _, z := range []*Session{x, y} { // as if it was killed after the decision was written
		if err := b.graves.put(z.id, Grave{Meta: z.Meta(), At: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if got := listed(t, b.again(t)); len(got) != 0 || exists(x.Dir()) || exists(y.Dir()) {
		t.Errorf("listed %v", got)
	}
}

func TestSessionOutOfReachIsDeletedWhenItIsThereAgain(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 3)...)
	away := filepath.Join(t.TempDir(), "away")
	rename(t, b.project, away)
	s := b.again(t)
	if err := s.Delete(x.id); err != nil {
		t.Fatal(err)
	}
	if len(s.Away()) != 0 || len(listed(t, s)) != 0 {
		t.Error("it is still shown")
	}
	rename(t, away, b.project)
	s = b.again(t)
	if _, err := s.Discover(b.project); err != nil || len(listed(t, s)) != 0 {
		t.Errorf("it came back: %v", err)
	}
	if exists(x.Dir()) {
		t.Error("its repository is still there")
	}
}

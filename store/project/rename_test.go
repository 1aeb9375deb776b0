package project

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestAProjectIsCalledAsThePersonSaysAndStaysTheSame(t *testing.T) {
	r := newWorld(t)
	dir := repo(t, filepath.Join(r.home, "shop"), "")
	p, err := r.Bind(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.SetTitle(p.ID, "  The 店 \t shop ")
	if err != nil || got.Called() != "The 店 shop" || got.Name != p.Name || got.ID != p.ID {
		t.Fatalf("%+v, %v", got, err)
	}
	again := r.again() // as the next start reads it
	for _, what := range []string{"The 店 shop", "the 店 SHOP", p.Name, p.ID, dir} {
		if found, err := again.Find(t.Context(), what); err != nil || found.ID != p.ID || found.Called() != "The 店 shop" {
			t.Errorf("%q: %+v, %v", what, found, err)
		}
	}
	if seen, err := again.Resolve(t.Context(), Hints{Cwd: dir}); err != nil || seen.ID != p.ID || seen.Called() != "The 店 shop" {
		t.Errorf("a new session gives it another name: %+v, %v", seen, err)
	}
	for _, back := range []string{"", p.Name} {
		if _, err := again.SetTitle(p.ID, "x"); err != nil {
			t.Fatal(err)
		}
		if got, err := again.SetTitle(p.ID, back); err != nil || got.Title != "" || got.Called() != p.Name {
			t.Errorf("%q: %+v, %v", back, got, err)
		}
	}
}

func TestWhatAProjectCannotBeCalledIsRefused(t *testing.T) {
	r := newWorld(t)
	dir := repo(t, filepath.Join(r.home, "shop"), "")
	p, err := r.Bind(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		id, title string
		want      error
	}{
		"too long": {p.ID, strings.Repeat("ä", MaxTitle+1), ErrBadTitle}, "no text": {p.ID, "a\xff", ErrBadTitle}, "a sign": {p.ID, "a\x1b[2J", ErrBadTitle},
		"none such": {"proj_no", "x", ErrNotFound}, "the default": {memory.DefaultProject, "x", ErrCannotBind},
	} {
		if _, err := r.SetTitle(c.id, c.title); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := r.SetTitle(p.ID, strings.Repeat("ä", MaxTitle)); err != nil || got.Title == "" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := r.Get(p.ID); err != nil || len([]rune(got.Called())) != MaxTitle {
		t.Errorf("%+v, %v", got, err)
	}
}

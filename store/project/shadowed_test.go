package project

import (
	"errors"
	"testing"
	"time"
)

func TestAShadowHistoryIsOnForWhatThePersonBoundUntilItIsTurnedOff(t *testing.T) {
	r := New(Options{Dir: t.TempDir(), Now: func() time.Time { return time.Unix(1000, 0) }})
	dir := t.TempDir()
	p, err := r.Bind(t.Context(), dir)
	if err != nil || !p.Shadowed() {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, on := range []bool{false, false, true} {
		if p, err = r.SetShadow(p.ID, on); err != nil || p.Shadowed() != on {
			t.Errorf("%v: %+v, %v", on, p, err)
		}
	}
	if p, err = r.Unbind(p.ID); err != nil || p.Shadowed() {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := r.SetShadow(p.ID, true); !errors.Is(err, ErrCannotBind) {
		t.Errorf("not bound: %v", err)
	}
	if _, err := r.SetShadow("proj_none", false); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such project: %v", err)
	}
	found := Project{Remote: "github.com/a/b"}
	if found.Shadowed() {
		t.Error("a repository that was only found is kept")
	}
}

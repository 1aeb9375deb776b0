package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dormouse/service/api"
)

func TestAFolderIsBoundAndUnboundThroughTheService(t *testing.T) {
	s := start(t, params(t.TempDir(), t.TempDir()))
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	changes := s.daemon.hub.Subscribe(t.Context())
	p, err := s.Bind(t.Context(), dir)
	if err != nil || !p.Bound || p.Name != "shop" {
		t.Fatalf("%+v, %v", p, err)
	}
	if ch := <-changes; ch.Type != "project" || ch.ID != p.ID {
		t.Errorf("told of %+v", ch)
	}
	list, err := s.Projects(t.Context())
	if err != nil || !slices.ContainsFunc(list, func(x api.Project) bool { return x == p }) {
		t.Errorf("%+v, %v", list, err)
	}
	if p, err = s.Unbind(t.Context(), "shop"); err != nil || p.Bound {
		t.Errorf("%+v, %v", p, err)
	}
	for what, call := range map[string]func() (api.Project, error){
		api.CodeBadRequest: func() (api.Project, error) { return s.Bind(t.Context(), "shop") },
		api.CodeNotFound:   func() (api.Project, error) { return s.Unbind(t.Context(), "nowhere") },
	} {
		var e *api.Error
		if _, err := call(); !errors.As(err, &e) || e.Code != what {
			t.Errorf("%s: %v", what, err)
		}
	}
	var e *api.Error
	if _, err := s.Unbind(t.Context(), "default"); !errors.As(err, &e) || e.Code != api.CodeBadRequest {
		t.Errorf("default: %v", err)
	}
}

func TestUnbindingLeavesSessionsAndMemoriesAlone(t *testing.T) {
	p := learned(t)
	dir, s := p.Home.Dir(), start(t, p)
	before, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files := published(t, dir)
	if p, err := s.Unbind(t.Context(), "mise"); err != nil || p.Bound || p.Sessions != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	after, err := s.Status(t.Context())
	if err != nil || after.Counts != before.Counts || published(t, dir) != files {
		t.Errorf("counts %+v, before %+v, %v", after.Counts, before.Counts, err)
	}
	sound(t, dir)
}

package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/connect"
	"dormouse/service/inject"
)

// linked is a service whose person has Claude Code with settings of their own.
func linked(t *testing.T, demo bool) (s *service, settings string) {
	t.Helper()
	user := t.TempDir()
	settings = filepath.Join(user, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte("{\n  // mine\n  \"model\": \"opus\"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := params(t.TempDir(), t.TempDir())
	p.Demo = demo
	path := func(name string) func() (string, error) {
		return func() (string, error) { return filepath.Join(user, "bin", name), nil }
	}
	p.Links = &connect.Setup{Env: func(string) string { return "" }, User: user, Program: path("dormouse"), Hook: path("dormouse-hook"),
		Moments: func(agent string) ([]inject.Moment, error) { return p.Config.Inject.Moments(agent), nil }}
	return start(t, p), settings
}

func stateOf(t *testing.T, s *service, agent string) api.Link {
	t.Helper()
	all, err := s.Links(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if l.Agent == agent {
			return l
		}
	}
	t.Fatalf("no %s in %+v", agent, all)
	return api.Link{}
}

func TestAnAgentIsConnectedAsThePlanThatWasShownSays(t *testing.T) {
	s, settings := linked(t, false)
	if l := stateOf(t, s, "claude-code"); !l.Installed || l.Hooks != api.LinkMissing || l.MCP != api.LinkMissing {
		t.Fatalf("%+v", l)
	}
	if l := stateOf(t, s, "codex"); l.Installed {
		t.Errorf("%+v", l)
	}
	before, _ := os.ReadFile(settings)
	q := api.LinkQuery{Agent: "claude-code", Action: api.LinkConnect}
	plan, err := s.LinkPlan(t.Context(), q)
	if err != nil || len(plan.Files) != 2 || !strings.Contains(plan.Files[0].Diff, "dormouse-hook") || plan.Files[0].Path != settings {
		t.Fatalf("%+v, %v", plan, err)
	}
	if now, _ := os.ReadFile(settings); string(now) != string(before) {
		t.Error("a plan wrote")
	}

	q.Mark = "another"
	var refused *api.Error
	if _, err := s.LinkChange(t.Context(), q); !errors.As(err, &refused) || refused.Code != api.CodeBadRequest {
		t.Errorf("another plan was carried out: %v", err)
	}
	q.Mark = plan.Mark
	if _, err := s.LinkChange(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if l := stateOf(t, s, "claude-code"); l.Hooks != api.LinkConnected || l.MCP != api.LinkConnected || !l.Injects {
		t.Errorf("%+v", l)
	}
	if now, _ := os.ReadFile(settings); !strings.Contains(string(now), "// mine") || !strings.Contains(string(now), "dormouse-hook") {
		t.Errorf("%s", now)
	}

	q = api.LinkQuery{Agent: "claude-code", Action: api.LinkDisconnect}
	if plan, err = s.LinkPlan(t.Context(), q); err != nil || len(plan.Files) != 2 {
		t.Fatalf("%+v, %v", plan, err)
	}
	q.Mark = plan.Mark
	if _, err := s.LinkChange(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.ReadFile(settings); string(now) != string(before) {
		t.Errorf("not as it was: %s", now)
	}
	if plan, err = s.LinkPlan(t.Context(), q); err != nil || len(plan.Files) != 0 {
		t.Errorf("%+v, %v", plan, err)
	}
}

func TestAnAgentIsNotConnectedToTheDemoNorAnUnknownOneToAnything(t *testing.T) {
	s, settings := linked(t, true)
	before, _ := os.ReadFile(settings)
	q := api.LinkQuery{Agent: "claude-code", Action: api.LinkConnect}
	plan, err := s.LinkPlan(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	q.Mark = plan.Mark
	var refused *api.Error
	if _, err := s.LinkChange(t.Context(), q); !errors.As(err, &refused) || refused.Code != api.CodeForbidden {
		t.Errorf("%v", err)
	}
	if now, _ := os.ReadFile(settings); string(now) != string(before) {
		t.Errorf("%s", now)
	}
	for want, q := range map[string]api.LinkQuery{api.CodeNotFound: {Agent: "nobody", Action: api.LinkConnect}, api.CodeBadRequest: {Agent: "codex", Action: "erase"}} {
		if _, err := s.LinkPlan(t.Context(), q); !errors.As(err, &refused) || refused.Code != want {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if err := os.WriteFile(settings, []byte("{ broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LinkPlan(t.Context(), api.LinkQuery{Agent: "claude-code", Action: api.LinkConnect}); !errors.As(err, &refused) || !strings.Contains(refused.Message, settings) {
		t.Errorf("%v", err)
	}
}

func TestWithoutASetupNothingIsSaidOfAgentsSettings(t *testing.T) {
	s := start(t, params(t.TempDir(), t.TempDir()))
	var refused *api.Error
	if _, err := s.Links(t.Context()); !errors.As(err, &refused) || refused.Code != api.CodeNotFound {
		t.Errorf("%v", err)
	}
	if _, err := s.LinkPlan(t.Context(), api.LinkQuery{Agent: "codex", Action: api.LinkConnect}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}

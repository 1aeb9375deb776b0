package daemon

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/spool"
	"dormouse/store/project"
)

func TestTheBeginAndTheEndOfATurnAreToldFromOtherEvents(t *testing.T) {
	whole := spool.Report{Session: "s", Cwd: "/x"}
	child := whole
	child.Child = true
	for _, c := range []struct {
		event string
		r     spool.Report
		ok    bool
		ends  bool
	}{
		{"UserPromptSubmit", whole, true, false}, {"userPromptSubmitted", whole, true, false}, {"beforeSubmitPrompt", whole, true, false},
		{"BeforeAgent", whole, true, false}, {"Stop", whole, true, true}, {"agentStop", whole, true, true}, {"AfterAgent", whole, true, true},
		{"SubagentStop", whole, false, false}, {"PostToolUse", whole, false, false}, {"SessionEnd", whole, false, false}, {"", whole, false, false},
		{"Stop", child, false, false}, {"Stop", spool.Report{Session: "s"}, false, false}, {"Stop", spool.Report{Cwd: "/x"}, false, false},
	} {
		c.r.Event = c.event
		h, ok := turnHookOf(c.r, []byte(`{"prompt":"Do it"}`))
		if ok != c.ok || h.ends != c.ends || ok && h.words != "Do it" {
			t.Errorf("%s: %+v %v", c.event, h, ok)
		}
	}
	whole.Event = "Stop"
	for payload, want := range map[string]int{`{"prompt":"` + strings.Repeat("ä", maxPrompt) + `"}`: maxPrompt,
		`{"prompt":"<system-reminder>Be quick.</system-reminder>Do it"}`: len("Do it"), `{"prompt":[1]}`: 0, `nonsense`: 0, ``: 0} {
		if h, ok := turnHookOf(whole, []byte(payload)); !ok || len(h.words) != want {
			t.Errorf("%.20s: %d bytes, %v", payload, len(h.words), ok)
		}
	}
}

func TestATurnThatHooksTellOfIsCommitted(t *testing.T) {
	dir := workOf(t)
	s := start(t, params(t.TempDir(), t.TempDir()))
	ctx := t.Context()
	if _, err := s.Bind(ctx, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AutoCommit(ctx, dir, true); err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(map[string]string{"session_id": "1f0c3b5e", "cwd": dir, "prompt": "Change a, with the token gh" + "p_" + "x7Rk2Lm9Qw4Tz8Bv1N" + "c6Hj3Pd5Fs0GaYe4Uo"})
	if err != nil {
		t.Fatal(err)
	}
	begin, ok := turnHookOf(spool.Of("claude-code", "UserPromptSubmit", payload, 0), payload)
	if !ok {
		t.Fatal("no begin")
	}
	s.daemon.dealWithTurn(ctx, begin)
	write(t, filepath.Join(dir, "a.txt"), "2\n")
	if _, err := s.daemon.hook(ctx, api.Hook{Agent: "claude-code", Event: "Stop", Payload: payload}); err != nil {
		t.Fatal(err)
	}
	await(t, s, func(api.Status) bool { return mine(t, dir, "rev-list", "--count", "HEAD") == "2" })
	id := s.daemon.sessionOfAgent("claude-code", "1f0c3b5e")
	if got := mine(t, dir, "log", "-1", "--format=%s|%an"); !strings.HasPrefix(got, "[agent "+id+"] turn 0: Change a, with the token [redacted:") || !strings.HasSuffix(got, "|agent (unknown model via Dormouse)") {
		t.Errorf("%s", got)
	}
	if st := mine(t, dir, "status", "--porcelain"); st != "" {
		t.Errorf("status %s", st)
	}
}

func TestTheBeginOfATurnIsDealtWithBeforeItsEnd(t *testing.T) {
	dir := workOf(t)
	s := start(t, params(t.TempDir(), t.TempDir()))
	ctx := t.Context()
	p, err := s.Bind(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AutoCommit(ctx, dir, true); err != nil {
		t.Fatal(err)
	}
	payload, _ := json.Marshal(map[string]string{"session_id": "1f0c3b5e", "cwd": dir})
	for range 20 {
		for _, event := range []string{"UserPromptSubmit", "Stop"} {
			if _, err := s.daemon.hook(ctx, api.Hook{Agent: "claude-code", Event: event, Payload: payload}); err != nil {
				t.Fatal(err)
			}
		}
	}
	await(t, s, func(api.Status) bool { return len(s.daemon.hooks.turns) == 0 })
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if o, ok := s.daemon.committer.Last(p.ID); ok && o.Reason == project.BeginUnknown {
		t.Errorf("an end came before its begin: %+v", o)
	}
}

package daemon

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/capture/transcript"
	"dormouse/service/recall"
	"dormouse/store/home"
)

// said writes a session of Claude Code in a folder: one prompt a turn, each with an answer.
func said(t *testing.T, roots, id, cwd string, prompts ...string) string {
	t.Helper()
	var b strings.Builder
	up := "null"
	for n, prompt := range prompts {
		u, a := fmt.Sprintf("%s-u%d", id, n), fmt.Sprintf("%s-a%d", id, n)
		for _, line := range []string{
			fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%s,"sessionId":%q,"cwd":%q,"timestamp":"2026-05-01T10:%02d:00Z","message":{"role":"user","content":%q}}`, u, up, id, cwd, n, prompt),
			fmt.Sprintf(`{"type":"assistant","uuid":%q,"parentUuid":%q,"sessionId":%q,"cwd":%q,"timestamp":"2026-05-01T10:%02d:09Z","message":{"id":"m-%s","role":"assistant","model":"m","content":[{"type":"text","text":"I will."}],"stop_reason":"end_turn"}}`, a, u, id, cwd, n, a),
		} {
			b.WriteString(line + "\n")
		}
		up = fmt.Sprintf("%q", a)
	}
	path := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "w", id+".jsonl")
	if err := home.Mkdir(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	write(t, path, b.String())
	return path
}

// ofRemote makes a repository of the person's that has an address.
func ofRemote(t *testing.T, url string) string {
	dir := workOf(t)
	mine(t, dir, "remote", "add", "origin", url)
	return dir
}

// asks calls a hook that waits for what it is told, and gives the text for the model.
func (s *service) asks(t *testing.T, agent, event string, payload map[string]any) string {
	t.Helper()
	b, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.daemon.hook(t.Context(), api.Hook{Agent: agent, Event: event, Inject: true, Payload: b})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		return ""
	}
	var v struct {
		Quiet  bool `json:"suppressOutput"`
		Output struct {
			Event string `json:"hookEventName"`
			Text  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &v); err != nil || !v.Quiet || v.Output.Event != event {
		t.Errorf("%v in %s", err, out)
	}
	return v.Output.Text
}

const (
	tabs    = "From now on use tabs in all Go files of the orchard."
	spaces  = "From now on use spaces in all Go files of the vineyard."
	lantern = "From now on call the deployment script lantern with the flag --slow."
)

// twoProjects is a service that learned in two projects.
func twoProjects(t *testing.T, change func(*Params)) (s *service, orchard, vineyard string) {
	t.Helper()
	orchard, vineyard = ofRemote(t, "https://example.org/x/orchard.git"), ofRemote(t, "https://example.org/x/vineyard.git")
	roots := t.TempDir()
	said(t, roots, "one", orchard, tabs, lantern)
	said(t, roots, "two", vineyard, spaces, "From now on call the deployment script of the vineyard lantern with the flag --fast.")
	p := params(t.TempDir(), roots)
	p.Config.Inject.PromptRecords = 3
	if change != nil {
		change(&p)
	}
	return start(t, p), orchard, vineyard
}

func TestASessionIsToldTheCoreOfItsOwnProject(t *testing.T) {
	s, orchard, vineyard := twoProjects(t, nil)
	begin := func(cwd, source string, more ...string) string {
		p := map[string]any{"session_id": "new", "cwd": cwd, "source": source}
		for i := 0; i < len(more); i += 2 {
			p[more[i]] = more[i+1]
		}
		return s.asks(t, "claude-code", "SessionStart", p)
	}
	text := begin(orchard, "startup")
	core, err := s.Core(t.Context(), orchard)
	if err != nil || !strings.Contains(text, core.Text) || !strings.Contains(text, "tabs in all Go files") {
		t.Errorf("told, %v\n%s\nthe core is\n%s", err, text, core.Text)
	}
	if strings.Contains(text, "spaces") || len(text) > recall.CoreBytes || !transcript.Injected(text) {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
	if other := begin(vineyard, "startup"); !strings.Contains(other, "spaces in all Go files") || strings.Contains(other, "tabs") {
		t.Errorf("the other project is told\n%s", other)
	}
	if elsewhere := begin(t.TempDir(), "startup"); strings.Contains(elsewhere, "Go files") {
		t.Errorf("a folder of no project is told\n%s", elsewhere)
	}
	// a session that goes on holds it already; one that was compacted does not
	if again := begin(orchard, "resume"); again != "" {
		t.Errorf("told again:\n%s", again)
	}
	if again := begin(orchard, "compact"); again != text {
		t.Errorf("after a compaction it is told\n%s", again)
	}
	if first := begin(orchard, "resume", "session_id", "old"); first != text {
		t.Errorf("a session from before is told\n%s", first)
	}
	shows := filepath.Join(t.TempDir(), "t.jsonl")
	write(t, shows, `{"type":"attachment","attachment":{"type":"hook_additional_context","content":["`+strings.Split(text, "\n")[0]+`"]}}`+"\n")
	if again := begin(orchard, "resume", "session_id", "older", "transcript_path", shows); again != "" {
		t.Errorf("told again though its transcript shows it:\n%s", again)
	}
}

func TestCaseA4TenSubAgentsAreToldNothingUnlessThePersonWantsThat(t *testing.T) {
	for _, wanted := range []bool{false, true} {
		s, orchard, _ := twoProjects(t, func(p *Params) { p.Config.Inject.SubAgents = wanted })
		told := 0
		for i := range 10 {
			for _, event := range []string{"SubagentStart", "SessionStart", "UserPromptSubmit"} {
				p := map[string]any{"session_id": "s", "agent_id": fmt.Sprint("a", i), "cwd": orchard, "prompt": "call the lantern script"}
				if s.asks(t, "claude-code", event, p) != "" {
					told++
				}
			}
		}
		if told > 0 != wanted || wanted && told < 10 {
			t.Errorf("sub-agents wanted %v: told %d times", wanted, told)
		}
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhoIsKeptOutIsToldNothing(t *testing.T) {
	var private string
	s, orchard, _ := twoProjects(t, func(p *Params) {
		private = t.TempDir()
		p.Config.Inject.Except, p.Config.Capture.Exclude = []string{"codex"}, []string{private}
	})
	for name, p := range map[string]map[string]any{
		"codex":                     {"session_id": "s", "cwd": orchard},
		"claude-code":               {"session_id": "s", "cwd": filepath.Join(private, "in")},
		"claude-code without an id": {"cwd": orchard},
	} {
		agent, _, _ := strings.Cut(name, " ")
		if text := s.asks(t, agent, "SessionStart", p); text != "" {
			t.Errorf("%s: told\n%s", name, text)
		}
	}
	if out, err := s.daemon.hook(t.Context(), api.Hook{Agent: "claude-code", Event: "SessionStart", Payload: []byte(`{"session_id":"s","cwd":"` + filepath.ToSlash(orchard) + `"}`)}); out != nil || err != nil {
		t.Errorf("a hook that does not ask is told %s, %v", out, err)
	}
}

func TestAPromptIsAnsweredWithRecordsThatTheSessionDoesNotKnow(t *testing.T) {
	s, orchard, _ := twoProjects(t, func(p *Params) { p.Config.Inject.Core = false })
	ask := func(session, prompt string) string {
		return s.asks(t, "claude-code", "UserPromptSubmit", map[string]any{"session_id": session, "cwd": orchard, "prompt": prompt})
	}
	const prompt = "with which flag is the deployment script lantern called?"
	text := ask("new", prompt)
	if !strings.Contains(text, "--slow") || strings.Contains(text, "--fast") || len(text) > s.daemon.p.Config.Inject.PromptBytes {
		t.Errorf("told\n%s", text)
	}
	if again := ask("new", prompt); strings.Contains(again, "--slow") {
		t.Errorf("told again\n%s", again)
	}
	if own := ask("one", prompt); strings.Contains(own, "--slow") {
		t.Errorf("a session is told of itself\n%s", own)
	}
	if quiet := ask("other", ""); quiet != "" {
		t.Errorf("a prompt without words is answered with\n%s", quiet)
	}
}

// TestNothingIsToldTwiceAfterARestart has the service restart under a session that goes on, and under one that is resumed.
func TestNothingIsToldTwiceAfterARestart(t *testing.T) {
	dir := t.TempDir()
	var p Params
	s, orchard, _ := twoProjects(t, func(q *Params) { q.Home = home.At(dir); p = *q })
	const prompt = "with which flag is the deployment script lantern called?"
	say := func(session, event, source string) string {
		return s.asks(t, "claude-code", event, map[string]any{"session_id": session, "cwd": orchard, "source": source, "prompt": prompt})
	}
	core := say("full", "SessionStart", "startup")
	record := say("bare", "UserPromptSubmit", "")
	if !strings.Contains(core, "--slow") || !strings.Contains(record, "--slow") {
		t.Fatalf("told\n%s\n%s", core, record)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	s = start(t, p)
	if again := say("bare", "UserPromptSubmit", ""); strings.Contains(again, "--slow") {
		t.Errorf("a record is told a second time:\n%s", again)
	}
	if again := say("full", "UserPromptSubmit", ""); strings.Contains(again, "--slow") {
		t.Errorf("what the core tells is told a second time:\n%s", again)
	}
	if again := say("full", "SessionStart", "resume"); again != "" {
		t.Errorf("the core is told a second time:\n%s", again)
	}
	if fresh := say("new", "UserPromptSubmit", ""); !strings.Contains(fresh, "--slow") {
		t.Errorf("a new session is told\n%s", fresh)
	}
	if lost := say("full", "SessionStart", "compact"); lost != core {
		t.Errorf("after a compaction it is told\n%s", lost)
	}
}

func TestARecordOfTheCoreIsNotToldAtAPromptAgain(t *testing.T) {
	s, orchard, _ := twoProjects(t, nil)
	prompt := map[string]any{"session_id": "new", "cwd": orchard, "prompt": "tabs in the Go files of the orchard?"}
	if before := s.asks(t, "codex", "UserPromptSubmit", prompt); !strings.Contains(before, "tabs in all Go files") {
		t.Errorf("a session that was not told the core is told\n%s", before)
	}
	prompt["session_id"] = "newer"
	if text := s.asks(t, "codex", "SessionStart", prompt); !strings.Contains(text, "tabs in all Go files") {
		t.Fatalf("the core is\n%s", text)
	}
	if after := s.asks(t, "codex", "UserPromptSubmit", prompt); strings.Contains(after, "tabs in all Go files") {
		t.Errorf("told a second time\n%s", after)
	}
}

func TestWhatWasForgottenIsNotToldAnyMore(t *testing.T) {
	s, orchard, _ := twoProjects(t, nil)
	const wish = "[Preferences]\n· Use tabs"
	ask := func(session string) string {
		text := s.asks(t, "claude-code", "SessionStart", map[string]any{"session_id": session, "cwd": orchard})
		return strings.ReplaceAll(text, "· Call the deployment script lantern with the flag --slow  ↪ session:"+s.daemon.sessionOfAgent("claude-code", "one")+"\n", "")
	}
	if text := ask("before"); !strings.Contains(text, wish) {
		t.Fatalf("told\n%s", text)
	}
	facts, err := s.Facts(t.Context(), api.FactQuery{Project: orchard})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts.Facts {
		if strings.Contains(f.Fact.Object, "tabs") {
			if _, err := s.Decide(t.Context(), api.Decide{ID: f.Fact.ID, Action: api.DoForget, Project: orchard}); err != nil {
				t.Fatal(err)
			}
		}
	}
	// at once, whether or not the files were drawn up again
	if text := ask("after"); strings.Contains(text, wish) {
		t.Errorf("told\n%s", text)
	}
}

func TestThePreviewIsWhatTheHookGets(t *testing.T) {
	s, orchard, _ := twoProjects(t, nil)
	in, err := s.Inject(t.Context(), api.InjectQuery{Agent: "codex", Cwd: orchard})
	if err != nil || in.Bytes != len(in.Text) || in.Limit != recall.CoreBytes || in.Project == "" {
		t.Errorf("%+v, %v", in, err)
	}
	if text := s.asks(t, "codex", "SessionStart", map[string]any{"session_id": "s", "cwd": orchard}); text != in.Text {
		t.Errorf("the preview is\n%s\nthe hook gets\n%s", in.Text, text)
	}
	if in, err = s.Inject(t.Context(), api.InjectQuery{Agent: "cursor", Cwd: orchard, Prompt: "lantern"}); err != nil || in.Text != "" || !strings.Contains(in.Why, "takes no text") {
		t.Errorf("%+v, %v", in, err)
	}
	if _, err = s.Inject(t.Context(), api.InjectQuery{Agent: "aider", Cwd: orchard}); err == nil || !strings.Contains(err.Error(), "claude-code") {
		t.Errorf("an agent that takes nothing: %v", err)
	}
}

func TestCaseP4WhatSessionsWereToldGivesNoMemory(t *testing.T) {
	s, orchard, _ := twoProjects(t, nil)
	text := s.asks(t, "claude-code", "SessionStart", map[string]any{"session_id": "s", "cwd": orchard})
	q, _ := json.Marshal(text)
	roots := s.daemon.p.Config.Capture.Roots
	told := fmt.Sprintf(`{"type":"user","uuid":"t1","parentUuid":null,"sessionId":"tail","cwd":%[1]q,"timestamp":"2026-06-01T10:00:00Z","message":{"role":"user","content":"count the stars"}}
{"type":"attachment","uuid":"t2","parentUuid":"t1","sessionId":"tail","cwd":%[1]q,"timestamp":"2026-06-01T10:00:01Z","attachment":{"type":"hook_additional_context","content":[%[2]s],"hookName":"SessionStart","hookEvent":"SessionStart","toolUseID":"x"}}
{"type":"assistant","uuid":"t3","parentUuid":"t2","sessionId":"tail","cwd":%[1]q,"timestamp":"2026-06-01T10:00:09Z","message":{"id":"m","role":"assistant","model":"m","content":[{"type":"text","text":"Seventeen."}],"stop_reason":"end_turn"}}
`, orchard, q)
	write(t, filepath.Join(roots["claude-code"][0], "w", "tail.jsonl"), told)
	codex := filepath.Join(roots["codex"][0], "2026", "06", "01")
	if err := home.Mkdir(codex); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(codex, "rollout-2026-06-01T10-00-00-01a22ba8-81cd-7da0-bf7a-fd62804cbf79.jsonl"), fmt.Sprintf(`{"timestamp":"2026-06-01T10:00:00.000Z","type":"session_meta","payload":{"id":"01a22ba8-81cd-7da0-bf7a-fd62804cbf79","timestamp":"2026-06-01T10:00:00.000Z","cwd":%[1]q,"originator":"codex_exec","cli_version":"0.171.0"}}
{"timestamp":"2026-06-01T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"count the moons"}]}}
{"timestamp":"2026-06-01T10:00:01.000Z","type":"event_msg","payload":{"type":"user_message","message":"count the moons"}}
{"timestamp":"2026-06-01T10:00:02.000Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":%[2]s}]}}
{"timestamp":"2026-06-01T10:00:09.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Forty."}]}}
`, orchard, q))
	before, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		await(t, s, func(st api.Status) bool { return st.Counts.Sessions == 4 })
		if _, err := s.Sleep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	after, err := s.Status(t.Context())
	if err != nil || after.Counts.Events != before.Counts.Events {
		t.Errorf("%d events became %d, %v", before.Counts.Events, after.Counts.Events, err)
	}
	again := s.asks(t, "claude-code", "SessionStart", map[string]any{"session_id": "s2", "cwd": orchard})
	if strings.Count(again, "tabs in all Go files") != strings.Count(text, "tabs in all Go files") {
		t.Errorf("what was told came back:\n%s", again)
	}
	found := 0
	all, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		tr, err := s.Session(t.Context(), x.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range tr.Turns {
			for _, n := range turn.Nodes {
				if strings.Contains(n.Output, "· begin ·") {
					found++
					if n.Metadata.Kind != "injected" {
						t.Errorf("in %s it is kept as %q", x.ID, n.Metadata.Kind)
					}
				}
			}
		}
	}
	if found != 2 {
		t.Errorf("what was told is kept %d times, want once a session", found)
	}
}

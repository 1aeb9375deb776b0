package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/connect"
)

// agentsIn runs one command as a person whose home folder has a dormouse-hook beside the program.
func agentsIn(t *testing.T, user, stdin string, args ...string) result {
	t.Helper()
	bin := filepath.Join(user, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dormouse", "dormouse-hook", "dormouse-hook.exe"} {
		if err := os.WriteFile(filepath.Join(bin, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	p := Params{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Width: 100, Env: userEnv(user), Exe: filepath.Join(bin, "dormouse"),
		Now: func() time.Time { return testNow }}
	return result{run(t.Context(), append([]string{"agents"}, args...), p), out.String(), errs.String()}
}

func settings(t *testing.T, user, text string) string {
	t.Helper()
	path := filepath.Join(user, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConnectingShowsTheChangeAndMakesItOnlyWhenThePersonAgrees(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	before := "{\n  \"model\": \"opus\" // best\n}\n"
	path := settings(t, user, before)
	for _, no := range []string{"", "n\n", "what?\n"} {
		r := agentsIn(t, user, no, "connect", "claude-code")
		if r.code == exitOK || !strings.Contains(r.out, `+  "hooks": {`) || !strings.Contains(r.err, "nothing was changed") {
			t.Errorf("%q: %+v", no, r)
		}
	}
	if r := agentsIn(t, user, "", "connect", "claude-code", "--dry-run"); r.code != exitOK || !strings.Contains(r.out, `+  "hooks": {`) {
		t.Errorf("%+v", r)
	}
	if b, _ := os.ReadFile(path); string(b) != before {
		t.Fatalf("it was changed without a yes:\n%s", b)
	}
	if r := agentsIn(t, user, "y\n", "connect", "claude-code"); r.code != exitOK || !strings.Contains(r.out, "Connected claude-code.") {
		t.Errorf("%+v", r)
	}
	if r := agentsIn(t, user, ""); !strings.Contains(r.out, "connected") || !strings.Contains(r.out, "dormouse up") {
		t.Errorf("%+v", r)
	}
	if r := agentsIn(t, user, "", "connect", "claude-code"); r.code != exitOK || !strings.Contains(r.out, "connected already") {
		t.Errorf("again: %+v", r)
	}
	if err := os.RemoveAll(filepath.Join(user, "bin")); err != nil {
		t.Fatal(err)
	}
	if r := agentsIn(t, user, "", "disconnect", "claude-code", "--yes"); r.code != exitOK || !strings.Contains(r.out, "Disconnected claude-code.") {
		t.Errorf("%+v", r)
	}
	if b, _ := os.ReadFile(path); string(b) != before {
		t.Errorf("after disconnecting:\n%s", b)
	}
}

func TestConnectingTellsProgramsWhatWasDone(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	r := agentsIn(t, user, "", "connect", "codex", "--json", "--yes")
	var got []hookOutcome
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || len(got) != 2 || !got[0].Changed || !strings.HasSuffix(got[1].File, "config.toml") || got[0].Diff == "" || !strings.Contains(got[0].Note, "/hooks") {
		t.Errorf("%v: %+v", err, r)
	}
	if r := agentsIn(t, user, "", "disconnect", "codex", "--json"); r.code == exitOK {
		t.Errorf("without a yes: %+v", r)
	}
	if r := agentsIn(t, user, "", "connect", "emacs"); r.code != exitUsage || !strings.Contains(r.err, "claude-code, codex") {
		t.Errorf("%+v", r)
	}
	settings(t, user, "{")
	if r := agentsIn(t, user, "", "connect", "claude-code", "--yes"); r.code == exitOK || !strings.Contains(r.err, "settings.json") {
		t.Errorf("%+v", r)
	}
	if r := agentsIn(t, user, ""); !strings.Contains(r.out, "unreadable") {
		t.Errorf("%+v", r)
	}
}

func TestAgentsAreListedWithWhatWasCapturedAndWhatCouldNotBeUsed(t *testing.T) {
	st := api.Status{
		Agents:   []api.Agent{{Name: "claude-code", Found: true, Sessions: 12, Nodes: 3400, LastSeen: testNow.Unix() - 60}, {Name: "goose"}},
		Skipped:  []api.SkipReason{{Agent: "claude-code", Reason: "not valid JSON", Count: 3, Places: []string{"/home/robin/.claude/x.jsonl:7"}}},
		Problems: []string{"claude-code: /x: permission denied"},
	}
	r := agentsReport{Running: true, Skipped: st.Skipped, Problems: st.Problems}
	for _, a := range st.Agents {
		r.Agents = append(r.Agents, agentReport{Agent: a, State: connect.State{Installed: a.Found, Hooks: connect.Missing}})
	}
	golden(t, "agents", formatAgents(viewOf(90), r, false))
	golden(t, "agents.problems", formatAgents(viewOf(90), r, true))
	golden(t, "agents.none", formatAgents(viewOf(90), agentsReport{Running: true}, true))
}

func TestHooksThatAreNotTrustedYetAreShownWithWhatToDo(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	if r := agentsIn(t, user, "", "connect", "codex", "--yes"); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	r := agentsIn(t, user, "")
	if all := strings.Join(strings.Fields(r.out), " "); !strings.Contains(all, "not yet trusted") || !strings.Contains(all, `codex: Codex runs no hook that you have not trusted. It asks when it is started next ("Hooks need review")`) {
		t.Errorf("%+v", r)
	}
}

func TestAnOlderConnectionIsSaidToTellNothing(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	config := filepath.Join(user, ".dormouse", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	set := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	injects := func() (hooks string, injects bool, note string) {
		t.Helper()
		r := agentsIn(t, user, "", "--json")
		var got agentsReport
		if err := json.Unmarshal([]byte(r.out), &got); err != nil {
			t.Fatalf("%v: %+v", err, r)
		}
		for _, a := range got.Agents {
			if a.Name == "claude-code" {
				return a.Hooks, a.Injects, a.Note
			}
		}
		t.Fatal("no claude-code")
		return "", false, ""
	}
	path := settings(t, user, "{}\n")
	set("[inject]\ncore = false\n")
	if r := agentsIn(t, user, "", "connect", "claude-code", "--yes"); r.code != exitOK || strings.Contains(r.out, "--inject") {
		t.Fatalf("%+v", r)
	}
	if hooks, tells, note := injects(); hooks != connect.Connected || tells || note != "" {
		t.Errorf("nothing is wanted: %s %v %q", hooks, tells, note)
	}
	set("")
	if hooks, tells, note := injects(); hooks != connect.Connected || tells || !strings.Contains(note, "dormouse agents connect claude-code") {
		t.Errorf("an older connection: %s %v %q", hooks, tells, note)
	}
	if r := agentsIn(t, user, ""); !strings.Contains(r.out, "Connect it once more") {
		t.Errorf("%+v", r)
	}
	if r := agentsIn(t, user, "", "connect", "claude-code", "--yes"); r.code != exitOK || !strings.Contains(r.out, "SessionStart --inject --agent claude-code") {
		t.Errorf("%+v", r)
	}
	if hooks, tells, note := injects(); hooks != connect.Connected || !tells || note != "" {
		t.Errorf("connected anew: %s %v %q", hooks, tells, note)
	}
	if r := agentsIn(t, user, "", "disconnect", "claude-code", "--yes"); r.code != exitOK {
		t.Errorf("%+v", r)
	}
	if b, _ := os.ReadFile(path); string(b) != "{}\n" {
		t.Errorf("after disconnecting:\n%s", b)
	}
	set("[inject]\nprompt_records = 99\n")
	if r := agentsIn(t, user, "", "connect", "claude-code", "--yes"); r.code == exitOK || !strings.Contains(r.err, "prompt_records") {
		t.Errorf("with bad settings: %+v", r)
	}
}

func TestAllPlacesAreListedWhereProblemsAreAskedFor(t *testing.T) {
	r := agentsReport{Running: true, Skipped: []api.SkipReason{{Agent: "codex", Reason: "not valid JSON", Count: 8, Places: []string{"/a:1", "/b:2", "/c:3", "/d:4", "/e:5", "/f:6"}}}}
	all := strings.Join(formatAgents(viewOf(90), r, true), "\n")
	for _, want := range append(r.Skipped[0].Places, "and 2 more before these") {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	p := &page{view: viewOf(90)}
	p.skipped(r.Skipped, maxPlaces)
	if short := strings.Join(p.lines, "\n"); !strings.Contains(short, "and 5 more: dormouse agents --problems") || strings.Contains(short, "/d:4") {
		t.Errorf("the short list is\n%s", short)
	}
}

package inject

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestEachAgentGetsItsOwnForm(t *testing.T) {
	const text = "═══ \"a\" <b> & 冬\n"
	for agent, want := range map[string]struct{ start, prompt, child, output string }{
		"claude-code": {"SessionStart", "UserPromptSubmit", "SubagentStart", `{"suppressOutput":true,"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"═══ \"a\" <b> & 冬\n"}}`},
		"codex":       {"SessionStart", "UserPromptSubmit", "SubagentStart", `{"suppressOutput":true,"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"═══ \"a\" <b> & 冬\n"}}`},
		"gemini-cli":  {"SessionStart", "BeforeAgent", "", `{"suppressOutput":true,"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"═══ \"a\" <b> & 冬\n"}}`},
		"cursor":      {"sessionStart", "", "", `{"additional_context":"═══ \"a\" <b> & 冬\n"}`},
		"copilot-cli": {"sessionStart", "", "", `{"additionalContext":"═══ \"a\" <b> & 冬\n"}`},
		"opencode":    {"SessionStart", "UserPromptSubmit", "", `{"additionalContext":"═══ \"a\" <b> & 冬\n"}`},
		"aider":       {},
	} {
		f := Of(agent)
		if f.Event(Start) != want.start || f.Event(Prompt) != want.prompt || f.Event(Child) != want.child || f.Takes() != (want.start != "") {
			t.Errorf("%s: events %q %q %q", agent, f.Event(Start), f.Event(Prompt), f.Event(Child))
		}
		out := f.Output(f.Event(Start), text)
		if want.output == "" {
			if out != nil {
				t.Errorf("%s is told %s", agent, out)
			}
			continue
		}
		if string(out) != want.output+"\n" || !json.Valid(out) {
			t.Errorf("%s gets %s, want %s", agent, out, want.output)
		}
		if f.At(want.start) != Start || f.At(want.prompt) == Start || f.At("Stop") != Never || f.At("") != Never {
			t.Errorf("%s: events are not known by their names", agent)
		}
		if f.Output(want.start, "") != nil {
			t.Errorf("%s is told nothing in words", agent)
		}
	}
	if len(Agents()) != len(forms) {
		t.Errorf("agents %v", Agents())
	}
}

func TestASessionIsToldAgainOnlyWhatItsContextLost(t *testing.T) {
	shows := func(told, sure bool) func() (bool, bool) { return func() (bool, bool) { return told, sure } }
	for _, tt := range []struct {
		source     string
		before     bool // it was told
		told, sure bool // by the transcript
		want       bool
	}{
		{"startup", false, false, true, true}, {"", false, false, false, true}, {"new", false, false, false, true},
		{"compact", true, true, true, true}, {"clear", true, true, true, true},
		{"resume", false, true, true, false}, {"fork", false, true, true, false},
		{"resume", true, false, true, true}, // what a transcript does not show was lost on the way
		{"resume", true, false, false, false}, {"resume", false, false, false, true},
	} {
		var x Told
		if tt.before {
			x.Core("s")
		}
		if got := x.Again("s", tt.source, shows(tt.told, tt.sure)); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestRecordsAreTakenAsLostAfterACompaction(t *testing.T) {
	var x Told
	x.Core("s")
	x.Records("s", "a", "b")
	if !x.HasCore("s") || !x.Has("s", "a") || x.Has("s", "c") || x.Has("other", "a") || x.HasCore("other") {
		t.Error("what was told is not remembered as it was")
	}
	x.Again("s", "compact", nil)
	if x.Has("s", "a") || x.HasCore("s") {
		t.Error("a compacted context still counts as told")
	}
}

// shelf is one in memory.
type shelf map[string]string

func (s shelf) Put(key string, entry []byte) error { s[key] = string(entry); return nil }
func (s shelf) Delete(key string) error            { delete(s, key); return nil }
func (s shelf) Each(_ string, do func(string, []byte) error) error {
	for k, v := range s {
		if err := do(k, []byte(v)); err != nil {
			return err
		}
	}
	return nil
}

func TestWhatSessionsWereToldOutlivesTheService(t *testing.T) {
	s := shelf{"broken": "{"}
	var before Told
	if err := before.Open(s); err != nil {
		t.Fatal(err)
	}
	before.Core("a")
	before.Records("a", "r1", "r2")
	before.Records("b", "r3")
	before.Core("cleared")
	before.Again("cleared", "clear", nil)
	var x Told
	if err := x.Open(s); err != nil {
		t.Fatal(err)
	}
	if !x.HasCore("a") || !x.Has("a", "r1") || !x.Has("a", "r2") || x.HasCore("b") || !x.Has("b", "r3") || x.Has("b", "r1") || x.HasCore("cleared") || x.HasCore("broken") {
		t.Errorf("after a restart: %+v", x.sessions)
	}
	for i := range maxSessions { // the oldest make room, also on the shelf
		x.Core(fmt.Sprint(i))
	}
	if len(s) > maxSessions+1 || s["a"] != "" {
		t.Errorf("%d entries are kept; the oldest: %q", len(s), s["a"])
	}
}

func TestOnlySoManySessionsAreRemembered(t *testing.T) {
	var x Told
	for i := range maxSessions + 20 {
		x.Core(fmt.Sprint(i))
		x.Core("busy")
	}
	if len(x.sessions) != maxSessions || x.HasCore("0") || !x.HasCore("busy") || !x.HasCore(fmt.Sprint(maxSessions+19)) {
		t.Errorf("%d sessions; the oldest %v, the busiest %v", len(x.sessions), x.HasCore("0"), x.HasCore("busy"))
	}
}

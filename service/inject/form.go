package inject

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Moment is when an agent may be told something.
type Moment int

// The moments. At every other event nothing is told.
const (
	Never  Moment = iota
	Start         // a session begins, goes on, or was compacted
	Prompt        // the person has said something
	Child         // a sub-agent begins
)

// Form is how one agent takes what it is told. An event that is empty is one at which it takes nothing.
type Form struct {
	Start, Prompt, Child string
	render               func(event, text string) any
}

// forms are those of the agents whose hooks Dormouse knows. Sources: their documentation of hooks as of late 2026.
var forms = map[string]Form{
	"claude-code": {Start: "SessionStart", Prompt: "UserPromptSubmit", Child: "SubagentStart", render: quiet},
	"codex":       {Start: "SessionStart", Prompt: "UserPromptSubmit", Child: "SubagentStart", render: quiet},
	"gemini-cli":  {Start: "SessionStart", Prompt: "BeforeAgent", render: quiet},
	"cursor":      {Start: "sessionStart", render: func(_, text string) any { return map[string]string{"additional_context": text} }},
	"copilot-cli": {Start: "sessionStart", render: plain},
	"kilo":        {Start: "SessionStart", Prompt: "UserPromptSubmit", render: plain}, // a plugin of ours reads it
	"opencode":    {Start: "SessionStart", Prompt: "UserPromptSubmit", render: plain}, // the same
}

// quiet is the form that began with Claude Code, not to be shown to the person.
func quiet(event, text string) any {
	type output struct {
		Event string `json:"hookEventName"`
		Text  string `json:"additionalContext"`
	}
	return struct {
		Quiet  bool   `json:"suppressOutput"`
		Output output `json:"hookSpecificOutput"`
	}{true, output{event, text}}
}

func plain(_, text string) any { return map[string]string{"additionalContext": text} }

// Of is the form of an agent; the zero Form for one that takes nothing.
func Of(agent string) Form { return forms[agent] }

// Agents are the names of the agents that take a text, sorted.
func Agents() []string { return slices.Sorted(maps.Keys(forms)) }

// Takes reports whether an agent takes a text at all.
func (f Form) Takes() bool { return f.render != nil }

// At is the moment that an event of an agent is.
func (f Form) At(event string) Moment {
	switch {
	case event == "":
		return Never
	case event == f.Start:
		return Start
	case event == f.Prompt:
		return Prompt
	case event == f.Child:
		return Child
	}
	return Never
}

// Event is the agent's name of a moment; empty where it takes nothing then.
func (f Form) Event(m Moment) string {
	switch m {
	case Start:
		return f.Start
	case Prompt:
		return f.Prompt
	case Child:
		return f.Child
	}
	return ""
}

// Output is what a hook prints to tell the agent a text at an event: one line of JSON in the agent's form. It is empty for an empty text and
// for an agent that takes none.
func (f Form) Output(event, text string) []byte {
	if text == "" || f.render == nil {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(f.render(event, text)); err != nil {
		return nil // strings can always be encoded
	}
	return b.Bytes()
}

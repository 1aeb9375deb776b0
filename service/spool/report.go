package spool

import "encoding/json"

// Report is what a hook told, as far as it is kept. Fields that the agent did not give are empty.
type Report struct {
	At         int64  `json:"at"`                   // Unix milliseconds
	Agent      string `json:"agent,omitempty"`      // its name, as the hook's command line says
	Event      string `json:"event,omitempty"`      // its name, as the agent calls it
	Session    string `json:"session,omitempty"`    // the agent's own id
	Transcript string `json:"transcript,omitempty"` // path of the file that the agent writes
	Cwd        string `json:"cwd,omitempty"`
	Turn       string `json:"turn,omitempty"`  // the agent's own id of the turn
	Model      string `json:"model,omitempty"` // where the agent names it
	Child      bool   `json:"child,omitempty"` // it happened in a sub-agent
}

// maxField is the longest text of a field, in bytes. Longer ones are no ids and no paths.
const maxField = 4096

// payload are the names that agents have for the fields.
type payload struct {
	Event          text   `json:"hook_event_name"`
	Session        text   `json:"session_id"`
	SessionCamel   text   `json:"sessionId"`
	Conversation   text   `json:"conversation_id"`
	Transcript     text   `json:"transcript_path"`
	TranscriptCame text   `json:"transcriptPath"`
	Child          text   `json:"agent_id"`
	ChildFile      text   `json:"agent_transcript_path"`
	Cwd            text   `json:"cwd"`
	Roots          []text `json:"workspace_roots"`
	Turn           text   `json:"turn_id"`
	Prompt         text   `json:"prompt_id"`
	Generation     text   `json:"generation_id"`
	Model          text   `json:"model"`
}

// text is a JSON string of bounded length; anything else reads as the empty text, so that one odd field does not spoil the rest.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil && len(s) <= maxField {
		*t = text(s)
	}
	return nil
}

// Of is the report of a hook with this payload. A payload that is no JSON object gives a report without what it would say.
func Of(agent, event string, raw []byte, at int64) Report {
	var p payload
	_ = json.Unmarshal(raw, &p) // what could be read is used
	r := Report{At: at, Agent: agent, Event: event, Cwd: string(p.Cwd), Model: string(p.Model), Child: p.Child != "" || p.ChildFile != "",
		Session: pick(p.Session, p.SessionCamel, p.Conversation), Transcript: pick(p.Transcript, p.TranscriptCame),
		Turn: pick(p.Turn, p.Prompt, p.Generation)}
	if r.Event == "" {
		r.Event = string(p.Event)
	}
	if r.Cwd == "" && len(p.Roots) > 0 {
		r.Cwd = string(p.Roots[0])
	}
	return r
}

func pick(all ...text) string {
	for _, t := range all {
		if t != "" {
			return string(t)
		}
	}
	return ""
}

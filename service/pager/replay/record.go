package replay

import (
	"encoding/json"
	"time"

	"dormouse/service/pager"
)

// Head is the first line of a recording in 'trace v1', with its end.
func Head(id, agent string) []byte {
	return line(struct {
		Trace string `json:"trace"`
		ID    string `json:"id"`
		Agent string `json:"agent"`
	}{"v1", id, agent})
}

// Line is a message as a line of a recording, with its end. talk tells conversations apart that are recorded side by side; empty where
// there is one. What is no text, call or result is not in it.
func Line(talk string, m pager.Message) []byte {
	l := traceLine{Role: "assistant", Talk: talk, Blocks: []traceBlock{}}
	if m.User {
		l.Role = "user"
	}
	if !m.Time.IsZero() {
		l.Time = m.Time.UTC().Format(time.RFC3339Nano)
	}
	for _, b := range m.Blocks {
		switch b.Kind {
		case pager.Text:
			l.Blocks = append(l.Blocks, traceBlock{Type: "text", Text: b.Text})
		case pager.Call:
			in := b.Input
			if !json.Valid(in) {
				in = line(string(in))
			}
			l.Blocks = append(l.Blocks, traceBlock{Type: "tool_use", ID: b.ID, Name: b.Tool, Input: in})
		case pager.Result:
			l.Blocks = append(l.Blocks, traceBlock{Type: "tool_result", ID: b.ID, Text: b.Text, Error: b.Failed})
		case pager.Other:
		}
	}
	return line(l)
}

func line(v any) []byte {
	b, _ := json.Marshal(v) // of texts, and of JSON that is valid
	return append(b, '\n')
}

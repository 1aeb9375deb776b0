package proxy

import (
	"bytes"
	"fmt"
	"strings"
)

// chatPieces cuts an answer of OpenAI's Chat Completions, which is one message: its text runs through all rounds, and its calls are those
// of the last one.
func (t *talk) chatPieces(a Aside) (p pieces, ok bool) {
	s := t.said[a.Said]
	m := t.list.kids[s.from]
	text, plain := chatText(t.doc, m)
	var calls [][]byte
	sent := []string{sumOf("t", text)}
	for _, c := range m.field("tool_calls").kids {
		calls, sent = append(calls, c.raw(t.doc)), append(sent, sumOf("c", c.field("id").text(t.doc)))
	}
	if s.to != s.from+1 || !plain || len(sent) != len(a.Parts) {
		return p, false
	}
	for i := range sent {
		if sent[i] != a.Parts[i] {
			return p, false
		}
	}
	thought := m.field("reasoning_content").text(t.doc)
	from, thoughtFrom := 0, 0
	for _, r := range a.Rounds {
		if r.Open {
			list, ok := withCalls(calls, r.Calls)
			if !ok {
				return p, false
			}
			p.rounds = append(p.rounds, chatRest(t.doc, m, text[from:], thought[thoughtFrom:], list))
			p.calls = append(p.calls, r.Calls)
			return p, true
		}
		if r.Text < from || r.Text > len(text) {
			return p, false
		}
		to := thoughtFrom
		if r.Thought > to && r.Thought <= len(thought) {
			to = r.Thought
		}
		p.rounds, p.calls = append(p.rounds, chatMessage(text[from:r.Text], thought[thoughtFrom:to], r.Calls)), append(p.calls, r.Calls)
		from, thoughtFrom = r.Text, to
	}
	if from < len(text) || len(calls) > 0 {
		p.rounds, p.calls = append(p.rounds, chatRest(t.doc, m, text[from:], thought[thoughtFrom:], calls)), append(p.calls, nil)
	}
	return p, len(p.rounds) > 0
}

// chatText is the text of a message; false where it is more than text.
func chatText(doc []byte, m span) (string, bool) {
	c := m.field("content")
	var b strings.Builder
	b.WriteString(c.text(doc))
	for _, part := range c.kids {
		if part.field("type").text(doc) != "text" {
			return "", false
		}
		b.WriteString(part.field("text").text(doc))
	}
	return b.String(), true
}

// withCalls puts the memory's calls among the client's; part 0 of an answer is its text.
func withCalls(calls [][]byte, ours []AsideCall) (out [][]byte, ok bool) {
	from := 0
	for _, c := range ours {
		if c.At-1 < from || c.At-1 > len(calls) {
			return nil, false
		}
		out = append(append(out, calls[from:c.At-1]...), chat.callBlock(c))
		from = c.At - 1
	}
	return append(out, calls[from:]...), true
}

// chatMessage is a message of the assistant that asks the memory alone.
func chatMessage(text, thought string, calls []AsideCall) []byte {
	content := []byte("null")
	if text != "" {
		content = quote(text)
	}
	var list [][]byte
	for _, c := range calls {
		list = append(list, chat.callBlock(c))
	}
	out := fmt.Appendf(nil, `{"role":"assistant","content":%s`, content)
	if thought != "" {
		out = fmt.Appendf(out, `,"reasoning_content":%s`, quote(thought))
	}
	return fmt.Appendf(out, `,"tool_calls":[%s]}`, bytes.Join(list, []byte(",")))
}

// chatRest is a message as its client sends it, with another text and other calls.
func chatRest(doc []byte, m span, text, thought string, calls [][]byte) []byte {
	out := []byte(`{"role":"assistant","content":`)
	if text == "" && len(calls) > 0 {
		out = append(out, "null"...)
	} else {
		out = append(out, quote(text)...)
	}
	for i, k := range m.keys {
		switch k {
		case "role", "content", "tool_calls":
		case "reasoning_content":
			out = fmt.Appendf(out, `,%s:%s`, quote(k), quote(thought))
		default:
			out = fmt.Appendf(out, `,%s:%s`, quote(k), m.kids[i].raw(doc))
		}
	}
	if len(calls) > 0 {
		out = fmt.Appendf(out, `,"tool_calls":[%s]`, bytes.Join(calls, []byte(",")))
	}
	return append(out, '}')
}

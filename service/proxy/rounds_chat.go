package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// chatCall is a call in an answer of Chat Completions, as far as it came.
type chatCall struct {
	id, name  string
	arguments strings.Builder
	real      bool     // of the client's tools; else it is one of the memory's, or its name is not whole yet
	held      [][]byte // parts of it that were not passed on
	shown     int      // its place among the client's calls
}

// undecided says whether a name may become that of one of the memory's tools.
func undecided(name string) bool {
	for _, t := range tools {
		if strings.HasPrefix(t.name, name) {
			return true
		}
	}
	return false
}

// chatRound is what a round of Chat Completions was.
type chatRound struct {
	text, thought strings.Builder
	calls         []*chatCall
}

// heard says what a round was, of an answer that has so many calls of the client's and so much text by then.
func (r *chatRound) heard(finish string, text, thought int) heard {
	h := heard{tools: finish == "tool_calls" || finish == "stop" || finish == "function_call", text: text, thought: thought}
	for _, c := range r.calls {
		if c.real {
			h.real++
			continue
		}
		h.calls = append(h.calls, AsideCall{At: 1 + h.real, ID: c.id, Tool: c.name, Input: json.RawMessage(c.arguments.String())})
	}
	return h
}

// parts are the sums of an answer's text and of the client's calls in it.
func (r *chatRound) parts(text string) []string {
	out := []string{sumOf("t", text)}
	for _, c := range r.calls {
		if c.real {
			out = append(out, sumOf("c", c.id))
		}
	}
	return out
}

// chatEntry is the round that asked the memory alone, as the next request has it.
func (r *chatRound) entry(a *asking) []byte {
	return chatMessage(r.text.String(), r.thought.String(), a.rounds[len(a.rounds)-1].Calls)
}

// chatHearer reads a stream of Chat Completions.
type chatHearer struct {
	p     *Proxy
	ctx   context.Context //nolint:containedctx // of the request that the stream answers
	at    *route
	round chatRound
	total strings.Builder // of text, in all rounds
	think int             // bytes of what was thought in all rounds
	calls int             // that the client was shown in this round
	by    map[int64]*chatCall
	usage []byte
	more  bool
	ended bool
	later bool // it is not the first round
}

func newChatHearer(p *Proxy, ctx context.Context, at *route) *chatHearer {
	return &chatHearer{p: p, ctx: ctx, at: at, by: map[int64]*chatCall{}}
}

func (c *chatHearer) begin() {
	a := c.at.asks
	a.usage = sumUsage(a.usage, c.usage)
	c.round, c.by, c.calls, c.usage = chatRound{}, map[int64]*chatCall{}, 0, nil
	c.more, c.ended, c.later = false, false, true
}

func (c *chatHearer) entries() []byte { return c.round.entry(c.at.asks) }

func (c *chatHearer) event(event []byte) ([]byte, bool) {
	data := dataOf(event)
	switch {
	case event == nil:
		return nil, c.more
	case string(bytes.TrimSpace(data)) == "[DONE]":
		if c.more {
			return nil, true
		}
		return event, false
	}
	root, err := spansOf(data)
	if err != nil || root.kind != '{' {
		return event, false
	}
	if u := root.field("usage"); u.kind == '{' {
		c.usage = bytes.Clone(u.raw(data))
	}
	if c.at.asks.id == "" {
		c.at.asks.id = string(root.field("id").raw(data))
	}
	choices := root.field("choices").kids
	if len(choices) == 0 {
		if c.more {
			return nil, false
		}
		return c.passed(event, data, root, nil), false
	}
	if c.more { // after its end
		return nil, false
	}
	return c.choice(event, data, root, choices[0]), false
}

// choice is an event with a part of the answer as the client is shown it.
func (c *chatHearer) choice(event, data []byte, root, choice span) []byte {
	delta := choice.field("delta")
	var edits []edit
	var fields [][]byte // of the delta
	said := false       // it says something to the client
	for i, k := range delta.keys {
		v := delta.kids[i]
		raw := v.raw(data)
		switch k {
		case "content":
			c.round.text.WriteString(v.text(data))
			c.total.WriteString(v.text(data))
			said = said || v.text(data) != ""
		case "reasoning_content":
			c.round.thought.WriteString(v.text(data))
			c.think += len(v.text(data))
			said = said || v.text(data) != ""
		case "tool_calls":
			if raw = c.take(data, v); raw == nil {
				continue
			}
			said = true
		case "role":
			if c.later {
				continue // which the client was told, and some put together
			}
		default:
			said = said || v.kind != 'n' && !(v.kind == '"' && v.text(data) == "")
		}
		fields = append(fields, fmt.Appendf(nil, "%s:%s", quote(k), raw))
	}
	held := len(fields) < len(delta.keys)
	if now := fmt.Appendf(nil, "{%s}", bytes.Join(fields, []byte(","))); delta.kind == '{' && (held || !same(now, delta.raw(data))) {
		edits = append(edits, edit{delta.at, delta.end, now})
	}
	finish := choice.field("finish_reason")
	if finish.kind != '"' || c.ended {
		if (held || c.later) && !said && root.field("usage").kind != '{' {
			return nil
		}
		return c.passed(event, data, root, edits)
	}
	c.ended = true
	return c.ends(event, data, root, finish, edits, said)
}

// same says whether two documents say the same but for blanks.
func same(a, b []byte) bool {
	var x bytes.Buffer
	return json.Compact(&x, b) == nil && bytes.Equal(x.Bytes(), a)
}

// ends takes the event that says why a round ends.
func (c *chatHearer) ends(event, data []byte, root, finish span, edits []edit, said bool) []byte {
	out := c.release(data, root)
	a := c.at.asks
	a.parts = c.round.parts(c.total.String())
	switch c.p.judge(c.ctx, c.at, c.round.heard(finish.text(data), c.total.Len(), c.think)) {
	case itGoesOn:
		c.more = true
		if !said {
			return out
		}
		return append(out, c.passed(event, data, root, append(edits, edit{finish.at, finish.end, []byte("null")}))...)
	case itNotes:
		c.total.WriteString(enough)
		a.parts = c.round.parts(c.total.String())
		c.p.remember(c.at)
		out = append(out, c.chunk(data, root, fmt.Appendf(nil, `{"content":%s}`, quote(enough)))...)
		edits = append(edits, edit{finish.at, finish.end, []byte(`"stop"`)})
	}
	return append(out, c.passed(event, data, root, edits)...)
}

// take takes the parts of calls in an event, and returns those that the client is shown; nil where there are none.
func (c *chatHearer) take(data []byte, list span) []byte {
	var out [][]byte
	for _, x := range list.kids {
		v := gjson.ParseBytes(x.raw(data))
		i := v.Get("index").Int()
		call := c.by[i]
		if call == nil || v.Get("id").String() != "" && call.id != "" && v.Get("id").String() != call.id { // some give all calls the index 0
			call = &chatCall{}
			c.by[i] = call
			c.round.calls = append(c.round.calls, call)
		}
		if call.id == "" {
			call.id = v.Get("id").String()
		}
		call.name += v.Get("function.name").String()
		call.arguments.WriteString(v.Get("function.arguments").String())
		call.held = append(call.held, bytes.Clone(x.raw(data)))
		if call.real || !undecided(call.name) {
			out = append(out, c.shows(call)...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(out, []byte(",")))
}

// shows are the parts of a call of the client's that it was not shown yet.
func (c *chatHearer) shows(call *chatCall) (out [][]byte) {
	if !call.real {
		call.real, call.shown = true, c.calls
		c.calls++
	}
	n := []byte(strconv.Itoa(call.shown))
	for _, part := range call.held {
		out = append(out, replacedIn(part, map[string][]byte{"index": n}))
	}
	call.held = nil
	return out
}

// release shows what was held of calls that turned out to be the client's.
func (c *chatHearer) release(data []byte, root span) []byte {
	var out [][]byte
	for _, call := range c.round.calls {
		if !call.real && !isOurs(call.name) {
			out = append(out, c.shows(call)...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return c.chunk(data, root, fmt.Appendf(nil, `{"tool_calls":[%s]}`, bytes.Join(out, []byte(","))))
}

// chunk is an event like another one, with a part of the answer of its own.
func (c *chatHearer) chunk(data []byte, root span, delta []byte) []byte {
	choice := root.field("choices").kids[0]
	d, finish, usage := choice.field("delta"), choice.field("finish_reason"), root.field("usage")
	edits := []edit{{finish.at, finish.end, []byte("null")}}
	if usage.kind == '{' {
		edits = append(edits, edit{usage.at, usage.end, []byte("null")})
	}
	if d.kind != 0 {
		edits = append(edits, edit{d.at, d.end, delta})
	}
	return c.withID(data, root, edits)
}

// passed is an event as the client is shown it: with the first round's id, and what all rounds took.
func (c *chatHearer) passed(event, data []byte, root span, edits []edit) []byte {
	u := root.field("usage")
	if u.kind == '{' && len(c.at.asks.usage) > 0 {
		edits = append(edits, edit{u.at, u.end, sumUsage(c.at.asks.usage, u.raw(data))})
	}
	if len(edits) == 0 && !c.later {
		return event
	}
	return c.withID(data, root, edits)
}

func (c *chatHearer) withID(data []byte, root span, edits []edit) []byte {
	if id := root.field("id"); c.later && id.kind != 0 && c.at.asks.id != "" {
		edits = append(edits, edit{id.at, id.end, []byte(c.at.asks.id)})
	}
	return fmt.Appendf(nil, "data: %s\n\n", edited(data, edits))
}

// chatWhole reads answers of Chat Completions that are one document.
type chatWhole struct {
	p     *Proxy
	ctx   context.Context //nolint:containedctx // of the request
	at    *route
	round chatRound
	text  strings.Builder
	think strings.Builder
	kept  [][]byte // calls that the client is shown
}

func (c *chatWhole) entries() []byte { return c.round.entry(c.at.asks) }

func (c *chatWhole) document(doc []byte) ([]byte, bool, error) {
	root, err := spansOf(doc)
	choices := root.field("choices").kids
	if err != nil || len(choices) == 0 || choices[0].field("message").kind != '{' {
		if len(c.at.asks.rounds) > 0 {
			return nil, false, errRound
		}
		return doc, false, nil
	}
	a := c.at.asks
	m, finish := choices[0].field("message"), choices[0].field("finish_reason")
	c.read(doc, m)
	if a.id == "" {
		a.id = string(root.field("id").raw(doc))
	}
	usage := root.field("usage").raw(doc)
	a.parts = c.round.parts(c.text.String())
	var edits []edit
	switch c.p.judge(c.ctx, c.at, c.round.heard(finish.text(doc), c.text.Len(), c.think.Len())) {
	case itGoesOn:
		a.usage = sumUsage(a.usage, usage)
		return nil, true, nil
	case itNotes:
		c.text.WriteString(enough)
		a.parts = c.round.parts(c.text.String())
		c.p.remember(c.at)
		edits = append(edits, edit{finish.at, finish.end, []byte(`"stop"`)})
	}
	if len(c.kept) == len(c.round.calls) && len(a.rounds) == 0 {
		return doc, false, nil
	}
	edits = append(edits, edit{m.at, m.end, c.message(doc, m)})
	if u, id := root.field("usage"), root.field("id"); len(a.usage) > 0 {
		if u.kind == '{' {
			edits = append(edits, edit{u.at, u.end, sumUsage(a.usage, usage)})
		}
		if id.kind != 0 {
			edits = append(edits, edit{id.at, id.end, []byte(a.id)})
		}
	}
	return edited(doc, edits), false, nil
}

// read takes a round's message.
func (c *chatWhole) read(doc []byte, m span) {
	c.round, c.kept = chatRound{}, nil
	text, _ := chatText(doc, m)
	c.round.text.WriteString(text)
	c.text.WriteString(text)
	thought := m.field("reasoning_content").text(doc)
	c.round.thought.WriteString(thought)
	c.think.WriteString(thought)
	for _, k := range m.field("tool_calls").kids {
		v := gjson.ParseBytes(k.raw(doc))
		call := &chatCall{id: v.Get("id").String(), name: v.Get("function.name").String()}
		call.arguments.WriteString(v.Get("function.arguments").String())
		if call.real = !isOurs(call.name); call.real {
			c.kept = append(c.kept, k.raw(doc))
		}
		c.round.calls = append(c.round.calls, call)
	}
}

// message is the last round's message with the text of all rounds, and the client's calls.
func (c *chatWhole) message(doc []byte, m span) []byte {
	var fields [][]byte
	for i, k := range m.keys {
		raw := m.kids[i].raw(doc)
		switch k {
		case "content":
			if c.text.Len() > 0 {
				raw = quote(c.text.String())
			}
		case "reasoning_content":
			raw = quote(c.think.String())
		case "tool_calls":
			if len(c.kept) == 0 {
				continue
			}
			raw = fmt.Appendf(nil, "[%s]", bytes.Join(c.kept, []byte(",")))
		}
		fields = append(fields, fmt.Appendf(nil, "%s:%s", quote(k), raw))
	}
	return fmt.Appendf(nil, "{%s}", bytes.Join(fields, []byte(",")))
}

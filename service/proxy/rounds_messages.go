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

// messagesBlock is a block of an answer of Anthropic's Messages, as far as it came.
type messagesBlock struct {
	kind, id, name, data               string
	text, thinking, signature, partial strings.Builder
	input                              string // as the block begins with it
	citations                          []string
	shown                              int // its place in what the client is shown; of the memory's calls, that of what comes after
	ours                               bool
	strange                            bool
}

// sum is the block's sum in an aside.
func (b *messagesBlock) sum() string {
	switch b.kind {
	case "text":
		return textSum(b.text.String())
	case "thinking":
		return sumOf("h", b.signature.String()+"\x00"+b.thinking.String())
	case "redacted_thinking":
		return sumOf("h", b.data)
	case "tool_use":
		return sumOf("c", b.id)
	}
	return "o" + b.kind
}

// arguments are what a call is called with.
func (b *messagesBlock) arguments() json.RawMessage {
	if s := b.partial.String(); s != "" {
		return json.RawMessage(s)
	}
	return json.RawMessage(b.input)
}

// raw is the block as the provider wants it back.
func (b *messagesBlock) raw() []byte {
	switch b.kind {
	case "text":
		if len(b.citations) > 0 {
			return fmt.Appendf(nil, `{"type":"text","text":%s,"citations":[%s]}`, quote(b.text.String()), strings.Join(b.citations, ","))
		}
		return fmt.Appendf(nil, `{"type":"text","text":%s}`, quote(b.text.String()))
	case "thinking":
		return fmt.Appendf(nil, `{"type":"thinking","thinking":%s,"signature":%s}`, quote(b.thinking.String()), quote(b.signature.String()))
	case "redacted_thinking":
		return fmt.Appendf(nil, `{"type":"redacted_thinking","data":%s}`, quote(b.data))
	}
	return nil
}

// began takes a block as it begins, or as a whole.
func (b *messagesBlock) began(v gjson.Result) {
	b.kind, b.id, b.name, b.data = v.Get("type").String(), v.Get("id").String(), v.Get("name").String(), v.Get("data").String()
	b.text.WriteString(v.Get("text").String())
	b.thinking.WriteString(v.Get("thinking").String())
	b.signature.WriteString(v.Get("signature").String())
	b.input = v.Get("input").Raw
	v.Get("citations").ForEach(func(_, c gjson.Result) bool { b.citations = append(b.citations, c.Raw); return true })
	b.ours = b.kind == "tool_use" && isOurs(b.name)
	switch b.kind {
	case "text", "thinking", "redacted_thinking", "tool_use":
	default:
		b.strange = true
	}
}

func (b *messagesBlock) grew(d gjson.Result) {
	switch d.Get("type").String() {
	case "text_delta":
		b.text.WriteString(d.Get("text").String())
	case "thinking_delta":
		b.thinking.WriteString(d.Get("thinking").String())
	case "signature_delta":
		b.signature.WriteString(d.Get("signature").String())
	case "input_json_delta":
		b.partial.WriteString(d.Get("partial_json").String())
	case "citations_delta":
		b.citations = append(b.citations, d.Get("citation").Raw)
	default:
		b.strange = true
	}
}

// heardIn is what a round of Messages was. Its blocks are in order.
func heardIn(blocks []*messagesBlock, stop string, shown int) heard {
	h := heard{tools: stop == "tool_use" || stop == "end_turn", shown: shown}
	for _, b := range blocks {
		h.strange = h.strange || b.strange
		switch {
		case b.ours:
			h.calls = append(h.calls, AsideCall{At: b.shown, ID: b.id, Tool: b.name, Input: b.arguments()})
		case b.kind == "tool_use":
			h.real++
		}
	}
	return h
}

// messagesEntry is a round that asked the memory alone, as the next request has it. Its calls are taken as they are put back later.
func messagesEntry(blocks []*messagesBlock, calls []AsideCall) []byte {
	var list [][]byte
	for _, b := range blocks {
		switch {
		case b.ours:
			list, calls = append(list, messages.callBlock(calls[0])), calls[1:]
		case b.kind != "text" || textSum(b.text.String()) != "":
			list = append(list, b.raw())
		}
	}
	return fmt.Appendf(nil, `{"role":"assistant","content":[%s]}`, bytes.Join(list, []byte(",")))
}

// messagesHearer reads a stream of Messages.
type messagesHearer struct {
	p     *Proxy
	ctx   context.Context //nolint:containedctx // of the request that the stream answers
	at    *route
	shown int // blocks that the client was shown
	usage []byte
	begun bool // the client was told that the answer begins
	more  bool // another round follows
	ended bool

	blocks []*messagesBlock // of this round
	by     map[int64]*messagesBlock
}

func newMessagesHearer(p *Proxy, ctx context.Context, at *route) *messagesHearer {
	return &messagesHearer{p: p, ctx: ctx, at: at, by: map[int64]*messagesBlock{}}
}

func (m *messagesHearer) begin() {
	m.blocks, m.by, m.more, m.ended, m.usage = nil, map[int64]*messagesBlock{}, false, false, nil
}

func (m *messagesHearer) entries() []byte {
	return messagesEntry(m.blocks, m.at.asks.rounds[len(m.at.asks.rounds)-1].Calls)
}

func (m *messagesHearer) event(event []byte) ([]byte, bool) {
	data := dataOf(event)
	if event == nil || !gjson.ValidBytes(data) {
		return event, event == nil && m.more
	}
	v := gjson.ParseBytes(data)
	switch v.Get("type").String() {
	case "message_start":
		m.usage = []byte(v.Get("message.usage").Raw)
		if m.begun {
			return nil, false
		}
		m.begun = true
	case "content_block_start":
		return m.starts(event, data, v), false
	case "content_block_delta":
		if b := m.by[v.Get("index").Int()]; b != nil {
			b.grew(v.Get("delta"))
			return m.block(event, data, b), false
		}
	case "content_block_stop":
		if b := m.by[v.Get("index").Int()]; b != nil {
			if !b.ours {
				m.at.asks.parts[b.shown] = b.sum()
			}
			return m.block(event, data, b), false
		}
	case "message_delta":
		return m.ends(event, data, v), false
	case "message_stop":
		if m.more {
			return nil, true
		}
	}
	return event, false
}

func (m *messagesHearer) starts(event, data []byte, v gjson.Result) []byte {
	b := &messagesBlock{}
	b.began(v.Get("content_block"))
	b.shown = m.shown
	m.blocks, m.by[v.Get("index").Int()] = append(m.blocks, b), b
	if !b.ours {
		m.shown++
		m.at.asks.parts = append(m.at.asks.parts, b.sum())
	}
	return m.block(event, data, b)
}

// block is an event of a block as the client is shown it.
func (m *messagesHearer) block(event, data []byte, b *messagesBlock) []byte {
	n := strconv.Itoa(b.shown)
	switch {
	case b.ours:
		return nil
	case gjson.GetBytes(data, "index").Raw == n:
		return event
	}
	return dataEvent(event, replacedIn(data, map[string][]byte{"index": []byte(n)}))
}

// ends takes the event that says why a round ends.
func (m *messagesHearer) ends(event, data []byte, v gjson.Result) []byte {
	if u := v.Get("usage"); u.IsObject() {
		m.usage = over(m.usage, []byte(u.Raw))
	}
	stop := v.Get("delta.stop_reason").String()
	if stop == "" || m.ended {
		if m.more {
			return nil
		}
		return event
	}
	m.ended = true
	a := m.at.asks
	switch m.p.judge(m.ctx, m.at, heardIn(m.blocks, stop, m.shown)) {
	case itGoesOn:
		m.more = true
		a.usage = sumUsage(a.usage, m.usage)
		return nil
	case itNotes:
		note := m.note()
		m.p.remember(m.at)
		return append(note, m.told(event, replacedIn(data, map[string][]byte{"delta.stop_reason": []byte(`"end_turn"`)}))...)
	}
	return m.told(event, data)
}

// told is the event that ends an answer, with what all of its rounds took.
func (m *messagesHearer) told(event, data []byte) []byte {
	a := m.at.asks
	if len(a.usage) == 0 {
		return dataEventIf(event, data)
	}
	sum := object(sumUsage(a.usage, m.usage))
	for k := range sum {
		switch k {
		case "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens", "server_tool_use":
		default:
			delete(sum, k) // these the beginning of an answer tells
		}
	}
	raw, _ := json.Marshal(sum) // of numbers
	return dataEvent(event, replacedIn(data, map[string][]byte{"usage": raw}))
}

// dataEventIf is an event with data, itself where it has that already.
func dataEventIf(event, data []byte) []byte {
	if bytes.Equal(dataOf(event), data) {
		return event
	}
	return dataEvent(event, data)
}

// note is a block that tells the client that there is no answer.
func (m *messagesHearer) note() (out []byte) {
	i := m.shown
	m.shown++
	m.at.asks.parts = append(m.at.asks.parts, textSum(enough))
	out = fmt.Appendf(out, "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":%d,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n", i)
	out = fmt.Appendf(out, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":\"text_delta\",\"text\":%s}}\n\n", i, quote(enough))
	return fmt.Appendf(out, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":%d}\n\n", i)
}

// over is one usage with the fields of a later one over it: counts of one answer are told more than once, each time as a sum.
func over(a, b []byte) []byte {
	x, y := object(a), object(b)
	if x == nil {
		return b
	}
	for k, v := range y {
		if v != nil {
			x[k] = v
		}
	}
	out, err := json.Marshal(x)
	if err != nil {
		return b
	}
	return out
}

// messagesWhole reads answers of Messages that are one document.
type messagesWhole struct {
	p      *Proxy
	ctx    context.Context //nolint:containedctx // of the request
	at     *route
	blocks []*messagesBlock
	kept   [][]byte // blocks that the client is shown
}

func (m *messagesWhole) entries() []byte {
	return messagesEntry(m.blocks, m.at.asks.rounds[len(m.at.asks.rounds)-1].Calls)
}

func (m *messagesWhole) document(doc []byte) ([]byte, bool, error) {
	root, err := spansOf(doc)
	content := root.field("content")
	if err != nil || content.kind != '[' {
		if len(m.at.asks.rounds) > 0 {
			return nil, false, errRound
		}
		return doc, false, nil
	}
	a := m.at.asks
	m.blocks = nil
	for _, k := range content.kids {
		b := &messagesBlock{shown: len(m.kept)}
		b.began(gjson.ParseBytes(k.raw(doc)))
		m.blocks = append(m.blocks, b)
		if !b.ours {
			m.kept, a.parts = append(m.kept, k.raw(doc)), append(a.parts, b.sum())
		}
	}
	if a.id == "" {
		a.id = string(root.field("id").raw(doc))
	}
	usage := root.field("usage").raw(doc)
	edits := map[string][]byte{}
	switch m.p.judge(m.ctx, m.at, heardIn(m.blocks, root.field("stop_reason").text(doc), len(m.kept))) {
	case itGoesOn:
		a.usage = sumUsage(a.usage, usage)
		return nil, true, nil
	case itNotes:
		m.kept, a.parts = append(m.kept, fmt.Appendf(nil, `{"type":"text","text":%s}`, quote(enough))), append(a.parts, textSum(enough))
		m.p.remember(m.at)
		edits["stop_reason"] = []byte(`"end_turn"`)
	}
	if len(m.kept) == len(content.kids) && len(a.rounds) == 0 {
		return doc, false, nil
	}
	edits["content"] = fmt.Appendf(nil, "[%s]", bytes.Join(m.kept, []byte(",")))
	if len(a.usage) > 0 {
		edits["usage"], edits["id"] = sumUsage(a.usage, usage), []byte(a.id)
	}
	return replacedIn(doc, edits), false, nil
}

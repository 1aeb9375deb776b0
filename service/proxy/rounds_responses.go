package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// responsesItem is an item of an answer of OpenAI's Responses.
type responsesItem struct {
	kind  string
	raw   []byte // when it is whole
	ours  bool
	shown int // its place in what the client is shown; of the memory's calls, that of what comes after
}

// sum is the item's sum in an aside.
func (i *responsesItem) sum() string {
	v, err := spansOf(i.raw)
	if err != nil {
		return "o" + i.kind
	}
	return itemSum(i.raw, v)
}

// givenBack are the kinds of items that go into the next request as they are.
var givenBack = []string{"message", "reasoning", "function_call", "custom_tool_call", "web_search_call", "local_shell_call"}

// heardItems is what a round of Responses was.
func heardItems(items []*responsesItem, tools bool, shown int) heard {
	h := heard{tools: tools, shown: shown}
	for _, i := range items {
		v := gjson.ParseBytes(i.raw)
		switch h.strange = h.strange || !slices.Contains(givenBack, i.kind); {
		case i.ours:
			h.calls = append(h.calls, AsideCall{At: i.shown, ID: v.Get("call_id").String(), Tool: v.Get("name").String(), Input: json.RawMessage(v.Get("arguments").String())})
		case i.kind == "function_call" || i.kind == "custom_tool_call" || i.kind == "local_shell_call":
			h.real++
		}
	}
	return h
}

// responsesEntries are a round that asked the memory alone, as the next request has it. What was thought goes back where the provider keeps
// it or gave it in full.
func responsesEntries(items []*responsesItem, at *route) []byte {
	calls := at.asks.rounds[len(at.asks.rounds)-1].Calls
	kept := at.asks.own.root.field("store").kind != 'f'
	var list [][]byte
	for _, i := range items {
		switch {
		case i.ours:
			list, calls = append(list, responses.callBlock(calls[0])), calls[1:]
		case i.kind == "reasoning" && !kept && gjson.GetBytes(i.raw, "encrypted_content").String() == "":
		default:
			list = append(list, i.raw)
		}
	}
	return bytes.Join(list, []byte(","))
}

// responsesHearer reads a stream of Responses.
type responsesHearer struct {
	p        *Proxy
	ctx      context.Context //nolint:containedctx // of the request that the stream answers
	at       *route
	kept     []*responsesItem // that the client was shown, of all rounds
	items    []*responsesItem // of this round
	by       map[int64]*responsesItem
	sequence int64 // of the client's next event
	more     bool
	later    bool
}

func newResponsesHearer(p *Proxy, ctx context.Context, at *route) *responsesHearer {
	return &responsesHearer{p: p, ctx: ctx, at: at, by: map[int64]*responsesItem{}}
}

func (m *responsesHearer) begin() {
	m.items, m.by, m.more, m.later = nil, map[int64]*responsesItem{}, false, true
}

func (m *responsesHearer) entries() []byte { return responsesEntries(m.items, m.at) }

func (m *responsesHearer) event(event []byte) ([]byte, bool) {
	defer func() { m.at.call.sequence = m.sequence - 1 }() // which what is said of a break goes on from
	data := dataOf(event)
	if event == nil || !gjson.ValidBytes(data) {
		return event, false
	}
	v := gjson.ParseBytes(data)
	kind := v.Get("type").String()
	switch kind {
	case "response.created", "response.in_progress", "response.queued":
		if m.at.asks.id == "" {
			m.at.asks.id = v.Get("response.id").Raw
		}
		if m.later {
			return nil, false
		}
	case "response.output_item.added":
		m.added(v)
	case "response.output_item.done":
		m.done(v)
	case "response.completed", "response.incomplete", "response.failed":
		out := m.ends(event, data, v, kind == "response.completed")
		return out, m.more
	}
	return m.shows(event, data, v), false
}

func (m *responsesHearer) added(v gjson.Result) {
	it := v.Get("item")
	i := &responsesItem{kind: it.Get("type").String(), raw: []byte(it.Raw), shown: len(m.kept)}
	i.ours = i.kind == "function_call" && isOurs(it.Get("name").String())
	m.items, m.by[v.Get("output_index").Int()] = append(m.items, i), i
	if !i.ours {
		m.kept = append(m.kept, i)
	}
}

func (m *responsesHearer) done(v gjson.Result) {
	if m.by[v.Get("output_index").Int()] == nil {
		m.added(v)
	}
	m.by[v.Get("output_index").Int()].raw = []byte(v.Get("item").Raw)
}

// shows is an event as the client is shown it, with the numbers that it expects.
func (m *responsesHearer) shows(event, data []byte, v gjson.Result) []byte {
	values := map[string][]byte{}
	if at := v.Get("output_index"); at.Exists() {
		i := m.by[at.Int()]
		if i != nil && i.ours {
			return nil
		}
		if n := 0; i != nil {
			if n = i.shown; at.Raw != strconv.Itoa(n) {
				values["output_index"] = []byte(strconv.Itoa(n))
			}
		}
	}
	m.number(v, values)
	if len(values) == 0 {
		return event
	}
	return dataEvent(event, replacedIn(data, values))
}

// number gives an event the next number, where events have some.
func (m *responsesHearer) number(v gjson.Result, values map[string][]byte) {
	n := v.Get("sequence_number")
	if !n.Exists() {
		return
	}
	if m.sequence == 0 && !m.later {
		m.sequence = n.Int()
	}
	if n.Int() != m.sequence {
		values["sequence_number"] = []byte(strconv.FormatInt(m.sequence, 10))
	}
	m.sequence++
}

// ends takes the event that ends a round.
func (m *responsesHearer) ends(event, data []byte, v gjson.Result, completed bool) []byte {
	a := m.at.asks
	m.sums()
	usage := []byte(v.Get("response.usage").Raw)
	var out []byte
	switch m.p.judge(m.ctx, m.at, heardItems(m.items, completed, len(m.kept))) {
	case itGoesOn:
		m.more = true
		a.usage = sumUsage(a.usage, usage)
		return nil
	case itNotes:
		out = m.note()
		m.sums()
		m.p.remember(m.at)
	}
	values := map[string][]byte{}
	m.number(v, values)
	if len(m.kept) != len(m.items) || m.later {
		values["response.output"] = m.output()
	}
	if len(a.usage) > 0 {
		values["response.usage"], values["response.id"] = sumUsage(a.usage, usage), []byte(a.id)
	}
	if len(values) == 0 {
		return event
	}
	return append(out, dataEvent(event, replacedIn(data, values))...)
}

func (m *responsesHearer) sums() {
	m.at.asks.parts = nil
	for _, i := range m.kept {
		m.at.asks.parts = append(m.at.asks.parts, i.sum())
	}
}

func (m *responsesHearer) output() []byte {
	var list [][]byte
	for _, i := range m.kept {
		list = append(list, i.raw)
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(list, []byte(",")))
}

// noteItem is a message that tells the client that there is no answer.
func noteItem(n int) []byte {
	return fmt.Appendf(nil, `{"id":"msg_dormouse_%d","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":%s,"annotations":[]}]}`, n, quote(enough))
}

// note are the events of such a message.
func (m *responsesHearer) note() (out []byte) {
	n := len(m.kept)
	item := noteItem(n)
	m.kept = append(m.kept, &responsesItem{kind: "message", raw: item, shown: n})
	id := fmt.Sprintf(`"item_id":"msg_dormouse_%d","output_index":%d,"content_index":0`, n, n)
	begun := fmt.Sprintf(`{"id":"msg_dormouse_%d","type":"message","status":"in_progress","role":"assistant","content":[]}`, n)
	for _, e := range []struct{ kind, rest string }{
		{"response.output_item.added", fmt.Sprintf(`"output_index":%d,"item":%s`, n, begun)},
		{"response.content_part.added", id + `,"part":{"type":"output_text","text":"","annotations":[]}`},
		{"response.output_text.delta", id + `,"logprobs":[],"delta":` + string(quote(enough))},
		{"response.output_text.done", id + `,"logprobs":[],"text":` + string(quote(enough))},
		{"response.content_part.done", id + fmt.Sprintf(`,"part":{"type":"output_text","text":%s,"annotations":[]}`, quote(enough))},
		{"response.output_item.done", fmt.Sprintf(`"output_index":%d,"item":%s`, n, item)},
	} {
		out = fmt.Appendf(out, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,%s}\n\n", e.kind, e.kind, m.sequence, e.rest)
		m.sequence++
	}
	return out
}

// responsesWhole reads answers of Responses that are one document.
type responsesWhole struct {
	p     *Proxy
	ctx   context.Context //nolint:containedctx // of the request
	at    *route
	items []*responsesItem
	kept  [][]byte
}

func (m *responsesWhole) entries() []byte { return responsesEntries(m.items, m.at) }

func (m *responsesWhole) document(doc []byte) ([]byte, bool, error) {
	root, err := spansOf(doc)
	output := root.field("output")
	a := m.at.asks
	if err != nil || output.kind != '[' {
		if len(a.rounds) > 0 {
			return nil, false, errRound
		}
		return doc, false, nil
	}
	m.items = nil
	for _, k := range output.kids {
		i := &responsesItem{kind: k.field("type").text(doc), raw: k.raw(doc), shown: len(m.kept)}
		i.ours = i.kind == "function_call" && isOurs(k.field("name").text(doc))
		if m.items = append(m.items, i); !i.ours {
			m.kept, a.parts = append(m.kept, i.raw), append(a.parts, i.sum())
		}
	}
	if a.id == "" {
		a.id = string(root.field("id").raw(doc))
	}
	usage := root.field("usage").raw(doc)
	switch m.p.judge(m.ctx, m.at, heardItems(m.items, root.field("status").text(doc) != "incomplete", len(m.kept))) {
	case itGoesOn:
		a.usage = sumUsage(a.usage, usage)
		return nil, true, nil
	case itNotes:
		m.kept, a.parts = append(m.kept, noteItem(len(m.kept))), append(a.parts, textSum(enough))
		m.p.remember(m.at)
	}
	if len(m.kept) == len(m.items) && len(a.rounds) == 0 {
		return doc, false, nil
	}
	values := map[string][]byte{"output": fmt.Appendf(nil, "[%s]", bytes.Join(m.kept, []byte(",")))}
	if len(a.usage) > 0 {
		values["usage"], values["id"] = sumUsage(a.usage, usage), []byte(a.id)
	}
	return replacedIn(doc, values), false, nil
}

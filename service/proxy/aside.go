package proxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"dormouse/service/pager"
)

// Aside is what a model asked the memory in the course of one answer. The client never saw it, so that its next requests lack it; it is
// put back into them, and the provider sees the conversation as it was.
type Aside struct {
	Said   int          `json:"said"`   // messages of the client's conversation before the answer
	Parts  []string     `json:"parts"`  // what the client was shown of the answer, in order, as sums; "" for what clients may leave out
	Rounds []AsideRound `json:"rounds"` // in order: answers of the provider that asked the memory
}

// AsideRound is one answer of the provider that asked the memory. Its request was followed by another one of the proxy's own, with the
// results, or with Open by the client's next one, because the answer holds calls of the client's tools as well.
type AsideRound struct {
	Calls []AsideCall `json:"calls"` // in order
	End   int         `json:"end"`   // parts that the client was shown up to its end
	Open  bool        `json:"open,omitempty"`
	// In Chat Completions a text and what was thought run through all rounds: their bytes up to its end.
	Text    int `json:"text,omitempty"`
	Thought int `json:"thought,omitempty"`
}

// AsideCall is a call of one of the memory's tools with its result.
type AsideCall struct {
	At    int             `json:"at"` // parts before it
	ID    string          `json:"id"`
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"` // a JSON object
	Text  string          `json:"text,omitempty"`
	// Of is the call whose result, or whose replaced text with OfCall, is the result of this one: the request brings it itself. Part is
	// how many bytes of it; 0 for all.
	Of     string `json:"of,omitempty"`
	OfCall bool   `json:"of_call,omitempty"`
	Part   int    `json:"part,omitempty"`
	// Of Gemini's: how many bytes of the text at At are before it, the signature that the model gave it, and whether the client was
	// shown that with its own first call.
	After int    `json:"after,omitempty"`
	Sign  string `json:"sign,omitempty"`
	Lent  bool   `json:"lent,omitempty"`
}

// Bounds of what is remembered of one conversation. What is beyond them is not put back.
const (
	maxAsides    = 512
	maxOtherways = 8 // answers to one and the same request
)

// sumOf is a short sum of a text, by which a part of an answer is known again.
func sumOf(kind, text string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + text))
	return kind + hex.EncodeToString(sum[:8])
}

// textSum is the sum of a text in an answer; clients may leave out empty ones, and take blanks off their ends.
func textSum(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return sumOf("t", text)
}

// align finds the parts of an answer in what a client sends of it: the place of each, or of what comes after it where the client left it
// out. Only thoughts may be left out, what the provider's own tools did, and empty texts.
func align(parts, sent []string) ([]int, bool) {
	place, j := make([]int, len(parts)+1), 0
	skip := func() {
		for j < len(sent) && sent[j] == "" {
			j++
		}
	}
	for i, p := range parts {
		skip()
		place[i] = j
		switch {
		case p == "":
		case j < len(sent) && sent[j] == p:
			j++
		case p[0] != 'h' && p[0] != 'o':
			return nil, false
		}
	}
	skip()
	place[len(parts)] = j
	return place, j == len(sent)
}

// with is a conversation with what was asked aside put back into it, and how many messages it has up to each of the client's.
func (t *talk) with(asides []Aside) (*talk, []int, error) {
	upto := make([]int, len(t.said))
	var edits []edit
	ours := map[string]bool{}
	for _, a := range asides {
		if a.Said >= len(t.said) || t.said[a.Said].User || upto[a.Said] != 0 {
			continue
		}
		e, n, err := t.back(a)
		if err != nil {
			return nil, nil, err
		}
		if n == 0 {
			continue
		}
		upto[a.Said] = n
		edits = append(edits, e...)
		for _, r := range a.Rounds {
			for _, c := range r.Calls {
				ours[c.ID] = true
			}
		}
	}
	total := 0
	for i := range upto {
		total += max(1, upto[i])
		upto[i] = total
	}
	if len(edits) == 0 {
		return t, upto, nil
	}
	x, err := talkOf(t.form, edited(t.doc, edits))
	if err == nil && len(x.said) != total {
		err = doubtShape
	}
	if err != nil {
		return nil, nil, err
	}
	if x.ours = ours; t.form == generate {
		x.ours = x.ourCalls(asides)
	}
	return x, upto, nil
}

// back puts an aside back: the edits, and how many messages the answer is then; 0 where the client has another answer there.
func (t *talk) back(a Aside) ([]edit, int, error) {
	var p pieces
	var ok bool
	switch t.form {
	case chat:
		p, ok = t.chatPieces(a)
	case responses:
		p, ok = t.responsesPieces(a)
	case generate:
		p, ok = t.geminiPieces(a)
	default:
		p, ok = t.messagesPieces(a)
	}
	if !ok {
		return nil, 0, nil
	}
	return t.join(a, p)
}

// pieces are an answer cut where its rounds ended.
type pieces struct {
	rounds [][]byte      // entries of the list, for each round that asked the memory alone, then what is left of the answer, if anything
	calls  [][]AsideCall // of each of them
}

// join writes the rounds of an answer in the place of its entries, each followed by its results; those of the last go before what the
// client said next.
func (t *talk) join(a Aside, p pieces) ([]edit, int, error) {
	s := t.said[a.Said]
	var out bytes.Buffer
	last := len(p.rounds) - 1
	for i, r := range p.rounds {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(r)
		if i == last {
			break
		}
		results, err := t.results(p.calls[i])
		if err != nil {
			return nil, 0, err
		}
		out.WriteByte(',')
		out.Write(t.form.resultEntries(results))
	}
	edits := []edit{{t.list.kids[s.from].at, t.list.kids[s.to-1].end, out.Bytes()}}
	if open := p.calls[last]; len(open) > 0 {
		if s.to >= len(t.list.kids) {
			return nil, 0, doubtOpen
		}
		results, err := t.results(open)
		if err != nil {
			return nil, 0, err
		}
		edits = append(edits, t.before(t.list.kids[s.to], results)...)
	}
	return edits, 2*last + 1, nil
}

// before puts results before what an entry says.
func (t *talk) before(entry span, results [][]byte) []edit {
	if t.form != messages && t.form != generate {
		return []edit{{entry.at, entry.at, append(t.form.resultEntries(results), ',')}}
	}
	list := bytes.Join(results, []byte(","))
	c := entry.field(t.form.partsName())
	if c.kind == '"' {
		return []edit{{c.at, c.end, fmt.Appendf(nil, `[%s,{"type":"text","text":%s}]`, list, c.raw(t.doc))}}
	}
	if len(c.kids) > 0 {
		list = append(list, ',')
	}
	return []edit{{c.at + 1, c.at + 1, list}}
}

// results are the results of calls as the form has them.
func (t *talk) results(calls []AsideCall) (out [][]byte, err error) {
	for _, c := range calls {
		content := quote(c.Text)
		if c.Of != "" {
			if content, err = t.restored(c); err != nil {
				return nil, err
			}
		}
		out = append(out, t.form.result(c, content))
	}
	return out, nil
}

// result is the result of a call, in a form.
func (f form) result(c AsideCall, content []byte) []byte {
	id := c.ID
	switch f {
	case generate:
		return geminiResult(c, content)
	case chat:
		return fmt.Appendf(nil, `{"role":"tool","tool_call_id":%s,"content":%s}`, quote(id), content)
	case responses:
		return fmt.Appendf(nil, `{"type":"function_call_output","call_id":%s,"output":%s}`, quote(id), content)
	}
	return fmt.Appendf(nil, `{"type":"tool_result","tool_use_id":%s,"content":%s}`, quote(id), content)
}

// resultEntries are results as entries of the list of what was said.
func (f form) resultEntries(results [][]byte) []byte {
	list := bytes.Join(results, []byte(","))
	switch f {
	case messages:
		return fmt.Appendf(nil, `{"role":"user","content":[%s]}`, list)
	case generate:
		return geminiContent("user", results)
	}
	return list
}

// restored is the content of a block of the client's own request, byte for byte where all of it is wanted.
func (t *talk) restored(c AsideCall) ([]byte, error) {
	i := 0
	for n, s := range t.said {
		for j, b := range s.Blocks {
			if b.ID == c.Of && b.Kind == pager.Result != c.OfCall && (b.Kind == pager.Result || b.Kind == pager.Call) {
				text := t.message(n).Blocks[j].Text
				if c.OfCall {
					text = pager.QuotedByEdit(b.Tool, b.Input)
				}
				switch at := t.places[i]; {
				case c.Part > 0:
					return quote(partOf(text, c)), nil
				case c.OfCall || at.as == asNothing:
					return quote(text), nil
				default:
					return t.doc[at.at:at.end], nil
				}
			}
			i++
		}
	}
	return nil, doubtShape
}

// partOf is what of a long text a call brings back.
func partOf(text string, c AsideCall) string {
	part := pager.Around(text, gjson.GetBytes(c.Input, "about").String(), c.Part)
	return fmt.Sprintf("[%d of %d bytes. For other lines ask again and quote them in \"about\".]\n%s", len(part), len(text), part)
}

// messagesPieces cuts an answer of Anthropic's Messages.
func (t *talk) messagesPieces(a Aside) (p pieces, ok bool) {
	content := t.list.kids[t.said[a.Said].from].field("content")
	var blocks [][]byte
	var sent []string
	if content.kind == '"' {
		blocks, sent = [][]byte{fmt.Appendf(nil, `{"type":"text","text":%s}`, content.raw(t.doc))}, []string{textSum(content.text(t.doc))}
	}
	for _, b := range content.kids {
		blocks, sent = append(blocks, b.raw(t.doc)), append(sent, blockSum(t.doc, b))
	}
	place, ok := align(a.Parts, sent)
	if !ok {
		return p, false
	}
	return cutEntries(a, place, blocks, sent, messages)
}

// blockSum is the sum of a block of Messages.
func blockSum(doc []byte, b span) string {
	switch kind := b.field("type").text(doc); kind {
	case "text":
		return textSum(b.field("text").text(doc))
	case "thinking":
		return sumOf("h", b.field("signature").text(doc)+"\x00"+b.field("thinking").text(doc))
	case "redacted_thinking":
		return sumOf("h", b.field("data").text(doc))
	case "tool_use":
		return sumOf("c", b.field("id").text(doc))
	default:
		return "o" + kind
	}
}

// responsesPieces cuts an answer of OpenAI's Responses.
func (t *talk) responsesPieces(a Aside) (p pieces, ok bool) {
	s := t.said[a.Said]
	var items [][]byte
	var sent []string
	for _, m := range t.list.kids[s.from:s.to] {
		items, sent = append(items, m.raw(t.doc)), append(sent, itemSum(t.doc, m))
	}
	place, ok := align(a.Parts, sent)
	if !ok {
		return p, false
	}
	return cutEntries(a, place, items, sent, responses)
}

// itemSum is the sum of an item of Responses.
func itemSum(doc []byte, m span) string {
	switch kind := m.field("type").text(doc); kind {
	case "message", "":
		return textSum(itemText(doc, m))
	case "reasoning":
		if e := m.field("encrypted_content").text(doc); e != "" {
			return sumOf("h", e)
		}
		return sumOf("h", m.field("id").text(doc))
	case "function_call", "custom_tool_call":
		return sumOf("c", m.field("call_id").text(doc))
	default:
		return "o" + kind
	}
}

func itemText(doc []byte, m span) string {
	c := m.field("content")
	var b strings.Builder
	b.WriteString(c.text(doc))
	for _, part := range c.kids {
		b.WriteString(part.field("text").text(doc))
		b.WriteString(part.field("refusal").text(doc))
	}
	return b.String()
}

// cutEntries cuts an answer that is a list: of blocks of one message, or of entries of their own. place says where each part lies.
func cutEntries(a Aside, place []int, blocks [][]byte, sent []string, f form) (p pieces, ok bool) {
	var now [][]byte
	from := 0
	take := func(part int) bool {
		if part < 0 || part >= len(place) || place[part] < from {
			return false
		}
		for ; from < place[part]; from++ {
			if sent[from] != "" { // else it is an empty text, which no provider takes
				now = append(now, blocks[from])
			}
		}
		return true
	}
	end := func(calls []AsideCall) {
		list := bytes.Join(now, []byte(","))
		if f == messages {
			list = fmt.Appendf(nil, `{"role":"assistant","content":[%s]}`, list)
		}
		p.rounds, p.calls, now = append(p.rounds, list), append(p.calls, calls), nil
	}
	for _, r := range a.Rounds {
		for _, c := range r.Calls {
			if !take(c.At) {
				return p, false
			}
			now = append(now, f.callBlock(c))
		}
		if !take(r.End) {
			return p, false
		}
		end(r.Calls)
	}
	if !take(len(place) - 1) {
		return p, false
	}
	if len(now) > 0 {
		end(nil)
	}
	return p, len(p.rounds) > 0
}

// callBlock is a call of the memory's tools as a form has it in a list.
func (f form) callBlock(c AsideCall) []byte {
	switch f {
	case generate:
		return geminiCall(c)
	case chat:
		return fmt.Appendf(nil, `{"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}`, quote(c.ID), quote(c.Tool), quote(string(c.Input)))
	case responses:
		return fmt.Appendf(nil, `{"type":"function_call","call_id":%s,"name":%s,"arguments":%s}`, quote(c.ID), quote(c.Tool), quote(string(c.Input)))
	}
	return fmt.Appendf(nil, `{"type":"tool_use","id":%s,"name":%s,"input":%s}`, quote(c.ID), quote(c.Tool), c.Input)
}

// remember takes an aside into a conversation; false where there are too many.
func (c *conversation) remember(a Aside) bool {
	same := 0
	for _, x := range c.asides {
		if x.Said == a.Said {
			same++
		}
	}
	if len(c.asides) >= maxAsides || same >= maxOtherways {
		return false
	}
	c.asides = append(c.asides, a)
	return true
}

// asidesUpTo are the asides of a conversation that another one takes over which shares its first n messages.
func asidesUpTo(all []Aside, n int) []Aside {
	return slices.DeleteFunc(slices.Clone(all), func(a Aside) bool { return a.Said > n })
}

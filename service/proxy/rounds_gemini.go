package proxy

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tidwall/gjson"
)

// geminiGiven is a part of a round as the next request has it.
type geminiGiven struct {
	raw  []byte
	text string // of a plain text, which may come in pieces
	ours int    // 1 and up: the memory's call of that number
}

// geminiRound reads the parts of an answer of Gemini's, over all of its rounds.
type geminiRound struct {
	units geminiUnits // that the client is shown
	// of this round:
	given   []geminiGiven
	calls   []AsideCall
	real    int
	strange bool
	lend    bool // the next call of the client's is shown with the signature of the last of the memory's
}

func (g *geminiRound) begin() {
	g.given, g.calls, g.real, g.strange, g.lend = nil, nil, 0, false, false
}

// take takes a part, and returns it as the client is shown it; nil where it is not.
func (g *geminiRound) take(doc []byte, p span) []byte {
	raw := bytes.Clone(p.raw(doc))
	kind, ok := heldIn(p)
	call := p.field("functionCall")
	sign := p.field("thoughtSignature").text(doc)
	switch {
	case kind == "functionCall" && isOurs(call.field("name").text(doc)):
		g.asked(doc, call, sign)
		return nil
	case kind == "text" && len(p.keys) == 1:
		g.says(p.field("text").text(doc))
	default:
		g.given = append(g.given, geminiGiven{raw: raw})
		g.strange = g.strange || !ok
	}
	g.units.take(doc, p)
	if kind != "functionCall" {
		return raw
	}
	g.real++
	if g.lend && sign == "" {
		raw = withField(raw, "thoughtSignature", g.calls[len(g.calls)-1].Sign)
		g.calls[len(g.calls)-1].Lent = true
	}
	g.lend = false
	return raw
}

// says adds a plain text, whose pieces are one part for the provider.
func (g *geminiRound) says(text string) {
	if text == "" {
		return
	}
	if k := len(g.given); k > 0 && g.given[k-1].raw == nil && g.given[k-1].ours == 0 {
		g.given[k-1].text += text
		return
	}
	g.given = append(g.given, geminiGiven{text: text})
}

// asked takes a call of one of the memory's tools. A model signs the first call of an answer: where that one is hidden, the client's first
// one is shown with its signature, since the provider wants one there.
func (g *geminiRound) asked(doc []byte, call span, sign string) {
	for _, k := range call.keys {
		g.strange = g.strange || k != "id" && k != "name" && k != "args"
	}
	c := AsideCall{ID: call.field("id").text(doc), Tool: call.field("name").text(doc), Input: bytes.Clone(argsOf(doc, call)), Sign: sign}
	c.At, c.After = g.units.at()
	g.calls = append(g.calls, c)
	g.given = append(g.given, geminiGiven{ours: len(g.calls)})
	g.lend = g.lend || sign != "" && g.real == 0
}

// heard is what the round was.
func (g *geminiRound) heard(finish string) heard {
	h := heard{calls: g.calls, real: g.real, tools: finish == "STOP" || finish == "", strange: g.strange}
	h.shown, h.text = g.units.at()
	return h
}

// entry is the round that asked the memory alone, as the next request has it.
func (g *geminiRound) entry(calls []AsideCall) []byte {
	var parts [][]byte
	for _, x := range g.given {
		switch {
		case x.ours > 0:
			parts = append(parts, generate.callBlock(calls[x.ours-1]))
		case x.raw != nil:
			parts = append(parts, x.raw)
		default:
			parts = append(parts, fmt.Appendf(nil, `{"text":%s}`, quote(x.text)))
		}
	}
	return geminiContent("model", parts)
}

// geminiHearer reads an answer of Gemini's, as a stream or as a document.
type geminiHearer struct {
	p     *Proxy
	ctx   context.Context //nolint:containedctx // of the request
	at    *route
	round geminiRound
	usage []byte
	kept  [][]byte // of a document: parts that the client is shown, of all rounds
	more  bool
	ended bool
	later bool
}

func (g *geminiHearer) begin() {
	a := g.at.asks
	a.usage = sumUsage(a.usage, g.usage)
	g.round.begin()
	g.usage, g.more, g.ended, g.later = nil, false, false, true
}

func (g *geminiHearer) entries() []byte {
	return g.round.entry(g.at.asks.rounds[len(g.at.asks.rounds)-1].Calls)
}

func (g *geminiHearer) event(event []byte) ([]byte, bool) {
	if event == nil {
		return g.stopped()
	}
	data := dataOf(event)
	root, err := spansOf(data)
	if err != nil || root.kind != '{' {
		return event, false
	}
	g.noted(data, root)
	if g.more { // after its end
		return nil, false
	}
	list := root.field("candidates").kids
	if len(list) == 0 {
		return g.passed(event, data, root, nil), false
	}
	parts, changed := g.takeAll(data, list[0])
	finish := list[0].field("finishReason").text(data)
	if finish == "" || g.ended {
		if changed && len(parts) == 0 {
			return nil, false
		}
		return g.shown(event, data, root, parts, changed, nil), false
	}
	return g.ends(event, data, root, parts, changed, finish), false
}

// noted takes what is told of the whole answer.
func (g *geminiHearer) noted(data []byte, root span) {
	if u := root.field("usageMetadata"); u.kind == '{' {
		g.usage = bytes.Clone(u.raw(data))
	}
	if id := root.field("responseId"); g.at.asks.id == "" && id.kind == '"' {
		g.at.asks.id = string(id.raw(data))
	}
}

// takeAll takes the parts of a candidate. changed says that the client is not shown just those.
func (g *geminiHearer) takeAll(data []byte, candidate span) (shown [][]byte, changed bool) {
	for _, p := range candidate.field("content").field("parts").kids {
		raw := g.round.take(data, p)
		changed = changed || !bytes.Equal(raw, p.raw(data))
		if raw != nil {
			shown = append(shown, raw)
		}
	}
	return shown, changed
}

func (g *geminiHearer) ends(event, data []byte, root span, parts [][]byte, changed bool, finish string) []byte {
	g.ended = true
	switch g.judged(finish) {
	case itGoesOn:
		g.more = true
		if len(parts) == 0 {
			return nil
		}
		return g.shown(event, data, root, parts, true, map[string][]byte{"finishReason": nil})
	case itNotes:
		g.p.remember(g.at)
		parts, changed = append(parts, geminiNote()), true
	}
	return g.shown(event, data, root, parts, changed, nil)
}

// judged answers what the round asked. Where it is ended with a note, that is a part of the answer.
func (g *geminiHearer) judged(finish string) verdict {
	a := g.at.asks
	a.parts = g.round.units.sums()
	v := g.p.judge(g.ctx, g.at, g.round.heard(finish))
	if v == itNotes {
		p, _ := spansOf(geminiNote())
		g.round.units.take(geminiNote(), p)
		a.parts = g.round.units.sums()
	}
	return v
}

func geminiNote() []byte { return fmt.Appendf(nil, `{"text":%s}`, quote(enough)) }

// stopped takes the end of a stream, which some do not tell.
func (g *geminiHearer) stopped() ([]byte, bool) {
	if g.ended || len(g.round.calls) == 0 {
		return nil, g.more
	}
	g.ended = true
	switch g.judged("") {
	case itGoesOn:
		g.more = true
	case itNotes:
		g.p.remember(g.at)
		return fmt.Appendf(nil, "data: {\"candidates\":[{\"content\":%s,\"finishReason\":\"STOP\",\"index\":0}]}\n\n", geminiContent("model", [][]byte{geminiNote()})), false
	}
	return nil, g.more
}

// shown is an event as the client is shown it: with some parts, and other values in its candidate.
func (g *geminiHearer) shown(event, data []byte, root span, parts [][]byte, changed bool, values map[string][]byte) []byte {
	if !changed {
		return g.passed(event, data, root, nil)
	}
	candidate := root.field("candidates").kids[0]
	if len(parts) == 0 {
		parts = [][]byte{[]byte(`{"text":""}`)} // as Gemini ends an answer itself
	}
	content := geminiContent("model", parts)
	if c := candidate.field("content"); c.kind == '{' {
		content = fieldsWith(data, c, map[string][]byte{"parts": fmt.Appendf(nil, "[%s]", bytes.Join(parts, []byte(",")))})
	}
	with := map[string][]byte{"content": content}
	for k, v := range values {
		with[k] = v
	}
	top := map[string][]byte{"candidates": fmt.Appendf(nil, "[%s]", fieldsWith(data, candidate, with))}
	if values != nil { // another round follows, which tells it
		top["usageMetadata"] = nil
	}
	return g.passed(event, data, root, top)
}

// passed is an event with other values, the first round's id, and what all rounds took.
func (g *geminiHearer) passed(event, data []byte, root span, values map[string][]byte) []byte {
	values = g.told(data, root, values)
	if len(values) == 0 {
		return event
	}
	return fmt.Appendf(nil, "data: %s\n\n", fieldsWith(data, root, values))
}

func (g *geminiHearer) told(data []byte, root span, values map[string][]byte) map[string][]byte {
	a := g.at.asks
	if values == nil {
		values = map[string][]byte{}
	}
	u := root.field("usageMetadata")
	if _, set := values["usageMetadata"]; !set && u.kind == '{' && len(a.usage) > 0 {
		values["usageMetadata"] = sumUsage(a.usage, u.raw(data))
	}
	if g.later && a.id != "" && root.field("responseId").kind == '"' {
		values["responseId"] = []byte(a.id)
	}
	return values
}

// document takes a round's answer as a whole.
func (g *geminiHearer) document(doc []byte) ([]byte, bool, error) {
	a := g.at.asks
	root, err := spansOf(doc)
	list := root.field("candidates").kids
	if err != nil || len(list) == 0 {
		if len(a.rounds) > 0 && !gjson.GetBytes(doc, "promptFeedback").Exists() {
			return nil, false, errRound
		}
		return doc, false, nil
	}
	g.later = len(a.rounds) > 0
	g.round.begin()
	g.noted(doc, root)
	parts, changed := g.takeAll(doc, list[0])
	g.kept = append(g.kept, parts...)
	switch g.judged(list[0].field("finishReason").text(doc)) {
	case itGoesOn:
		a.usage = sumUsage(a.usage, g.usage)
		return nil, true, nil
	case itNotes:
		g.p.remember(g.at)
		g.kept, changed = append(g.kept, geminiNote()), true
	}
	if !changed && !g.later {
		return doc, false, nil
	}
	event := g.shown(nil, doc, root, g.kept, true, nil)
	return dataOf(event), false, nil
}

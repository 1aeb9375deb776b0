package proxy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// geminiUnit is a part of an answer as it is known again: a text, however many pieces it came in, a call, or something else.
type geminiUnit struct {
	text strings.Builder
	sum  string // of what is no text
}

// geminiUnits are the units of an answer. What was thought, and empty texts, belong to none: clients may leave them out.
type geminiUnits []*geminiUnit

// at is the place after all of them: a unit, and how many bytes of its text are before.
func (u geminiUnits) at() (unit, bytes int) {
	if k := len(u); k > 0 && u[k-1].sum == "" {
		return k - 1, u[k-1].text.Len()
	}
	return len(u), 0
}

func (u geminiUnits) sums() []string {
	out := make([]string, len(u))
	for i, x := range u {
		if out[i] = x.sum; out[i] == "" {
			out[i] = sumOf("t", x.text.String())
		}
	}
	return out
}

// take adds a part of an answer, and returns its text; unit is false where it belongs to none.
func (u *geminiUnits) take(doc []byte, p span) (text string, unit bool) {
	kind, _ := heldIn(p)
	v := p.field(kind)
	switch {
	case p.field("thought").kind == 't' || kind == "":
		return "", false
	case kind == "text":
		s := v.text(doc)
		if s == "" {
			return "", false
		}
		if k := len(*u); k == 0 || (*u)[k-1].sum != "" {
			*u = append(*u, &geminiUnit{})
		}
		(*u)[len(*u)-1].text.WriteString(s)
		return s, true
	case kind == "functionCall":
		*u = append(*u, &geminiUnit{sum: sumOf("c", v.field("name").text(doc)+"\x00"+canonical(argsOf(doc, v)))})
	default:
		*u = append(*u, &geminiUnit{sum: "o" + kind})
	}
	return "", true
}

// argsOf are the arguments of a call.
func argsOf(doc []byte, call span) []byte {
	if a := call.field("args"); a.kind == '{' {
		return a.raw(doc)
	}
	return []byte("{}")
}

// geminiPiece is a part of an answer as the client sends it, and where it lies in the units.
type geminiPiece struct {
	raw     []byte
	unit    int
	from    int    // of its text, in the unit
	text    string // that belongs to a unit
	later   bool
	nothing bool // it is in no unit: a thought, which goes with what comes after, or an empty text, which goes with what was before
}

// before says whether a piece lies wholly before a place.
func (g geminiPiece) before(unit, at int) bool {
	switch {
	case g.unit != unit:
		return g.unit < unit
	case g.nothing:
		return g.from < at || g.from == at && !g.later
	}
	return g.text != "" && g.from+len(g.text) <= at
}

// geminiPieces cuts an answer of Gemini's. Its texts run through all rounds.
func (t *talk) geminiPieces(a Aside) (p pieces, ok bool) {
	s := t.said[a.Said]
	var units geminiUnits
	var list []geminiPiece
	for _, m := range t.list.kids[s.from:s.to] {
		for _, k := range m.field("parts").kids {
			g := geminiPiece{raw: k.raw(t.doc), later: k.field("thought").kind == 't'}
			g.unit, g.from = units.at()
			n := len(units)
			text, unit := units.take(t.doc, k)
			if g.text, g.nothing = text, !unit; len(units) > n {
				g.unit, g.from = n, 0
			}
			list = append(list, g)
		}
	}
	if !slices.Equal(units.sums(), a.Parts) {
		return p, false
	}
	end := func(parts [][]byte, calls []AsideCall) {
		p.rounds, p.calls = append(p.rounds, geminiContent("model", parts)), append(p.calls, calls)
	}
	for _, r := range a.Rounds {
		var parts [][]byte
		parts, list = geminiRoundOf(r, list)
		end(parts, r.Calls)
	}
	if len(list) > 0 {
		rest, _ := geminiTake(list, list[len(list)-1].unit+1, 0)
		end(rest, nil)
	}
	return p, len(p.rounds) > 0
}

// geminiRoundOf are the parts of a round with the memory's calls among them, and what is left of the answer.
func geminiRoundOf(r AsideRound, list []geminiPiece) (parts [][]byte, rest []geminiPiece) {
	take := func(unit, at int) {
		var out [][]byte
		out, list = geminiTake(list, unit, at)
		for _, raw := range out {
			parts = append(parts, notLent(raw, r.Calls))
		}
	}
	for _, c := range r.Calls {
		take(c.At, c.After)
		parts = append(parts, generate.callBlock(c))
	}
	if r.Open && len(list) > 0 { // nothing comes after it
		take(list[len(list)-1].unit+1, 0)
	} else {
		take(r.End, r.Text)
	}
	return parts, list
}

// geminiTake takes the pieces up to a place, of a text that reaches beyond it what is before.
func geminiTake(list []geminiPiece, unit, at int) (out [][]byte, rest []geminiPiece) {
	for i, g := range list {
		if g.before(unit, at) {
			out = append(out, g.raw)
			continue
		}
		n := at - g.from
		if g.unit != unit || n <= 0 || n >= len(g.text) {
			return out, list[i:]
		}
		out = append(out, fmt.Appendf(nil, `{"text":%s}`, quote(g.text[:n])))
		g.raw = replacedIn(g.raw, map[string][]byte{"text": quote(g.text[n:])})
		g.text, g.from = g.text[n:], at
		return out, append([]geminiPiece{g}, list[i+1:]...)
	}
	return out, nil
}

// notLent is a part without the signature that the client was shown with it in the place of a call of the memory's tools.
func notLent(raw []byte, calls []AsideCall) []byte {
	if !gjson.GetBytes(raw, "functionCall").Exists() {
		return raw
	}
	sign := gjson.GetBytes(raw, "thoughtSignature").String()
	for _, c := range calls {
		if c.Lent && sign == c.Sign {
			if p, err := spansOf(raw); err == nil {
				return fieldsWith(raw, p, map[string][]byte{"thoughtSignature": nil})
			}
		}
	}
	return raw
}

// geminiContent is a content with parts.
func geminiContent(role string, parts [][]byte) []byte {
	return fmt.Appendf(nil, `{"role":%q,"parts":[%s]}`, role, bytes.Join(parts, []byte(",")))
}

// geminiCall is a call of the memory's tools as the model made it.
func geminiCall(c AsideCall) []byte {
	out := []byte(`{"functionCall":{`)
	if c.ID != "" {
		out = fmt.Appendf(out, `"id":%s,`, quote(c.ID))
	}
	out = fmt.Appendf(out, `"name":%s,"args":%s}`, quote(c.Tool), c.Input)
	if c.Sign != "" {
		out = fmt.Appendf(out, `,"thoughtSignature":%s`, quote(c.Sign))
	}
	return append(out, '}')
}

// geminiResult is its result.
func geminiResult(c AsideCall, content []byte) []byte {
	out := []byte(`{"functionResponse":{`)
	if c.ID != "" {
		out = fmt.Appendf(out, `"id":%s,`, quote(c.ID))
	}
	if len(content) > 0 && content[0] == '{' {
		return fmt.Appendf(out, `"name":%s,"response":%s}}`, quote(c.Tool), content)
	}
	return fmt.Appendf(out, `"name":%s,"response":{"output":%s}}}`, quote(c.Tool), content)
}

// ourCalls are the ids of the calls of a conversation that are the memory's, where those are known by what they say.
func (t *talk) ourCalls(asides []Aside) map[string]bool {
	asked := map[string]bool{}
	for _, a := range asides {
		for _, r := range a.Rounds {
			for _, c := range r.Calls {
				asked[c.Tool+"\x00"+string(c.Input)] = true
			}
		}
	}
	out := map[string]bool{}
	for _, s := range t.said {
		for _, b := range s.Blocks {
			if isOurs(b.Tool) && asked[b.Tool+"\x00"+string(b.Input)] {
				out[b.ID] = true
			}
		}
	}
	return out
}

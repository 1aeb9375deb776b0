package model

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/app/lang"
	"dormouse/store/memory"
)

// Evidence is what was said where a claim comes from.
type Evidence struct {
	Title  string // the session and the turn
	Quotes []Quoted
	Note   string // in place of quotes, where there are none
}

// Quoted is a part of what somebody said.
type Quoted struct {
	Speaker string
	Text    string
	Person  bool // the person said it
}

// Evidence asks for what stands behind a thing that waits.
func (p *Presenter) Evidence(ctx context.Context, row ReviewRow) Evidence {
	if row.From.Session == "" {
		return Evidence{Note: lang.Say("It comes from no turn of its own: a rule suggests it.")}
	}
	return p.evidence(ctx, row.From, row.item.Nodes, row.Claim)
}

// evidence is the nodes of a turn that a claim comes from; where none of them is there, the turn's prompt.
func (p *Presenter) evidence(ctx context.Context, at Place, nodes []string, claim string) Evidence {
	turn := &at.Turn
	if at.Turn == 0 {
		turn = nil
	}
	t, err := p.o.Backend().Session(ctx, at.Session, turn)
	if err != nil {
		return Evidence{Note: troubleOf(err).Text}
	}
	out := Evidence{Title: dots(titleOf(t.Session), AgentName(t.Session.Agent))}
	b := builder{style: p.style(), session: t.Session}
	var prompt *memory.Node
	for i := range t.Turns {
		for k := range t.Turns[i].Nodes {
			n := &t.Turns[i].Nodes[k]
			if slices.Contains(nodes, n.ID) {
				out.Quotes = append(out.Quotes, b.quote(n, claim))
			}
			if prompt == nil && n.Role == memory.RoleUser && n.Metadata.Kind == memory.KindPrompt {
				prompt = n
			}
		}
	}
	switch {
	case len(out.Quotes) > 0:
	case t.Session.Missing != "":
		out.Note = sentence(cmp.Or(t.Session.Reason, t.Session.Missing))
	case prompt != nil && at.Turn > 0:
		out.Quotes = append(out.Quotes, b.quote(prompt, claim))
	default:
		out.Note = lang.Say("The turn that it comes from is not in the session any more.")
	}
	return out
}

// maxQuote is how much of a message is quoted, in characters.
const maxQuote = 600

func (b builder) quote(n *memory.Node, claim string) Quoted {
	q := Quoted{Speaker: AgentName(b.session.Agent), Text: excerpt(Clean(n.Output), claim, maxQuote)}
	switch {
	case n.Role == memory.RoleUser:
		q.Speaker, q.Person = lang.Say("You"), true
	case n.Role == memory.RoleTool:
		t := b.tool(n)
		q.Speaker = dots(joined(" ", t.Name, cut(t.About, 80)), t.Outcome)
	}
	if q.Text == "" {
		q.Text = lang.Say("(no text)")
	}
	return q
}

// excerpt is the part of a text, of at most max characters, in which most of the words of a claim stand; it begins and ends
// at a line or a word.
func excerpt(text, claim string, max int) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= max {
		return text
	}
	runes := []rune(text)
	start := bestWindow(runes, telltale(claim), max)
	end := min(len(runes), start+max)
	if start > 0 {
		if i := slices.IndexFunc(runes[start:end], unicode.IsSpace); i >= 0 && i < max/4 {
			start += i + 1
		}
	}
	if end < len(runes) {
		for i := end; i > end-max/4; i-- {
			if unicode.IsSpace(runes[i]) {
				end = i
				break
			}
		}
	}
	out := strings.TrimSpace(string(runes[start:end]))
	if start > 0 {
		out = "… " + out
	}
	if end < len(runes) {
		out += " …"
	}
	return out
}

// telltale are the words by which a claim is found again, in small letters.
func telltale(claim string) []string {
	words := strings.FieldsFunc(strings.ToLower(claim), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(words, func(w string) bool { return utf8.RuneCountInString(w) < 4 && w[0] < utf8.RuneSelf })
}

// bestWindow is where the window of a size begins that holds most of the words; a quarter of it stands before the first.
func bestWindow(text []rune, words []string, size int) int {
	lower := []rune(strings.ToLower(string(text)))
	if len(lower) != len(text) { // letters of which the small one is longer: rare, and not worth a search
		return 0
	}
	var at []int
	for _, w := range words {
		if i := indexRunes(lower, []rune(w)); i >= 0 {
			at = append(at, i)
		}
	}
	best, most := 0, 0
	for _, from := range at {
		n := 0
		for _, i := range at {
			if i >= from && i < from+size*3/4 {
				n++
			}
		}
		if n > most || n == most && from < best {
			best, most = from, n
		}
	}
	return max(0, min(best-size/4, len(text)-size))
}

func indexRunes(text, word []rune) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if slices.Equal(text[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

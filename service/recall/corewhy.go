package recall

import (
	"strconv"
	"strings"

	"dormouse/store/memory"
)

// CoreLine is a line of a core.md and why it stands there.
type CoreLine struct {
	Section string // its title
	Text    string // without bullet and pointer
	From    memory.Provenance
	Kind    memory.RecordKind // of the record that it tells
	Record  string            // the record's id
	Scope   memory.Scope      // the record's
	// Parts are the factors that make up the score, in their order: what the record is, who stands behind it, how old it is.
	Parts []CorePart
	Score int64 // the product, in millionths
	Bytes int   // of the line, with bullet and pointer
}

// CorePart is one factor of a line's score.
type CorePart struct {
	Name  string // "decision", "person", "age 3 days"
	Value float64
}

// reasons are what a line is told of and the factors of its score.
type reasons struct {
	kind  memory.RecordKind
	id    string
	scope memory.Scope
	parts []CorePart
}

func (l *line) explained(section string) CoreLine {
	return CoreLine{Section: section, Text: l.text, From: l.from, Kind: l.why.kind, Record: l.why.id, Scope: l.why.scope,
		Parts: l.why.parts, Score: l.score, Bytes: len(l.String())}
}

// because scores a line by its factors and its age, and keeps them for those who ask.
func (c *core) because(l line, kind memory.RecordKind, id string, scope memory.Scope, parts ...CorePart) line {
	if c.pinned(kind, id, scope) {
		parts = append(parts, CorePart{"pinned", pinnedFactor})
	}
	weight := 1.0
	for _, p := range parts {
		weight *= p.Value
	}
	l.score = c.score(int64(weight), l.at)
	age := CorePart{"no date", recencyDays / float64(recencyDays+unknownDays)}
	if l.at != nil {
		days := c.age(l.at)
		age = CorePart{"age " + plural(days, "day"), recencyDays / float64(recencyDays+days)}
	}
	l.why = reasons{kind, id, scope, append(parts, age)}
	return l
}

// pinnedFactor is how much more a record counts that the person pinned.
const pinnedFactor = 20

func (c *core) pinned(kind memory.RecordKind, id string, scope memory.Scope) bool {
	return c.state.Pinned[memory.RecordRef{Kind: kind, ID: id}] != "" || c.state.Pinned[memory.RecordRef{Kind: kind, Scope: scope, ID: id}] != ""
}

// lessFor notes by what a line is worth less for what stands before it.
func (l *line) lessFor(percent int64) {
	if percent == 100 {
		return
	}
	l.score = l.score * 100 / percent
	l.why.parts = append(l.why.parts[:len(l.why.parts):len(l.why.parts)], CorePart{"others like it before it", 100 / float64(percent)})
}

func plural(n int64, what string) string {
	s := strconv.FormatInt(n, 10) + " " + what
	if n != 1 {
		s += "s"
	}
	return s
}

// named is a relation's or a kind's name as a person reads it.
func named(s string) string { return strings.ReplaceAll(s, "-", " ") }

package distill

import (
	"slices"
	"strings"

	"dormouse/service/distill/tagging"
	"dormouse/store/memory"
)

// Bounds of a fact that a model proposes, in bytes.
const (
	maxFactVerb   = 40
	maxFactObject = 160
)

// factOf is the fact that a proposal states. d holds its evidence and its trust.
func (p *proposal) factOf(d *Draft, t *chunkTurn) *FactDraft {
	subject := shorten(oneLine(p.Fact.Subject), maxName)
	verb := strings.ToLower(strings.Join(strings.FieldsFunc(oneLine(p.Fact.Verb), func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), "-"))
	f := &FactDraft{Subject: subjectID(subject, t), Verb: verb[:clampRune(verb, maxFactVerb)], Object: shorten(oneLine(p.Fact.Object), maxFactObject),
		Status: memory.StatusActive, Author: string(d.Trust), Trust: d.Trust, Nodes: d.Nodes, At: d.At, model: true}
	if d.Trust == memory.TrustAgent || d.Trust == memory.TrustObserved {
		f.Author = t.turn.Session.Agent
	}
	return f
}

// subjectID is the entity of the turn that a name means, "person" for the person, and else the name itself.
func subjectID(name string, t *chunkTurn) string {
	low := strings.ToLower(name)
	for _, article := range []string{"the ", "a ", "an "} {
		low = strings.TrimPrefix(low, article)
	}
	switch low {
	case "person", "user", "i", "me", "we":
		return memory.SubjectPerson
	}
	for _, e := range t.found.ex.Entities {
		if strings.EqualFold(e.Name, low) || strings.EqualFold(e.Name, name) {
			return e.ID()
		}
	}
	return low
}

// maxModelTags is how many tags a model may give one record.
const maxModelTags = 3

// borne are the tags of a proposal that count: those that the model was shown, and those whose words the person or the agent says in
// the evidence, or a file has that was changed in it. What a tool alone says makes no tag.
func (c *chunk) borne(tags []string, evidence []*entry) []string {
	var said []string
	for _, e := range evidence {
		if e.speaker != speakerTool {
			said = append(said, strings.Split(tagging.Canonical(e.text), "-")...)
		}
		for _, f := range editsOf(e.node) {
			said = append(said, strings.Split(tagging.Canonical(f.Path), "-")...)
		}
	}
	var out []string
	for _, name := range tags {
		form := tagging.Canonical(oneLine(name))
		missing := slices.ContainsFunc(strings.Split(form, "-"), func(w string) bool { return !slices.Contains(said, w) })
		if form != "" && len(out) < maxModelTags && (slices.Contains(c.known, form) || !missing) {
			out = append(out, form)
		}
	}
	return out
}

// name gives a turn the line and the tags of a record.
func (t *chunkTurn) name(line string, tags []string) {
	about := &t.found.ex.About
	about.Lines = append(about.Lines, line)
	about.Named = append(about.Named, tags...)
}

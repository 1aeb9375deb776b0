package distill

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/store/memory"
)

// rejected is a proposal of the model that is not taken, and why. It is written into the log.
type rejected struct {
	draft  Draft
	wish   bool
	fact   *FactDraft // instead of the draft's event
	reason string
}

// maxPerModelTurn is how many records one turn may give.
const maxPerModelTurn = 8

// longestSummary is up to which length a summary is cut instead of turned down, in characters.
const longestSummary = 400

// judge goes through the model's proposals: each becomes a draft of the turn of its newest evidence, or is rejected. The model's
// word on who speaks can only lower the trust that the evidence gives.
func (c *chunk) judge(ps []proposal) {
	given := map[*chunkTurn]int{}
	for i := range ps {
		p := &ps[i]
		d, evidence, why := c.draft(p)
		t := c.turnOf(evidence)
		if why == "" && given[t] >= maxPerModelTurn {
			why = fmt.Sprintf("the turn has given %d records already", maxPerModelTurn)
		}
		if why == "" && p.Kind == kindPreference && d.Trust != memory.TrustPerson {
			why = "what the person has not said is no wish of theirs; it is told by " + string(d.Trust)
		}
		var fact *FactDraft
		if p.Kind == kindFact {
			fact = p.factOf(&d, t)
			if why == "" && fact.Subject == memory.SubjectPerson && d.Trust != memory.TrustPerson {
				why = "what the person has not said is no wish of theirs; it is told by " + string(d.Trust)
			}
		}
		if why != "" && len(t.found.rejected) < maxPerModelTurn*4 {
			t.found.rejected = append(t.found.rejected, rejected{draft: d, wish: p.Kind == kindPreference, fact: fact, reason: why})
		}
		if why != "" {
			continue
		}
		given[t]++
		if t.name(d.Summary, c.borne(p.Tags, evidence)); fact != nil {
			t.found.ex.Facts = append(t.found.ex.Facts, *fact)
			continue
		}
		t.take(d, p, evidence)
	}
}

// turnOf is the turn of the newest evidence; the chunk's last one where there is none.
func (c *chunk) turnOf(evidence []*entry) *chunkTurn {
	if len(evidence) == 0 {
		return c.turns[len(c.turns)-1]
	}
	return evidence[len(evidence)-1].turn
}

// draft reads a proposal. why says what is wrong with it.
func (c *chunk) draft(p *proposal) (d Draft, evidence []*entry, why string) {
	d = Draft{Kind: memory.Kind(p.Kind), Summary: oneLine(p.Summary), Trust: memory.TrustQuoted, model: true}
	switch p.Kind {
	case kindPreference:
		d.Kind, d.standing = memory.KindDecision, true
	case kindFact: // its three parts are what is claimed
		d.Kind = memory.KindLearning
		d.Summary = oneLine(p.Fact.Subject + " " + strings.ReplaceAll(p.Fact.Verb, "-", " ") + " " + p.Fact.Object)
	}
	if n := utf8.RuneCountInString(d.Summary); n > longestSummary {
		d.Summary = string([]rune(d.Summary)[:longestSummary])
		return d, nil, fmt.Sprintf("its summary has %d characters", n)
	}
	if d.Summary = shorten(d.Summary, MaxSummary); d.Summary == "" {
		return d, nil, "its summary has no words"
	}
	var unknown []string
	for _, id := range p.Evidence {
		if e := p.shown[strings.TrimSpace(id)]; e == nil {
			unknown = append(unknown, head(oneLine(id), 40))
		} else if !slices.Contains(evidence, e) {
			evidence = append(evidence, e)
		}
	}
	slices.SortFunc(evidence, func(a, b *entry) int { return a.number() - b.number() })
	evidence = evidence[max(0, len(evidence)-maxEvidence):]
	for _, e := range evidence {
		d.Nodes = append(d.Nodes, e.node.ID)
		if at := e.node.CreatedAt; at > 0 && (d.At == nil || at > *d.At) {
			d.At = &at
		}
	}
	switch {
	case len(unknown) > 0:
		return d, evidence, "its evidence is made up: there is no " + strings.Join(unknown, ", ")
	case len(evidence) == 0:
		return d, evidence, "it names no evidence"
	}
	trust, ok := c.trust(d.Summary, evidence)
	if !ok {
		return d, evidence, "its evidence does not say it"
	}
	d.Trust = lowered(trust, p.Speaker)
	return d, evidence, ""
}

// lowered is a trust after the model's word on who speaks, which never raises it. What a call's structure shows stays.
func lowered(t memory.Trust, speaker string) memory.Trust {
	switch {
	case speaker == speakerAgent && t == memory.TrustPerson:
		return memory.TrustAgent
	case speaker == speakerTool && t != memory.TrustObserved:
		return memory.TrustQuoted
	}
	return t
}

// number is the entry's place in the chunk.
func (e *entry) number() int {
	n := 0
	for _, r := range e.alias[1:] {
		n = n*10 + int(r-'0')
	}
	return n
}

// take adds a draft to what its turn gave, with the entities that it names and the evidence holds.
func (t *chunkTurn) take(d Draft, p *proposal, evidence []*entry) {
	ex := &t.found.ex
	last := t.scan.index(evidence[len(evidence)-1].node.ID)
	g := &graph{s: t.scan, have: map[string]int{}, linked: map[string]bool{}}
	for _, e := range ex.Entities {
		g.have[e.ID()] = 0
		if e.Type == memory.TypeProject {
			g.project = e.ID()
		}
	}
	if g.project == "" {
		g.addProject()
	}
	if d.standing {
		f := wishOf(&d)
		f.model = true
		ex.Facts = append(ex.Facts, f)
	} else {
		for _, x := range p.Entities {
			if id := named(g, x.Type, x.Name, last, evidence); id != "" {
				d.Entities = append(d.Entities, id)
			}
		}
		g.addNamed(&d)
		if d.Kind == memory.KindWork {
			d.commits = madeBy(t.scan, evidence)
		}
		t.scan.tag(&d)
		ex.Events = append(ex.Events, d)
	}
	ex.Entities = append(ex.Entities, g.entities...)
	ex.Edges = append(ex.Edges, g.edges...)
}

// maxName is how long the name of an entity may be, in bytes.
const maxName = 120

// entityTypes are the types that a model may name.
var entityTypes = []string{memory.TypeFile, memory.TypeCommit, memory.TypeCommand, memory.TypeError, memory.TypeIssue, memory.TypeTool, memory.TypeLibrary}

// named is the entity that a model names, where the evidence holds its name; empty where it does not. What a tool alone says
// makes no entity.
func named(g *graph, typ, name string, node int, evidence []*entry) string {
	name = oneLine(name)
	if len(name) < 2 || len(name) > maxName || !slices.Contains(entityTypes, typ) {
		return ""
	}
	name = canonical(typ, name)
	if typ == memory.TypeFile {
		if p := g.s.file(name); p != "" {
			return memory.EntityID(typ, p)
		}
	}
	low := strings.ToLower(name)
	for _, e := range evidence {
		if (e.speaker != speakerTool || len(editsOf(e.node)) > 0) && strings.Contains(strings.ToLower(e.text), low) {
			return g.entity(typ, name, node, nil)
		}
	}
	return ""
}

// madeBy are the commits among the evidence.
func madeBy(s *scan, evidence []*entry) []act {
	var out []act
	for _, c := range s.commits() {
		if slices.ContainsFunc(evidence, func(e *entry) bool { return e.node.ID == s.nodes[c.node].ID }) {
			out = append(out, c)
		}
	}
	return out
}

package distill

import (
	"slices"
	"strings"

	"dormouse/store/memory"
)

// maxFacts is how many facts one turn gives at most; the person's wishes come first.
const maxFacts = 8

// facts are what the turn states about the project and its parts, and what the person wants from now on.
func (s *scan) facts(picked []Draft, g *graph) []FactDraft {
	var out []FactDraft
	for i := range picked {
		if picked[i].standing {
			out = append(out, wishOf(&picked[i]))
		}
	}
	if s.prompt >= 0 {
		out = append(out, s.told(g)...)
	}
	out = append(out, s.saidFacts(g)...)
	out = append(out, s.shownFacts(g)...)
	return distinct(out)
}

// wishOf is a standing wish of the person, with the window for which it was asked.
func wishOf(d *Draft) FactDraft {
	w, text := windowOf(d.Summary, d.At)
	f := FactDraft{Subject: memory.SubjectPerson, Verb: memory.VerbInstructs, Object: text, Status: memory.StatusActive, From: w.from, Until: w.until,
		Author: memory.SubjectPerson, Trust: d.Trust, Nodes: d.Nodes, At: d.At}
	low := strings.ToLower(text)
	if likingRE.MatchString(low) {
		f.Verb = memory.VerbPrefers
	}
	if recurringRE.MatchString(low) {
		f.Status = memory.StatusRecurring
	}
	for _, id := range d.Entities {
		f.Links = append(f.Links, memory.Link{Type: "about", To: id})
	}
	return f
}

// likingRE finds what the person likes better, rather than orders.
var likingRE = rx(`^(?:i )?(?:really )?(?:prefers?|likes?|hates?|dislikes?|loves?)\b|\bi(?:'d| would)? (?:really )?(?:prefer|rather|hate|like)\b|^rather\b`)

// distinct keeps the first of several facts that claim the same, at most maxFacts.
func distinct(facts []FactDraft) []FactDraft {
	var out []FactDraft
	for _, f := range facts {
		if f.Object = oneLine(f.Object); f.Object == "" || f.Subject == "" || len(out) == maxFacts {
			continue
		}
		if !slices.ContainsFunc(out, func(o FactDraft) bool {
			return o.Subject == f.Subject && o.Verb == f.Verb && strings.EqualFold(o.Object, f.Object)
		}) {
			out = append(out, f)
		}
	}
	return out
}

// factDraft makes a fact of what one node says.
func (s *scan) factDraft(subject, verb, object string, trust memory.Trust, node int) FactDraft {
	n := &s.nodes[node]
	f := FactDraft{Subject: subject, Verb: verb, Object: object, Status: memory.StatusActive, Trust: trust, Nodes: []string{n.ID}, Author: memory.SubjectPerson}
	if trust != memory.TrustPerson {
		f.Author = s.turn.Session.Agent
	}
	if n.CreatedAt != 0 {
		at := n.CreatedAt
		f.At = &at
	}
	return f
}

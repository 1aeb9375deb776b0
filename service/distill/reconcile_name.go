package distill

import (
	"slices"
	"strings"

	"dormouse/service/distill/alias"
	"dormouse/store/memory"
)

// namedTypes are the types of entities whose names are held against each other. Files, commits and issues have exact names.
var namedTypes = map[string]bool{memory.TypeComponent: true, memory.TypeLibrary: true, memory.TypeTool: true}

// sameName looks whether an entity that was added is one that is known under another name. What is stated to be one, and what
// differs in writing alone, is merged; what is merely near is a suggestion that waits for the person. Which of two stays
// depends on their ids alone, so that the order in which sessions are read makes no difference.
func (r *reconciler) sameName(e *memory.Entity) {
	if !namedTypes[e.Type] {
		return
	}
	for _, o := range r.others(e) {
		switch why, sure := oneThing(e, o); {
		case sure:
			r.merge(e, o, "rule: "+why)
		case why != "":
			r.suggestMerge(e, o, "rule: "+why+", which a person has to decide on")
		}
	}
}

// others are the known entities of the same type and scope, by id.
func (r *reconciler) others(e *memory.Entity) []*memory.Entity {
	var out []*memory.Entity
	for _, s := range []*memory.State{r.batch, r.state} {
		for key, o := range s.Entities {
			if key.Scope == e.Scope && o.Type == e.Type && o.ID != e.ID && !slices.ContainsFunc(out, func(x *memory.Entity) bool { return x.ID == o.ID }) {
				out = append(out, o)
			}
		}
	}
	slices.SortFunc(out, func(a, b *memory.Entity) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// oneThing says why two entities may be one, and whether that is sure.
func oneThing(a, b *memory.Entity) (why string, sure bool) {
	names := func(e *memory.Entity) []string { return append([]string{e.Name}, e.Aliases...) }
	for _, x := range names(a) {
		for _, y := range names(b) {
			if n := alias.Normal(x); n != "" && n == alias.Normal(y) {
				return "both are called " + x, true
			}
		}
	}
	switch v := alias.Compare(a.Name, b.Name); {
	case v.Degree == alias.Near:
		return v.Reason, false
	case alias.Misspelt(a.Name, b.Name):
		return "their names differ in one letter", false
	}
	return "", false
}

// merge makes two entities one, with all that is one with them: of their last names the one with the greater id becomes part of the
// other.
func (r *reconciler) merge(a, b *memory.Entity, reason string) {
	a, b = r.stays(a), r.stays(b)
	if a.ID == b.ID {
		return
	}
	if a.ID < b.ID {
		a, b = b, a
	}
	if d, ok := r.mergeOf(a, b, reason); ok {
		r.decide(d)
	}
}

// stays is the entity that an entity was merged into, itself where it was not merged.
func (r *reconciler) stays(e *memory.Entity) *memory.Entity {
	ref := e.Ref()
	for range maxMerges {
		into := r.batch.MergedInto(memory.RecordRef{Kind: ref.Kind, Scope: ref.Scope, ID: r.state.MergedInto(ref)})
		if into == ref.ID {
			break
		}
		ref.ID = into
	}
	key := memory.Key{Scope: ref.Scope, ID: ref.ID}
	for _, s := range []*memory.State{r.batch, r.state} {
		if o := s.Entities[key]; o != nil {
			return o
		}
	}
	return e
}

// maxMerges bounds a chain of merges that is followed.
const maxMerges = 100

func (r *reconciler) suggestMerge(a, b *memory.Entity, reason string) {
	if a.ID < b.ID {
		a, b = b, a
	}
	d, ok := r.mergeOf(a, b, reason)
	if !ok || r.stays(a).ID == r.stays(b).ID {
		return
	}
	d.Proposal.Candidate = true
	if _, waits := r.state.Suggestions[memory.Suggested(&d)]; waits {
		return
	}
	if _, waits := r.batch.Suggestions[memory.Suggested(&d)]; waits {
		return
	}
	r.counts.Candidates++
	r.decide(d)
}

// mergeOf is the decision to make a one with b; ok is false where the person declined that.
func (r *reconciler) mergeOf(a, b *memory.Entity, reason string) (d memory.Decision, ok bool) {
	d = memory.Decision{Action: memory.ActionMerge, Reason: reason, EventDate: a.Provenance.EventTime,
		Proposal: memory.Proposal{Kind: memory.RecordEntity, ClaimKey: memory.EntityClaim(a), RecordID: a.ID, Scope: a.Scope, By: b.ID}}
	_, declined := r.state.Declined[memory.Suggested(&d)]
	return d, !declined
}

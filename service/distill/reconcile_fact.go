package distill

import (
	"fmt"

	"dormouse/store/memory"
)

// FactDraft is a proposed fact.
type FactDraft struct {
	Subject, Verb, Object string
	Status                memory.FactStatus
	From, Until           *int64 // Unix seconds, from inclusive, until exclusive; nil where nobody named one
	Links                 []memory.Link
	Author                string
	Trust                 memory.Trust
	Nodes                 []string // evidence
	At                    *int64   // when it was stated; nil where the transcript does not say
	model                 bool     // a model proposes it
}

// fact proposes a fact. What contradicts it and was stated earlier, by somebody who is trusted no more, is superseded, each
// with its reason; what was stated later supersedes the new one. What neither overrules stays, contested.
func (r *reconciler) fact(f *memory.Fact, reason string) {
	claim := memory.FactClaim(f)
	f.ID = memory.FactID(claim, f.ValidFrom)
	if r.barred(claim) {
		return
	}
	if f.Wish() && f.Trust == memory.TrustQuoted {
		r.refuseSpeaker(f, f.Provenance.EventTime, "rule: what a tool or a page says is never a wish of the person")
		return
	}
	for _, s := range []*memory.State{r.state, r.batch} {
		if old := s.Facts[f.ID]; old != nil && !addsToFact(old, f) {
			return
		}
	}
	if r.state.Facts[f.ID] == nil && r.batch.Facts[f.ID] == nil {
		r.counts.Facts++
	}
	r.add(memory.RecordFact, claim, f.ID, f.Scope, f, f.Provenance.EventTime, reason)
	r.overrule(f)
}

// addsToFact reports whether a sighting changes what is known of a fact.
func addsToFact(old, f *memory.Fact) bool {
	return f.Provenance.Compare(old.Provenance) < 0 || f.Trust.Rank() < old.Trust.Rank() ||
		f.ValidUntil != nil && (old.ValidUntil == nil || *f.ValidUntil < *old.ValidUntil)
}

// overrule finds what a new fact takes the place of, and what takes the place of it: always the next one in time, so that the
// order in which sessions are read makes no difference.
func (r *reconciler) overrule(f *memory.Fact) {
	var next *memory.Fact
	for _, g := range r.topic(f) {
		switch {
		case !memory.Contradict(f, g):
		case memory.Overrules(f, g):
			if by := r.knownFact(string(g.SupersededBy)); by == nil || by.Begins() != nil && *by.Begins() > *f.Begins() {
				r.supersedeFact(g, f)
			}
		case memory.Overrules(g, f) && (next == nil || *g.Begins() < *next.Begins()):
			next = g
		}
	}
	if next != nil {
		r.supersedeFact(f, next)
	}
}

func (r *reconciler) topic(f *memory.Fact) []*memory.Fact {
	out := r.batch.Topic(f)
	for _, g := range r.state.Topic(f) {
		if r.batch.Facts[g.ID] == nil {
			out = append(out, g)
		}
	}
	return out
}

func (r *reconciler) knownFact(id string) *memory.Fact {
	if f := r.batch.Facts[id]; f != nil {
		return f
	}
	return r.state.Facts[id]
}

func (r *reconciler) supersedeFact(old, by *memory.Fact) {
	r.counts.Superseded++
	for _, f := range []*memory.Fact{old, by} { // so that the batch knows what took its place
		if r.batch.Facts[f.ID] == nil {
			c := *f
			r.batch.Facts[f.ID] = &c
		}
	}
	r.decide(memory.Decision{Action: memory.ActionSupersede, EventDate: by.Provenance.EventTime,
		Reason:   fmt.Sprintf("rule: %s %s one thing at a time, and %s was stated later", old.Subject, old.Verb, by.ID),
		Proposal: memory.Proposal{Kind: memory.RecordFact, ClaimKey: memory.FactClaim(old), RecordID: old.ID, Scope: old.Scope, By: by.ID}})
}

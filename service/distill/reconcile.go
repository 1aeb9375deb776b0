package distill

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"dormouse/store/memory"
)

// reconciler turns what was extracted into decisions, after asking the log. It sees the state of the log and what the
// running batch has proposed already.
type reconciler struct {
	state  *memory.State
	batch  *memory.State   // adds of this batch, on top of state
	spans  map[string]span // segments up to a turn, by its last node; made when it is asked for
	now    int64
	counts *memory.RunCounts
	out    []memory.Decision
	err    error
	by     string // who decides, where it is not the rules
	// candidate is set while what is proposed waits for the person.
	candidate bool
	model     string // the model that proposes, for reasons
}

// newState is a state without records.
func newState() *memory.State { return memory.Fold(nil) }

// event proposes an event: nothing where it is there already, refused or forgotten.
func (r *reconciler) event(e *memory.Event, reason string) {
	claim := memory.EventClaim(e)
	e.ID = memory.EventID(claim)
	if r.barred(claim) || r.state.Events[e.ID] != nil || r.batch.Events[e.ID] != nil || r.reworded(e, e.Provenance.EventTime) {
		return
	}
	if r.candidate {
		r.counts.Candidates++
	} else {
		r.counts.Events++
	}
	r.add(memory.RecordEvent, claim, e.ID, e.Scope, e, e.Provenance.EventTime, reason)
}

// reworded refuses a proposal that says in other words what is refused or forgotten, and puts that into the log.
func (r *reconciler) reworded(rec memory.Record, at *int64) bool {
	bar, ok := r.state.BarredAlike(rec.Claim())
	if !ok {
		return false
	}
	r.refuse(rec, bar.Decision, at, "rule: it says again, in other words, what decision "+bar.Decision+" keeps out")
	return true
}

// refuse writes a refusal into the log. on names the decision that it follows from, if any: it holds as long as that one.
func (r *reconciler) refuse(rec memory.Record, on string, at *int64, reason string) {
	p, err := memory.Propose(rec)
	if err != nil {
		r.err = err
		return
	}
	p.By = on
	r.refuseProposal(p, at, reason)
}

// refuseSpeaker writes into the log that a claim is not taken from who made it here. It has no claim key: the claim itself stays
// free for whoever may make it, or else a page could keep the person from ever being heard.
func (r *reconciler) refuseSpeaker(rec memory.Record, at *int64, reason string) {
	p, err := memory.Propose(rec)
	if err != nil {
		r.err = err
		return
	}
	p.ClaimKey = ""
	r.refuseProposal(p, at, reason)
}

func (r *reconciler) refuseProposal(p memory.Proposal, at *int64, reason string) {
	r.counts.Refused++
	r.out = append(r.out, memory.Decision{Action: memory.ActionAdd, Reason: reason, EventDate: at, Proposal: p,
		By: memory.ByRule, PolicyVersion: memory.PolicyVersion, ObservedAt: r.now})
}

// entity proposes an entity where the log does not know it, or knows it only from a later sighting or by fewer names.
func (r *reconciler) entity(e *memory.Entity, reason string) {
	claim := memory.EntityClaim(e)
	if r.barred(claim) {
		return
	}
	key := memory.Key{Scope: e.Scope, ID: e.ID}
	for _, s := range []*memory.State{r.state, r.batch} {
		if old := s.Entities[key]; old != nil && !addsToEntity(old, e) {
			return
		}
	}
	if r.state.Entities[key] == nil && r.batch.Entities[key] == nil {
		r.counts.Entities++
	}
	r.add(memory.RecordEntity, claim, e.ID, e.Scope, e, e.Provenance.EventTime, reason)
	r.sameName(e)
}

// edge proposes a relation likewise.
func (r *reconciler) edge(e *memory.Edge, reason string) {
	claim := memory.EdgeClaim(e)
	e.ID = memory.EdgeID(claim)
	if r.barred(claim) {
		return
	}
	for _, s := range []*memory.State{r.state, r.batch} {
		if old := s.Edges[e.ID]; old != nil && e.Provenance.Compare(old.Provenance) >= 0 && e.Confidence <= old.Confidence {
			return
		}
	}
	if r.state.Edges[e.ID] == nil && r.batch.Edges[e.ID] == nil {
		r.counts.Edges++
	}
	r.add(memory.RecordEdge, claim, e.ID, e.Scope, e, e.EventTime, reason)
}

// barred reports whether the log holds a refusal or a forget of the claim. It stays refused, whatever is read again.
func (r *reconciler) barred(claim memory.ClaimKey) bool {
	_, barred := r.state.Barred(claim)
	if barred {
		r.counts.Refused++
	}
	return barred
}

// addsToEntity reports whether a sighting changes what is known: it is earlier, or it brings a name or a value.
func addsToEntity(old, e *memory.Entity) bool {
	if e.Provenance.Compare(old.Provenance) < 0 {
		return true
	}
	for _, name := range append([]string{e.Name}, e.Aliases...) {
		if name != old.Name && !slices.Contains(old.Aliases, name) {
			return true
		}
	}
	for k, v := range e.Attrs {
		if v > old.Attrs[k] {
			return true
		}
	}
	return false
}

// add writes the decision and lets the batch know of the record.
func (r *reconciler) add(kind memory.RecordKind, claim memory.ClaimKey, id string, scope memory.Scope, rec any, at *int64, reason string) {
	raw, err := memory.Encode(rec)
	if err != nil {
		r.err = fmt.Errorf("encode %s %s: %w", kind, id, err)
		return
	}
	r.decide(memory.Decision{Action: memory.ActionAdd, Reason: reason, EventDate: at,
		Proposal: memory.Proposal{Kind: kind, ClaimKey: claim, RecordID: id, Scope: scope, Record: raw, Candidate: r.candidate}})
}

func (r *reconciler) decide(d memory.Decision) {
	d.Accepted, d.By, d.PolicyVersion, d.ObservedAt = true, cmp.Or(r.by, memory.ByRule), memory.PolicyVersion, r.now
	r.out = append(r.out, d)
	r.batch.Apply(&d)
	if d.Action == memory.ActionSupersede {
		r.batch.Settle()
	}
}

// supersede replaces the account of a turn's work that was drawn up before the turn went on, where the new account says
// something else. Rulings and findings stay: they are as true as they were.
func (r *reconciler) supersede(session string, turn, given map[string]bool) {
	by := ""
	for _, id := range slices.Sorted(maps.Keys(given)) {
		if e := r.known(id); e != nil && e.Kind == memory.KindWork {
			by = id
		}
	}
	if by == "" {
		return
	}
	for _, e := range r.eventsOf(session, turn) {
		if given[e.ID] || e.SupersededBy != "" || e.Kind != memory.KindWork {
			continue
		}
		r.counts.Superseded++
		r.decide(memory.Decision{Action: memory.ActionSupersede, Reason: "the turn went on and its account was drawn up again",
			EventDate: e.Provenance.EventTime,
			Proposal:  memory.Proposal{Kind: memory.RecordEvent, ClaimKey: r.state.ClaimOf(e), RecordID: e.ID, Scope: e.Scope, By: by}})
	}
}

func (r *reconciler) known(id string) *memory.Event {
	if e := r.batch.Events[id]; e != nil {
		return e
	}
	return r.state.Events[id]
}

// eventsOf lists the log's events of a session that lie wholly within a set of nodes, in the order of their ids.
func (r *reconciler) eventsOf(session string, within map[string]bool) []*memory.Event {
	var out []*memory.Event
	for _, id := range slices.Sorted(maps.Keys(r.state.Events)) {
		if e := r.state.Events[id]; e.Provenance.SessionID == session && inside(e.Provenance.NodeIDs, within) {
			out = append(out, e)
		}
	}
	return out
}

func inside(ids []string, set map[string]bool) bool {
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !set[id] })
}

// repoint gives the records of the shared turns to their owner, which turned up after they were distilled under another
// session. Nothing is extracted again.
func (r *reconciler) repoint(from string, to memory.Session, shared map[string]bool) {
	moved := func(p memory.Provenance) (memory.Provenance, bool) {
		if p.SessionID != from || !inside(p.NodeIDs, shared) {
			return p, false
		}
		p.SessionID = to.ID
		return p, true
	}
	for _, id := range slices.Sorted(maps.Keys(r.state.Events)) {
		e := *r.state.Events[id]
		if p, ok := moved(e.Provenance); ok {
			e.Provenance = p
			r.edit(memory.RecordEvent, r.state.ClaimOf(&e), e.ID, e.Scope, r.state.Events[id], &e, p.EventTime)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(r.state.Entities), compareKeys) {
		e := *r.state.Entities[k]
		if p, ok := moved(e.Provenance); ok {
			e.Provenance = p
			r.edit(memory.RecordEntity, memory.EntityClaim(&e), e.ID, e.Scope, r.state.Entities[k], &e, p.EventTime)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.state.Edges)) {
		e := *r.state.Edges[id]
		if p, ok := moved(e.Provenance); ok {
			e.Provenance = p
			r.edit(memory.RecordEdge, memory.EdgeClaim(&e), e.ID, e.Scope, r.state.Edges[id], &e, p.EventTime)
		}
	}
	r.repointFacts(moved)
	r.repointTags(moved)
}

// repointFacts is repoint for facts.
func (r *reconciler) repointFacts(moved func(memory.Provenance) (memory.Provenance, bool)) {
	for _, id := range slices.Sorted(maps.Keys(r.state.Facts)) {
		f := *r.state.Facts[id]
		if p, ok := moved(f.Provenance); ok {
			f.Provenance = p
			r.edit(memory.RecordFact, r.state.ClaimOf(&f), f.ID, f.Scope, r.state.Facts[id], &f, p.EventTime)
		}
	}
}

func (r *reconciler) edit(kind memory.RecordKind, claim memory.ClaimKey, id string, scope memory.Scope, before, after any, at *int64) {
	was, err := memory.Encode(before)
	var is json.RawMessage
	if err == nil {
		is, err = memory.Encode(after)
	}
	if err != nil {
		r.err = fmt.Errorf("encode %s %s: %w", kind, id, err)
		return
	}
	r.decide(memory.Decision{Action: memory.ActionEdit, Reason: "the session that the record comes from is older than the one it was read in",
		EventDate: at, Before: was, After: is,
		Proposal: memory.Proposal{Kind: kind, ClaimKey: claim, RecordID: id, Scope: scope}})
}

func compareKeys(a, b memory.Key) int {
	return slices.Compare([]string{string(a.Scope), a.ID}, []string{string(b.Scope), b.ID})
}

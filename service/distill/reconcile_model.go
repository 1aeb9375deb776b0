package distill

import (
	"dormouse/store/memory"
)

// said reports whether the log holds an event of the turn that says the same in other words: a model that reads a turn again
// words it anew.
func (r *reconciler) said(session string, turn map[string]bool, e *memory.Event) bool {
	words := gist(e.Summary)
	for _, s := range []*memory.State{r.state, r.batch} {
		for _, old := range s.Events {
			if old.Provenance.SessionID == session && old.Kind == e.Kind && old.SupersededBy == "" && inside(old.Provenance.NodeIDs, turn) &&
				overlap(gist(old.Summary), words) >= saidAgain {
				e.ID = old.ID // stands, and is not replaced by the turn's new account
				return true
			}
		}
	}
	return false
}

// saidAgain is the share of words from which on two events of a turn are one.
const saidAgain = 0.7

// reject writes a proposal of the model that is not taken into the log, as fully as one that is. What is wrong is
// the proposal's evidence and not its claim.
func (w *walk) reject(r *reconciler, x *rejected) {
	d := &x.draft
	p := w.provenance(d.Nodes, d.At, nil, r.now)
	scope := memory.ProjectScope(p.ProjectID)
	var rec memory.Record
	if x.fact != nil {
		rec = w.factOf(*x.fact, r.now)
	} else if x.wish {
		rec = w.factOf(wishOf(d), r.now)
	} else {
		e := &memory.Event{Summary: d.Summary, Kind: d.Kind, Provenance: p, Scope: scope, Trust: d.Trust}
		e.ID = memory.EventID(memory.EventClaim(e))
		rec = e
	}
	r.refuseSpeaker(rec, d.At, "rule, on a proposal of "+r.model+": "+x.reason)
}

package memory

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
)

// Fold adds up decisions. It sorts a copy by (lamport, machine, id); the given slice is not changed.
func Fold(decisions []Decision) *State {
	ds := sorted(decisions)
	return FoldAll(ds, slices.Values(ds))
}

// FoldAll is Fold for more decisions than are to be in memory at once. all yields them in the order of CompareDecisions. rulings
// are those among them that Rules tells and those that an undo names, in any order; an Outline is enough of each.
func FoldAll(rulings []Decision, all iter.Seq[Decision]) *State {
	return FoldEach(rulings, func(yield func(*Decision) bool) {
		for d := range all {
			if !yield(&d) {
				return
			}
		}
	})
}

// FoldEach is FoldAll of decisions of which each is valid until the next one.
func FoldEach(rulings []Decision, all iter.Seq[*Decision]) *State {
	rulings = sorted(rulings)
	s := newState()
	s.Undone = undone(rulings)
	s.bar(rulings)
	for d := range all {
		s.Apply(d)
	}
	s.Settle()
	return s
}

// Rules reports whether a decision says of claims or of other decisions whether they count: a refusal, a forget, an erase, an undo.
func Rules(d *Decision) bool {
	return !d.Accepted || d.Action == ActionForget || d.Action == ActionErase || d.Action == ActionUndo
}

// Outline is a decision without its texts: what a fold has to know of it before it adds anything up.
func Outline(d *Decision) Decision {
	out := *d
	out.Reason, out.Before, out.After, out.Proposal.Record, out.PrevHash = "", nil, nil, nil, ""
	return out
}

// CompareDecisions is the order of the fold. No wall clock takes part in it.
func CompareDecisions(a, b Decision) int { return a.Compare(&b) }

// Compare is CompareDecisions.
func (d *Decision) Compare(e *Decision) int {
	return cmp.Or(cmp.Compare(d.Lamport, e.Lamport), cmp.Compare(d.Machine, e.Machine), cmp.Compare(d.ID, e.ID))
}

// undone walks from the newest decision back, so that an undo that was itself undone has no effect. An erase is final.
func undone(ds []Decision) map[string]bool {
	final := map[string]bool{}
	for i := range ds {
		if ds[i].Action == ActionErase {
			final[ds[i].ID] = true
		}
	}
	out := map[string]bool{}
	for _, d := range slices.Backward(ds) {
		if d.Action == ActionUndo && d.Accepted && d.Undoes != "" && !out[d.ID] && !final[string(d.Undoes)] {
			out[string(d.Undoes)] = true
		}
	}
	return out
}

// ReachesBack reports whether a decision changes what earlier ones mean, so that it has its effect through Fold alone.
func ReachesBack(d *Decision) bool {
	switch d.Action {
	case ActionAdd, ActionSupersede, ActionPin:
		return !d.Accepted
	case ActionEdit:
		return !d.Accepted || d.Proposal.Kind == RecordFact // whose window may end another one's
	}
	return true
}

// Apply adds one decision, which must not reach back, and must come after all applied ones about the same record in the order of
// CompareDecisions: what is decided of different records adds up in any order. Nothing of the decision is kept but its texts.
// Settle brings what follows from it up to date.
func (s *State) Apply(d *Decision) {
	if !d.Accepted || s.Undone[d.ID] || d.Proposal.Kind == "" { // the last was erased
		return
	}
	if _, barred := s.Barred(d.Proposal.ClaimKey); barred {
		return
	}
	s.unsettle()
	ref := d.Proposal.Target()
	switch d.Action {
	case ActionAdd, ActionEdit:
		was, had := s.claimBefore(ref)
		if err := s.put(d, ref); err != nil {
			s.Problems = append(s.Problems, fmt.Sprintf("decision %s: %v", d.ID, err))
			return
		}
		if !had || d.Action == ActionAdd && d.Proposal.ClaimKey != "" {
			was = d.Proposal.ClaimKey
		}
		s.noteClaim(ref, was)
		s.noteAdd(d, ref, had)
	case ActionSupersede, ActionMerge, ActionSplit:
		if s.Declined[Suggested(d)] != "" {
			return
		}
		if d.Proposal.Candidate {
			s.Suggestions[Suggested(d)] = d.ID
			return
		}
		delete(s.Suggestions, Suggested(d))
		s.relate(d, ref)
	case ActionPin:
		s.Pinned[ref] = d.ID
	case ActionScope:
		s.noteMove(d, ref)
	}
}

// relate keeps what a decision says of two records. Settle carries it out.
func (s *State) relate(d *Decision, ref RecordRef) {
	switch d.Action {
	case ActionSupersede:
		s.replaced[ref] = replacement{by: d.Proposal.By, decision: d.ID}
	case ActionMerge:
		s.merged[ref] = replacement{by: d.Proposal.By, decision: d.ID}
	case ActionSplit:
		s.split[ref] = union(s.split[ref], d.Proposal.Parts)
	}
}

// claimBefore is the claim under which a record is known, if it is.
func (s *State) claimBefore(ref RecordRef) (key ClaimKey, had bool) {
	if key, had = s.claims[ref]; had {
		return key, true
	}
	if old := s.Record(ref); old != nil {
		return old.Claim(), true
	}
	return "", false
}

// noteClaim keeps under which claim a record was proposed, where the record itself does not tell.
func (s *State) noteClaim(ref RecordRef, key ClaimKey) {
	if now := s.Record(ref); now != nil && claims(now, key) {
		delete(s.claims, ref)
		return
	}
	s.claims[ref] = key
}

// noteAdd keeps who stands behind a record, and whether it is a candidate. had says that the record was there before.
func (s *State) noteAdd(d *Decision, ref RecordRef, had bool) {
	if d.By == ByPerson {
		s.Confirmed[ref] = d.ID
		if d.Action == ActionEdit {
			s.edited[ref] = true
		}
	}
	if d.Action != ActionAdd {
		if !had {
			s.unadded[ref] = true
		}
		return
	}
	c, waits := s.Candidates[ref]
	if !d.Proposal.Candidate {
		delete(s.Candidates, ref)
		delete(s.unadded, ref)
	} else if waits || !had || s.unadded[ref] { // and not added as settled already
		delete(s.unadded, ref)
		s.Candidates[ref] = Candidate{Decision: max(c.Decision, d.ID), Reason: max(c.Reason, d.Reason), Contests: union(c.Contests, d.Proposal.Contests)}
	}
}

// put reads a decision's record and joins it with what is there. What the person has edited stays so: a later sighting or a
// correction by a rule may change where it was seen, not what it says.
func (s *State) put(d *Decision, ref RecordRef) error {
	raw := d.After
	if isNull(raw) {
		raw = d.Proposal.Record
	}
	if isNull(raw) {
		return nil // its text was erased
	}
	how := sighting
	switch {
	case s.edited[ref] && d.By != ByPerson:
		how = originOnly
	case d.Action == ActionEdit:
		how = replacing
	}
	switch d.Proposal.Kind {
	case RecordEvent:
		if s.Events[ref.ID] == nil {
			return s.putEvent(raw, how)
		}
		return putRecord(raw, how, s.names, s.Events, func(e *Event) string { return e.ID }, joinEvents)
	case RecordEntity:
		return putRecord(raw, how, s.names, s.Entities, func(e *Entity) Key { return Key{e.Scope, e.ID} }, joinEntities)
	case RecordEdge:
		return putRecord(raw, how, s.names, s.Edges, func(e *Edge) string { return e.ID }, joinEdges)
	case RecordFact:
		return putRecord(raw, how, s.names, s.Facts, func(f *Fact) string { return f.ID }, joinFacts)
	case RecordSegment:
		return putRecord(raw, how, s.names, s.Segments, func(g *Segment) string { return g.ID }, joinSegments)
	case RecordTag:
		return putRecord(raw, how, s.names, s.Tags, func(t *Tag) Key { return Key{t.Scope, t.ID} }, joinTags)
	case RecordTagAlias:
		return putRecord(raw, how, s.names, s.TagAliases, func(a *TagAlias) string { return a.ID }, joinTagAliases)
	case RecordTagSummary:
		if old := s.TagSummaries[ref.ID]; old != nil && old.MadeBy == MadeByRules {
			delete(s.TagSummaries, ref.ID)
		}
		return putRecord(raw, how, s.names, s.TagSummaries, func(t *TagSummary) string { return t.ID }, joinTagSummaries)
	}
	// A kind of a newer version: nothing is known of it but that it is there.
	canonical, err := Canonical(raw)
	if err == nil {
		s.Others[ref] = canonical
	}
	return err
}

// how a decision's record meets the one that is there.
type meeting int

const (
	sighting   meeting = iota // the two join
	replacing                 // the new one takes the place
	originOnly                // only where it was seen first is taken over
)

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func putRecord[K comparable, T any, R interface {
	*T
	Record
}](raw json.RawMessage, how meeting, shared *names, into map[K]*T, key func(*T) K, join func(a, b *T)) error {
	rec := new(T)
	if err := decodeKept(raw, rec, shared, false); err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	return meet[K, T, R](rec, how, shared, into, key, join)
}

// putEvent is putRecord for an event that is not there.
func (s *State) putEvent(raw json.RawMessage, how meeting) error {
	room := s.names.event()
	if err := decodeKept(raw, room, s.names, true); err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	return meet(&room.Event, how, s.names, s.Events, func(e *Event) string { return e.ID }, joinEvents)
}

// meet lets a record that was read meet the one that is there.
func meet[K comparable, T any, R interface {
	*T
	Record
}](rec *T, how meeting, shared *names, into map[K]*T, key func(*T) K, join func(a, b *T)) error {
	guardRecord(R(rec))
	R(rec).supersede("") // decisions say what took its place, so that undoing them is enough
	shared.share(R(rec))
	k := key(rec)
	old, ok := into[k]
	switch {
	case !ok || how == replacing:
		into[k] = rec
	case how == originOnly:
		if a, b := R(old).Origin(), R(rec).Origin(); a != nil && b != nil {
			*a = joinProvenance(*a, *b)
		}
	default:
		join(old, rec)
	}
	return nil
}

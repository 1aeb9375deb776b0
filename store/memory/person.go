package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Ruler makes the decisions by which a person corrects the memory. It writes nothing: the decisions are appended by whoever
// asked, with ids, order and chain. State and Decisions are of the same moment.
type Ruler struct {
	State     *State
	Decisions []Decision
	Now       int64 // Unix seconds
}

// Errors of a ruling that the person can do something about.
var (
	ErrNoSuch  = errors.New("there is no such record or decision")
	ErrSettled = errors.New("that is so already")
	ErrFinal   = errors.New("an erase is final")
	ErrUnfit   = errors.New("that cannot be done with this record")
)

// Decision finds a decision by its id.
func (r *Ruler) Decision(id string) (*Decision, bool) {
	i := slices.IndexFunc(r.Decisions, func(d Decision) bool { return d.ID == id })
	if i < 0 {
		return nil, false
	}
	return &r.Decisions[i], true
}

func (r *Ruler) ruled(action Action, accepted bool, reason string, p Proposal) Decision {
	if reason == "" {
		reason = "the person said so"
	}
	return Decision{Action: action, Accepted: accepted, Reason: reason, Proposal: p, By: ByPerson, PolicyVersion: PolicyVersion, ObservedAt: r.Now}
}

// propose is the proposal of a record under the claim key by which it came in.
func (r *Ruler) propose(rec Record) (Proposal, error) {
	p, err := Propose(rec)
	p.ClaimKey = r.State.ClaimOf(rec)
	return p, err
}

// bare is a proposal that names a record and does not hold it.
func (r *Ruler) bare(rec Record) Proposal {
	ref := rec.Ref()
	return Proposal{Kind: ref.Kind, ClaimKey: r.State.ClaimOf(rec), RecordID: ref.ID, Scope: rec.InScope()}
}

// Accept confirms a record: the person stands behind it from now on. What it contradicts is superseded by it.
func (r *Ruler) Accept(rec Record, reason string) ([]Decision, error) {
	before, err := Encode(rec)
	if err != nil {
		return nil, err
	}
	confirmed, err := confirm(rec)
	if err != nil {
		return nil, err
	}
	p, err := r.propose(confirmed)
	if err != nil {
		return nil, err
	}
	d := r.ruled(ActionAdd, true, reason, p)
	d.Before = before
	out := []Decision{d}
	why, _ := r.State.IsCandidate(rec)
	for _, id := range why.Contests {
		old := r.State.Record(RecordRef{rec.Ref().Kind, rec.Ref().Scope, id})
		if old == nil || old.SupersededID() != "" {
			continue
		}
		p := r.bare(old)
		p.By = rec.Ref().ID
		out = append(out, r.ruled(ActionSupersede, true, "the person accepted "+rec.Ref().ID+", which contradicts it", p))
	}
	return out, nil
}

// confirm is a copy of a record as the person states it.
func confirm(rec Record) (Record, error) {
	raw, err := Encode(rec)
	if err != nil {
		return nil, err
	}
	out, err := DecodeRecord(rec.Ref().Kind, raw)
	if err != nil {
		return nil, err
	}
	switch c := out.(type) {
	case *Event:
		c.Trust = TrustPerson
	case *Fact:
		c.Trust = TrustPerson
	}
	return out, nil
}

// AcceptDecision accepts what a decision left open or refused: a suggestion is carried out, a refused or forgotten claim is let
// in again by undoing what bars it, by its id.
func (r *Ruler) AcceptDecision(d *Decision, reason string) ([]Decision, error) {
	if r.State.Suggestions[Suggested(d)] == d.ID {
		p := d.Proposal
		p.Candidate = false
		return []Decision{r.ruled(d.Action, true, reason, p)}, nil
	}
	bars := r.barsOn(d.Proposal.ClaimKey)
	if d.Action == ActionErase {
		return nil, fmt.Errorf("%s: %w", d.ID, ErrFinal)
	}
	declined := !d.Accepted && r.State.Declined[Suggested(d)] == d.ID
	if declined {
		p := d.Proposal
		p.Candidate = false
		return []Decision{r.undo(d.ID, reason), r.ruled(d.Action, true, reason, p)}, nil
	}
	if len(bars) == 0 {
		return nil, fmt.Errorf("%s: %w", d.ID, ErrSettled)
	}
	var out []Decision
	for _, id := range bars {
		out = append(out, r.undo(id, reason))
	}
	if !d.Accepted && !isNull(d.Proposal.Record) {
		rec, err := DecodeRecord(d.Proposal.Kind, d.Proposal.Record)
		if err != nil || rec == nil {
			return out, err
		}
		if rec, err = confirm(rec); err != nil {
			return nil, err
		}
		p, err := Propose(rec)
		if err != nil {
			return nil, err
		}
		p.ClaimKey = d.Proposal.ClaimKey
		out = append(out, r.ruled(ActionAdd, true, reason, p))
	}
	return out, nil
}

// barsOn are the decisions in force that bar a claim.
func (r *Ruler) barsOn(key ClaimKey) (ids []string) {
	if key == "" {
		return nil
	}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		refuses := d.Action == ActionAdd && !d.Accepted || d.Action == ActionForget && d.Accepted
		if refuses && d.Proposal.ClaimKey == key && !r.State.Undone[d.ID] {
			ids = append(ids, d.ID)
		}
		if d.Action == ActionUndo && !r.State.Undone[d.ID] {
			if bar, ok := r.State.Bars[key]; ok && bar.Decision == d.ID {
				ids = append(ids, d.ID)
			}
		}
	}
	return ids
}

// Refuse says that a record is not to be remembered. It goes out of every answer and does not come back under its claim.
func (r *Ruler) Refuse(rec Record, reason string) ([]Decision, error) {
	p, err := r.propose(rec)
	if err != nil {
		return nil, err
	}
	d := r.ruled(ActionAdd, false, reason, p)
	d.Before = p.Record
	return []Decision{d}, nil
}

// RefuseDecision declines a suggestion for good.
func (r *Ruler) RefuseDecision(d *Decision, reason string) ([]Decision, error) {
	if r.State.Suggestions[Suggested(d)] != d.ID {
		return nil, fmt.Errorf("%s suggests nothing: %w", d.ID, ErrSettled)
	}
	p := d.Proposal
	p.Candidate = false
	return []Decision{r.ruled(d.Action, false, reason, p)}, nil
}

// Edit changes fields of a record, by their JSON names. What the person has edited is changed by the person alone from then on.
func (r *Ruler) Edit(rec Record, fields map[string]json.RawMessage, reason string) ([]Decision, error) {
	before, err := Encode(rec)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(before, &all); err != nil {
		return nil, err
	}
	for name, v := range fields {
		if !slices.Contains(editable[rec.Ref().Kind], name) {
			return nil, fmt.Errorf("a %s has no field %q that can be edited (it has %s): %w", rec.Ref().Kind, name, strings.Join(editable[rec.Ref().Kind], ", "), ErrUnfit)
		}
		all[name] = v
	}
	raw, err := Encode(all)
	if err != nil {
		return nil, err
	}
	after, err := DecodeRecord(rec.Ref().Kind, raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnfit, err)
	}
	guardRecord(after)
	if err := check(after); err != nil {
		return nil, err
	}
	if after, err = confirm(after); err != nil {
		return nil, err
	}
	if g, ok := after.(*Segment); ok { // which turns it is of is not the person's to change
		g.LogTurns = rec.(*Segment).turns
	}
	d := r.ruled(ActionEdit, true, reason, r.bare(rec))
	if d.After, err = Encode(after); err != nil {
		return nil, err
	}
	if string(d.After) == string(before) {
		return nil, fmt.Errorf("%s: %w", rec.Ref().ID, ErrSettled)
	}
	d.Before = before
	return []Decision{d}, nil
}

// editable are the fields that a person may change: what a record says, not where it comes from.
var editable = map[RecordKind][]string{
	RecordEvent:      {"summary", "kind"},
	RecordEntity:     {"name", "aliases", "attrs"},
	RecordEdge:       {"confidence"},
	RecordFact:       {"object", "status", "valid_from", "valid_until"},
	RecordSegment:    {"summary", "tags", "primary_tag"},
	RecordTag:        {"name", "description"},
	RecordTagSummary: {"summary"},
}

// check refuses what no record can say.
func check(rec Record) error {
	if strings.TrimSpace(rec.Text()) == "" {
		return fmt.Errorf("a %s cannot be empty: %w", rec.Ref().Kind, ErrUnfit)
	}
	if strings.ContainsAny(rec.Text(), "\n\r") {
		return fmt.Errorf("a %s is one line: %w", rec.Ref().Kind, ErrUnfit)
	}
	switch v := rec.(type) {
	case *Event:
		if !slices.Contains([]Kind{KindWork, KindDecision, KindLearning, KindEvent}, v.Kind) {
			return fmt.Errorf("an event is work, decision, learning or event, not %q: %w", v.Kind, ErrUnfit)
		}
	case *Fact:
		if !slices.Contains(Statuses, v.Status) {
			return fmt.Errorf("%q is no status of a fact: %w", v.Status, ErrUnfit)
		}
		if v.ValidFrom != nil && v.ValidUntil != nil && *v.ValidFrom >= *v.ValidUntil {
			return fmt.Errorf("a fact has to begin before it ends: %w", ErrUnfit)
		}
	case *Edge:
		if v.Confidence < 0 || v.Confidence > 1 {
			return fmt.Errorf("confidence is a number from 0 to 1: %w", ErrUnfit)
		}
	}
	return nil
}

// Merge says that an entity or a tag is another one by another name.
func (r *Ruler) Merge(from, into Record, reason string) ([]Decision, error) {
	a, b := from.Ref(), into.Ref()
	if a.Kind != b.Kind || a.Scope != b.Scope || a.Kind != RecordEntity && a.Kind != RecordTag {
		return nil, fmt.Errorf("two entities or two tags of one project can be one, not %s and %s: %w", a.ID, b.ID, ErrUnfit)
	}
	if r.State.MergedInto(a) == r.State.MergedInto(b) {
		return nil, fmt.Errorf("%s is %s: %w", a.ID, b.ID, ErrSettled)
	}
	p := r.bare(from)
	p.By = b.ID
	return r.insist(r.ruled(ActionMerge, true, reason, p)), nil
}

// Split takes names from an entity, each of which becomes one of its own, or says into which tags a tag falls.
func (r *Ruler) Split(rec Record, parts []string, reason string) ([]Decision, error) {
	p := r.bare(rec)
	switch v := rec.(type) {
	case *Entity:
		for _, name := range parts {
			if !slices.Contains(v.Aliases, name) {
				return nil, fmt.Errorf("%s is not also called %q (it is called %s): %w", v.ID, name, strings.Join(v.Aliases, ", "), ErrUnfit)
			}
		}
	case *Tag:
		if len(parts) < 2 {
			return nil, fmt.Errorf("a tag falls into two parts or more: %w", ErrUnfit)
		}
		for i, name := range parts {
			if !strings.HasPrefix(name, TypeTag+".") {
				parts[i] = TagID(name)
			}
		}
	default:
		return nil, fmt.Errorf("only an entity or a tag can be split: %w", ErrUnfit)
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("say which names are to be split off: %w", ErrUnfit)
	}
	p.Parts = parts
	return r.insist(r.ruled(ActionSplit, true, reason, p)), nil
}

// insist puts the undo of an earlier no before a decision.
func (r *Ruler) insist(d Decision) []Decision {
	if no := r.State.Declined[Suggested(&d)]; no != "" {
		return []Decision{r.undo(no, d.Reason), d}
	}
	return []Decision{d}
}

// Pin makes a record count as important, or takes that back.
func (r *Ruler) Pin(rec Record, on bool, reason string) ([]Decision, error) {
	id := r.State.Pinned[rec.Ref()]
	switch {
	case on == (id != ""):
		return nil, fmt.Errorf("%s: %w", rec.Ref().ID, ErrSettled)
	case on:
		return []Decision{r.ruled(ActionPin, true, reason, r.bare(rec))}, nil
	}
	return []Decision{r.undo(id, reason)}, nil
}

// Forget takes a record out of every answer. It does not come back under its claim, nor under the words that it was edited to.
func (r *Ruler) Forget(rec Record, reason string) ([]Decision, error) {
	d := r.ruled(ActionForget, true, reason, r.bare(rec))
	var err error
	if d.Before, err = Encode(rec); err != nil {
		return nil, err
	}
	out := []Decision{d}
	if now := rec.Claim(); now != d.Proposal.ClaimKey {
		again := d
		again.Proposal.ClaimKey = now
		out = append(out, again)
	}
	return out, nil
}

// Undo overturns a decision by its id.
func (r *Ruler) Undo(d *Decision, reason string) ([]Decision, error) {
	switch {
	case d.Action == ActionErase:
		return nil, fmt.Errorf("%s cannot be undone: %w", d.ID, ErrFinal)
	case r.State.Undone[d.ID]:
		return nil, fmt.Errorf("%s was undone: %w", d.ID, ErrSettled)
	}
	return []Decision{r.undo(d.ID, reason)}, nil
}

func (r *Ruler) undo(id, reason string) Decision {
	d := r.ruled(ActionUndo, true, reason, Proposal{})
	d.Undoes = Ref(id)
	return d
}

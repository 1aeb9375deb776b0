package memory

import (
	"maps"
	"slices"
	"strings"
)

// Erase makes the decisions that take a record, and what else says the same, out of the memory and the logs for good: the claim
// by which it came in, the words that it was edited to, what was refused because it said the same again, and of an entity its
// relations and facts. They hold no word of any of it, only hashes and ids. Lines that say nothing of their own but name an
// erased entity are erased with it.
func (r *Ruler) Erase(rec Record, reason string) []Decision {
	claims := map[ClaimKey]Record{r.State.ClaimOf(rec): rec, rec.Claim(): rec}
	if e, ok := rec.(*Entity); ok {
		r.aboutEntity(e, claims)
	}
	r.quoting(rec, claims)
	return r.eraseClaims(claims, reason)
}

// quoting adds the summaries of turns and tags in the log that repeat a record's words: they are erased with it. Those that follow
// from the records are in no log.
func (r *Ruler) quoting(rec Record, claims map[ClaimKey]Record) {
	text := rec.Text()
	for _, s := range r.State.Segments {
		if strings.Contains(s.told, text) {
			claims[r.State.ClaimOf(s)] = s
		}
	}
	for _, t := range r.State.TagSummaries {
		if t.MadeBy != MadeByRules && (strings.Contains(t.Summary, text) || slices.Contains(t.from, rec.Ref().ID)) {
			claims[r.State.ClaimOf(t)] = t
		}
	}
}

// EraseDecision is Erase for what a decision has refused or forgotten.
func (r *Ruler) EraseDecision(d *Decision, reason string) []Decision {
	if d.Proposal.ClaimKey == "" {
		return nil
	}
	return r.eraseClaims(map[ClaimKey]Record{d.Proposal.ClaimKey: nil}, reason)
}

// aboutEntity adds the claims of the relations and facts that name an entity.
func (r *Ruler) aboutEntity(e *Entity, claims map[ClaimKey]Record) {
	for _, g := range r.State.Edges {
		if g.Scope == e.Scope && (g.From == e.ID || g.To == e.ID) {
			claims[r.State.ClaimOf(g)] = g
		}
	}
	for _, f := range r.State.Facts {
		if f.Scope == e.Scope && (f.Subject == e.ID || f.Object == e.ID) {
			claims[r.State.ClaimOf(f)] = f
			claims[f.Claim()] = f
		}
	}
}

func (r *Ruler) eraseClaims(claims map[ClaimKey]Record, reason string) []Decision {
	about := map[ClaimKey][]string{} // ids of decisions
	r.followRefusals(claims)
	named := map[string]ClaimKey{}
	for key, rec := range claims {
		if rec != nil && rec.Ref().Scope != "" { // its id is its name
			named[rec.Ref().ID] = key
		}
	}
	nodes := map[ClaimKey][]string{}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		key := d.Proposal.ClaimKey
		if _, ok := claims[key]; !ok {
			if key = named[d.Proposal.By]; key == "" {
				continue
			}
		}
		about[key] = append(about[key], d.ID)
		if rec, err := DecodeRecord(d.Proposal.Kind, d.Proposal.Record); err == nil && rec != nil && rec.Origin() != nil {
			nodes[key] = union(nodes[key], rec.Origin().NodeIDs)
		}
	}
	var out []Decision
	for _, key := range slices.Sorted(maps.Keys(claims)) {
		if rec := claims[key]; rec != nil && rec.Origin() != nil {
			nodes[key] = union(nodes[key], rec.Origin().NodeIDs)
		}
		p := Proposal{Erased: key.Hash(), Erases: about[key]}
		if parts := key.parts(); len(parts) > 1 {
			p.Kind = RecordKind(parts[1])
		}
		if p.Kind == RecordEvent || p.Kind == RecordFact {
			p.Nodes = nodes[key]
		}
		out = append(out, r.ruled(ActionErase, true, reason, p))
	}
	return out
}

// followRefusals adds what was refused because it says again what one of the claims says.
func (r *Ruler) followRefusals(claims map[ClaimKey]Record) {
	on := map[string]bool{}
	for i := range r.Decisions {
		if d := &r.Decisions[i]; d.Proposal.ClaimKey != "" {
			if _, ok := claims[d.Proposal.ClaimKey]; ok {
				on[d.ID] = true
			}
		}
	}
	for i := range r.Decisions {
		if d := &r.Decisions[i]; d.Action == ActionAdd && !d.Accepted && on[d.Proposal.By] && d.Proposal.ClaimKey != "" {
			if _, ok := claims[d.Proposal.ClaimKey]; !ok {
				claims[d.Proposal.ClaimKey] = nil
			}
		}
	}
}

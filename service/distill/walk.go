package distill

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"dormouse/store/memory"
)

// walk reads one session's turns, ancestors before descendants.
type walk struct {
	meta    memory.Session
	project func(memory.Session) Project
	outline outline
	kin     []family
	fresh   []string     // nodes that no run has dealt with
	changed map[int]bool // turns that hold some
	grown   map[int]bool // those of them that also hold nodes that a run has dealt with
	spans   spans
	partly  map[int]bool               // turns that changed of which something was dealt with before, under whatever session
	taken   map[string]map[string]bool // nodes that were dealt with under a younger session, by that session
}

// turnFound is what one turn gave.
type turnFound struct {
	n   int
	ids map[string]bool // its nodes
	ex  Extraction
	// rejected is what a model proposed and is not taken.
	rejected []rejected
}

// survey finds the nodes that are new, and those that belong to this session rather than to the one under which they were
// dealt with.
func (w *walk) survey(coveredBy func(string) (string, bool), all []memory.Session) {
	w.changed, w.grown, w.partly, w.taken = map[int]bool{}, map[int]bool{}, map[int]bool{}, map[string]map[string]bool{}
	younger := map[string]bool{}
	for _, s := range all {
		younger[s.ID] = older(w.meta, s) < 0
	}
	for _, n := range w.outline.turns {
		known, seen := false, false
		for _, id := range w.outline.nodes[n] {
			by, ok := coveredBy(id)
			seen = seen || ok
			switch {
			case !ok:
				w.fresh = append(w.fresh, id)
				w.changed[n] = true
			case by == w.meta.ID:
				known = true
			case younger[by]:
				if w.taken[by] == nil {
					w.taken[by] = map[string]bool{}
				}
				w.taken[by][id] = true
			}
		}
		w.grown[n] = known && w.changed[n]
		w.partly[n] = seen && w.changed[n]
	}
}

// takenFrom lists the younger sessions in order.
func (w *walk) takenFrom() []string { return slices.Sorted(maps.Keys(w.taken)) }

// extract reads the turns that changed by rules.
func (w *walk) extract(ctx context.Context, pass func(context.Context) error, t Transcript) (out []turnFound, err error) {
	err = w.each(ctx, pass, t, func(f turnFound, turn *Turn) error {
		link(&f.ex, f.ex.Same)
		out = append(out, f)
		return nil
	})
	return out, err
}

// each reads the turns that changed and, for what they know of their past, the turns that they follow. The former are handed on. An
// error of pass, which is called between them, ends it.
func (w *walk) each(ctx context.Context, pass func(context.Context) error, t Transcript, hand func(turnFound, *Turn) error) error {
	wanted := w.outline.wanted(w.changed)
	waiting := map[int]int{} // turns that still need a turn's Prior
	for n := range wanted {
		waiting[w.outline.parent[n]]++
	}
	priors := map[int]Prior{}
	for _, n := range w.outline.turns {
		if !wanted[n] {
			continue
		}
		if err := pass(ctx); err != nil {
			return err
		}
		nodes, err := t.Turn(n)
		if err != nil {
			return fmt.Errorf("read turn %d of session %s: %w", n, w.meta.ID, err)
		}
		for i := range nodes {
			memory.GuardNode(&nodes[i]) // they are this walk's own
		}
		parent := w.outline.parent[n]
		own := owner(w.outline.nodes[n], w.meta, w.kin)
		turn := Turn{Session: own, Project: w.project(own), N: n, Nodes: nodes, Prior: priors[parent]}
		ex := Extract(turn)
		if waiting[parent]--; waiting[parent] == 0 {
			delete(priors, parent)
		}
		if waiting[n] > 0 {
			priors[n] = ex.Next
		}
		if w.changed[n] {
			if err := hand(turnFound{n: n, ids: setOf(w.outline.nodes[n]), ex: ex}, &turn); err != nil {
				return err
			}
		}
	}
	return nil
}

func setOf(ids []string) map[string]bool {
	m := make(map[string]bool, len(ids))
	for _, id := range ids {
		m[id] = true
	}
	return m
}

// offer proposes what a turn gave, each record under the oldest session that holds its evidence.
func (w *walk) offer(r *reconciler, f *turnFound) {
	given := map[string]bool{}
	var remembered []string // ids of what is said of the turn in its segment
	for i := range f.ex.Events {
		d := &f.ex.Events[i]
		p := w.provenance(d.Nodes, d.At, d.Commit, r.now)
		e := &memory.Event{Summary: d.Summary, Kind: d.Kind, Provenance: p, Entities: d.Entities,
			Scope: memory.ProjectScope(p.ProjectID), Trust: d.Trust}
		if d.model {
			if !r.said(w.meta.ID, f.ids, e) {
				r.by = memory.ByModel
				r.event(e, r.model+": "+string(d.Kind)+" told by "+string(d.Trust))
				r.by = ""
			}
		} else if d.page {
			if p.ProjectID == memory.DefaultProject {
				e.Scope = memory.Global
			}
			r.candidate = true
			r.event(e, "rule: it stands on a page of the memory of "+w.meta.Agent+", and nobody said it here")
			r.candidate = false
		} else {
			r.event(e, "rule: "+string(d.Kind)+" told by "+string(d.Trust))
		}
		given[e.ID] = true
		if d.Trust != memory.TrustQuoted {
			remembered = append(remembered, e.ID)
		}
	}
	for i := range f.rejected {
		w.reject(r, &f.rejected[i])
	}
	for i := range f.ex.Entities {
		d := &f.ex.Entities[i]
		p := w.provenance(d.Nodes, d.At, nil, r.now)
		r.entity(&memory.Entity{ID: d.ID(), Type: d.Type, Name: d.Name, Aliases: d.Aliases, Attrs: d.Attrs,
			Scope: memory.ProjectScope(p.ProjectID), Provenance: p}, "rule: "+d.Type+" seen in a turn")
	}
	for i := range f.ex.Edges {
		d := &f.ex.Edges[i]
		p := w.provenance(d.Nodes, d.At, nil, r.now)
		r.edge(&memory.Edge{From: d.From, Relation: d.Relation, To: d.To, EventTime: p.EventTime, IngestionTime: p.IngestionTime,
			Provenance: p, Confidence: d.Confidence, Scope: memory.ProjectScope(p.ProjectID)}, "rule: "+d.Relation+" seen in a turn")
	}
	for i := range f.ex.Facts {
		d := &f.ex.Facts[i]
		fact := w.factOf(*d, r.now)
		if d.model {
			r.by = memory.ByModel
			r.fact(fact, r.model+": "+d.Verb+" told by "+string(d.Trust))
			r.by = ""
		} else {
			r.fact(fact, "rule: "+d.Verb+" told by "+string(d.Trust))
		}
		if d.Subject == memory.SubjectPerson && d.Trust == memory.TrustPerson || d.model && d.Trust != memory.TrustQuoted {
			remembered = append(remembered, fact.ID)
		}
	}
	w.offerTurn(r, f, remembered)
	if w.grown[f.n] {
		r.supersede(w.meta.ID, f.ids, given)
	}
}

// factOf is the fact that a draft proposes.
func (w *walk) factOf(d FactDraft, now int64) *memory.Fact {
	p := w.provenance(d.Nodes, d.At, nil, now)
	f := &memory.Fact{Subject: d.Subject, Verb: d.Verb, Object: d.Object, Status: d.Status, ValidFrom: d.From, ValidUntil: d.Until,
		Links: d.Links, Author: d.Author, Provenance: p, Scope: memory.ProjectScope(p.ProjectID), Trust: d.Trust}
	f.ID = memory.FactID(memory.FactClaim(f), f.ValidFrom)
	return f
}

func (w *walk) provenance(nodes []string, at *int64, commit *string, now int64) memory.Provenance {
	own := owner(nodes, w.meta, w.kin)
	project := own.ProjectID
	if project == "" {
		project = memory.DefaultProject
	}
	return memory.Provenance{ProjectID: project, SessionID: own.ID, NodeIDs: nodes, Commit: commit, EventTime: at, IngestionTime: now}
}

// coverage is the nodes that the walk has dealt with, each under the session that owns it.
func (w *walk) coverage() []memory.Coverage {
	by := map[string][]string{}
	for _, id := range w.fresh {
		own := owner([]string{id}, w.meta, w.kin).ID
		by[own] = append(by[own], id)
	}
	for _, from := range w.takenFrom() {
		by[w.meta.ID] = append(by[w.meta.ID], slices.Collect(maps.Keys(w.taken[from]))...)
	}
	var out []memory.Coverage
	for _, s := range slices.Sorted(maps.Keys(by)) {
		slices.Sort(by[s])
		out = append(out, memory.Coverage{SessionID: s, NodeIDs: by[s]})
	}
	return out
}

package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/ledger"
	"dormouse/store/memory"
)

// review lists what waits for the person.
func (d *Daemon) review(ctx context.Context, project string, limit int) (api.Review, error) {
	id, err := d.projectID(ctx, project)
	if err != nil {
		return api.Review{}, err
	}
	suggested := d.suggestions()
	out := api.Review{Items: []api.ReviewItem{}}
	var from []*memory.Provenance
	d.ledger.Read(func(s *memory.State) {
		list := recall.Review(s, view(id), func(id string) (memory.Decision, bool) { dec, ok := suggested[id]; return dec, ok })
		out.Total = len(list)
		for _, w := range list[:min(limit, len(list))] {
			out.Items = append(out.Items, reviewItem(w))
			from = append(from, w.Record.Origin())
		}
	})
	for i, p := range from {
		if p != nil && len(p.NodeIDs) > 0 {
			out.Items[i].Turn = d.turnOf(p.SessionID, p.NodeIDs[0])
		}
	}
	return out, nil
}

// suggestions are the decisions that suggest something, by id.
func (d *Daemon) suggestions() map[string]memory.Decision {
	var ids []string
	d.ledger.Read(func(s *memory.State) { ids = slices.Collect(maps.Values(s.Suggestions)) })
	out := map[string]memory.Decision{}
	for _, dec := range d.ledger.About(ids...) {
		out[dec.ID] = dec
	}
	return out
}

func reviewItem(w recall.Waiting) api.ReviewItem {
	ref := w.Record.Ref()
	it := api.ReviewItem{ID: ref.ID, Record: ref.ID, What: w.What, Kind: ref.Kind, Scope: w.Record.InScope(), Text: w.Record.Text(), Reason: w.Reason, Parts: w.Parts}
	if w.Decision != "" {
		it.ID = w.Decision
	}
	if w.Other != nil {
		it.Other, it.OtherText = w.Other.Ref().ID, w.Other.Text()
	}
	for _, r := range w.Contests {
		it.Contests = append(it.Contests, api.Contested{ID: r.Ref().ID, Text: r.Text()})
	}
	if p := w.Record.Origin(); p != nil {
		it.ProjectID, it.SessionID, it.Time, it.Nodes = p.ProjectID, p.SessionID, p.EventTime, slices.Clone(p.NodeIDs)
	}
	return worded(it, w.Record)
}

// worded adds what there is to say of the record itself, and what of it the person may say in other words.
func worded(it api.ReviewItem, rec memory.Record) api.ReviewItem {
	switch r := rec.(type) {
	case *memory.Event:
		it.Trust, it.Field, it.Value = r.Trust, "summary", r.Summary
	case *memory.Fact:
		it.Trust, it.Field, it.Value = r.Trust, "object", r.Object
	case *memory.Entity:
		it.Field, it.Value, it.Names = "name", r.Name, slices.Clone(r.Aliases)
	case *memory.Tag:
		it.Field, it.Value = "name", r.Name
	case *memory.Segment:
		it.Field, it.Value = "summary", r.Summary
	case *memory.TagSummary:
		it.Field, it.Value = "summary", r.Summary
	}
	return it
}

// decide carries out what the person decided, writes it into the log, and draws up what follows. A sleep that goes on is not
// waited for: what it adds meanwhile is measured by the new decisions as well.
func (d *Daemon) decide(ctx context.Context, q api.Decide) (api.Decided, error) {
	project, err := d.projectID(ctx, q.Project)
	if err != nil {
		return api.Decided{}, err
	}
	d.deciding.Lock()
	defer d.deciding.Unlock()
	all := d.ledger.Decisions()
	var ruling []memory.Decision
	var out api.Decided
	d.ledger.Read(func(s *memory.State) {
		r := ruler{Ruler: memory.Ruler{State: s, Decisions: all, Now: d.p.Now().Unix()}, view: view(project), d: d, ctx: ctx, q: q, out: &out}
		ruling, err = r.rule()
	})
	if err != nil {
		return api.Decided{}, explainRuling(err)
	}
	if len(ruling) == 0 {
		return api.Decided{}, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("there is nothing to %s about %s", q.Action, q.ID)}
	}
	now := d.p.Now().Unix()
	run := memory.Run{Kind: memory.RunReview, Started: now, Ended: now, Extractor: memory.ByPerson, PolicyVersion: memory.PolicyVersion}
	write := d.ledger.Append
	if q.Action == api.DoErase {
		write = d.ledger.Erase
	}
	if err := write(ruling, run); err != nil && !errors.Is(err, ledger.ErrNotCommitted) {
		return api.Decided{}, err
	}
	last := uint64(0)
	if len(all) > 0 {
		last = all[len(all)-1].Lamport
	}
	for _, dec := range d.ledger.After(last) {
		if dec.By == memory.ByPerson && dec.Machine == d.machine {
			out.Decisions = append(out.Decisions, dec)
		}
	}
	if q.Action == api.DoErase {
		err = d.eraseRest(ctx)
	}
	d.drawUpSoon(ctx)
	d.publish("decided", q.ID)
	d.syncSoon()
	return out, err
}

// eraseRest takes what was erased out of the history of the memory repository, and has the index made anew without it.
func (d *Daemon) eraseRest(ctx context.Context) error {
	if err := d.sync.Erase(ctx); err != nil {
		return fmt.Errorf("it is forgotten and out of the log; its text is still in the history of the memory repository and is taken out with the next exchange or start: %w", err)
	}
	return d.eraseFromIndex()
}

// erasedArea is the area of the index that says by which erasures it was emptied.
const erasedArea = "erased"

// eraseFromIndex empties the index where something was erased since it was filled, here or on another machine, so that no word
// stays on the disk. It is filled again in the background, without the turns that bore out what was erased.
func (d *Daemon) eraseFromIndex() error {
	gone := d.ledger.Erasures()
	if gone.Len() == 0 {
		return nil
	}
	d.filling.Lock()
	defer d.filling.Unlock()
	area := d.index.Area(erasedArea)
	if print, _, err := area.Get("print"); err != nil || string(print) == gone.Print() {
		return err
	}
	if err := d.index.Reset(cursorArea, distilledArea, erasedArea); err != nil {
		return err
	}
	if err := area.Put("print", []byte(gone.Print())); err != nil {
		return err
	}
	d.stale.Store(true)
	d.behind.Store(true)
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return nil
}

// drawUpSoon draws up what follows from the log: now, or when the sleep that goes on has ended.
func (d *Daemon) drawUpSoon(ctx context.Context) {
	d.ruled.Add(1)
	d.stale.Store(true)
	draw := func(ctx context.Context) {
		defer d.asleep.Unlock()
		if err := d.drawUp(ctx); err != nil {
			d.p.Log.Error("draw up the memory after a decision", "component", "review", "error", err)
		}
	}
	if d.asleep.TryLock() {
		draw(ctx)
	}
}

// decisionsShown lists the log, newest first.
func (d *Daemon) decisionsShown(_ context.Context, q api.DecisionQuery) (api.Decisions, error) {
	out := api.Decisions{Decisions: []api.DecisionShown{}}
	var all []memory.Decision
	if q.ID != "" {
		all = d.ledger.About(q.ID)
		out.Total = len(all)
		all = all[max(0, len(all)-q.Limit):]
	} else {
		all, out.Total = d.ledger.Newest(q.Limit)
	}
	gone := map[string]bool{}
	d.ledger.Read(func(s *memory.State) {
		for id := range s.Undone {
			gone[id] = true
		}
	})
	for _, dec := range slices.Backward(all) {
		shown := api.DecisionShown{Decision: dec, Undone: gone[dec.ID]}
		shown.Erased = dec.Proposal.Kind == "" && dec.Action != memory.ActionUndo
		shown.Text = textOf(&dec)
		out.Decisions = append(out.Decisions, shown)
	}
	if q.ID != "" && out.Total == 0 {
		return out, notFound("the log holds no decision on %s", q.ID)
	}
	return out, nil
}

// textOf is what a decision is about, in words; its record's id where it holds no record.
func textOf(dec *memory.Decision) string {
	for _, raw := range [][]byte{dec.After, dec.Proposal.Record, dec.Before} {
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		if rec, err := memory.DecodeRecord(dec.Proposal.Kind, raw); err == nil && rec != nil {
			return rec.Text()
		}
	}
	return dec.Proposal.RecordID
}

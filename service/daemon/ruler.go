package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/memory"
)

// ruler finds what the person means and hands it to the rules.
type ruler struct {
	memory.Ruler
	view memory.View
	d    *Daemon
	ctx  context.Context
	q    api.Decide
	out  *api.Decided
}

func (r *ruler) rule() ([]memory.Decision, error) {
	if r.q.Action == api.DoUndo {
		d, ok := r.Decision(r.q.ID)
		if !ok {
			return nil, fmt.Errorf("%s is the id of no decision (dormouse ledger lists them): %w", r.q.ID, memory.ErrNoSuch)
		}
		r.out.Text = textOf(d)
		return r.Undo(d, r.q.Reason)
	}
	if d, ok := r.Decision(r.q.ID); ok {
		return r.onDecision(d)
	}
	rec, err := r.find(r.q.ID)
	if err != nil {
		return nil, err
	}
	r.out.Text = rec.Text()
	if r.q.Action == api.DoScope {
		return r.rescope(rec)
	}
	return r.onRecord(r.State.Home(rec)) // what is decided of it holds whoever is shown it
}

func (r *ruler) onDecision(d *memory.Decision) ([]memory.Decision, error) {
	r.out.Text = textOf(d)
	switch r.q.Action {
	case api.DoAccept:
		return r.AcceptDecision(d, r.q.Reason)
	case api.DoRefuse:
		return r.RefuseDecision(d, r.q.Reason)
	case api.DoErase:
		r.out.Text = ""
		return r.EraseDecision(d, r.q.Reason), nil
	}
	return nil, fmt.Errorf("%s is a decision, which can be accepted, refused, erased or undone; to %s, name the record: %w", d.ID, r.q.Action, memory.ErrUnfit)
}

func (r *ruler) onRecord(rec memory.Record) ([]memory.Decision, error) {
	switch r.q.Action {
	case api.DoAccept:
		return r.Accept(rec, r.q.Reason)
	case api.DoRefuse:
		return r.Refuse(rec, r.q.Reason)
	case api.DoEdit:
		var set map[string]json.RawMessage
		if err := json.Unmarshal([]byte(r.q.Set), &set); err != nil {
			return nil, fmt.Errorf("the new values are no JSON object (%w): %w", err, memory.ErrUnfit)
		}
		return r.Edit(rec, set, r.q.Reason)
	case api.DoMerge:
		into, err := r.find(r.q.Other)
		if err != nil {
			return nil, err
		}
		return r.Merge(rec, into, r.q.Reason)
	case api.DoSplit:
		return r.Split(rec, slices.Clone(r.q.Parts), r.q.Reason)
	case api.DoPin:
		return r.Pin(rec, true, r.q.Reason)
	case api.DoUnpin:
		return r.Pin(rec, false, r.q.Reason)
	case api.DoForget:
		return r.Forget(rec, r.q.Reason)
	case api.DoErase:
		r.out.Text, r.out.Mentions = "", r.mentions(rec)
		return r.Erase(rec, r.q.Reason), nil
	}
	return nil, fmt.Errorf("%s: %w", r.q.Action, memory.ErrUnfit)
}

// mentions counts the events that name an entity, which stay when it is erased.
func (r *ruler) mentions(rec memory.Record) int {
	e, ok := rec.(*memory.Entity)
	if !ok {
		return 0
	}
	n := 0
	for _, ev := range r.State.Events {
		if slices.Contains(ev.Entities, e.ID) {
			n++
		}
	}
	return n
}

// find is the record that an id means, where it means just one; an entity may be given by its name.
func (r *ruler) find(id string) (memory.Record, error) {
	var found []memory.Record
	for rec := range r.State.Records() {
		if rec.Ref().ID == id && (r.view.Sees(rec.InScope()) || r.view.Sees(r.State.Home(rec).InScope())) {
			found = append(found, rec)
		}
	}
	if len(found) == 0 {
		for _, entity := range recall.Resolve(r.State, r.view, id) {
			for k, e := range r.State.Entities {
				if k.ID == entity && r.view.Sees(k.Scope) {
					found = append(found, e)
				}
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("%q is the id of no record and no decision: %w", id, memory.ErrNoSuch)
	}
	var names []string
	for _, rec := range found {
		names = append(names, rec.Ref().ID+" of "+string(rec.InScope()))
	}
	slices.Sort(names)
	return nil, &api.Error{Code: api.CodeAmbiguous, Candidates: names,
		Message: fmt.Sprintf("%q may be one of %d records: %s; give its id, and --project where several projects know one", id, len(found), strings.Join(names, ", "))}
}

// explainRuling makes an answer of what the person can do something about.
func explainRuling(err error) error {
	var told *api.Error
	switch {
	case errors.As(err, &told):
		return err
	case errors.Is(err, memory.ErrNoSuch):
		return &api.Error{Code: api.CodeNotFound, Message: err.Error()}
	case errors.Is(err, memory.ErrSettled), errors.Is(err, memory.ErrFinal), errors.Is(err, memory.ErrUnfit):
		return &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	return err
}

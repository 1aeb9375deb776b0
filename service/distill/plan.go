package distill

import (
	"context"
	"fmt"
	"slices"

	"dormouse/assets"
)

// Plan is what a run would take in.
type Plan struct {
	Sessions, Turns, Nodes int
	// Calls of the model, and about the tokens that they would send; OutputTokens is the most that could come back.
	Calls                     int
	InputTokens, OutputTokens int64
}

// Plan looks at what Run would do with the named sessions. It writes nothing and asks no model. A session that cannot be read is
// passed over.
func (d *Distiller) Plan(ctx context.Context, ids []string) (p Plan, err error) {
	all, err := d.o.Sessions.List()
	if err != nil {
		return p, fmt.Errorf("list sessions to distil: %w", err)
	}
	slices.SortFunc(all, older)
	seen := map[string]bool{}
	for _, s := range all {
		if !slices.Contains(ids, s.ID) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return p, err
		}
		t, err := d.o.Sessions.Open(s.ID)
		if err != nil {
			continue
		}
		w := &walk{meta: t.Meta(), project: d.o.ProjectOf, outline: outlineOf(t.Skeleton())}
		w.survey(func(node string) (string, bool) {
			if by, ok := d.o.Log.CoveredBy(node); ok {
				return by, ok
			}
			return "", seen[node]
		}, all)
		if len(w.fresh) == 0 {
			continue
		}
		for _, id := range w.fresh {
			seen[id] = true
		}
		p.Sessions++
		p.Turns += len(w.changed)
		p.Nodes += len(w.fresh)
		if d.o.Model != nil {
			if err := d.planChunks(ctx, w, t, &p); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// planChunks lays the turns out as they would be shown to the model.
func (d *Distiller) planChunks(ctx context.Context, w *walk, t Transcript, p *Plan) error {
	m := d.o.Model
	bytes, turns := 0, 0
	call := func() {
		if bytes > 0 {
			p.Calls++
			p.InputTokens += int64((bytes + len(assets.DistillPrompt)) / bytesPerToken)
			p.OutputTokens += int64(m.Output)
		}
		bytes, turns = 0, 0
	}
	err := w.each(ctx, d.pass, t, func(f turnFound, turn *Turn) error {
		byRulesNoMore(&f.ex)
		ct, err := newChunkTurn(f, turn, nil, nil, m.Input*bytesPerToken)
		if err != nil {
			return err
		}
		if size := ct.size(); turns > 0 && (bytes+size > m.Input*bytesPerToken || turns == maxChunkTurns) {
			call()
		}
		bytes += ct.size()
		turns++
		return nil
	})
	call()
	return err
}

package distill

import (
	"cmp"
	"context"
	"fmt"

	"dormouse/store/memory"
)

// batch gathers the decisions of some sessions until they are appended together with their coverage.
type batch struct {
	d         *Distiller
	kind      string
	started   int64
	records   *memory.State // proposed in this batch
	decisions []memory.Decision
	coverage  []memory.Coverage
	counts    memory.RunCounts
	covered   map[string]string // node -> session, of this batch
	spent     spent
}

func (d *Distiller) newBatch(kind string) *batch {
	return &batch{d: d, kind: kind, started: d.o.Now().Unix(), records: newState(), covered: map[string]string{}}
}

// coveredBy asks the batch, then the log.
func (b *batch) coveredBy(node string) (string, bool) {
	if s, ok := b.covered[node]; ok {
		return s, true
	}
	return b.d.o.Log.CoveredBy(node)
}

// session adds one session. After an error nothing of it is in the batch.
func (b *batch) session(ctx context.Context, id string, all []memory.Session, done map[string]bool, total *memory.RunCounts) error {
	t, err := b.d.o.Sessions.Open(id)
	if err != nil {
		return fmt.Errorf("open session %s to distil it: %w", id, err)
	}
	links := t.Skeleton()
	if len(links) == 0 {
		if t.Meta().HeadID != "" {
			return fmt.Errorf("distil session %s: its history cannot be read; dormouse status says why", id)
		}
		return nil
	}
	w := &walk{meta: t.Meta(), project: b.d.o.ProjectOf, outline: outlineOf(links)}
	w.survey(b.coveredBy, all)
	if len(w.fresh) == 0 && len(w.taken) == 0 {
		return nil
	}
	w.kin = b.d.kin(w.meta, links[0].ID, all, done)
	if b.d.o.Model != nil {
		return b.modelled(ctx, w, t, total)
	}
	found, err := w.extract(ctx, b.d.pass, t)
	if err != nil {
		return err
	}
	return b.reconcile(w, found)
}

// flush appends what was gathered and starts anew. Nothing gathered appends nothing.
func (b *batch) flush(total *memory.RunCounts) error {
	if len(b.coverage) == 0 && b.spent == (spent{}) {
		return nil
	}
	run := memory.Run{Started: b.started, Ended: b.d.o.Now().Unix(), Kind: b.kind, Extractor: b.d.extractor(),
		PolicyVersion: memory.PolicyVersion, Coverage: b.coverage, Counts: b.counts,
		Model: b.model(), InputTokens: b.spent.input, OutputTokens: b.spent.output, CostMicros: b.spent.costMicros}
	if err := b.d.o.Log.Append(b.decisions, run); err != nil {
		return fmt.Errorf("append %d decisions on %d sessions to the log: %w", len(b.decisions), len(b.coverage), err)
	}
	*total = total.Plus(b.counts)
	b.d.spent.add(Completion{Model: b.spent.model, InputTokens: b.spent.input, OutputTokens: b.spent.output, CostMicros: b.spent.costMicros})
	began := b.started // the runs of one sleep are told by their equal start
	*b = *b.d.newBatch(b.kind)
	b.started = began
	return nil
}

// tend looks after the vocabularies, once all sessions were dealt with. Nothing to do writes nothing.
func (b *batch) tend(total *memory.RunCounts) error {
	var counts memory.RunCounts
	var out []memory.Decision
	var err error
	b.d.o.Log.Read(func(state *memory.State) {
		r := &reconciler{state: state, batch: newState(), now: b.d.o.Now().Unix(), counts: &counts}
		r.tend()
		out, err = r.out, r.err
	})
	if err != nil || len(out) == 0 {
		return err
	}
	run := memory.Run{Started: b.started, Ended: b.d.o.Now().Unix(), Kind: b.kind, Extractor: b.d.extractor(), Model: b.model(), PolicyVersion: memory.PolicyVersion, Counts: counts}
	if err := b.d.o.Log.Append(out, run); err != nil {
		return fmt.Errorf("append %d decisions on tags to the log: %w", len(out), err)
	}
	*total = total.Plus(counts)
	return nil
}

// model is the model that read the batch; empty for rules.
func (b *batch) model() string {
	if b.d.o.Model == nil {
		return ""
	}
	return cmp.Or(b.spent.model, b.d.spent.model, b.d.o.Model.Name)
}

// reconcile decides on what a session's turns gave, and takes it over as a whole.
func (b *batch) reconcile(w *walk, found []turnFound) error {
	counts := b.counts
	var out []memory.Decision
	var err error
	b.d.o.Log.Read(func(state *memory.State) {
		r := &reconciler{state: state, batch: b.records, now: b.d.o.Now().Unix(), counts: &counts, model: "model " + b.model()}
		for _, from := range w.takenFrom() {
			r.repoint(from, w.meta, w.taken[from])
			r.repointSegments(from, w.meta.ID, w.outline.all())
		}
		w.spans = spans{by: map[int]span{}, continued: map[int]bool{}}
		for i := range found {
			w.offer(r, &found[i])
		}
		w.closeSpans(r)
		out, err = r.out, r.err
	})
	if err != nil {
		return err
	}
	for _, c := range w.coverage() {
		for _, id := range c.NodeIDs {
			b.covered[id] = c.SessionID
		}
		counts.Nodes += len(c.NodeIDs)
		b.coverage = append(b.coverage, c)
	}
	counts.Sessions++
	counts.Turns += len(found)
	b.counts = counts
	b.decisions = append(b.decisions, out...)
	return nil
}

package distill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"dormouse/service/distill/tagging"
	"dormouse/store/memory"
)

// reader gives the turns of one session to a model, chunk by chunk. What a chunk gave is in the log before the next one is paid for.
type reader struct {
	b       *batch
	w       *walk
	ctx     context.Context
	total   *memory.RunCounts
	settled map[string]bool
	chunk   chunk
	rested  bool  // the first chunk is in the log, and with it what only moved between sessions
	failed  error // of the first chunk that was not taken
	count   int   // of such chunks
}

// modelled distils a session by a model. A chunk whose answer cannot be used is left for another sleep and the next one is tried;
// an error that is stopped says that no further call should be made.
func (b *batch) modelled(ctx context.Context, w *walk, t Transcript, total *memory.RunCounts) error {
	r := &reader{b: b, w: w, ctx: ctx, total: total, settled: b.settled()}
	err := w.each(ctx, b.d.pass, t, r.turn)
	if err == nil {
		err = r.flush()
	}
	if err == nil && !r.rested && len(w.taken) > 0 {
		err = r.take(nil) // nothing was to be read, but nodes are this session's now
	}
	if err != nil {
		return err
	}
	if r.failed != nil {
		return fmt.Errorf("%d parts of session %s wait, because %w", r.count, w.meta.ID, r.failed)
	}
	return nil
}

// settled are the nodes that bear out what was refused, forgotten or erased. They are not read again, so that nothing is paid for
// what is known not to be wanted, and what was erased is not sent to anybody.
func (b *batch) settled() map[string]bool {
	out := map[string]bool{}
	b.d.o.Log.Read(func(s *memory.State) {
		for key := range s.Bars {
			if p := strings.Split(string(key), "\x1f"); len(p) == 5 && p[1] == "event" {
				for n := range strings.FieldsSeq(p[3]) {
					out[n] = true
				}
			}
		}
		for _, bar := range s.Erased {
			for _, n := range bar.Nodes {
				out[n] = true
			}
		}
	})
	return out
}

// turn takes a turn into the chunk, and has the chunk read when it is full.
func (r *reader) turn(f turnFound, t *Turn) error {
	m := r.b.d.o.Model
	byRulesNoMore(&f.ex)
	room := m.Input * bytesPerToken
	ct, err := newChunkTurn(f, t, r.settled, m.Redact, room)
	if err != nil {
		return err
	}
	if size := ct.size(); len(r.chunk.turns) > 0 && (r.chunk.bytes+size > room || len(r.chunk.turns) == maxChunkTurns) {
		if err := r.flush(); err != nil {
			return err
		}
	}
	return r.chunk.add(ct)
}

// maxChunkTurns bounds a chunk of turns that hold nothing to read.
const maxChunkTurns = 200

// byRulesNoMore leaves what the structure of a turn shows, and takes out what rules read from words.
func byRulesNoMore(ex *Extraction) {
	ex.Events = slices.DeleteFunc(ex.Events, func(d Draft) bool { return !d.page })
	ex.Facts = slices.DeleteFunc(ex.Facts, func(f FactDraft) bool { return f.Trust != memory.TrustObserved })
	ex.About.Lines = nil
}

// maxTagsShown is how many tags a model is shown.
const maxTagsShown = 60

// tagsInUse are the names of a scope's tags, those of most turns first.
func (b *batch) tagsInUse(scope memory.Scope) (names []string) {
	b.d.o.Log.Read(func(s *memory.State) {
		earned := s.Earned()
		var tags []*memory.Tag
		for _, t := range s.TagList() {
			if t.Scope == scope && t.SupersededBy == "" {
				tags = append(tags, t)
			}
		}
		uses := func(t *memory.Tag) int { return earned[memory.Key{Scope: scope, ID: t.ID}].Segments }
		slices.SortStableFunc(tags, func(a, b *memory.Tag) int { return cmp.Compare(uses(b), uses(a)) })
		for _, t := range tags[:min(len(tags), maxTagsShown)] {
			names = append(names, tagging.Canonical(t.Name))
		}
	})
	return names
}

// flush has the chunk read and writes down what it gave.
func (r *reader) flush() error {
	c := r.chunk
	r.chunk = chunk{}
	if len(c.turns) == 0 {
		return nil
	}
	if entries := c.entries(); len(entries) > 0 {
		if r.b.d.stop != nil {
			return r.b.d.stop
		}
		if err := r.b.d.pass(r.ctx); err != nil {
			return err
		}
		m := r.b.d.o.Model
		t := c.turns[0].turn
		tags := r.b.tagsInUse(memory.ProjectScope(cmp.Or(t.Project.ID, memory.DefaultProject)))
		ps, err := m.ask(r.ctx, shownProject{cmp.Or(t.Project.Name, t.Project.ID), tags}, entries, &r.b.spent)
		if err != nil {
			return r.fail(err)
		}
		r.b.d.misses = 0
		c.known = tags
		c.judge(ps)
	}
	return r.take(c.turns)
}

// fail notes a chunk that was not taken. It returns what ends the session.
func (r *reader) fail(err error) error {
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if lasting(err) {
		r.b.d.stop = stopped{err}
		return r.b.d.stop
	}
	if r.b.d.misses++; r.b.d.misses >= maxFailures {
		r.b.d.stop = stopped{fmt.Errorf("%d answers in a row could not be used; the last one: %w", r.b.d.misses, err)}
		return r.b.d.stop
	}
	r.count++
	if r.failed == nil {
		r.failed = err
	}
	return nil
}

// take reconciles turns and appends them to the log at once, with the coverage of their nodes alone.
func (r *reader) take(turns []*chunkTurn) error {
	w := *r.w
	if r.rested {
		w.taken = nil
	}
	var found []turnFound
	mine := map[string]bool{}
	for _, t := range turns {
		link(&t.found.ex, t.found.ex.Same)
		found = append(found, t.found)
		for id := range t.found.ids {
			mine[id] = true
		}
	}
	w.fresh = nil
	for _, id := range r.w.fresh {
		if mine[id] {
			w.fresh = append(w.fresh, id)
		}
	}
	if err := r.b.reconcile(&w, found); err != nil {
		return err
	}
	if r.rested {
		r.b.counts.Sessions-- // counted with its first chunk
	}
	r.rested = true
	if err := r.b.flush(r.total); err != nil {
		r.b.d.broken = err
		return err
	}
	return nil
}

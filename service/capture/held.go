package capture

import (
	"context"
	"fmt"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// ingestHeld reads a session from the libraries that hold it, appends its nodes, and stores the versions that were read.
func (e *Engine) ingestHeld(ctx context.Context, j job, p *progress) (err error) {
	t := &told{}
	known := &knownNodes{e: e, key: j.key}
	r := &reading{e: e, ctx: ctx, job: j, a: e.adapter(j.key.agent), p: p, whole: true,
		act: &active{parser: t, tally: &transcript.Tally{}, long: longTexts{}, images: e.spool(), known: known, drawn: transcript.NewDrawn(), hide: newHiding(e.o.Exclude)}}
	defer r.freeMemory()
	defer func() { r.act.images.drop(); r.act.long.drop() }()
	defer func() {
		if v := recover(); v != nil {
			err = r.fell(v)
		}
	}()
	if _, err := e.get(sessionKeyOf(j.key), &r.cursor); err != nil {
		return err
	}
	r.removed = e.o.Sessions.WasDeleted(r.a.Prefix, r.a.Name, j.key.id)
	for i, h := range j.held {
		if err := r.readHeld(h, t, i == 0); err != nil {
			if ctx.Err() != nil || e.hasRoom() != nil {
				r.abort()
				return err
			}
			// What was read is kept; all of it is read again later.
			r.failed = fmt.Errorf("%s: %w", h.shelf.path, err)
		}
	}
	if err := r.finish(); err != nil {
		r.abort()
		return err
	}
	return r.rememberHeld()
}

// readHeld reads the session from one library. The facts are those of the first one.
func (r *reading) readHeld(h held, t *told, first bool) error {
	if h.entry.Updated > 0 && first {
		t.facts.Updated = h.entry.Updated
	}
	r.expected += h.entry.Bytes
	how := r.job.how
	if how == transcript.Quiet && h.entry.Updated > 0 && r.over(t.facts) {
		how = transcript.Over
	}
	facts, err := r.readFrom(h, t, how)
	if err == nil && how == transcript.Quiet && facts.Updated > 0 && r.over(facts) {
		facts, err = r.readFrom(h, t, transcript.Over) // its time was known only now
	}
	if err == nil && first {
		before := t.facts
		t.facts = facts
		if t.facts.FirstPrompt == "" {
			t.facts.FirstPrompt = before.FirstPrompt
		}
		if t.facts.Cwd == "" {
			t.facts.Cwd = before.Cwd
		}
		if t.facts.Created == 0 {
			t.facts.Created = before.Created
		}
		t.facts.Updated = max(t.facts.Updated, before.Updated)
		t.facts.Own = t.facts.Own || before.Own
	}
	return err
}

// manyNodes is how many nodes wait at most before they are appended.
const manyNodes = 256

func (r *reading) readFrom(h held, t *told, how transcript.Settle) (facts transcript.Facts, err error) {
	read := int64(0)
	err = h.pool.use(r.act.known, r.act.tally, r.act.images, r.act.long, r.waitForMemory, func(lib transcript.Library) error {
		facts, err = lib.Read(r.ctx, r.job.key.id, how, func(n memory.Node) error {
			t.put(n)
			read += int64(weight(&n))
			if t.bytes < drainBytes && len(t.nodes) < manyNodes {
				return nil
			}
			return r.drain(transcript.Growing)
		})
		return err
	})
	if h.entry.Bytes > 0 {
		read = h.entry.Bytes
	}
	r.bytes += read
	r.p.read(read)
	if err == nil {
		err = r.drain(transcript.Growing)
	}
	return facts, err
}

// rememberHeld stores which versions were read, after what was read is durable.
func (r *reading) rememberHeld() error {
	if r.failed != nil {
		return r.failed
	}
	before := r.cursor
	rank := r.job.held[0].entry.Rank
	r.cursor.Rank = &rank
	if err := r.keepSession(); err != nil {
		return err
	}
	for _, h := range r.job.held {
		if err := r.e.put(entryKey(h.shelf, r.job.key.id), h.entry.Version); err != nil {
			return err
		}
	}
	r.e.mu.Lock()
	defer r.e.mu.Unlock()
	for _, h := range r.job.held {
		h.shelf.versions[r.job.key.id] = h.entry.Version
	}
	r.settled(before)
	return nil
}

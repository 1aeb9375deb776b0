package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"

	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// reading is one round of reading a session.
type reading struct {
	e        *Engine
	ctx      context.Context
	job      job
	a        *Adapter
	act      *active
	whole    bool // from the beginning: a new parser
	cursor   sessionCursor
	session  *session.Session
	isNew    bool // it had no nodes before
	removed  bool // the person deleted it
	batch    *session.Batch
	waiting  []memory.Node // until it is known whether the session is Dormouse's own
	bytes    int64         // read in this round
	expected int64         // of a library: to be read
	added    int
	images   map[string]bool   // that the session has, by SHA-256; nil until it is asked
	long     bool              // it holds e.long
	kept     bool              // act goes on with what comes later
	failed   error             // a node was not written; the session is read again later
	cleaned  map[string]string // by clean
	p        *progress
}

// ingest reads what is new of a session, appends its nodes, and stores the cursors.
func (e *Engine) ingest(ctx context.Context, j job, p *progress) (err error) {
	r := &reading{e: e, ctx: ctx, job: j, a: e.adapter(j.key.agent), p: p}
	defer r.freeMemory()
	defer func() {
		if r.act != nil && !r.kept {
			r.act.drop()
		}
	}()
	defer func() {
		if v := recover(); v != nil {
			err = r.fell(v)
		}
	}()
	if _, err := e.get(sessionKeyOf(j.key), &r.cursor); err != nil {
		return err
	}
	r.removed = e.o.Sessions.WasDeleted(r.a.Prefix, r.a.Name, j.key.id)
	ok, err := r.resume()
	if err != nil || !ok {
		return err
	}
	places, err := r.read()
	if err == nil {
		err = r.finish()
	}
	if err != nil {
		r.abort()
		return err
	}
	return r.remember(places)
}

// fell ends a reading that panicked: a fault of ours must not stop the other sessions.
func (r *reading) fell(v any) error {
	r.abort()
	r.e.o.Log.Error("panic", "component", "capture", "session", r.job.key.id, "panic", v, "stack", string(debug.Stack()))
	return fmt.Errorf("it cannot be read because of a fault in Dormouse, please report it: %v", v)
}

// resume finds the parser that goes on, or makes a new one. ok is false when there is nothing to read.
func (r *reading) resume() (ok bool, err error) {
	e := r.e
	e.mu.Lock()
	r.act = e.parsers.take(r.job.key)
	_, open := e.open[r.job.key]
	_, unplaced := e.unplaced[r.job.key]
	e.mu.Unlock()
	same, grown := true, false
	gone := map[string]bool{}
	for _, file := range r.job.files {
		unchanged, more, err := e.compare(file.Path, r.act)
		if errors.Is(err, fs.ErrNotExist) {
			gone[file.Path] = true
			continue // what was read of it stays; where it comes back, it is compared then
		}
		if err != nil {
			e.trouble(r.job.key.agent, file.Path, err)
			r.failed = fmt.Errorf("one of its files cannot be read: %w", err)
			continue
		}
		same, grown = same && unchanged, grown || more
	}
	switch {
	case r.act != nil && same:
		return true, nil
	case r.act == nil && same && !grown && !open && !unplaced && r.failed == nil && !r.wantsImages() && !e.troubled(whereOf(r.job.key)):
		return false, r.touch(gone) // only times changed
	}
	if r.act != nil {
		r.act.drop()
	}
	r.act = r.fresh()
	r.whole = true
	return true, nil
}

func (r *reading) fresh() *active {
	known := &knownNodes{e: r.e, key: r.job.key}
	a := &active{tally: &transcript.Tally{}, places: map[string]transcript.Place{}, opened: map[string]bool{}, long: longTexts{}, images: r.e.spool(), known: known,
		drawn: transcript.NewDrawn(), hide: newHiding(r.e.o.Exclude)}
	a.parser = r.a.New(transcript.Options{Known: known.get, Skip: a.tally.Add, Long: func(text string) string { return a.long.take(r.e, text) }})
	return a
}

// compare reports whether a file still begins with what was read of it, and whether it has more. With a parser it is
// compared at the place that the parser was fed to. The error of one that is gone is fs.ErrNotExist.
func (e *Engine) compare(path string, act *active) (same, more bool, err error) {
	e.mu.Lock()
	c := e.files[path].cursor
	e.mu.Unlock()
	if act != nil && act.places[path] != c.Place {
		return false, true, nil
	}
	f, err := share.Open(path)
	if err != nil {
		return false, false, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	info, err := f.Stat()
	if err != nil {
		return false, false, err
	}
	if c.Window == "" {
		return act == nil || !act.opened[path], info.Size() > 0, nil
	}
	same, err = c.holds(f, info.Size())
	return same, c.more(info.Size()), err
}

// touch stores the files' new times, but for those that were gone when they were compared: of them nobody knows what they hold.
func (r *reading) touch(gone map[string]bool) error {
	for _, file := range r.job.files {
		if gone[file.Path] {
			continue
		}
		r.e.mu.Lock()
		f := r.e.files[file.Path]
		c := f.cursor
		c.Size, c.Mtime, c.Inode = f.stat.size, f.stat.mtime, f.stat.inode
		r.e.mu.Unlock()
		if err := r.e.keep(file.Path, f.agent, c); err != nil {
			return err
		}
	}
	return nil
}

// keep stores a file's cursor and then takes it over.
func (e *Engine) keep(path, agent string, c fileCursor) error {
	if err := e.put(fileKey(agent, path), c); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files[path].cursor = c
	return nil
}

// read feeds the parser with what is new and hands its nodes on. It returns where each file was read to.
func (r *reading) read() (map[string]fileCursor, error) {
	if r.whole {
		for _, base := range r.job.bases {
			if err := r.readBase(base); err != nil {
				return nil, err
			}
		}
	}
	sources, err := r.open()
	defer func() {
		for _, s := range sources {
			s.in.close()
		}
	}()
	if err != nil {
		return nil, err
	}
	since := int64(0)
	err = merged(sources, func(s *source, l transcript.Line) error {
		r.feed(s, l)
		since += max(l.Length, int64(len(l.Data)))
		if since < drainBytes {
			return nil
		}
		since = 0
		return r.drain(transcript.Growing)
	})
	if err != nil {
		return nil, err
	}
	cursors := map[string]fileCursor{}
	for _, s := range sources {
		c, err := s.cursor()
		if err != nil {
			return nil, fmt.Errorf("%s changed while it was read: %w", s.file.Path, err)
		}
		cursors[s.file.Path] = c
		r.act.places[s.file.Path] = c.Place
	}
	return cursors, nil
}

func (r *reading) feed(s *source, l transcript.Line) {
	if !r.act.opened[s.file.Path] {
		r.act.opened[s.file.Path] = true
		r.act.parser.Open(s.file)
	}
	r.act.images.look(l.Data, transcript.Skip{File: s.file.Path, Line: l.Number})
	r.act.parser.Feed(l)
	n := max(l.Length, int64(len(l.Data))+1)
	r.bytes += n
	r.p.read(n)
}

// open opens the session's files at the places where the parser stands. One that cannot be opened is noted and left out.
func (r *reading) open() ([]*source, error) {
	var out []*source
	for _, file := range r.job.files {
		if err := r.ctx.Err(); err != nil {
			return out, err
		}
		s, err := openSource(file, r.act.places[file.Path], r.act.tally.Add)
		if err != nil {
			r.e.trouble(r.job.key.agent, file.Path, err)
			r.failed = fmt.Errorf("one of its files cannot be read: %w", err)
			continue
		}
		r.e.fine(file.Path)
		if s != nil {
			r.ready(s)
			out = append(out, s)
		}
	}
	return out, nil
}

// ready prepares a source for long lines.
func (r *reading) ready(s *source) {
	s.lines.OnLong(r.waitForMemory)
	s.lines.OnCut(r.e.longFile, r.act.long.keep, r.act.images.sink(s))
}

// waitForMemory is called before a long line is loaded.
func (r *reading) waitForMemory() {
	if !r.long {
		r.e.long.Lock()
		r.long = true
	}
}

// freeMemory lets the next session with a long line take its memory.
func (r *reading) freeMemory() {
	if r.long {
		debug.FreeOSMemory()
		r.e.long.Unlock()
	}
}

// readBase feeds the beginning of another session's file that this one goes on from.
func (r *reading) readBase(base baseFile) error {
	s, err := openSource(base.file, transcript.Place{}, nil)
	if err != nil || s == nil {
		return err
	}
	defer s.in.close()
	r.ready(s)
	s.limit = base.limit
	s.file.Prefix = true
	err = merged([]*source{s}, func(s *source, l transcript.Line) error {
		r.feed(s, l)
		return nil
	})
	delete(r.act.opened, base.file.Path)
	return err
}

package capture

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"dormouse/service/capture/transcript"
)

// held is where a session lies in a library.
type held struct {
	shelf *shelf
	entry transcript.Entry
	pool  *pool
}

// round is one reading of libraries.
type round struct {
	e      *Engine
	listed []*listing
	tell   func(Progress)
	places []string // where a Problem would say that something of it could not be read
}

// listing is what a library said it holds.
type listing struct {
	shelf     *shelf
	pool      *pool
	signature string
	entries   []transcript.Entry
	left      map[string]bool // sessions that are captured from elsewhere
	unlisted  map[string]transcript.Count
}

// readLibraries captures what is new in the libraries: all of them, or with only, those that hold one of its paths. The error is that of
// ctx, or errBusy where the libraries are being read already.
func (e *Engine) readLibraries(ctx context.Context, only map[string]bool, how transcript.Settle) error {
	if only == nil {
		e.reading.Lock()
	} else if !e.reading.TryLock() {
		return errBusy
	}
	defer e.reading.Unlock()
	return e.readShelves(ctx, e.dueShelves(only), how)
}

var errBusy = errors.New("the libraries are being read already")

func (e *Engine) readShelves(ctx context.Context, shelves []*shelf, how transcript.Settle) error {
	if len(shelves) == 0 || e.hasRoom() != nil {
		return ctx.Err()
	}
	return (&round{e: e, tell: e.o.Progress}).read(ctx, shelves, how)
}

func (r *round) read(ctx context.Context, shelves []*shelf, how transcript.Settle) error {
	defer r.close()
	for _, s := range shelves {
		r.places = append(r.places, s.place())
		r.list(ctx, s)
	}
	jobs := r.plan(how)
	for _, j := range jobs {
		r.places = append(r.places, whereOf(j.key))
	}
	err := r.e.runTelling(ctx, jobs, r.tell)
	r.finish()
	return err
}

// list asks a library what it holds.
func (r *round) list(ctx context.Context, s *shelf) {
	e := r.e
	e.mu.Lock()
	l := &listing{shelf: s, signature: signature(s.files), left: map[string]bool{},
		pool: &pool{e: e, path: s.path, open: e.adapter(s.agent).Libraries.Open}}
	e.mu.Unlock()
	tally := &transcript.Tally{}
	err := l.pool.use(&knownNodes{none: true}, tally, nil, nil, func() {}, func(lib transcript.Library) error {
		return lib.List(ctx, func(entry transcript.Entry) error {
			l.entries = append(l.entries, entry)
			return ctx.Err()
		})
	})
	switch {
	case ctx.Err() != nil:
	case err != nil:
		e.shelfTrouble(s, err)
		l.pool.close()
	default:
		e.fine(s.place())
		l.unlisted = tally.Counts()
		e.unlisted(s, l.unlisted)
		r.listed = append(r.listed, l)
	}
}

// unlisted counts what could not be listed, in place of what could not be before.
func (e *Engine) unlisted(s *shelf, counts map[string]transcript.Count) {
	e.recount(s.agent, "capture/unlisted/"+strings.TrimPrefix(shelfKey(s), "capture/library/"), counts)
}

// plan picks the sessions with something to do.
func (r *round) plan(how transcript.Settle) []job {
	by := map[sessionKey][]held{}
	for _, l := range r.listed {
		for _, entry := range l.entries {
			key := sessionKey{l.shelf.agent, entry.Session}
			by[key] = append(by[key], held{l.shelf, entry, l.pool})
		}
	}
	var jobs []job
	for key, all := range by {
		if r.e.paused(whereOf(key)) {
			continue
		}
		j := job{key: key, how: how}
		rank := r.rank(key, all)
		for _, h := range all {
			if h.entry.Rank != rank {
				r.leave(h)
			} else if h.shelf.version(r.e, key.id) != h.entry.Version {
				j.held, j.fresh, j.bytes = append(j.held, h), true, j.bytes+h.entry.Bytes
			}
		}
		if r.dueAnyway(&j) && len(j.held) == 0 {
			j.held = slices.DeleteFunc(all, func(h held) bool { return h.entry.Rank != rank })
		}
		if len(j.held) == 0 {
			continue
		}
		slices.SortFunc(j.held, newer)
		for _, h := range j.held {
			j.files = append(j.files, transcript.File{Path: h.shelf.path, Session: key.id})
		}
		jobs = append(jobs, j)
	}
	sort.Slice(jobs, func(i, k int) bool { return jobs[i].key.id < jobs[k].key.id })
	return jobs
}

// rank is the rank of the libraries that a session is captured from: that of the first time, else the highest.
func (r *round) rank(key sessionKey, all []held) int {
	best, mixed := all[0].entry.Rank, false
	for _, h := range all {
		best = max(best, h.entry.Rank)
		mixed = mixed || h.shelf.version(r.e, key.id) != h.entry.Version
	}
	var c sessionCursor
	if found, err := r.e.get(sessionKeyOf(key), &c); mixed && found && err == nil && c.Rank != nil {
		return *c.Rank
	}
	return best
}

func (r *round) leave(h held) {
	for _, l := range r.listed {
		if l.shelf == h.shelf {
			l.left[h.entry.Session] = true
		}
	}
}

// dueAnyway reports whether a session that did not change has something to do: it is over now, or something of it was left.
func (r *round) dueAnyway(j *job) bool {
	e := r.e
	e.mu.Lock()
	defer e.mu.Unlock()
	if updated, open := e.open[j.key]; open && e.over(updated) {
		j.how = transcript.Over
		return true
	}
	_, broken := brokenID(e.adapter(j.key.agent).Prefix, j.key, e.mend.broken)
	return broken || e.mend.short[j.key] || e.wanted[j.key] || e.restless[j.key] || e.askAgain(j.key) || e.unseen(j.key) || e.problems[whereOf(j.key)] != nil
}

// newer puts what was updated last first, and of equal times a file before a folder: an agent that moved its sessions from files into a
// database goes on in that.
func newer(a, b held) int {
	if a.entry.Updated != b.entry.Updated {
		return int(max(-1, min(1, b.entry.Updated-a.entry.Updated)))
	}
	if a.shelf.isFile() != b.shelf.isFile() {
		if a.shelf.isFile() {
			return -1
		}
		return 1
	}
	return strings.Compare(a.shelf.path, b.shelf.path)
}

// finish stores what is known of the libraries now.
func (r *round) finish() {
	e := r.e
	for _, l := range r.listed {
		s, whole := l.shelf, true
		c := shelfCursor{Path: s.path, Signature: l.signature, Open: map[string]int64{}, Images: e.o.KeepImages}
		e.mu.Lock()
		for _, entry := range l.entries {
			key := sessionKey{s.agent, entry.Session}
			if updated, open := e.open[key]; open && !l.left[entry.Session] {
				c.Open[entry.Session] = updated
			}
			whole = whole && (l.left[entry.Session] || s.versions[entry.Session] == entry.Version && !e.restless[key] && e.problems[whereOf(key)] == nil)
		}
		e.mu.Unlock()
		if !whole {
			c.Signature = ""
		}
		if err := e.put(shelfKey(s), c); err != nil {
			e.trouble(s.agent, "cursors", err)
			continue
		}
		e.mu.Lock()
		s.cursor, s.again = c, false
		e.mu.Unlock()
	}
}

func (r *round) close() {
	for _, l := range r.listed {
		l.pool.close()
	}
}

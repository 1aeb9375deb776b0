package session

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// Session is one session. Its methods may be called from several goroutines; batches follow one after the other, and
// readers see what was durable when they began.
type Session struct {
	store   *Store
	id      string
	folder  atomic.Pointer[string]
	writing sync.Mutex // held by the open batch

	mu      sync.Mutex // guards what follows
	meta    memory.Session
	exists  bool // its folder is there
	deleted bool
	st      *state // nil until the history is needed, and after it was dropped from the cache
	tidied  bool   // what an interrupted write left was put right, and no write was interrupted since
	thawed  time.Time
	failed  string // why the history could not be loaded last
}

// Meta is the content of meta.json.
func (x *Session) Meta() memory.Session {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.meta
}

// Stored reports whether the session lies on the disk: whether it has nodes.
func (x *Session) Stored() bool { return x.there() }

func (x *Session) there() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.exists
}

// Update changes meta.json. The id, the agent and its id stay what they are. Of a session that has no node yet, nothing is
// written. A change of the head waits for an open batch and moves HEAD and the work tree as Switch does.
func (x *Session) Update(change func(*memory.Session)) error {
	before := x.Meta().HeadID
	changed, err := x.update(change)
	if err == nil && changed {
		if now := x.Meta().HeadID; now != before {
			err = x.follow(before, now)
		}
		x.store.opts.OnChange(x.id)
	}
	return err
}

func (x *Session) update(change func(*memory.Session)) (changed bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	next := x.meta
	change(&next)
	next.ID, next.Agent, next.AgentSessionID = x.id, x.meta.Agent, x.meta.AgentSessionID
	if next == x.meta {
		return false, nil
	}
	if x.deleted {
		return false, fmt.Errorf("%w: %s was deleted", ErrNotFound, next.ID)
	}
	if x.exists {
		if err := writeMeta(x.dir(), next); err != nil {
			return false, err
		}
	}
	x.meta = next
	return x.exists, nil
}

func (x *Session) dir() string { return *x.folder.Load() }

func (x *Session) moveTo(dir string) { x.folder.Store(&dir) }

// Dir is the session's folder, a git repository.
func (x *Session) Dir() string { return x.dir() }

// loaded is the session's history, read when it is not in memory. Callers hold x.mu; canWrite says that they also hold
// x.writing, so that no batch is under way.
func (x *Session) loaded(canWrite bool) (*state, error) {
	if x.st != nil {
		return x.st, nil
	}
	if !x.exists {
		return newState(gitrepo.Open(x.dir())), nil
	}
	st, err := load(gitrepo.Open(x.dir()))
	if err != nil {
		x.failed = err.Error()
		return nil, err
	}
	if lost := x.meta.Nodes - len(st.entries); lost > 0 && len(st.problems) == 0 {
		st.problem("%d of its %d nodes are not in the history any more; what the agent's transcript still holds is captured again", lost, x.meta.Nodes)
	}
	if x.meta.Nodes != len(st.entries) {
		if canWrite || x.writing.TryLock() {
			err = x.repair(st)
			if !canWrite {
				x.writing.Unlock()
			}
			if err != nil {
				return nil, err
			}
		}
	}
	x.failed, x.st = "", st
	return st, nil
}

// refresh drops a history that somebody has added a commit to.
func (x *Session) refresh() error {
	if x.st == nil {
		return nil
	}
	refs, err := laneRefs(x.st.repo)
	for _, l := range x.st.lanes.all {
		if l.ref != "" && refs[l.ref] != l.tip {
			x.st = nil
			break
		}
	}
	return err
}

// repair brings meta.json up to what the history holds.
func (x *Session) repair(st *state) error {
	next, err := repaired(x.meta, st)
	if err != nil {
		return fmt.Errorf("repair %s of %s: %w", metaFile, x.dir(), err)
	}
	if err := writeMeta(x.dir(), next); err != nil {
		return err
	}
	x.meta = next
	return nil
}

// drop gives the memory of the history free.
func (x *Session) drop() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.st = nil
}

// broken is drop after a write that was not finished: the next one puts right what it left.
func (x *Session) broken() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.st, x.tidied = nil, false
}

// brokenBy is broken where there is an error.
func (x *Session) brokenBy(err *error) {
	if *err != nil {
		x.broken()
	}
}

// evict is drop for the cache. While a batch is open, the history stays: read anew, it would show what is not durable yet. The batch's
// end gives it to the cache again.
func (x *Session) evict() {
	if x.writing.TryLock() {
		defer x.writing.Unlock()
		x.drop()
	}
}

// view is what a reader needs of a history: slices that are only ever appended to.
type view struct {
	repo      *gitrepo.Repo
	lanes     lanes
	committed int // of entries
	entries   []entry
	bonds     bonds  // of entries, where they were asked for
	linked    bool   // bonds and marks are there
	marks     []mark // the commits; nil when some are not ours
	byID      func(id string) (int, bool)
}

// look takes a view. It has the links when they are at hand; withLinks also reads nodes for them.
func (x *Session) look(withLinks bool) (view, error) {
	x.mu.Lock()
	st, err := x.loaded(false)
	if err == nil && withLinks {
		if err = st.loadBonds(); err != nil {
			err = x.fail(err)
		}
	}
	if err != nil {
		x.mu.Unlock()
		return view{}, err
	}
	v := view{repo: st.repo, lanes: st.lanes.clone(), committed: st.committed, entries: st.entries, byID: func(id string) (int, bool) {
		x.mu.Lock()
		defer x.mu.Unlock()
		i, ok := st.ids()[id]
		return i, ok
	}}
	if st.bonds != nil {
		v.bonds, v.marks, v.linked = *st.bonds, st.marks, true
	}
	x.mu.Unlock()
	x.store.used(x)
	return v, nil
}

// fail notes that nodes cannot be read. Callers hold x.mu.
func (x *Session) fail(err error) error {
	err = fmt.Errorf("read the nodes of %s: %w%s", x.dir(), err, remedy(err, x.dir()))
	x.failed = err.Error()
	return err
}

// noteFailure is what reading nodes gave, noted if it is an error.
func (x *Session) noteFailure(err error) error {
	if err == nil {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.fail(err)
}

// Has reports whether a node is in the session.
func (x *Session) Has(nodeID string) bool {
	if !x.there() {
		return false
	}
	v, err := x.look(false)
	if err != nil {
		return false
	}
	_, ok := v.byID(nodeID)
	return ok
}

// Len is the number of nodes.
func (x *Session) Len() int {
	if !x.there() {
		return 0
	}
	v, err := x.look(false)
	if err != nil {
		return 0
	}
	return len(v.entries)
}

// Problems tells what was wrong when the history was read: files in history/ that are ignored, and why it could not be read
// at all.
func (x *Session) Problems() []string {
	_, _ = x.look(false)
	return x.noticed()
}

// Problems tells what was wrong with the sessions that were opened so far, each with its folder. It opens none.
func (s *Store) Problems() []string {
	s.mu.Lock()
	all := make([]*Session, 0, len(s.sessions))
	for _, x := range s.sessions {
		all = append(all, x)
	}
	s.mu.Unlock()
	slices.SortFunc(all, func(a, b *Session) int { return strings.Compare(a.id, b.id) })
	var out []string
	for _, p := range []string{s.places.trouble(), s.graves.trouble()} {
		if p != "" {
			out = append(out, p)
		}
	}
	for _, x := range all {
		for _, p := range x.noticed() {
			if !strings.Contains(p, x.dir()) {
				p = x.dir() + ": " + p
			}
			out = append(out, p)
		}
	}
	return out
}

func (x *Session) noticed() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var out []string
	if x.st != nil {
		out = slices.Clone(x.st.problems)
	}
	if x.failed != "" {
		out = append(out, x.failed)
	}
	return out
}

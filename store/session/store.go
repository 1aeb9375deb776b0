package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"dormouse/store/home"
	"dormouse/store/memory"
)

// ErrNotFound says that there is no such session.
var ErrNotFound = errors.New("session not found")

// ErrNoNode says that a session has no such node.
var ErrNoNode = errors.New("node not found")

// cacheSize is how many sessions keep their history's names and links in memory.
const cacheSize = 256

// IDs are the ids that a session may have, the first unless it is taken.
func IDs(prefix, agent, agentSessionID string) []string {
	var out []string
	for _, digits := range []int{8, 12, 16} {
		out = append(out, memory.SessionID(prefix, agent, agentSessionID, digits))
	}
	return out
}

// Folders of a session that is being made or deleted. A crash leaves them to the next start.
const (
	newPrefix  = ".new-"
	gonePrefix = ".gone-"
)

// Options say where sessions lie and who wants to know of them.
type Options struct {
	Dir      string          // the folder of all sessions: <home>/sessions
	Machine  string          // that captures
	OnChange func(id string) // called after nodes became durable or meta changed; it must not block. May be nil
}

// Store is all sessions of one state folder. One process at a time may use it: the holder of the state folder's lock.
type Store struct {
	opts  Options
	sweep sync.Once

	mu       sync.Mutex
	sessions map[string]*Session // every session that was asked for
	recent   []*Session          // those with a loaded history, least recently used first
	cache    int                 // most that recent may hold
}

// New is the store of o.Dir. It does no I/O.
func New(o Options) *Store {
	if o.OnChange == nil {
		o.OnChange = func(string) {}
	}
	return &Store{opts: o, sessions: map[string]*Session{}, cache: cacheSize}
}

// Ensure is the session of (want.Agent, want.AgentSessionID): the one that is there, else a new one with want's fields,
// whose folder is made when its first batch is closed. prefix begins a new session's id.
func (s *Store) Ensure(want memory.Session, prefix string) (*Session, error) {
	if want.Agent == "" || want.AgentSessionID == "" || !safeName(prefix) {
		return nil, fmt.Errorf("session of agent %q, its id %q, prefix %q: all three are needed", want.Agent, want.AgentSessionID, prefix)
	}
	s.sweepOnce()
	want.Machine = cmp.Or(want.Machine, s.opts.Machine)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, want.ID = range IDs(prefix, want.Agent, want.AgentSessionID) {
		x, err := s.get(want.ID)
		if errors.Is(err, ErrNotFound) || errors.Is(err, errInvalid) {
			x = s.add(want)
			x.exists = errors.Is(err, errInvalid) // a folder whose meta.json was lost is taken up again
			return x, nil
		}
		if err != nil {
			return nil, err
		}
		if m := x.Meta(); m.Agent == want.Agent && m.AgentSessionID == want.AgentSessionID {
			return x, nil
		}
	}
	return nil, fmt.Errorf("no id is free for session %s of %s", want.AgentSessionID, want.Agent)
}

// Open is the session with this id.
func (s *Store) Open(id string) (*Session, error) {
	s.sweepOnce()
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.get(id)
	if err == nil && !x.there() {
		err = fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if errors.Is(err, errInvalid) {
		err = fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// get is the one Session of this id. Callers hold s.mu.
func (s *Store) get(id string) (*Session, error) {
	if x := s.sessions[id]; x != nil {
		return x, nil
	}
	if !safeName(id) {
		return nil, fmt.Errorf("%w: %q is no session id", ErrNotFound, id)
	}
	meta, err := readMeta(s.path(id))
	if err != nil {
		return nil, err
	}
	x := s.add(meta)
	x.exists = true
	return x, nil
}

func (s *Store) add(meta memory.Session) *Session {
	x := &Session{store: s, id: meta.ID, meta: meta}
	s.sessions[meta.ID] = x
	return x
}

func (s *Store) path(id string) string { return filepath.Join(s.opts.Dir, id) }

// List gives the valid sessions, the newest first, and the names of folders that are none: without a meta.json, or with one
// that does not say whose session it is. Only the meta.json files are read.
func (s *Store) List() (valid []memory.Session, invalid []string, err error) {
	s.sweepOnce()
	dirs, err := os.ReadDir(s.opts.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("list sessions: %w", err)
	}
	for _, d := range dirs {
		if !d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			continue
		}
		meta, err := readMeta(s.path(d.Name()))
		if errors.Is(err, ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			invalid = append(invalid, d.Name())
			continue
		}
		valid = append(valid, meta)
	}
	slices.SortFunc(valid, func(a, b memory.Session) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	return valid, invalid, nil
}

// Delete removes a session with all its history. It waits for a batch that is open.
func (s *Store) Delete(id string) error {
	x, err := s.Open(id)
	if err != nil {
		return err
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	gone := s.path(gonePrefix + id)
	if err := os.Rename(s.path(id), gone); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	s.forget(x)
	if err := os.RemoveAll(gone); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	s.opts.OnChange(id)
	return nil
}

func (s *Store) forget(x *Session) {
	x.mu.Lock()
	x.exists, x.deleted, x.st = false, true, nil
	x.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, x.id)
	s.recent = slices.DeleteFunc(s.recent, func(y *Session) bool { return y == x })
}

// Close waits for the batches that are open and drops what is cached. The store may be used again afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	all := make([]*Session, 0, len(s.sessions))
	for _, x := range s.sessions {
		all = append(all, x)
	}
	s.mu.Unlock()
	for _, x := range all {
		x.writing.Lock()
		x.mu.Lock()
		x.st = nil
		x.mu.Unlock()
		x.writing.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent = nil
	return nil
}

// used marks a session's history as used just now, and drops that of the session that was not used for longest. The caller
// holds no session's lock.
func (s *Store) used(x *Session) {
	if old := s.touch(x); old != nil {
		old.drop()
	}
}

func (s *Store) touch(x *Session) (old *Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.recent, x); i >= 0 {
		s.recent = slices.Delete(s.recent, i, i+1)
	} else if len(s.recent) >= s.cache {
		old = s.recent[0]
		s.recent = slices.Delete(s.recent, 0, 1)
	}
	s.recent = append(s.recent, x)
	return old
}

// sweepOnce removes what a crash left half made or half deleted.
func (s *Store) sweepOnce() {
	s.sweep.Do(func() {
		for _, prefix := range []string{newPrefix, gonePrefix} {
			names, _ := home.List(s.opts.Dir, prefix, "")
			for _, n := range names {
				_ = os.RemoveAll(n)
			}
		}
		_ = home.RemoveTemps(s.opts.Dir)
	})
}

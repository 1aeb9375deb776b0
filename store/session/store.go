package session

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"dormouse/store/memory"
)

// ErrNotFound says that there is no such session.
var ErrNotFound = errors.New("session not found")

// ErrNoNode says that a session has no such node.
var ErrNoNode = errors.New("node not found")

// ErrNoCommit says that a session has no such commit.
var ErrNoCommit = errors.New("commit not found")

// CacheSize is how many sessions keep their history's names and links in memory, unless Options say otherwise.
const CacheSize = 256

// idDigits are the lengths of the ids that a session may have.
var idDigits = []int{8, 12, 16}

// IDs are the ids that a session may have, the first unless it is taken.
func IDs(prefix, agent, agentSessionID string) []string {
	var out []string
	for _, digits := range idDigits {
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
	// Inside is the folder of the project in which a session is to live; empty, or nil, for Dir. It is asked when the session is made
	// and by Settle; it must not call the store.
	Inside func(memory.Session) string
	// Projects are the folders in which projects are known to lie, where one that was moved is sought. May be nil.
	Projects func() []string
	// OnMoved is told that a project's folder was found elsewhere. May be nil.
	OnMoved func(from, to string)
	// Temps are the folders that never hold a session: they are emptied by the system. Default: TempFolders of the environment.
	Temps []string
	// Summary is the file with what List read, for the next start; it can be deleted. Empty for none.
	Summary string
	Cache   int              // sessions whose history stays in memory; default CacheSize
	Now     func() time.Time // default: time.Now
}

// Store is all sessions of one state folder. One process at a time may use it: the holder of the state folder's lock.
type Store struct {
	opts  Options
	sweep sync.Once

	places book[Location] // sessions that live in a project's folder
	graves book[Grave]    // sessions that the person deleted
	metas  metas
	names  names
	order  order

	sheltering sync.Mutex // of whoever makes a project's folder fit for sessions

	seeking sync.Mutex
	sought  map[string]time.Time // folders that are gone, and when they were sought last

	mu       sync.Mutex
	sessions map[string]*Session // every session that was asked for
	recent   []*Session          // those with a loaded history, least recently used first
}

// New is the store of o.Dir. It does no I/O.
func New(o Options) *Store {
	if o.OnChange == nil {
		o.OnChange = func(string) {}
	}
	if o.Inside == nil {
		o.Inside = func(memory.Session) string { return "" }
	}
	if o.Projects == nil {
		o.Projects = func() []string { return nil }
	}
	if o.OnMoved == nil {
		o.OnMoved = func(string, string) {}
	}
	if o.Temps == nil {
		o.Temps = TempFolders(os.Getenv)
	}
	if o.Cache <= 0 {
		o.Cache = CacheSize
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Store{opts: o, sessions: map[string]*Session{}, sought: map[string]time.Time{}}
	s.metas.path = o.Summary
	s.places.path, s.graves.path = filepath.Join(o.Dir, locationsFile), filepath.Join(o.Dir, gravesFile)
	return s
}

// Ensure is the session of (want.Agent, want.AgentSessionID): the one that is there, else a new one with want's fields,
// whose folder is made when its first batch is closed. prefix begins a new session's id. The error wraps ErrDeleted when the
// person deleted it, and ErrUnreachable when it is in a folder that is not there.
func (s *Store) Ensure(want memory.Session, prefix string) (*Session, error) {
	if want.Agent == "" || want.AgentSessionID == "" || !safeName(prefix) {
		return nil, fmt.Errorf("session of agent %q, its id %q, prefix %q: all three are needed", want.Agent, want.AgentSessionID, prefix)
	}
	s.sweepOnce()
	want.Machine = cmp.Or(want.Machine, s.opts.Machine)
	for _, digits := range idDigits {
		want.ID = memory.SessionID(prefix, want.Agent, want.AgentSessionID, digits)
		x, err := s.ensure(want)
		if x != nil || err != nil {
			return x, err
		}
	}
	return nil, fmt.Errorf("no id is free for session %s of %s", want.AgentSessionID, want.Agent)
}

// ensure is the session with want's id if it is want's or there is none; nil when another one has the id.
func (s *Store) ensure(want memory.Session) (*Session, error) {
	if g, ok, _ := s.graves.get(want.ID); ok && !same(g.Meta, want) {
		return nil, nil
	}
	x, err := s.get(want.ID)
	if errors.Is(err, ErrUnreachable) {
		if at, _, _ := s.places.get(want.ID); !same(at.Seen, want) {
			return nil, nil
		}
	}
	invalid := errors.Is(err, errInvalid)
	switch {
	case errors.Is(err, ErrDeleted), errors.Is(err, ErrUnreachable):
		return nil, err
	case invalid, errors.Is(err, ErrNotFound): // a folder whose meta.json was lost is taken up again
		return s.add(want, s.placeOf(want.ID), invalid)
	case err != nil:
		return nil, err
	}
	if !x.isOf(want) {
		return nil, nil
	}
	return x, nil
}

// isOf reports whether a session is the one of want's agent. One whose meta.json has lost whose it is goes by its folder's name.
func (x *Session) isOf(want memory.Session) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.meta.Agent == "" && x.meta.AgentSessionID == "" {
		x.meta.Agent, x.meta.AgentSessionID = want.Agent, want.AgentSessionID
	}
	return same(x.meta, want)
}

// same reports whether two describe one session of one agent.
func same(a, b memory.Session) bool {
	return a.Agent == b.Agent && a.AgentSessionID == b.AgentSessionID
}

// Open is the session with this id. The error wraps ErrNotFound, ErrDeleted or ErrUnreachable.
func (s *Store) Open(id string) (*Session, error) {
	s.sweepOnce()
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

// get is the one Session of this id. One that lies in a project's folder may have gone with it.
func (s *Store) get(id string) (*Session, error) {
	s.mu.Lock()
	x := s.sessions[id]
	s.mu.Unlock()
	if x != nil && (x.dir() == s.path(id) || !x.there() || exists(x.dir())) {
		return x, nil
	}
	dir, meta, err := s.find(id)
	if err != nil {
		return nil, err
	}
	return s.add(meta, dir, true)
}

// add makes a session known that was not; when another goroutine was faster, it is that one's.
func (s *Store) add(meta memory.Session, dir string, there bool) (*Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, deleted, err := s.graves.get(meta.ID); err != nil || deleted {
		return nil, cmp.Or(err, ErrDeleted)
	}
	if x := s.sessions[meta.ID]; x != nil {
		return x, nil
	}
	x := &Session{store: s, id: meta.ID, meta: meta, exists: there}
	x.moveTo(dir)
	s.sessions[meta.ID] = x
	return x, nil
}

// placeOf is where a session lies, or is to lie, as far as is written down.
func (s *Store) placeOf(id string) string {
	if at, ok, _ := s.places.get(id); ok {
		if dir := filepath.Join(inside(at.Path), id); exists(dir) {
			return dir
		}
	}
	return s.path(id)
}

func (s *Store) path(id string) string { return filepath.Join(s.opts.Dir, id) }

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
		old.evict()
	}
}

func (s *Store) touch(x *Session) (old *Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.recent, x); i >= 0 {
		s.recent = slices.Delete(s.recent, i, i+1)
	} else if len(s.recent) >= s.opts.Cache {
		old = s.recent[0]
		s.recent = slices.Delete(s.recent, 0, 1)
	}
	s.recent = append(s.recent, x)
	return old
}

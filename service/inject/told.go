package inject

import "sync"

// maxSessions is how many sessions Told remembers; of more, the one that was told something longest ago is forgotten.
const maxSessions = 512

// Told remembers what each session was told. It lies in memory alone: what it has lost, the session's own transcript shows.
type Told struct {
	mu       sync.Mutex
	sessions map[string]*told
	clock    int64
}

type told struct {
	core    bool
	records map[string]bool
	at      int64
}

// Again reports whether a session that begins with this source is to be told the core memory: one that is new, that was cleared or that was
// compacted holds none; one that goes on or was forked holds what it was told before. shown says whether its transcript shows that, and
// whether that is sure; where it is not, memory decides. What the context lost is forgotten.
func (t *Told) Again(session, source string, shown func() (told, sure bool)) bool {
	switch source {
	case "resume", "fork":
		if told, sure := shown(); sure {
			return !told
		}
		return !t.HasCore(session)
	case "clear", "compact":
		t.Forget(session)
	}
	return true
}

// Forget drops what a session was told.
func (t *Told) Forget(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.sessions, session)
}

// Core notes that a session was told the core memory.
func (t *Told) Core(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(session).core = true
}

// HasCore reports whether a session is known to have been told the core memory.
func (t *Told) HasCore(session string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sessions[session]
	return s != nil && s.core
}

// Records notes records that a session was told.
func (t *Told) Records(session string, ids ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.of(session)
	for _, id := range ids {
		s.records[id] = true
	}
}

// Has reports whether a session was told a record.
func (t *Told) Has(session, id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sessions[session]
	return s != nil && s.records[id]
}

// of is a session's entry, made where it is missing. The lock is held.
func (t *Told) of(session string) *told {
	t.clock++
	if s := t.sessions[session]; s != nil {
		s.at = t.clock
		return s
	}
	if t.sessions == nil {
		t.sessions = map[string]*told{}
	}
	for len(t.sessions) >= maxSessions {
		oldest, at := "", t.clock
		for id, s := range t.sessions {
			if s.at < at {
				oldest, at = id, s.at
			}
		}
		delete(t.sessions, oldest)
	}
	s := &told{records: map[string]bool{}, at: t.clock}
	t.sessions[session] = s
	return s
}

package inject

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// maxSessions is how many sessions Told remembers; of more, the one that was told something longest ago is forgotten.
const maxSessions = 512

// Told remembers what each session was told: in memory, and on a shelf so that a restart of the service forgets nothing. Of what the
// shelf has lost, the session's own transcript shows the core memory.
type Told struct {
	mu       sync.Mutex
	sessions map[string]*told
	clock    int64
	shelf    Shelf
}

// Shelf keeps entries beyond the process. What it cannot keep is told again at worst, so its errors are passed over.
type Shelf interface {
	Put(key string, entry []byte) error
	Delete(key string) error
	Each(prefix string, do func(key string, entry []byte) error) error
}

type told struct {
	core    bool
	records map[string]bool
	at      int64
}

// kept is an entry on the shelf: ids alone.
type kept struct {
	Core    bool     `json:"core,omitempty"`
	Records []string `json:"records,omitempty"`
	At      int64    `json:"at"` // orders entries
}

// Open takes up what is on a shelf, and keeps there what comes. An entry that cannot be read is as good as none.
func (t *Told) Open(s Shelf) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shelf = nil
	type found struct {
		key string
		kept
	}
	var all []found
	err := s.Each("", func(key string, entry []byte) error {
		var k kept
		if json.Unmarshal(entry, &k) == nil {
			all = append(all, found{key, k})
		}
		return nil
	})
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(a.At, b.At) })
	for _, f := range all {
		if t.sessions[f.key] == nil {
			e := t.of(f.key)
			e.core = f.Core
			for _, id := range f.Records {
				e.records[id] = true
			}
		}
	}
	t.shelf = s
	return err
}

// keep puts a session's entry on the shelf. The lock is held.
func (t *Told) keep(session string, e *told) {
	if t.shelf == nil {
		return
	}
	raw, _ := json.Marshal(kept{e.core, slices.Sorted(maps.Keys(e.records)), e.at}) // plain values
	_ = t.shelf.Put(session, raw)
}

// drop forgets a session. The lock is held.
func (t *Told) drop(session string) {
	delete(t.sessions, session)
	if t.shelf != nil {
		_ = t.shelf.Delete(session)
	}
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
	t.drop(session)
}

// Core notes that a session was told the core memory.
func (t *Told) Core(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.of(session)
	e.core = true
	t.keep(session, e)
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
	t.keep(session, s)
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
		t.drop(oldest)
	}
	s := &told{records: map[string]bool{}, at: t.clock}
	t.sessions[session] = s
	return s
}

package capture

import (
	"slices"

	"dormouse/store/session"
)

// repairSessions has the sessions read again whose meta.json was lost, as far as their transcripts are there: what it said is
// made again from them, and no node comes twice.
func (e *Engine) repairSessions() {
	_, invalid, err := e.o.Sessions.List()
	if err != nil || len(invalid) == 0 {
		return
	}
	broken := map[string]bool{}
	for _, id := range invalid {
		broken[id] = true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for path := range e.found {
		f := e.files[path]
		if f == nil || !f.known {
			continue
		}
		key := sessionKey{f.agent, f.cursor.File.Session}
		where := whereOf(key)
		if id, ok := brokenID(e.adapter(f.agent).Prefix, key, broken); ok && e.problems[where] == nil {
			e.problems[where] = &Problem{Agent: f.agent, Where: where, First: e.o.Now(), Last: e.o.Now(), paths: []string{path},
				What: "the meta.json of " + id + " cannot be read; it is made again from the transcript"}
		}
	}
}

// brokenID is the id of a session that is among the broken ones.
func brokenID(prefix string, key sessionKey, broken map[string]bool) (id string, ok bool) {
	ids := session.IDs(prefix, key.agent, key.id)
	i := slices.IndexFunc(ids, func(id string) bool { return broken[id] })
	if i < 0 {
		return "", false
	}
	return ids[i], true
}

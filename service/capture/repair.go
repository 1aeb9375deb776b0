package capture

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/store/session"
)

// repairSessions has the sessions read again whose meta.json or whose nodes were lost, as far as their transcripts are there: what
// is missing is made again from them, and no node comes twice.
func (e *Engine) repairSessions() {
	valid, invalid, err := e.o.Sessions.List()
	if err != nil {
		return // the sessions' own problem
	}
	broken, nodes := map[string]bool{}, map[sessionKey]int{}
	for _, id := range invalid {
		broken[id] = true
	}
	for i := range valid {
		nodes[sessionKey{valid[i].Agent, valid[i].AgentSessionID}] = valid[i].Nodes
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.mendLibraries(broken, nodes)
	for path := range e.found {
		f := e.files[path]
		if f == nil || !f.known || f.cursor.File.AgentID != "" {
			continue
		}
		key := sessionKey{f.agent, f.cursor.File.Session}
		if id, ok := brokenID(e.adapter(f.agent).Prefix, key, broken); ok {
			e.readAgain(key, path, "the meta.json of "+id+" cannot be read; it is made again from the transcript")
		} else if have, ok := nodes[key]; ok && e.captured(key) > have {
			e.readAgain(key, path, fmt.Sprintf("it has lost nodes: %d are there of %d; they are captured again from the transcript", have, e.captured(key)))
		}
	}
}

// Recapture has a session read again from its beginning, at the next scan: one that was deleted and is wanted again. It reports
// whether there is a transcript that can be read.
func (e *Engine) Recapture(agent, id string) (there bool) {
	key := sessionKey{agent, id}
	defer e.locks.lock(key)()
	var c sessionCursor
	if ok, err := e.get(sessionKeyOf(key), &c); ok && err == nil && c.CustomTitle != "" {
		c.CustomTitle = "" // the agent's own name for it counts again
		_ = e.put(sessionKeyOf(key), c)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.parsers.drop(key)
	e.wanted[key] = true
	for _, s := range e.shelves {
		if s.agent == agent {
			s.again, there = true, true
		}
	}
	for path := range e.found {
		if f := e.files[path]; f != nil && f.known && f.cursor.File.AgentID == "" && f.agent == agent && f.cursor.File.Session == id {
			e.readAgain(key, path, "it is captured again, as you wanted")
			return true
		}
	}
	return there
}

// mending is what sessions of libraries are read again: those with the broken ids, which do not say whose they are, and those that
// lost nodes.
type mending struct {
	broken map[string]bool
	short  map[sessionKey]bool
}

// mendLibraries has the libraries looked through for sessions that are broken. Callers hold e.mu.
func (e *Engine) mendLibraries(broken map[string]bool, nodes map[sessionKey]int) {
	e.mend = mending{broken: broken, short: map[sessionKey]bool{}}
	agents := map[string]bool{}
	for key, have := range nodes {
		if a := e.adapter(key.agent); a != nil && a.Libraries != nil && e.captured(key) > have {
			e.mend.short[key] = true
			agents[key.agent] = true
		}
	}
	for _, s := range e.shelves {
		s.again = s.again || agents[s.agent] || anyPrefixed(broken, e.adapter(s.agent).Prefix)
	}
}

func anyPrefixed(ids map[string]bool, prefix string) bool {
	for id := range ids {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}

// readAgain makes a session due, whatever its cursors say. Callers hold e.mu.
func (e *Engine) readAgain(key sessionKey, path, why string) {
	if where := whereOf(key); e.problems[where] == nil {
		now := e.o.Now()
		e.problems[where] = &Problem{Agent: key.agent, Where: where, What: why, First: now, Last: now, paths: []string{path}}
		e.o.Log.Warn("session is read again", "component", "capture", "agent", key.agent, "session", key.id, "why", why)
	}
}

// captured is how many nodes a session had when it was read last; 0 where that is not known. Callers hold e.mu.
func (e *Engine) captured(key sessionKey) int {
	n, ok := e.nodes[key]
	if !ok {
		var c sessionCursor
		if found, err := e.get(sessionKeyOf(key), &c); !found || err != nil {
			c = sessionCursor{}
		}
		e.noteCursor(key, &c)
		n = c.Nodes
	}
	return n
}

// noteCursor keeps of a session's cursor what every scan asks for. Callers hold e.mu.
func (e *Engine) noteCursor(key sessionKey, c *sessionCursor) {
	e.nodes[key] = c.Nodes
	e.looked[key] = c.Images
	delete(e.unplaced, key)
	if c.Unplaced != "" {
		e.unplaced[key] = c.Unplaced
	}
}

// askAgain reports whether a session's project could not be told and may be asked for again. Callers hold e.mu.
func (e *Engine) askAgain(key sessionKey) bool {
	where, ok := e.unplaced[key]
	if !ok {
		return false
	}
	p := e.problems[where]
	return p == nil || !e.o.Now().Before(p.Next)
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

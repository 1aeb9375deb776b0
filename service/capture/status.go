package capture

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"sort"
	"time"

	"dormouse/service/capture/transcript"
)

// Status is what was captured so far and what was not.
type Status struct {
	Agents   []AgentStatus `json:"agents"` // sorted by name
	Problems []Problem     `json:"problems"`
	// Amber is set when something has failed amberAfter times in a row: somebody should look.
	Amber bool `json:"amber"`
}

const amberAfter = 3

// AgentStatus is the status of one agent.
type AgentStatus struct {
	Agent string `json:"agent"`
	// ImportOnly says that no folder is looked through for it.
	ImportOnly bool     `json:"import_only"`
	Roots      []string `json:"roots"` // folders that are there
	Files      int      `json:"files"`
	Sessions   int      `json:"sessions"`
	Nodes      int      `json:"nodes"`
	Bytes      int64    `json:"bytes"` // of transcripts that were read
	// Waiting is how many bytes at the ends of files are no complete line yet.
	Waiting int64 `json:"waiting"`
	// Worked is when something was captured last, in Unix seconds; 0 = never.
	Worked int64 `json:"worked"`
	// Skipped tells by reason what was not used, how often, and where last.
	Skipped map[string]transcript.Count `json:"skipped"`
	AtRisk  Risk                        `json:"at_risk"`
}

// agentStatus is what is stored of an agent.
type agentStatus struct {
	Files    int                         `json:"files"`
	Sessions int                         `json:"sessions"`
	Nodes    int                         `json:"nodes"`
	Bytes    int64                       `json:"bytes"`
	Worked   int64                       `json:"worked"`
	Skipped  map[string]transcript.Count `json:"skipped"`
	loaded   bool
	dirty    bool
}

func statusKey(agent string) string { return "capture/status/" + agent }

// account replaces what a session contributed. Callers hold e.mu.
func (e *Engine) account(agent string, before, after sessionCursor) {
	s := e.status[agent]
	e.load(agent, s)
	s.dirty = true
	s.Worked = e.o.Now().Unix()
	s.Files += after.Files - before.Files
	s.Nodes += after.Nodes - before.Nodes
	s.Bytes += after.Bytes - before.Bytes
	s.Sessions += has(after.Nodes) - has(before.Nodes)
	if s.Skipped == nil {
		s.Skipped = map[string]transcript.Count{}
	}
	for reason, c := range before.Skipped {
		s.Skipped[reason] = less(s.Skipped[reason], c)
	}
	for reason, c := range after.Skipped {
		s.Skipped[reason] = more(s.Skipped[reason], c)
	}
	for reason, c := range s.Skipped {
		if c.Times <= 0 {
			delete(s.Skipped, reason)
		}
	}
}

// recount counts what could not be used of something that is no session, in place of what was stored of it before.
func (e *Engine) recount(agent, key string, counts map[string]transcript.Count) {
	before, now := sessionCursor{}, sessionCursor{Skipped: counts}
	e.mu.Lock()
	stored, known := e.counted[key]
	e.mu.Unlock()
	if before.Skipped = stored; !known {
		if _, err := e.get(key, &before); err != nil {
			return
		}
		e.recounted(key, before.Skipped)
	}
	if len(counts) == 0 && len(before.Skipped) == 0 || reflect.DeepEqual(before.Skipped, counts) {
		return
	}
	if err := e.put(key, now); err != nil {
		e.trouble(agent, "cursors", err)
		return
	}
	e.recounted(key, counts)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.account(agent, before, now)
}

// recounted remembers what is stored by a key, so that a scan that finds nothing new need not ask for it.
func (e *Engine) recounted(key string, counts map[string]transcript.Count) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counted[key] = counts
}

func has(n int) int {
	if n > 0 {
		return 1
	}
	return 0
}

func less(a, b transcript.Count) transcript.Count {
	out := transcript.Count{Times: a.Times - b.Times, Bytes: a.Bytes - b.Bytes}
	gone := map[transcript.Skip]bool{}
	for _, p := range b.Places {
		gone[p] = true
	}
	for _, p := range a.Places {
		if !gone[p] {
			out.Places = append(out.Places, p)
		}
	}
	return out
}

func more(a, b transcript.Count) transcript.Count {
	var t transcript.Tally
	t.Join(map[string]transcript.Count{"": a})
	t.Join(map[string]transcript.Count{"": b})
	return t.Counts()[""]
}

// load reads what was stored of an agent by an earlier process. Callers hold e.mu.
func (e *Engine) load(agent string, s *agentStatus) {
	if s.loaded {
		return
	}
	s.loaded = true
	var stored agentStatus
	if ok, err := e.get(statusKey(agent), &stored); ok && err == nil {
		stored.loaded = true
		*s = stored
	}
}

// saveStatus stores what changed.
func (e *Engine) saveStatus() {
	for _, a := range e.o.Table {
		e.mu.Lock()
		s := e.status[a.Name]
		dirty, copied := s.dirty, *s
		s.dirty = false
		e.mu.Unlock()
		if !dirty {
			continue
		}
		if err := e.put(statusKey(a.Name), copied); err != nil {
			e.trouble(a.Name, "cursors", err)
		}
	}
}

// Status tells what was captured, from what is in memory and was stored. It reads no transcript.
func (e *Engine) Status() Status {
	var out Status
	for i := range e.o.Table {
		a := &e.o.Table[i]
		out.Agents = append(out.Agents, e.agentStatus(a))
	}
	sort.Slice(out.Agents, func(i, j int) bool { return out.Agents[i].Agent < out.Agents[j].Agent })
	e.mu.Lock()
	defer e.mu.Unlock()
	out.Problems = e.problemList()
	for _, p := range out.Problems {
		out.Amber = out.Amber || p.Times >= amberAfter
	}
	return out
}

func (e *Engine) agentStatus(a *Adapter) AgentStatus {
	out := AgentStatus{Agent: a.Name, ImportOnly: a.ImportOnly, Roots: []string{}, Skipped: map[string]transcript.Count{}}
	for _, root := range e.rootsOf(a) {
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			out.Roots = append(out.Roots, root)
		}
	}
	kept := e.kept(a)
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.status[a.Name]
	e.load(a.Name, s)
	out.Files, out.Sessions, out.Nodes, out.Bytes, out.Worked = s.Files, s.Sessions, s.Nodes, s.Bytes, s.Worked
	for reason, c := range s.Skipped {
		c.Places = append([]transcript.Skip(nil), c.Places...)
		out.Skipped[reason] = c
	}
	out.AtRisk = e.risk(a, kept)
	var torn transcript.Tally
	for _, path := range slices.Sorted(maps.Keys(e.found)) {
		if f := e.files[path]; f != nil && f.agent == a.Name && f.known {
			n := max(f.cursor.Size-f.cursor.compared(), 0)
			out.Waiting += n
			if n > 0 && e.o.Now().Sub(time.Unix(0, f.cursor.Mtime)) > tornAfter {
				torn.Add(transcript.Skip{Reason: tornReason, File: path, Line: f.cursor.Place.Line + 1, Bytes: n})
			}
		}
	}
	maps.Copy(out.Skipped, torn.Counts())
	return out
}

// tornReason is the skip of a last line that has had no end for tornAfter. It is read when that comes.
const (
	tornReason = "last line without its end"
	tornAfter  = time.Minute
)

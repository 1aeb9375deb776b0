package shadow

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

// Rules is raised when equal nodes give other commits than before; what was recorded is then recorded anew.
const Rules = "1"

// scan is what was read of a session: which nodes edited files, turn by turn. No contents are in it.
type scan struct {
	through int // the number of the newest node that was read
	cwd     map[string]string
	model   string
	turns   map[int]*turn
	waiting map[string][]*edited // by sub-agent: edits that no message followed yet
	last    map[string]int       // the newest turn that edited a path
}

// turn is one turn that edited files.
type turn struct {
	n       int
	subject string // the prompt
	edits   []*edited
}

// edited is one node that edited files.
type edited struct {
	id, model string
	paths     []string // absolute, in the order of the node's changes
	at        int64    // Unix seconds; 0 where unknown
	until     int64    // when the agent went on after it; 0 while it has not
}

// read brings the scan up to date with the session.
func (c *scan) read(x Session) error {
	if c.turns == nil {
		*c = scan{turns: map[int]*turn{}, cwd: map[string]string{"": x.Cwd}, waiting: map[string][]*edited{}, last: map[string]int{}}
	}
	for n, err := range x.History.Nodes(c.through + 1) {
		if err != nil {
			return fmt.Errorf("read session %s for the shadow history: %w", x.ID, err)
		}
		c.add(&n)
	}
	return nil
}

func (c *scan) add(n *memory.Node) {
	c.through = n.Seq
	m := &n.Metadata
	if m.Cwd != "" {
		c.cwd[m.AgentID] = m.Cwd
	}
	c.model = cmp.Or(m.Model, c.model)
	if n.Role != memory.RoleTool {
		for _, e := range c.waiting[m.AgentID] {
			e.until = n.CreatedAt
		}
		delete(c.waiting, m.AgentID)
	}
	if n.StartsTurn() {
		c.turn(m.Turn).subject = n.Output[:min(len(n.Output), 2000)]
	}
	changes := edit.Of(n)
	if len(changes) == 0 {
		return
	}
	e := &edited{id: n.ID, model: c.model, at: n.CreatedAt}
	for i := range changes {
		p := absolute(cmp.Or(c.cwd[m.AgentID], c.cwd[""]), changes[i].Path)
		e.paths = append(e.paths, p)
		c.last[p] = max(m.Turn, c.last[p])
	}
	t := c.turn(m.Turn)
	t.edits = append(t.edits, e)
	c.waiting[m.AgentID] = append(c.waiting[m.AgentID], e)
}

func (c *scan) turn(n int) *turn {
	if c.turns[n] == nil {
		c.turns[n] = &turn{n: n}
	}
	return c.turns[n]
}

// edited are the turns that edited files, in their order.
func (c *scan) edited() []*turn {
	var out []*turn
	for _, t := range c.turns {
		if len(t.edits) > 0 {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *turn) int { return a.n - b.n })
	return out
}

// key names what a turn did: it changes when the turn goes on.
func (t *turn) key() string {
	h := sha256.New()
	h.Write([]byte(Rules))
	for _, e := range t.edits {
		h.Write([]byte("\x00" + e.id))
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// from and to are the times of the turn's first and last edit.
func (t *turn) span() (from, to int64) {
	for _, e := range t.edits {
		if e.at > 0 && (from == 0 || e.at < from) {
			from = e.at
		}
		to = max(to, e.at)
	}
	return from, to
}

var windowsPath = regexp.MustCompile(`^(?:[A-Za-z]:[\\/]|\\\\)`)

// absolute is a path that a call names, from the folder that it worked in. A path of the other kind of system stays.
func absolute(cwd, p string) string {
	switch {
	case filepath.IsAbs(p):
		return filepath.Clean(p)
	case windowsPath.MatchString(p) || cwd == "":
		return p
	case filepath.IsAbs(cwd):
		return filepath.Join(cwd, filepath.FromSlash(p))
	}
	return path.Join(cwd, p)
}

// keptScans is how many sessions' scans are kept.
const keptScans = 64

// scanOf is the scan of a session, a new one where none is kept.
func (s *Store) scanOf(sessionID string) *scan {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.scans[sessionID]
	if c == nil {
		c = &scan{}
		s.scans[sessionID] = c
	}
	s.order = append(slices.DeleteFunc(s.order, func(id string) bool { return id == sessionID }), sessionID)
	for len(s.order) > keptScans {
		delete(s.scans, s.order[0])
		s.order = s.order[1:]
	}
	return c
}

func (s *Store) dropScan(sessionID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.scans, sessionID)
}

// Package commits joins Project-Git with the sessions: which commits of a project's repository were made while a session went
// on, by the agent or by the person, and at which node.
//
// A commit is tied to a session by the strongest thing that is known: its own message, where it was made here for an agent; a
// tool call that shows its id; else the time, which says only that the session went on.
//
// The package never writes, and never takes a commit that merely was shown (an old one in a log) for one that was made then.
package commits

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/session"
)

// By says what ties a commit to a session.
type By string

// The ties, the strongest first.
const (
	ByMessage By = "message" // the commit's own message names session and turn
	ByCall    By = "call"    // a tool call shows its id
	ByTime    By = "time"    // it was made while the session went on
)

// Link ties a commit to a place in a session.
type Link struct {
	Session string
	Turn    int    // 0 where it is not known
	Node    string // empty where it is not known
	By      By
}

// Linked is a commit with what it is tied to, the strongest tie first.
type Linked struct {
	gitrepo.LogEntry
	Links []Link
}

// after is how long after a session's newest node a commit may come and still count as made during it, in seconds: the node of a
// call that commits has the time at which the call began.
const after = 60

// skew is how much git and transcripts may differ in rounding a time, in seconds.
const skew = 5

var named = regexp.MustCompile(`^\[agent ([^\]\s]+)\] turn (\d+):`)

// Named is the session and turn that the message of a commit for an agent names.
func Named(e gitrepo.LogEntry) (Link, bool) {
	m := named.FindStringSubmatch(e.Subject)
	if m == nil || !project.ByAgent(e) {
		return Link{}, false
	}
	turn, err := strconv.Atoi(m[2])
	return Link{Session: m[1], Turn: turn, By: ByMessage}, err == nil
}

// During lists the commits of a repository that were made while a session went on, the newest first, each tied to the node that
// it comes from where that is known. Where the repository notes what was made in it, commits that only came in are left out, and
// those that no branch holds any more are among the others.
func During(ctx context.Context, g project.Git, x *session.Session) ([]Linked, error) {
	meta := x.Meta()
	log, err := g.Log(ctx, gitrepo.LogQuery{Since: meta.CreatedAt, Until: meta.UpdatedAt + after})
	if err != nil {
		return nil, err
	}
	seen, err := look(x)
	if err != nil {
		return nil, err
	}
	made, err := g.MadeHere()
	if err != nil {
		return nil, err
	}
	list := gathered{have: map[string]bool{}}
	for _, e := range log {
		list.add(e)
	}
	for _, id := range append(seen.made, madeWithin(made, meta.CreatedAt, meta.UpdatedAt+after)...) {
		if e, err := g.Lookup(ctx, id); err == nil && e.Time >= meta.CreatedAt-skew && e.Time <= meta.UpdatedAt+after {
			list.add(e)
		}
	}
	slices.SortStableFunc(list.entries, func(a, b gitrepo.LogEntry) int { return cmp.Compare(b.Time, a.Time) })
	out := []Linked{}
	for _, e := range list.entries {
		l := seen.links(meta.ID, e)
		if l[0].By == ByTime && made.From != 0 && made.From <= meta.CreatedAt && made.At[e.SHA] == 0 {
			continue // it came in from elsewhere
		}
		out = append(out, Linked{LogEntry: e, Links: l})
	}
	return out, nil
}

// gathered is a list of commits, each once.
type gathered struct {
	have    map[string]bool
	entries []gitrepo.LogEntry
}

func (g *gathered) add(e gitrepo.LogEntry) {
	if !g.have[e.SHA] {
		g.have[e.SHA] = true
		g.entries = append(g.entries, e)
	}
}

// madeWithin are the ids of the commits that were made in a span of time, sorted.
func madeWithin(m gitrepo.Made, from, to int64) []string {
	var out []string
	for id, at := range m.At {
		if at >= from && at <= to {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// Within ties a commit to sessions by its message, or by time alone to those in whose folder it can have been made.
func Within(e gitrepo.LogEntry, sessions []memory.Session) []Link {
	own, ok := Named(e)
	var out []Link
	for _, s := range sessions {
		switch {
		case ok && (own.Session == s.ID || own.Session == s.AgentSessionID):
			own.Session = s.ID
			return []Link{own}
		case !ok && e.Time >= s.CreatedAt-skew && e.Time <= s.UpdatedAt+after:
			out = append(out, Link{Session: s.ID, By: ByTime})
		}
	}
	if ok {
		return []Link{own}
	}
	return out
}

// Tie ties a commit to a session that it is known to belong to, to the node where that is known.
func Tie(x *session.Session, e gitrepo.LogEntry) (Link, error) {
	all, err := Ties(x, []gitrepo.LogEntry{e})
	if err != nil {
		return Link{}, err
	}
	return all[0], nil
}

// Ties ties each of some commits to a session as Tie does, and reads the session once.
func Ties(x *session.Session, all []gitrepo.LogEntry) ([]Link, error) {
	seen, err := look(x)
	if err != nil {
		return nil, err
	}
	out := make([]Link, len(all))
	for i, e := range all {
		out[i] = seen.links(x.Meta().ID, e)[0]
	}
	return out, nil
}

// place is a node of a session, by time.
type place struct {
	at   int64
	turn int
	node string
}

// sight is what a session's nodes show.
type sight struct {
	places []place            // in the order of their numbers
	shown  map[string][]place // the first shortID characters of a commit's id -> tool calls that show it
	whole  map[string]bool    // ids as they are shown
	made   []string           // ids that git said it had made
}

const shortID = 7

var (
	ids = regexp.MustCompile(`\b[0-9a-f]{7,64}\b`)
	// gitMade is what git commit, merge, cherry-pick and revert print: "[main 1a2b3c4] Subject".
	gitMade = regexp.MustCompile(`(?m)^\[[^\]\n]+ ([0-9a-f]{7,64})\] `)
)

func look(x *session.Session) (*sight, error) {
	s := &sight{shown: map[string][]place{}, whole: map[string]bool{}}
	for n, err := range x.Nodes(1) {
		if err != nil {
			return nil, err
		}
		p := place{n.CreatedAt, n.Metadata.Turn, n.ID}
		s.places = append(s.places, p)
		if n.Role != memory.RoleTool || memory.OwnCall(&n) {
			continue
		}
		for _, m := range gitMade.FindAllStringSubmatch(n.Output, -1) {
			s.made = append(s.made, m[1])
		}
		for _, id := range ids.FindAllString(n.Output, -1) {
			if !s.whole[n.ID+id] {
				s.whole[n.ID+id] = true
				s.shown[id[:shortID]] = append(s.shown[id[:shortID]], p)
			}
		}
	}
	return s, nil
}

// links are a commit's ties to the session: its message, else the first call that shows it, else the newest node before it.
func (s *sight) links(id string, e gitrepo.LogEntry) []Link {
	if l, ok := Named(e); ok {
		if n := s.lastOf(l.Turn); n != nil {
			l.Node = n.node
		}
		return []Link{l}
	}
	for _, p := range s.shown[e.SHA[:shortID]] {
		if s.shows(p.node, e.SHA) { // nothing can show an id before its commit is made
			return []Link{{Session: id, Turn: p.turn, Node: p.node, By: ByCall}}
		}
	}
	l := Link{Session: id, By: ByTime}
	for _, p := range s.places {
		if p.at != 0 && p.at <= e.Time {
			l.Turn, l.Node = p.turn, p.node
		}
	}
	return []Link{l}
}

// shows reports whether a node shows a beginning of a commit's id.
func (s *sight) shows(node, sha string) bool {
	for n := shortID; n <= len(sha); n++ {
		if s.whole[node+sha[:n]] {
			return true
		}
	}
	return false
}

// lastOf is the last node of a turn.
func (s *sight) lastOf(turn int) *place {
	for i := range slices.Backward(s.places) {
		if s.places[i].turn == turn {
			return &s.places[i]
		}
	}
	return nil
}

// recent is how many of a session's newest nodes tell whether it is at work.
const recent = 200

// AtWork are the other sessions that called a tool in a work tree since a time, in Unix seconds. own is the id of the session that
// asks, or its agent's id of it.
func AtWork(store *session.Store, root, own string, since int64) ([]string, error) {
	all, _, err := store.List()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, s := range all {
		if s.ID == own || s.AgentSessionID == own || s.UpdatedAt < since || !project.Below(s.Cwd, root) {
			continue
		}
		x, err := store.Open(s.ID)
		if err != nil {
			return nil, err
		}
		for n, err := range x.Nodes(max(1, x.Len()-recent)) {
			if err != nil {
				return nil, err
			}
			if n.Role == memory.RoleTool && n.CreatedAt >= since {
				out = append(out, s.ID)
				break
			}
		}
	}
	return out, nil
}

package daemon

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/service/commits"
	"dormouse/service/title"
	"dormouse/store/gitrepo"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/project/edit"
)

// Bounds of a blame.
const (
	maxBlocks       = 60
	maxBlameTurns   = 2  // of a block
	maxBlameRecords = 5  // of a block, and of the file
	maxSearched     = 20 // sessions that are looked through for the calls that wrote uncommitted lines
)

// blame tells which commits, turns and decisions made lines of a file what they are.
func (d *Daemon) blame(ctx context.Context, q api.BlameQuery) (api.Blame, error) {
	path := filepath.Clean(q.Path)
	g, err := d.projects.Open(ctx, filepath.Dir(nearest(path)))
	if errors.Is(err, project.ErrNoRepository) {
		return api.Blame{}, notFound("%s lies in no git repository, so that nothing is known of its lines", path)
	}
	if err != nil {
		return api.Blame{}, err
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}
	made, err := g.Blame(ctx, path, q.From, q.To)
	if errors.Is(err, project.ErrNoFile) {
		return api.Blame{}, &api.Error{Code: api.CodeNotFound, Message: err.Error()}
	}
	if err != nil {
		return api.Blame{}, err
	}
	x, err := d.blamer(ctx, g)
	if err != nil {
		return api.Blame{}, err
	}
	out := api.Blame{Project: x.project, Path: made.Path, State: made.State, Lines: made.Lines}
	names := []string{made.Path}
	for _, s := range made.Made {
		if out.More = len(out.Blocks) == maxBlocks; out.More {
			break
		}
		b, err := x.block(ctx, s, made.Path)
		if err != nil {
			return out, err
		}
		if b.Was != "" {
			names = append(names, b.Was)
		}
		out.Blocks = append(out.Blocks, b)
	}
	x.records(&out, names)
	return out, ctx.Err()
}

// nearest is a path, or the nearest one above it that is there.
func nearest(path string) string {
	for dir := path; ; dir = filepath.Dir(dir) {
		if _, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil || filepath.Dir(dir) == dir {
			return dir
		}
	}
}

// blamer is what one blame looks through.
type blamer struct {
	d        *Daemon
	git      project.Git
	project  api.Project
	sessions []memory.Session // of the project, newest first
	commits  map[string]commits.Linked
}

func (d *Daemon) blamer(ctx context.Context, g project.Git) (*blamer, error) {
	x := &blamer{d: d, git: g, commits: map[string]commits.Linked{}}
	at, err := d.projects.At(ctx, g.Root)
	if err != nil || at.Project == nil {
		return x, err // nothing was captured there; git still tells
	}
	if x.project, err = d.oneProject(ctx, at.Project.ID); err != nil {
		return x, err
	}
	x.sessions, err = d.sessionsOf(at.Project.ID)
	slices.SortFunc(x.sessions, func(a, b memory.Session) int { return cmp.Compare(b.UpdatedAt, a.UpdatedAt) })
	return x, err
}

// maxFirst is how much of a block's first line is told, in bytes.
const maxFirst = 200

func (x *blamer) block(ctx context.Context, s project.Stretch, path string) (api.BlameBlock, error) {
	b := api.BlameBlock{From: s.From, To: s.To, Turns: []api.BlameTurn{}}
	if len(s.Lines) > 0 {
		b.First = strings.ToValidUTF8(s.Lines[0][:min(len(s.Lines[0]), maxFirst)], "")
	}
	if s.Commit == "" {
		b.Turns = x.wrote(s.Lines, path)
		return b, nil
	}
	if s.Path != "" && s.Path != path {
		b.Was = s.Path
	}
	c, err := x.commit(ctx, s.Commit)
	if err != nil {
		return b, err
	}
	shown := commitOf(c)
	b.Commit = &shown
	for _, l := range c.Links[:min(len(c.Links), maxBlameTurns)] {
		b.Turns = append(b.Turns, x.turn(l.Session, l.Turn, string(l.By)))
	}
	return b, nil
}

// commit is a commit, tied to the turns that it comes from, the surest first. A session that merely went on meanwhile is left out where
// another one is known to have made it.
func (x *blamer) commit(ctx context.Context, id string) (commits.Linked, error) {
	if c, ok := x.commits[id]; ok {
		return c, nil
	}
	e, err := x.git.Lookup(ctx, id)
	if errors.Is(err, gitrepo.ErrNoCommit) {
		e, err = gitrepo.LogEntry{SHA: id}, nil // a shallow clone does not have it
	}
	if err != nil {
		return commits.Linked{}, err
	}
	c := commits.Linked{LogEntry: e}
	for i, l := range commits.Within(e, x.sessions) {
		if i == maxTied {
			break
		}
		if s, err := x.d.sessions.Open(l.Session); err == nil {
			if tied, err := commits.Tie(s, e); err == nil {
				l = tied
			}
		}
		c.Links = append(c.Links, l)
	}
	if slices.ContainsFunc(c.Links, func(l commits.Link) bool { return l.By != commits.ByTime }) {
		c.Links = slices.DeleteFunc(c.Links, func(l commits.Link) bool { return l.By == commits.ByTime })
	}
	x.commits[id] = c
	return c, nil
}

// turn is a turn as it is shown: whose it is, and what the person said in it.
func (x *blamer) turn(session string, n int, by string) api.BlameTurn {
	t := api.BlameTurn{SessionID: session, Turn: n, By: by, Missing: x.d.missing(session)}
	s, err := x.d.sessions.Open(session)
	if err != nil {
		return t
	}
	m := s.Meta()
	t.Agent, t.Title = m.Agent, m.Title
	t.Prompt = promptOf(s, n)
	return t
}

// promptOf is the beginning of what the person said in a turn, on one line.
func promptOf(s interface {
	Turn(int) ([]memory.Node, error)
}, n int) string {
	if n == 0 {
		return ""
	}
	nodes, err := s.Turn(n)
	if err != nil {
		return ""
	}
	for _, node := range nodes {
		if node.Role == memory.RoleUser && node.Metadata.Kind == memory.KindPrompt && node.Metadata.AgentID == "" {
			return title.Preview(node.Output)
		}
	}
	return ""
}

// wrote are the newest turns whose calls wrote most of some lines that no commit has.
func (x *blamer) wrote(lines []string, path string) []api.BlameTurn {
	want := map[string]bool{}
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			want[l] = true
		}
	}
	abs := filepath.Join(x.git.Root, filepath.FromSlash(path))
	best := []api.BlameTurn{}
	for i, m := range x.sessions {
		if i == maxSearched || len(want) == 0 {
			break
		}
		s, err := x.d.sessions.Open(m.ID)
		if err != nil {
			continue
		}
		wrote := map[int]map[string]bool{}
		for n, err := range s.Nodes(1) {
			if err != nil {
				break
			}
			for _, c := range edit.Of(&n) {
				if !samePath(c.Path, abs, path, m.Cwd) {
					continue
				}
				if wrote[n.Metadata.Turn] == nil {
					wrote[n.Metadata.Turn] = map[string]bool{}
				}
				for l := range written(&c) {
					if want[l] {
						wrote[n.Metadata.Turn][l] = true
					}
				}
			}
		}
		best = append(best, x.takeTurns(m.ID, wrote, want)...)
		if len(best) >= maxBlameTurns {
			return best[:maxBlameTurns]
		}
	}
	return best
}

// takeTurns are the turns of a session that wrote some of the lines, the newest first; lines that one of them wrote are wanted no more.
func (x *blamer) takeTurns(session string, wrote map[int]map[string]bool, want map[string]bool) (out []api.BlameTurn) {
	var turns []int
	for n := range wrote {
		turns = append(turns, n)
	}
	slices.SortFunc(turns, func(a, b int) int { return b - a })
	for _, n := range turns {
		some := false
		for l := range wrote[n] {
			some = some || want[l]
			delete(want, l)
		}
		if some {
			out = append(out, x.turn(session, n, "edit"))
		}
	}
	return out
}

// samePath reports whether a call means a file by a path of its own.
func samePath(called, abs, rel, cwd string) bool {
	p := filepath.FromSlash(called)
	if !filepath.IsAbs(p) {
		if filepath.ToSlash(filepath.Clean(p)) == rel {
			return true
		}
		p = filepath.Join(cwd, p)
	}
	if p = filepath.Clean(p); p == abs {
		return true
	}
	real, err := filepath.EvalSymlinks(filepath.Dir(p))
	return err == nil && filepath.Join(real, filepath.Base(p)) == abs
}

// written are the lines that a change puts into a file, without blanks around them.
func written(c *edit.Change) map[string]bool {
	out := map[string]bool{}
	add := func(text string) {
		for l := range strings.Lines(text) {
			if l = strings.TrimSpace(l); l != "" {
				out[l] = true
			}
		}
	}
	if c.Whole != nil {
		add(*c.Whole)
	}
	for _, r := range c.Replace {
		add(r.New)
	}
	for l := range strings.Lines(c.Diff) {
		if text, ok := strings.CutPrefix(l, "+"); ok {
			add(text)
		}
	}
	return out
}

// records adds the memories that come from the turns of the blocks, and those that name the file under one of its names.
func (x *blamer) records(out *api.Blame, names []string) {
	if out.Project.ID == "" {
		return
	}
	entities, told := map[string]bool{}, map[string]bool{} // names of the file; sessions of the blocks
	for _, n := range names {
		entities["file."+n] = true
	}
	for _, b := range out.Blocks {
		for _, t := range b.Turns {
			told[t.SessionID] = true
		}
	}
	type found struct {
		api.BlameRecord
		from  memory.Provenance
		names bool // the file
	}
	var all []found
	v := view(out.Project.ID)
	x.d.ledger.Read(func(s *memory.State) {
		for _, e := range s.Events {
			naming := slices.ContainsFunc(e.Entities, func(id string) bool { return entities[id] })
			if v.Sees(e.Scope) && e.SupersededBy == "" && e.Trust != memory.TrustQuoted && (told[e.Provenance.SessionID] || naming) {
				all = append(all, found{api.BlameRecord{ID: e.ID, Kind: e.Kind, Text: e.Summary, Trust: e.Trust}, e.Provenance, naming})
			}
		}
		for _, f := range s.Facts {
			if v.Sees(f.Scope) && f.SupersededBy == "" && f.Trust != memory.TrustQuoted && told[f.Provenance.SessionID] {
				all = append(all, found{api.BlameRecord{ID: f.ID, Kind: kindFact, Text: f.Text(), Trust: f.Trust}, f.Provenance, false})
			}
		}
	})
	type place struct {
		session string
		turn    int
	}
	of, used := map[place][]api.BlameRecord{}, map[string]bool{}
	var naming []api.BlameRecord
	for _, f := range all {
		r := f.BlameRecord
		r.SessionID = f.from.SessionID
		if f.from.EventTime != nil {
			r.Time = *f.from.EventTime
		}
		if len(f.from.NodeIDs) > 0 {
			r.Turn = x.d.turnOf(r.SessionID, f.from.NodeIDs[0])
		}
		of[place{r.SessionID, r.Turn}] = append(of[place{r.SessionID, r.Turn}], r)
		if f.names {
			naming = append(naming, r)
		}
	}
	for i := range out.Blocks {
		b := &out.Blocks[i]
		for _, t := range b.Turns {
			if t.Turn > 0 {
				b.Records = append(b.Records, of[place{t.SessionID, t.Turn}]...)
			}
		}
		b.Records = mostTelling(b.Records)
		for _, r := range b.Records {
			used[r.ID] = true
		}
	}
	out.Records = mostTelling(slices.DeleteFunc(naming, func(r api.BlameRecord) bool { return used[r.ID] }))
}

// kindFact stands for what holds, among the kinds of events.
const kindFact memory.Kind = "fact"

// mostTelling are a few of some records: decisions, then what holds, then findings, then the rest, each the newest first.
func mostTelling(list []api.BlameRecord) []api.BlameRecord {
	rank := map[memory.Kind]int{memory.KindDecision: 0, kindFact: 1, memory.KindLearning: 2, memory.KindWork: 3}
	of := func(k memory.Kind) int {
		if n, ok := rank[k]; ok {
			return n
		}
		return len(rank)
	}
	slices.SortFunc(list, func(a, b api.BlameRecord) int {
		return cmp.Or(cmp.Compare(of(a.Kind), of(b.Kind)), cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
	})
	return list[:min(len(list), maxBlameRecords)]
}

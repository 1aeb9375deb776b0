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

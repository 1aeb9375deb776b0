package daemon

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"dormouse/service/api"
	"dormouse/service/commits"
	"dormouse/service/redact"
	"dormouse/store/gitrepo"
	"dormouse/store/project"
)

// turnTime is how long the begin or the end of a turn may take, whether or not the hook that told of it still waits.
const turnTime = 5 * time.Minute

// commitTime is how long a commit that is being made may go on when the service shuts down.
const commitTime = 10 * time.Second

// openCommitter makes what commits the agents' turns.
func (d *Daemon) openCommitter(r *redact.Redactor) {
	d.committer = project.NewCommitter(project.CommitterOptions{
		Open: d.projects.Open, Redact: r.Text, Now: d.p.Now,
		Others: func(root, own string, since time.Time) ([]string, error) {
			if err := d.room(); err != nil { // nobody is captured, so nobody knows
				return nil, err
			}
			return commits.AtWork(d.sessions, root, own, since.Unix())
		},
		Report: func(o project.Outcome) {
			d.p.Log.Info("a turn was not committed", "component", "autocommit", "project", o.Turn.Project, "session", o.Turn.Session,
				"turn", o.Turn.N, "reason", o.Reason)
			d.publish("project", o.Turn.Project)
		},
	})
}

// bindInit is bindFolder for a folder that is to have a repository.
func (d *Daemon) bindInit(ctx context.Context, path string) (api.Project, error) {
	p, err := d.projects.BindInit(ctx, path)
	if err != nil {
		return api.Project{}, refusal(err)
	}
	return d.changedProject(ctx, p.ID)
}

// whole finds the project that a person means.
func (d *Daemon) whole(ctx context.Context, name string) (project.Project, error) {
	id, err := d.projectID(ctx, name)
	if err != nil {
		return project.Project{}, err
	}
	return d.projects.Get(id)
}

// placeOf is the folder that is meant by a project's name: the name itself where it is a folder, else the project's own.
func placeOf(name string, p project.Project) string {
	if filepath.IsAbs(name) {
		return name
	}
	return p.Path
}

// projectState is one project with its repository.
func (d *Daemon) projectState(ctx context.Context, name string) (api.ProjectState, error) {
	p, err := d.whole(ctx, name)
	if err != nil {
		return api.ProjectState{}, err
	}
	out := api.ProjectState{AutoCommit: d.autoCommitOf(p)}
	if out.Project, err = d.oneProject(ctx, p.ID); err != nil {
		return out, err
	}
	out.Git, err = d.gitOf(ctx, placeOf(name, p))
	if err != nil {
		out.Problem = err.Error()
	}
	return out, ctx.Err()
}

// gitOf is how the repository at a folder stands.
func (d *Daemon) gitOf(ctx context.Context, dir string) (*api.Git, error) {
	if dir == "" {
		return nil, errors.New("it has no folder on this machine")
	}
	g, err := d.projects.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	out := &api.Git{Root: g.Root, ReadBy: string(g.Way), Why: g.Why}
	if g.Bare {
		info, err := gitrepo.Inspect(ctx, g.Location)
		out.Branch, out.Head = info.Branch, info.Head
		return out, err
	}
	s, err := g.Status(ctx)
	if err != nil {
		return nil, err
	}
	out.Branch, out.Head, out.Doing, out.Changes = s.Branch, s.Head, s.Doing, len(s.Changes)
	return out, nil
}

func (d *Daemon) autoCommitOf(p project.Project) api.AutoCommit {
	out := api.AutoCommit{On: p.AutoCommit}
	if last, ok := d.committer.Last(p.ID); ok && p.AutoCommit {
		o := outcomeOf(last)
		out.Last = &o
	}
	return out
}

func outcomeOf(o project.Outcome) api.TurnOutcome {
	return api.TurnOutcome{SessionID: o.Turn.Session, Turn: o.Turn.N, Commit: o.Commit, Reason: string(o.Reason), Text: o.Text, At: o.At}
}

// setAutoCommit turns the committing of turns on or off. It is refused where there is no work tree to commit in.
func (d *Daemon) setAutoCommit(ctx context.Context, name string, on bool) (api.ProjectState, error) {
	p, err := d.whole(ctx, name)
	if err != nil {
		return api.ProjectState{}, err
	}
	if on {
		if err := d.committable(ctx, placeOf(name, p)); err != nil {
			return api.ProjectState{}, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("auto-commit of %s: %v", p.Name, err)}
		}
	}
	if _, err := d.projects.SetAutoCommit(p.ID, on); err != nil {
		return api.ProjectState{}, refusal(err)
	}
	if !on {
		d.committer.Forget(p.ID)
	}
	d.publish("project", p.ID)
	return d.projectState(ctx, name)
}

// committable says why nothing can be committed in a folder.
func (d *Daemon) committable(ctx context.Context, dir string) error {
	if dir == "" {
		return errors.New("it has no folder on this machine")
	}
	g, err := d.projects.Open(ctx, dir)
	if err == nil {
		_, err = g.Status(ctx)
	}
	return err
}

// turn is a report as the committer takes it; on says whether the person wants turns committed in its project.
func (d *Daemon) turn(ctx context.Context, r api.TurnReport) (t project.Turn, on bool, err error) {
	p, err := d.whole(ctx, r.Project)
	if err != nil {
		return t, false, err
	}
	return project.Turn{Session: r.SessionID, Project: p.ID, Dir: placeOf(r.Project, p), N: r.Turn, Model: r.Model, Words: r.Words}, p.AutoCommit, nil
}

// beginTurn is told that an agent's turn begins.
func (d *Daemon) beginTurn(ctx context.Context, r api.TurnReport) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), turnTime)
	defer cancel()
	t, on, err := d.turn(ctx, r)
	if err == nil && on {
		d.committer.Begin(ctx, t)
	}
	return err
}

// endTurn is told that an agent's turn has ended, and commits it where the person wants that.
func (d *Daemon) endTurn(ctx context.Context, r api.TurnReport) (api.TurnOutcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), turnTime)
	defer cancel()
	t, on, err := d.turn(ctx, r)
	if err != nil {
		return api.TurnOutcome{}, err
	}
	if !on {
		return api.TurnOutcome{SessionID: t.Session, Turn: t.N, At: d.p.Now().Unix(), Reason: "off",
			Text: "auto-commit is off for this project; dormouse project autocommit on PROJECT turns it on"}, nil
	}
	if err := d.engine.CatchUp(ctx); err != nil {
		return api.TurnOutcome{}, err
	}
	d.complete(&t)
	o := d.committer.End(ctx, t)
	switch {
	case o.Commit != "":
		d.committing.ok()
	case o.Reason == project.CannotTell, o.Reason == project.Refused, o.Reason == project.Unsigned, o.Reason == project.NoRepository:
		d.committing.failure(fmt.Errorf("%s: %s", o.Turn.Project, o.Text))
	}
	return outcomeOf(o), nil
}

// complete adds what a hook does not know of a turn that has ended and the session does.
func (d *Daemon) complete(t *project.Turn) {
	x, err := d.sessions.Open(t.Session)
	if err != nil {
		return
	}
	m := x.Meta()
	if t.N == 0 {
		t.N = m.Turns
	}
	if t.Model == "" {
		t.Model = m.Model
	}
}

// autoCommitProblems are the turns that were not committed, of projects whose person wants it.
func (d *Daemon) autoCommitProblems() []string {
	all, err := d.projects.List()
	if err != nil {
		return nil // status names it
	}
	var out []string
	for _, p := range all {
		if last, ok := d.committer.Last(p.ID); ok && p.AutoCommit && last.Commit == "" {
			out = append(out, fmt.Sprintf("%s: turn %d of %s was not committed: %s", p.Name, last.Turn.N, last.Turn.Session, last.Text))
		}
	}
	return out
}

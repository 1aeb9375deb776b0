package localapi

import (
	"context"
	"net/http"
	"time"

	"dormouse/service/api"
)

// Limits of what may be asked of Project-Git.
const (
	maxCommits     = 10_000
	defaultCommits = 50
	maxDiff        = 8 << 20
	defaultDiff    = 256 << 10

	// turnTime is how long the end of a turn may take: the person's hooks run when it is committed.
	turnTime = 5 * time.Minute
)

// turnParams are the parameters of a turn's begin and end.
var turnParams = []string{"session", "project", "turn", "model", "words"}

// gitTable lists the paths of Project-Git.
func (b *Backend) gitTable() map[string]route {
	return map[string]route{
		api.PathProject:       get(b.project, "project"),
		api.PathProjectRename: post(b.renameProject, "project", "name"),
		api.PathAutoCommit:    post(b.autoCommit, "project", "on"),
		api.PathCommits:       get(b.commits, "project", "session", "agent", "since", "until", "limit", "for"),
		api.PathCommit:        get(b.commit, "project", "id", "bytes", "for"),
		api.PathTurnBegin:     post(b.beginTurn, turnParams...),
		api.PathTurnEnd:       {method: http.MethodPost, limit: turnTime, params: turnParams, answer: ignoring(b.endTurn)},
	}
}

func (b *Backend) project(ctx context.Context, p *params) (any, error) {
	project := p.needed("project")
	if err := p.check(b.Project != nil); err != nil {
		return nil, err
	}
	return b.Project(ctx, project)
}

func (b *Backend) autoCommit(ctx context.Context, p *params) (any, error) {
	project, on := p.needed("project"), p.oneOf("on", "true", "false")
	if len(on) != 1 {
		p.wrong("on has to be true or false")
	}
	if err := p.check(b.AutoCommit != nil); err != nil {
		return nil, err
	}
	return b.AutoCommit(ctx, project, on[0] == "true")
}

func (b *Backend) commits(ctx context.Context, p *params) (any, error) {
	q := api.CommitQuery{Project: p.text("project"), Session: p.text("session"), Agent: p.oneOf("agent", "true") != nil,
		Since: p.time("since", false), Until: p.time("until", true), Limit: p.number("limit", 1, maxCommits, defaultCommits), For: p.text("for")}
	if q.Project == "" && q.Session == "" {
		p.wrong("project or session is needed")
	}
	if err := p.check(b.Commits != nil); err != nil {
		return nil, err
	}
	v, err := b.Commits(ctx, q)
	v.Commits = list(v.Commits)
	for i := range v.Commits {
		v.Commits[i].Links = list(v.Commits[i].Links)
	}
	return v, err
}

func (b *Backend) commit(ctx context.Context, p *params) (any, error) {
	project, id, bytes, agent := p.needed("project"), p.needed("id"), p.number("bytes", 0, maxDiff, defaultDiff), p.text("for")
	if err := p.check(b.Commit != nil); err != nil {
		return nil, err
	}
	v, err := b.Commit(ctx, project, id, bytes, agent)
	v.Files, v.Links = list(v.Files), list(v.Links)
	return v, err
}

func (p *params) turn() api.TurnReport {
	return api.TurnReport{SessionID: p.needed("session"), Project: p.needed("project"), Turn: p.number("turn", 0, maxTurn, 0),
		Model: p.text("model"), Words: p.text("words")}
}

func (b *Backend) beginTurn(ctx context.Context, p *params) (any, error) {
	t := p.turn()
	if err := p.check(b.BeginTurn != nil); err != nil {
		return nil, err
	}
	return nil, b.BeginTurn(ctx, t)
}

func (b *Backend) endTurn(ctx context.Context, p *params) (any, error) {
	t := p.turn()
	if err := p.check(b.EndTurn != nil); err != nil {
		return nil, err
	}
	return b.EndTurn(ctx, t)
}

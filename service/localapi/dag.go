package localapi

import (
	"context"

	"dormouse/service/api"
)

// Limits of how many nodes are in an answer.
const (
	maxNodes     = 10_000
	defaultNodes = 1000
)

// dagTable lists the paths of a session's history.
func (b *Backend) dagTable() map[string]route {
	return map[string]route{
		api.PathSessionCommits:  get(b.sessionCommits, "id"),
		api.PathSessionBranches: get(b.sessionBranches, "id"),
		api.PathSessionNodes:    get(b.sessionNodes, "id", "since", "after", "head", "limit"),
		api.PathSessionContext:  get(b.sessionContext, "id", "turn"),
		api.PathSessionSwitch:   post(b.switchSession, "id", "node"),
	}
}

func (b *Backend) sessionCommits(ctx context.Context, p *params) (any, error) {
	id := p.needed("id")
	if err := p.check(b.SessionCommits != nil); err != nil {
		return nil, err
	}
	v, err := b.SessionCommits(ctx, id)
	v.Branches, v.Commits = list(v.Branches), list(v.Commits)
	for i := range v.Commits {
		v.Commits[i].Parents, v.Commits[i].Nodes = list(v.Commits[i].Parents), list(v.Commits[i].Nodes)
	}
	return v, err
}

func (b *Backend) sessionBranches(ctx context.Context, p *params) (any, error) {
	id := p.needed("id")
	if err := p.check(b.SessionBranches != nil); err != nil {
		return nil, err
	}
	v, err := b.SessionBranches(ctx, id)
	v.Branches = list(v.Branches)
	return v, err
}

func (b *Backend) sessionNodes(ctx context.Context, p *params) (any, error) {
	q := api.NodeQuery{ID: p.needed("id"), Since: p.text("since"), Head: p.text("head"), After: p.number("after", 0, maxList, 0),
		Limit: p.number("limit", 1, maxNodes, defaultNodes)}
	if q.Since != "" && q.After > 0 {
		p.wrong("since and after exclude each other")
	}
	if err := p.check(b.SessionNodes != nil); err != nil {
		return nil, err
	}
	v, err := b.SessionNodes(ctx, q)
	v.Nodes = list(v.Nodes)
	return v, err
}

func (b *Backend) sessionContext(ctx context.Context, p *params) (any, error) {
	id, turn := p.needed("id"), p.number("turn", 0, maxTurn, 0)
	if !p.has("turn") {
		p.wrong("turn is needed")
	}
	if err := p.check(b.SessionContext != nil); err != nil {
		return nil, err
	}
	v, err := b.SessionContext(ctx, id, turn)
	v.Views = list(v.Views)
	for i := range v.Views {
		v.Views[i].Items = list(v.Views[i].Items)
	}
	return v, err
}

func (b *Backend) switchSession(ctx context.Context, p *params) (any, error) {
	id, node := p.needed("id"), p.needed("node")
	if err := p.check(b.Switch != nil); err != nil {
		return nil, err
	}
	return b.Switch(ctx, id, node)
}

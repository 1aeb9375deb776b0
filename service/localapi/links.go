package localapi

import (
	"context"

	"dormouse/service/api"
)

// linkTable lists the paths of the agents' own settings.
func (b *Backend) linkTable() map[string]route {
	return map[string]route{
		api.PathLinks:      get(b.links),
		api.PathLinkPlan:   get(b.linkPlan, "agent", "action"),
		api.PathLinkChange: post(b.linkChange, "agent", "action", "mark"),
	}
}

func (b *Backend) links(ctx context.Context, p *params) (any, error) {
	if err := p.check(b.Links != nil); err != nil {
		return nil, err
	}
	v, err := b.Links(ctx)
	return list(v), err
}

func linkQuery(p *params) api.LinkQuery {
	q := api.LinkQuery{Agent: p.needed("agent"), Action: p.needed("action")}
	if q.Action != "" && q.Action != api.LinkConnect && q.Action != api.LinkDisconnect {
		p.wrong("action is connect or disconnect")
	}
	return q
}

func (b *Backend) linkPlan(ctx context.Context, p *params) (any, error) {
	q := linkQuery(p)
	if err := p.check(b.LinkPlan != nil); err != nil {
		return nil, err
	}
	v, err := b.LinkPlan(ctx, q)
	v.Files = list(v.Files)
	return v, err
}

func (b *Backend) linkChange(ctx context.Context, p *params) (any, error) {
	q := linkQuery(p)
	q.Mark = p.needed("mark")
	if err := p.check(b.LinkChange != nil); err != nil {
		return nil, err
	}
	v, err := b.LinkChange(ctx, q)
	v.Files = list(v.Files)
	return v, err
}

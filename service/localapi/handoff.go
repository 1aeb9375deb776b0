package localapi

import (
	"context"

	"dormouse/service/api"
)

// handoffTable lists the path of a project's open threads.
func (b *Backend) handoffTable() map[string]route {
	return map[string]route{api.PathHandoff: get(b.handoff, "project")}
}

func (b *Backend) handoff(ctx context.Context, p *params) (any, error) {
	project := p.needed("project")
	if err := p.check(b.Handoff != nil); err != nil {
		return nil, err
	}
	v, err := b.Handoff(ctx, project)
	v.Sessions = list(v.Sessions)
	return v, err
}

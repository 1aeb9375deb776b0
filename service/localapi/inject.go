package localapi

import (
	"context"
	"path/filepath"

	"dormouse/service/api"
)

// injectTable lists the path of what agents are told.
func (b *Backend) injectTable() map[string]route {
	return map[string]route{
		api.PathInject:     get(b.inject, "agent", "cwd", "prompt"),
		api.PathCoreBefore: get(b.coreBefore, "project", "at"),
	}
}

func (b *Backend) coreBefore(ctx context.Context, p *params) (any, error) {
	p.needed("at")
	project, at := p.text("project"), p.time("at", false)
	if err := p.check(b.CoreBefore != nil); err != nil {
		return nil, err
	}
	return b.CoreBefore(ctx, project, at)
}

func (b *Backend) inject(ctx context.Context, p *params) (any, error) {
	q := api.InjectQuery{Agent: p.needed("agent"), Cwd: p.needed("cwd"), Prompt: p.text("prompt")}
	if q.Cwd != "" && !filepath.IsAbs(q.Cwd) {
		p.wrong("cwd has to be an absolute path, not %q", clip(q.Cwd))
	}
	if err := p.check(b.Inject != nil); err != nil {
		return nil, err
	}
	return b.Inject(ctx, q)
}

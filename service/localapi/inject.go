package localapi

import (
	"context"
	"path/filepath"

	"dormouse/service/api"
)

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

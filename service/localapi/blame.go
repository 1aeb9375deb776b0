package localapi

import (
	"context"
	"path/filepath"

	"dormouse/service/api"
)

const maxBlameLine = 10_000_000

// blameTable lists the path of what made the lines of a file what they are.
func (b *Backend) blameTable() map[string]route {
	return map[string]route{api.PathBlame: get(b.blame, "path", "from", "to")}
}

func (b *Backend) blame(ctx context.Context, p *params) (any, error) {
	q := api.BlameQuery{Path: p.needed("path"), From: p.number("from", 1, maxBlameLine, 0), To: p.number("to", 1, maxBlameLine, 0)}
	if q.Path != "" && !filepath.IsAbs(q.Path) {
		p.wrong("path has to be absolute, not %q", clip(q.Path))
	}
	if q.From > 0 && q.To > 0 && q.From > q.To {
		p.wrong("from has to be no larger than to")
	}
	if err := p.check(b.Blame != nil); err != nil {
		return nil, err
	}
	v, err := b.Blame(ctx, q)
	v.Blocks = list(v.Blocks)
	return v, err
}

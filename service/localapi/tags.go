package localapi

import (
	"context"

	"dormouse/service/api"
)

const (
	maxTags     = 10_000
	defaultTags = 100
)

func (b *Backend) tags(ctx context.Context, p *params) (any, error) {
	q := api.TagQuery{Tag: p.text("tag"), Project: p.text("project"), Limit: p.number("limit", 1, maxTags, defaultTags), For: p.text("for")}
	if err := p.check(b.Tags != nil); err != nil {
		return nil, err
	}
	v, err := b.Tags(ctx, q)
	v.Tags, v.Segments = list(v.Tags), list(v.Segments)
	return v, err
}

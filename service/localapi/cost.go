package localapi

import (
	"context"

	"dormouse/service/api"
)

func (b *Backend) cost(ctx context.Context, p *params) (any, error) {
	q := api.CostQuery{By: p.text("by"), Since: p.text("since"), Until: p.text("until")}
	if err := p.check(b.Cost != nil); err != nil {
		return nil, err
	}
	return b.Cost(ctx, q)
}

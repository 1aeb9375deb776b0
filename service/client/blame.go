package client

import (
	"context"

	"dormouse/service/api"
)

// Blame asks what made lines of a file what they are.
func (c *Client) Blame(ctx context.Context, q api.BlameQuery) (api.Blame, error) {
	return getWithin[api.Blame](ctx, c, 6*c.o.Timeout, api.PathBlame, q.Values())
}

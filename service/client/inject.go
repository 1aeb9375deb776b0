package client

import (
	"context"

	"dormouse/service/api"
)

// Inject asks what an agent would be told.
func (c *Client) Inject(ctx context.Context, q api.InjectQuery) (api.Injection, error) {
	return get[api.Injection](ctx, c, api.PathInject, q.Values())
}

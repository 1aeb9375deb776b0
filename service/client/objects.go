package client

import (
	"context"

	"dormouse/service/api"
)

// Objects asks what a session is made of.
func (c *Client) Objects(ctx context.Context, q api.ObjectQuery) (api.Objects, error) {
	return getWithin[api.Objects](ctx, c, 6*c.o.Timeout, api.PathObjects, q.Values())
}

// Pager asks what the context engine is set to.
func (c *Client) Pager(ctx context.Context) (api.Pager, error) {
	return get[api.Pager](ctx, c, api.PathPager, nil)
}

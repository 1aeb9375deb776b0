package client

import (
	"context"

	"dormouse/service/api"
)

// When asks what the memory knows of a time.
func (c *Client) When(ctx context.Context, q api.WhenQuery) (api.When, error) {
	return getWithin[api.When](ctx, c, 6*c.o.Timeout, api.PathWhen, q.Values())
}

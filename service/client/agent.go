package client

import (
	"context"

	"dormouse/service/api"
)

// Locate asks which projects folders (absolute), ids or names mean.
func (c *Client) Locate(ctx context.Context, what []string) (api.Located, error) {
	return getWithin[api.Located](ctx, c, 6*c.o.Timeout, api.PathLocate, api.LocateValues(what))
}

package client

import (
	"context"

	"dormouse/service/api"
)

// Tags asks for tags, or for what is filed under one.
func (c *Client) Tags(ctx context.Context, q api.TagQuery) (api.Tags, error) {
	return getWithin[api.Tags](ctx, c, 6*c.o.Timeout, api.PathTags, q.Values())
}

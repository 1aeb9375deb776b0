package client

import (
	"context"
	"net/url"
	"strconv"

	"dormouse/service/api"
)

// CoreBefore asks for a core.md as it was at a time, in Unix seconds.
func (c *Client) CoreBefore(ctx context.Context, project string, at int64) (api.Core, error) {
	return getWithin[api.Core](ctx, c, 6*c.o.Timeout, api.PathCoreBefore, url.Values{"project": {project}, "at": {strconv.FormatInt(at, 10)}})
}

// Inject asks what an agent would be told.
func (c *Client) Inject(ctx context.Context, q api.InjectQuery) (api.Injection, error) {
	return get[api.Injection](ctx, c, api.PathInject, q.Values())
}

package client

import (
	"context"

	"dormouse/service/api"
)

// Links asks how the agents' own settings are.
func (c *Client) Links(ctx context.Context) ([]api.Link, error) {
	return get[[]api.Link](ctx, c, api.PathLinks, nil)
}

// LinkPlan asks what would be written to an agent's settings. A mark is of no use to it.
func (c *Client) LinkPlan(ctx context.Context, q api.LinkQuery) (api.LinkPlan, error) {
	q.Mark = ""
	return get[api.LinkPlan](ctx, c, api.PathLinkPlan, q.Values())
}

// LinkChange has written what a plan says, and nothing else.
func (c *Client) LinkChange(ctx context.Context, q api.LinkQuery) (api.LinkPlan, error) {
	return post[api.LinkPlan](ctx, c, api.PathLinkChange, q.Values())
}

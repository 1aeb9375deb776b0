package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"dormouse/service/api"
)

// Review asks for what waits for the person, of one project or all.
func (c *Client) Review(ctx context.Context, project string, limit int) (api.Review, error) {
	v := url.Values{}
	if project != "" {
		v.Set("project", project)
	}
	if limit > 0 {
		v.Set("limit", strconv.Itoa(limit))
	}
	return get[api.Review](ctx, c, api.PathReview, v)
}

// Decide tells what the person decided, and returns when it is done, however long an erase takes; it ends early with ctx.
func (c *Client) Decide(ctx context.Context, d api.Decide) (api.Decided, error) {
	var v api.Decided
	if _, err := c.Status(ctx); err != nil {
		return v, err
	}
	err := c.call(ctx, http.MethodPost, api.PathDecide, d.Values(), &v)
	return v, err
}

// Decisions asks for lines of the log, newest first.
func (c *Client) Decisions(ctx context.Context, q api.DecisionQuery) (api.Decisions, error) {
	return getWithin[api.Decisions](ctx, c, 6*c.o.Timeout, api.PathDecisions, q.Values())
}

// Facts asks for facts.
func (c *Client) Facts(ctx context.Context, q api.FactQuery) (api.Facts, error) {
	return getWithin[api.Facts](ctx, c, 6*c.o.Timeout, api.PathFacts, q.Values())
}

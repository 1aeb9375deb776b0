package client

import (
	"context"

	"dormouse/service/api"
)

// Locate asks which projects folders (absolute), ids or names mean.
func (c *Client) Locate(ctx context.Context, what []string) (api.Located, error) {
	return getWithin[api.Located](ctx, c, 6*c.o.Timeout, api.PathLocate, api.LocateValues(what))
}

// SessionFor opens a session by its whole id for an agent: one turn, or those from a number on, as many as go into an answer.
func (c *Client) SessionFor(ctx context.Context, q api.TranscriptQuery) (api.Transcript, error) {
	return getWithin[api.Transcript](ctx, c, 6*c.o.Timeout, api.PathSession, q.Values())
}

// Ask has a question answered out of the memory.
func (c *Client) Ask(ctx context.Context, q api.AskQuery) (api.Asked, error) {
	return getWithin[api.Asked](ctx, c, 6*c.o.Timeout, api.PathAsk, q.Values())
}

// Propose offers a memory in the name of an agent.
func (c *Client) Propose(ctx context.Context, q api.ProposeQuery) (api.Proposed, error) {
	return post[api.Proposed](ctx, c, api.PathPropose, q.Values())
}

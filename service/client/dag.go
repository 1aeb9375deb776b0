package client

import (
	"context"
	"net/url"
	"strconv"

	"dormouse/service/api"
)

// SessionCommits asks for a session's branches and commits.
func (c *Client) SessionCommits(ctx context.Context, id string) (api.SessionCommits, error) {
	return getWithin[api.SessionCommits](ctx, c, 6*c.o.Timeout, api.PathSessionCommits, url.Values{"id": {id}})
}

// SessionBranches asks for a session's branches.
func (c *Client) SessionBranches(ctx context.Context, id string) (api.SessionBranches, error) {
	return getWithin[api.SessionBranches](ctx, c, 6*c.o.Timeout, api.PathSessionBranches, url.Values{"id": {id}})
}

// SessionNodes asks for what a session got since a commit or after a number.
func (c *Client) SessionNodes(ctx context.Context, q api.NodeQuery) (api.Nodes, error) {
	return getWithin[api.Nodes](ctx, c, 6*c.o.Timeout, api.PathSessionNodes, q.Values())
}

// SessionContext asks for what the models saw in a turn.
func (c *Client) SessionContext(ctx context.Context, id string, turn int) (api.Context, error) {
	return getWithin[api.Context](ctx, c, 6*c.o.Timeout, api.PathSessionContext, url.Values{"id": {id}, "turn": {strconv.Itoa(turn)}})
}

// Switch makes a node the head of its session: the repository shows the branch that it is on.
func (c *Client) Switch(ctx context.Context, id, node string) (api.Session, error) {
	return post[api.Session](ctx, c, api.PathSessionSwitch, url.Values{"id": {id}, "node": {node}})
}

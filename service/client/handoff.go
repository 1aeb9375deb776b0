package client

import (
	"context"

	"dormouse/service/api"
)

// Handoff asks for the open threads of a project, by id, name or folder.
func (c *Client) Handoff(ctx context.Context, project string) (api.Handoff, error) {
	return getWithin[api.Handoff](ctx, c, 6*c.o.Timeout, api.PathHandoff, api.HandoffValues(project))
}

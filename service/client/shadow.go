package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"dormouse/service/api"
)

// Diff asks what a session changed in files: in one turn, or in all where turn is nil.
func (c *Client) Diff(ctx context.Context, id string, turn *int) (api.Diff, error) {
	v := url.Values{"id": {id}}
	if turn != nil {
		v.Set("turn", strconv.Itoa(*turn))
	}
	return getWithin[api.Diff](ctx, c, 6*c.o.Timeout, api.PathDiff, v)
}

// Restore writes the files that a session edited to another folder. It asks for a sign of life first, since many files take their
// time.
func (c *Client) Restore(ctx context.Context, q api.RestoreQuery) (api.Restored, error) {
	var out api.Restored
	if _, err := c.Status(ctx); err != nil {
		return out, err
	}
	v := url.Values{"id": {q.ID}, "side": {q.Side}, "dir": {q.Dir}, "force": {strconv.FormatBool(q.Force)}}
	if q.Turn != nil {
		v.Set("turn", strconv.Itoa(*q.Turn))
	}
	err := c.call(ctx, http.MethodPost, api.PathRestore, v, &out)
	return out, err
}

// SetShadow turns a project's shadow history on or off.
func (c *Client) SetShadow(ctx context.Context, project string, on bool) (api.ProjectState, error) {
	return post[api.ProjectState](ctx, c, api.PathShadow, url.Values{"project": {project}, "on": {strconv.FormatBool(on)}})
}

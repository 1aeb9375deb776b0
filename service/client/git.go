package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"dormouse/service/api"
)

// BindInit is Bind for a folder that is to have a git repository: where it lies in none, one is made.
func (c *Client) BindInit(ctx context.Context, path string) (api.Project, error) {
	return post[api.Project](ctx, c, api.PathBind, url.Values{"path": {path}, "init": {"true"}})
}

// Project asks for one project with its repository, by id, name or folder.
func (c *Client) Project(ctx context.Context, project string) (api.ProjectState, error) {
	return getWithin[api.ProjectState](ctx, c, 6*c.o.Timeout, api.PathProject, url.Values{"project": {project}})
}

// AutoCommit turns the committing of agents' turns in a project on or off.
func (c *Client) AutoCommit(ctx context.Context, project string, on bool) (api.ProjectState, error) {
	return post[api.ProjectState](ctx, c, api.PathAutoCommit, url.Values{"project": {project}, "on": {strconv.FormatBool(on)}})
}

// Commits asks for commits of a project, newest first.
func (c *Client) Commits(ctx context.Context, q api.CommitQuery) (api.Commits, error) {
	return getWithin[api.Commits](ctx, c, 6*c.o.Timeout, api.PathCommits, q.Values())
}

// Commit shows one commit of a project by its whole or shortened id; bytes bounds its diff, 0 leaves that to the service.
func (c *Client) Commit(ctx context.Context, project, id string, bytes int) (api.CommitShown, error) {
	return c.CommitFor(ctx, "", project, id, bytes)
}

// CommitFor is Commit as an agent may see it; the one that belongs to a turn that is private is not found.
func (c *Client) CommitFor(ctx context.Context, agent, project, id string, bytes int) (api.CommitShown, error) {
	v := url.Values{"project": {project}, "id": {id}}
	if agent != "" {
		v.Set("for", agent)
	}
	if bytes > 0 {
		v.Set("bytes", strconv.Itoa(bytes))
	}
	return getWithin[api.CommitShown](ctx, c, 6*c.o.Timeout, api.PathCommit, v)
}

// BeginTurn tells that a turn of an agent begins, before it has changed anything.
func (c *Client) BeginTurn(ctx context.Context, r api.TurnReport) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.Timeout, ErrHung)
	defer cancel()
	return c.call(ctx, http.MethodPost, api.PathTurnBegin, r.Values(), nil)
}

// EndTurn tells that a turn of an agent has ended and what became of its changes, however long the person's git hooks take.
func (c *Client) EndTurn(ctx context.Context, r api.TurnReport) (api.TurnOutcome, error) {
	var out api.TurnOutcome
	err := c.call(ctx, http.MethodPost, api.PathTurnEnd, r.Values(), &out)
	return out, err
}

package client

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"dormouse/service/api"
	"dormouse/service/socket"
)

// Status asks how the service is.
func (c *Client) Status(ctx context.Context) (api.Status, error) {
	return get[api.Status](ctx, c, api.PathStatus, nil)
}

// Sessions asks for sessions, newest first.
func (c *Client) Sessions(ctx context.Context, q api.SessionQuery) ([]api.Session, error) {
	return get[[]api.Session](ctx, c, api.PathSessions, q.Values())
}

// Session opens a session by its whole id: one turn of it, or all where turn is nil.
func (c *Client) Session(ctx context.Context, id string, turn *int) (all api.Transcript, err error) {
	if turn != nil {
		return getWithin[api.Transcript](ctx, c, 6*c.o.Timeout, api.PathSession, api.TranscriptQuery{ID: id, Turn: turn}.Values())
	}
	for page, err := range c.SessionPages(ctx, id) {
		if err != nil {
			return page, err
		}
		all.Add(page)
	}
	return all, nil
}

// SessionPages opens a session by its whole id, some turns at a time, so that neither side has all of a long one in memory. It ends after
// the first error.
func (c *Client) SessionPages(ctx context.Context, id string) iter.Seq2[api.Transcript, error] {
	return func(yield func(api.Transcript, error) bool) {
		from := 0
		for next := &from; next != nil; {
			page, err := getWithin[api.Transcript](ctx, c, 6*c.o.Timeout, api.PathSession, api.TranscriptQuery{ID: id, From: next}.Values())
			if !yield(page, err) || err != nil {
				return
			}
			if next = page.Next; next != nil && *next <= from {
				return // it would never end
			}
			if next != nil {
				from = *next
			}
		}
	}
}

// Rename gives a session the person's own title.
func (c *Client) Rename(ctx context.Context, id, title string) (api.Session, error) {
	return post[api.Session](ctx, c, api.PathRename, url.Values{"id": {id}, "title": {title}})
}

// Pin marks a session, or takes the mark away.
func (c *Client) Pin(ctx context.Context, id string, on bool) (api.Session, error) {
	v := url.Values{"id": {id}}
	if !on {
		v.Set("off", "true")
	}
	return post[api.Session](ctx, c, api.PathPin, v)
}

// Delete removes a session.
func (c *Client) Delete(ctx context.Context, id string) (api.Session, error) {
	return post[api.Session](ctx, c, api.PathDelete, url.Values{"id": {id}})
}

// Undelete has a deleted session captured again.
func (c *Client) Undelete(ctx context.Context, id string) (api.Session, error) {
	return post[api.Session](ctx, c, api.PathUndelete, url.Values{"id": {id}})
}

// Thaw writes a session's files out and says where.
func (c *Client) Thaw(ctx context.Context, id string) (api.Thawed, error) {
	return post[api.Thawed](ctx, c, api.PathThaw, url.Values{"id": {id}})
}

// Projects asks for all projects.
func (c *Client) Projects(ctx context.Context) ([]api.Project, error) {
	return get[[]api.Project](ctx, c, api.PathProjects, nil)
}

// Timeline asks for events, newest first.
func (c *Client) Timeline(ctx context.Context, q api.TimelineQuery) (api.Timeline, error) {
	return get[api.Timeline](ctx, c, api.PathTimeline, q.Values())
}

// Graph asks for an entity and what lies around it.
func (c *Client) Graph(ctx context.Context, q api.GraphQuery) (api.Graph, error) {
	return get[api.Graph](ctx, c, api.PathGraph, q.Values())
}

// Search asks for what matches some words, best first.
func (c *Client) Search(ctx context.Context, q api.SearchQuery) (api.Search, error) {
	return get[api.Search](ctx, c, api.PathSearch, q.Values())
}

// Core asks for a project's core.md, or for the global one where project is empty.
func (c *Client) Core(ctx context.Context, project string) (api.Core, error) {
	v := url.Values{}
	if project != "" {
		v.Set("project", project)
	}
	return get[api.Core](ctx, c, api.PathCore, v)
}

// ExplainCore is Core with the reasons for its lines.
func (c *Client) ExplainCore(ctx context.Context, project string) (api.Core, error) {
	v := url.Values{"explain": {"1"}}
	if project != "" {
		v.Set("project", project)
	}
	return get[api.Core](ctx, c, api.PathCore, v)
}

// Index tells how the search index stands.
func (c *Client) Index(ctx context.Context) (api.Index, error) {
	return get[api.Index](ctx, c, api.PathIndex, nil)
}

// RebuildIndex has the search index made anew in the background; Index tells how far that is.
func (c *Client) RebuildIndex(ctx context.Context) (api.Index, error) {
	var i api.Index
	err := c.call(ctx, http.MethodPost, api.PathIndexRebuild, nil, &i)
	return i, err
}

// Sleep distils what is waiting, now, and returns when that is done, however long it takes; it ends early with ctx. It asks
// for a sign of life first, so that a hung service is told from one that has much to do.
func (c *Client) Sleep(ctx context.Context) (api.Slept, error) {
	var s api.Slept
	if _, err := c.Status(ctx); err != nil {
		return s, err
	}
	err := c.call(ctx, http.MethodPost, api.PathSleep, nil, &s)
	return s, err
}

// TryModel asks the language model one tiny question, and returns when it has answered or failed.
func (c *Client) TryModel(ctx context.Context) (api.ModelTried, error) {
	var t api.ModelTried
	if _, err := c.Status(ctx); err != nil {
		return t, err
	}
	err := c.call(ctx, http.MethodPost, api.PathModelTry, nil, &t)
	return t, err
}

// Cost sums up what models took.
func (c *Client) Cost(ctx context.Context, q api.CostQuery) (api.Cost, error) {
	return get[api.Cost](ctx, c, api.PathCost, url.Values{"by": {q.By}, "since": {q.Since}, "until": {q.Until}})
}

// Pause stops capture until a time in Unix seconds, or for good with api.Indefinitely; 0 goes on. It answers with the status.
func (c *Client) Pause(ctx context.Context, until int64) (api.Status, error) {
	return post[api.Status](ctx, c, api.PathPause, url.Values{"until": {strconv.FormatInt(until, 10)}})
}

// Bind binds a folder as a project.
func (c *Client) Bind(ctx context.Context, path string) (api.Project, error) {
	return post[api.Project](ctx, c, api.PathBind, url.Values{"path": {path}})
}

// Unbind takes a project's binding back. Its sessions and memories stay.
func (c *Client) Unbind(ctx context.Context, project string) (api.Project, error) {
	return post[api.Project](ctx, c, api.PathUnbind, url.Values{"project": {project}})
}

// RenameProject gives a project the person's own name; an empty one takes that back.
func (c *Client) RenameProject(ctx context.Context, project, name string) (api.Project, error) {
	return post[api.Project](ctx, c, api.PathProjectRename, url.Values{"project": {project}, "name": {name}})
}

// Sync exchanges with the remote now, however long the network takes; it ends early with ctx.
func (c *Client) Sync(ctx context.Context) (api.Synced, error) {
	var s api.Synced
	if _, err := c.Status(ctx); err != nil {
		return s, err
	}
	err := c.call(ctx, http.MethodPost, api.PathSync, nil, &s)
	return s, err
}

// SyncSetup chooses the remote, or forgets it for "", and exchanges at once; it ends early with ctx.
func (c *Client) SyncSetup(ctx context.Context, remote string) (api.Synced, error) {
	return c.SyncChoose(ctx, api.SyncChoice{URL: remote})
}

// SyncRestore is SyncSetup for a remote that was rewound, emptied or replaced, or that holds another log of this machine: what
// this machine knows is put onto it again.
func (c *Client) SyncRestore(ctx context.Context, remote string) (api.Synced, error) {
	return c.SyncChoose(ctx, api.SyncChoice{URL: remote, Restore: true})
}

// SyncChoose is SyncSetup with all that may be said about it.
func (c *Client) SyncChoose(ctx context.Context, choice api.SyncChoice) (api.Synced, error) {
	var s api.Synced
	if _, err := c.Status(ctx); err != nil {
		return s, err
	}
	err := c.call(ctx, http.MethodPost, api.PathSyncSetup, choice.Values(), &s)
	return s, err
}

// SyncLogin has a token kept for the host of an https address. The token travels in a header, which nobody logs.
func (c *Client) SyncLogin(ctx context.Context, remote, user, token string) error {
	v := url.Values{"url": {remote}}
	if user != "" {
		v.Set("user", user)
	}
	return c.call(context.WithValue(ctx, tokenKey{}, token), http.MethodPost, api.PathSyncLogin, v, nil)
}

// tokenKey is under which a call finds its token.
type tokenKey struct{}

// Import captures what lies at an absolute path, an export or a copy of an agent's store, however long that takes; it ends early
// with ctx.
func (c *Client) Import(ctx context.Context, path string) (api.Imported, error) {
	var v api.Imported
	if _, err := c.Status(ctx); err != nil {
		return v, err
	}
	err := c.call(ctx, http.MethodPost, api.PathImport, url.Values{"path": {path}}, &v)
	return v, err
}

// Stop asks the service to shut down. It returns when the service has begun to.
func (c *Client) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.Timeout, ErrHung)
	defer cancel()
	return c.call(ctx, http.MethodPost, api.PathStop, nil, nil)
}

// Running reports whether a service listens, by opening a connection and closing it again. An error says neither yes nor
// no.
func (c *Client) Running(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.Timeout, ErrHung)
	defer cancel()
	conn, err := socket.Dial(ctx, c.o.Home)
	switch {
	case errors.Is(err, socket.ErrNoService):
		return false, nil
	case err != nil:
		return false, c.explain(ctx, err)
	}
	return true, conn.Close()
}

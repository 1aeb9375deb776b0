package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

// minPrefix is how many characters of the agent's own session id have to be given.
const minPrefix = 4

// openSession opens a session by its id, a unique beginning of it, or a beginning of the agent's own id: one turn, or all, some at a
// time.
func openSession(ctx context.Context, c *client.Client, word string, turn *int) iter.Seq2[api.Transcript, error] {
	return func(yield func(api.Transcript, error) bool) {
		first, err := opened(ctx, c, word, func(id string) (p someTurns, err error) {
			p.next, p.stop = iter.Pull2(turnsOf(ctx, c, id, turn))
			p.page, err, p.ok = p.next()
			if err != nil {
				p.stop()
			}
			return p, err
		})
		if err != nil {
			yield(first.page, err)
			return
		}
		defer first.stop()
		for page, ok := first.page, first.ok; ok && yield(page, err) && err == nil; {
			page, err, ok = first.next()
		}
	}
}

// someTurns is a session that is being opened.
type someTurns struct {
	next func() (api.Transcript, error, bool)
	stop func()
	page api.Transcript // the first
	ok   bool
}

func turnsOf(ctx context.Context, c *client.Client, id string, turn *int) iter.Seq2[api.Transcript, error] {
	if turn == nil {
		return c.SessionPages(ctx, id)
	}
	return func(yield func(api.Transcript, error) bool) { yield(c.Session(ctx, id, turn)) }
}

// opened does something with the session that a word means: its id, a unique beginning of it, or a beginning of the agent's own id. The
// sessions are listed only where the word is no id.
func opened[T any](ctx context.Context, c *client.Client, word string, do func(id string) (T, error)) (T, error) {
	v, err := do(word)
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.CodeNotFound {
		return v, err
	}
	all, listErr := c.Sessions(ctx, api.SessionQuery{})
	if listErr != nil {
		return v, listErr
	}
	found := matching(all, word)
	switch len(found) {
	case 0:
		return v, fmt.Errorf("%w; dormouse sessions lists them", noSession(all, word, e))
	case 1:
		if found[0].ID == word { // the session is there and the turn is not
			return v, err
		}
		return do(found[0].ID)
	}
	return v, ambiguous(word, found)
}

// onOpened asks for something of one session and prints it.
func onOpened[T any](cmd *cobra.Command, a *app, word string, do func(*client.Client, context.Context, string) (T, error),
	format func(view, T) []string) error {
	return ask(cmd.Context(), a, func(c *client.Client) (T, error) {
		return opened(cmd.Context(), c, strings.TrimSpace(word), func(id string) (T, error) { return do(c, cmd.Context(), id) })
	}, format)
}

// matching are the sessions that id may mean; the one that it names in full stands alone.
func matching(all []api.Session, id string) []api.Session {
	var out []api.Session
	low := strings.ToLower(id)
	for _, s := range all {
		if s.ID == id {
			return []api.Session{s}
		}
		if strings.HasPrefix(s.ID, low) || len(id) >= minPrefix && strings.HasPrefix(strings.ToLower(s.AgentSessionID), low) {
			out = append(out, s)
		}
	}
	return out
}

func noSession(all []api.Session, id string, e *api.Error) error {
	if len(all) == 0 {
		return &api.Error{Code: api.CodeNotFound, Message: "there are no sessions yet"}
	}
	return &api.Error{Code: api.CodeNotFound, Message: fmt.Sprintf("no session %q", id), Candidates: e.Candidates}
}

func ambiguous(id string, found []api.Session) error {
	e := &api.Error{Code: api.CodeAmbiguous, Message: fmt.Sprintf("%q may be any of %d sessions; give more of its id", id, len(found))}
	for _, s := range found {
		e.Candidates = append(e.Candidates, s.ID+"  "+s.Title)
	}
	return e
}

// wholeID is the id of the one session that a word means: its id, a unique beginning of it, or a beginning of the agent's own. With
// deleted it is one that was deleted.
func wholeID(ctx context.Context, c *client.Client, word string, deleted bool) (string, error) {
	all, err := c.Sessions(ctx, api.SessionQuery{Deleted: deleted})
	if err != nil {
		return "", err
	}
	found := matching(all, word)
	switch {
	case len(found) == 1:
		return found[0].ID, nil
	case len(found) > 1:
		return "", ambiguous(word, found)
	case deleted:
		return "", &api.Error{Code: api.CodeNotFound, Message: fmt.Sprintf("no session %q was deleted; dormouse sessions --deleted lists those that were", word)}
	}
	return "", fmt.Errorf("%w; dormouse sessions lists them", noSession(all, word, &api.Error{}))
}

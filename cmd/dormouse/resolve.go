package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dormouse/service/api"
	"dormouse/service/client"
)

// minPrefix is how many characters of the agent's own session id have to be given.
const minPrefix = 4

// openSession opens a session by its id, a unique beginning of it, or a beginning of the agent's own id.
func openSession(ctx context.Context, c *client.Client, id string, turn *int) (api.Transcript, error) {
	t, err := c.Session(ctx, id, turn)
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.CodeNotFound {
		return t, err
	}
	all, listErr := c.Sessions(ctx, api.SessionQuery{})
	if listErr != nil {
		return t, listErr
	}
	found := matching(all, id)
	switch len(found) {
	case 0:
		return t, fmt.Errorf("%w; dormouse sessions lists them", noSession(all, id, e))
	case 1:
		if found[0].ID == id { // the session is there and the turn is not
			return t, err
		}
		return c.Session(ctx, found[0].ID, turn)
	}
	return t, ambiguous(id, found)
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

package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"dormouse/service/api"
	"dormouse/service/title"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// everySession lists the sessions that are there or out of reach, the newest first; or those that the person deleted, the one that was
// deleted last first.
func (d *Daemon) everySession(deleted bool) ([]api.Session, error) {
	if deleted {
		return d.deletedSessions(), nil
	}
	all, _, err := d.sessions.List()
	if err != nil {
		return nil, err
	}
	out := make([]api.Session, 0, len(all))
	for _, s := range all {
		out = append(out, listed(s))
	}
	away := d.sessions.Away()
	for _, a := range away {
		s := listed(a.Meta)
		s.Missing, s.Reason = api.MissingAway, a.Reason
		out = append(out, s)
	}
	if len(away) > 0 {
		slices.SortStableFunc(out, func(a, b api.Session) int {
			return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
		})
	}
	return out, nil
}

func (d *Daemon) deletedSessions() []api.Session {
	graves := d.sessions.Deleted()
	ids := slices.SortedFunc(maps.Keys(graves), func(a, b string) int {
		return cmp.Or(cmp.Compare(graves[b].At, graves[a].At), cmp.Compare(a, b))
	})
	out := make([]api.Session, 0, len(ids))
	for _, id := range ids {
		out = append(out, buried(graves[id]))
	}
	return out
}

func listed(s memory.Session) api.Session {
	return api.Session{Session: s, Turns: s.Turns, Nodes: s.Nodes}
}

// named is a session of a list with its project's name, and a preview where it has no title.
func (d *Daemon) named(s api.Session) api.Session {
	s.Project = d.projectName(s.ProjectID)
	if s.Title == "" && s.Missing == "" && s.Nodes > 0 {
		if x, err := d.sessions.Open(s.ID); err == nil {
			s.Title = title.Of(x)
		}
	}
	return s
}

func (d *Daemon) sessionOf(s memory.Session) api.Session { return d.named(listed(s)) }

// buried is a deleted session.
func buried(g session.Grave) api.Session {
	s := listed(g.Meta)
	s.Missing = api.MissingDeleted
	s.Reason = "you deleted it on " + time.Unix(g.At, 0).Format(time.DateOnly)
	return s
}

// absent is a session that is known and cannot be opened for this error.
func (d *Daemon) absent(id string, err error) (s api.Session, ok bool) {
	switch {
	case errors.Is(err, session.ErrDeleted):
		s, ok = buried(d.sessions.Deleted()[id]), true
	case err != nil:
		for _, a := range d.sessions.Away() {
			if a.Meta.ID == id {
				s, ok = listed(a.Meta), true
				s.Missing, s.Reason = api.MissingAway, a.Reason
			}
		}
	}
	return d.named(s), ok
}

// change opens a session and changes its meta.json. Its place in lists stays.
func (d *Daemon) change(id string, do func(*memory.Session)) (api.Session, error) {
	x, err := d.sessions.Open(id)
	if err != nil {
		return api.Session{}, missingSession(id, err)
	}
	if err := x.Update(do); err != nil {
		return api.Session{}, err
	}
	d.publish("session_updated", id)
	return d.sessionOf(x.Meta()), nil
}

func missingSession(id string, err error) error {
	switch {
	case errors.Is(err, session.ErrDeleted):
		return notFound("session %s was deleted; dormouse delete --undo %s captures it again", id, id)
	case errors.Is(err, session.ErrNotFound):
		return notFound("there is no session %s; dormouse sessions lists them", id)
	case errors.Is(err, session.ErrUnreachable):
		return notFound("%v", err)
	}
	return err
}

func (d *Daemon) renameSession(_ context.Context, id, name string) (api.Session, error) {
	said := memory.Node{Output: title.Own(name)}
	if _, err := d.redact(&said); err != nil {
		return api.Session{}, fmt.Errorf("rename session %s: %w", id, err)
	}
	name = said.Output
	if name == "" {
		return api.Session{}, &api.Error{Code: api.CodeBadRequest, Message: "a title has at least one visible character"}
	}
	return d.change(id, func(m *memory.Session) { m.Title, m.TitleBy = name, title.ByUser })
}

func (d *Daemon) pinSession(_ context.Context, id string, on bool) (api.Session, error) {
	return d.change(id, func(m *memory.Session) { m.Pinned = on })
}

// deleteSession removes a session. What was learned from it stays, with pointers that lead nowhere.
func (d *Daemon) deleteSession(ctx context.Context, id string) (api.Session, error) {
	if err := d.sessions.Delete(id); err != nil {
		return api.Session{}, missingSession(id, err)
	}
	if d.ledger.Reassess() { // what was moved by a receipt of it is shown to nobody any more
		d.drawUpSoon(ctx)
	}
	d.publish("session_updated", id)
	gone := d.sessions.Deleted()[id]
	if err := d.forgetShadow(gone.Meta); err != nil {
		return api.Session{}, err
	}
	return d.named(buried(gone)), nil
}

// undeleteSession has a deleted session captured again, as far as its transcript is there.
func (d *Daemon) undeleteSession(ctx context.Context, id string) (api.Session, error) {
	g, err := d.sessions.Undelete(id)
	if errors.Is(err, session.ErrNotFound) {
		return api.Session{}, notFound("session %s was not deleted; dormouse sessions --deleted lists those that were", id)
	}
	if err != nil {
		return api.Session{}, err
	}
	if d.engine.Recapture(g.Meta.Agent, g.Meta.AgentSessionID) {
		_ = d.engine.Scan(ctx) // what is left undone, the next scan does
	}
	if d.ledger.Reassess() {
		d.drawUpSoon(ctx)
	}
	d.publish("session_updated", id)
	x, err := d.sessions.Open(id)
	if err == nil {
		return d.sessionOf(x.Meta()), nil
	}
	s := listed(g.Meta)
	s.Missing, s.Turns, s.Nodes = api.MissingElsewhere, 0, 0
	s.Reason = "it is captured again as soon as its agent's transcript is there"
	return d.named(s), nil
}

// thawSession writes a session's files out, to be read without git.
func (d *Daemon) thawSession(_ context.Context, id string) (api.Thawed, error) {
	x, err := d.sessions.Open(id)
	if err != nil {
		return api.Thawed{}, missingSession(id, err)
	}
	if err := x.Thaw(); err != nil {
		return api.Thawed{}, err
	}
	d.keeper.thawed(id)
	return api.Thawed{Session: d.sessionOf(x.Meta()), Dir: x.Dir()}, nil
}

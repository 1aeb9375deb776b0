package daemon

import (
	"context"
	"errors"
	"fmt"

	"dormouse/service/api"
	"dormouse/store/memory"
	"dormouse/store/project/shadow"
	"dormouse/store/session"
)

// diff is what a session changed in files, in one turn or in all.
func (d *Daemon) diff(_ context.Context, id string, turn *int) (api.Diff, error) {
	m, err := d.sessionMeta(id)
	if err != nil {
		return api.Diff{}, err
	}
	out := api.Diff{SessionID: id, ProjectID: m.ProjectID, Turn: turn, Repository: d.shadow.store.Dir(m.ProjectID), Turns: []int{}, Files: []api.EditedFile{}}
	turns, err := d.shadow.store.Turns(m.ProjectID, id)
	if err != nil && !errors.Is(err, shadow.ErrNotFound) {
		return out, err
	}
	for _, t := range turns {
		out.Turns = append(out.Turns, t.N)
		if turn != nil && t.N == *turn {
			out.Subject, out.When, out.Commit = t.Subject, t.When, t.Commit
		}
	}
	changes, err := d.changes(m, turn)
	if err != nil {
		return out, err
	}
	for i := range changes {
		out.Files = append(out.Files, fileChange(&changes[i]))
	}
	return out, nil
}

func (d *Daemon) sessionMeta(id string) (memory.Session, error) {
	x, err := d.sessions.Open(id)
	if errors.Is(err, session.ErrNotFound) {
		return memory.Session{}, d.noSession(id)
	}
	if err != nil {
		return memory.Session{}, err
	}
	return x.Meta(), nil
}

// changes reads what the shadow history has of a session; where it has nothing, the error says why.
func (d *Daemon) changes(m memory.Session, turn *int) (list []shadow.Change, err error) {
	if turn != nil {
		_, list, err = d.shadow.store.Changes(m.ProjectID, m.ID, *turn)
	} else {
		list, err = d.shadow.store.Whole(m.ProjectID, m.ID)
	}
	if errors.Is(err, shadow.ErrNotFound) {
		return nil, notFound("%s", d.noShadow(m, turn))
	}
	return list, err
}

// noShadow says why nothing is kept of a session, or of a turn.
func (d *Daemon) noShadow(m memory.Session, turn *int) string {
	p, err := d.projects.Get(m.ProjectID)
	switch {
	case !d.p.Config.Shadow.Enabled:
		return "no edited files are kept: shadow.enabled is false in config.toml"
	case err == nil && p.ShadowOff:
		return fmt.Sprintf("no edited files are kept of the project %s: turn that on with dormouse project shadow on", p.Name)
	case err == nil && !p.Shadowed():
		return fmt.Sprintf("no edited files are kept of session %s, because its project %s is not bound: bind its folder with dormouse bind", m.ID, p.Name)
	case d.shadow.live.size()+d.shadow.older.size() > 0:
		return fmt.Sprintf("nothing is recorded yet of what session %s edited, and sessions still wait to be recorded: ask again in a moment", m.ID)
	case turn != nil:
		return fmt.Sprintf("turn %d of session %s edited no files, as far as its agent's calls tell", *turn, m.ID)
	}
	return fmt.Sprintf("session %s edited no files, as far as its agent's calls tell", m.ID)
}

func fileChange(c *shadow.Change) api.EditedFile {
	out := api.EditedFile{Path: c.Path, Why: c.Why, Outside: c.Outside, Mixed: c.Mixed, Edits: c.Edits, Shown: c.Shown,
		Before: sideOf(c.Old), After: sideOf(c.New), Binary: shadow.Binary(c.Old.Text) || shadow.Binary(c.New.Text)}
	out.Diff, out.Added, out.Removed = c.Unified()
	switch {
	case c.Old.From == shadow.Unknown || c.New.From == shadow.Unknown:
	case !out.Before.Exists && !out.After.Exists:
		out.Op = "none"
	case !out.Before.Exists:
		out.Op = "create"
	case !out.After.Exists:
		out.Op = "delete"
	case out.Before.Why == "" && c.Old.Text == c.New.Text:
		out.Op = "none"
	default:
		out.Op = "update"
	}
	return out
}

// sideOf is a side for a client. A content that is withheld is one of a file that was there.
func sideOf(s shadow.Side) api.Side {
	return api.Side{From: string(s.From), Exists: s.Exists || s.Why != "" && s.From != shadow.Unknown, Bytes: len(s.Text), Why: s.Why}
}

// restore writes the files that a session edited to another folder.
func (d *Daemon) restore(_ context.Context, q api.RestoreQuery) (api.Restored, error) {
	m, err := d.sessionMeta(q.ID)
	if err != nil {
		return api.Restored{}, err
	}
	list, err := d.changes(m, q.Turn)
	if err != nil {
		return api.Restored{}, err
	}
	forbidden := []string{d.p.Home.Dir(), m.Cwd}
	if p, err := d.projects.Get(m.ProjectID); err == nil {
		forbidden = append(append(forbidden, p.Path), p.Roots...)
	}
	done, err := shadow.Restore(list, q.Side, shadow.Target{Dir: q.Dir, Force: q.Force, Forbidden: forbidden})
	if errors.Is(err, shadow.ErrTarget) {
		return api.Restored{}, &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	if err != nil {
		return api.Restored{}, err
	}
	out := api.Restored{Dir: q.Dir, Files: []api.RestoredFile{}}
	for _, f := range done {
		out.Files = append(out.Files, api.RestoredFile{Path: f.Path, From: string(f.From), Why: f.Why})
		if f.Why == "" {
			out.Written++
		}
	}
	return out, nil
}

// setShadow turns a project's shadow history on or off. What it holds stays.
func (d *Daemon) setShadow(ctx context.Context, name string, on bool) (api.ProjectState, error) {
	id, err := d.projectID(ctx, name)
	if err != nil {
		return api.ProjectState{}, err
	}
	if _, err := d.projects.SetShadow(id, on); err != nil {
		return api.ProjectState{}, refusal(err)
	}
	if _, err := d.changedProject(ctx, id); err != nil {
		return api.ProjectState{}, err
	}
	return d.projectState(ctx, name)
}

// shadowState is how the shadow histories stand.
func (d *Daemon) shadowState() api.Shadow {
	out := api.Shadow{On: d.p.Config.Shadow.Enabled, Waiting: d.shadow.live.size() + d.shadow.older.size(), Unknown: int(d.shadow.unknown.Load())}
	list, err := d.projects.List()
	if err != nil {
		return out // status names the registry's file and what to do
	}
	for _, p := range list {
		u, err := d.shadow.store.Usage(p.ID)
		if err != nil {
			d.p.Log.Warn("shadow history cannot be read", "component", "shadow", "project", p.ID, "error", err)
			continue
		}
		if p.Shadowed() {
			out.Projects++
		}
		out.Sessions += u.Sessions
		out.Bytes += u.Bytes
	}
	return out
}

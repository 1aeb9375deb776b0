package daemon

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dormouse/service/api"
	"dormouse/service/commits"
	"dormouse/store/gitrepo"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/session"
)

// history is a project's repository, as an answer of the API.
type history struct {
	project api.Project
	git     project.Git
}

// historyOf opens the repository that is meant: the one at a folder, else the project's first one that is still there.
func (d *Daemon) historyOf(ctx context.Context, name string) (history, error) {
	p, err := d.whole(ctx, name)
	if err != nil {
		return history{}, err
	}
	var h history
	if h.project, err = d.oneProject(ctx, p.ID); err != nil {
		return h, err
	}
	var first error
	for _, dir := range append([]string{placeOf(name, p)}, p.Roots...) {
		if dir == "" {
			continue
		}
		if h.git, err = d.projects.Open(ctx, dir); err == nil {
			return h, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		return h, notFound("the project %s has no folder on this machine", p.Name)
	}
	return h, &api.Error{Code: api.CodeNotFound, Message: first.Error()}
}

// listCommits lists a project's commits, or those that were made during a session.
func (d *Daemon) listCommits(ctx context.Context, q api.CommitQuery) (api.Commits, error) {
	if q.Session != "" {
		return d.commitsOfSession(ctx, q)
	}
	h, err := d.historyOf(ctx, q.Project)
	if err != nil {
		return api.Commits{}, err
	}
	want := gitrepo.LogQuery{Since: q.Since, Limit: q.Limit + 1}
	if q.Until > 0 {
		want.Until = q.Until - 1
	}
	if q.Agent {
		want.Mail = project.AgentMail
	}
	log, err := h.git.Log(ctx, want)
	if err != nil {
		return api.Commits{}, err
	}
	sessions, err := d.sessionsOf(h.project.ID)
	if err != nil {
		return api.Commits{}, err
	}
	out := api.Commits{Project: h.project}
	if out.More = len(log) > q.Limit; out.More {
		log = log[:q.Limit]
	}
	all := make([]commits.Linked, 0, len(log))
	for _, e := range log {
		all = append(all, commits.Linked{LogEntry: e, Links: commits.Within(e, sessions)})
	}
	if q.For != "" {
		if all, err = d.openCommits(all); err != nil {
			return api.Commits{}, err
		}
	}
	for _, c := range all {
		out.Commits = append(out.Commits, commitOf(c))
	}
	return out, nil
}

// openCommits are those of some commits that agents may see: without those that private turns made, as far as that is known, and
// without ties to such turns. One that nothing but the time ties to such a turn counts as its own.
func (d *Daemon) openCommits(all []commits.Linked) ([]commits.Linked, error) {
	type tied struct {
		turns map[int]bool // private ones
		links []commits.Link
	}
	entries := make([]gitrepo.LogEntry, len(all))
	for i := range all {
		entries[i] = all[i].LogEntry
	}
	sessions := map[string]tied{}
	var out []commits.Linked
	for i, c := range all {
		var links, secret []commits.Link
		for _, l := range c.Links {
			t, known := sessions[l.Session]
			if x, err := d.sessions.Open(l.Session); err == nil && !known {
				if t.turns = d.privateTurns(x); t.turns != nil {
					if t.links, err = commits.Ties(x, entries); err != nil {
						return nil, err
					}
				}
			}
			sessions[l.Session] = t
			if t.turns == nil {
				links = append(links, l)
			} else if l = t.links[i]; t.turns[l.Turn] {
				secret = append(secret, l)
			} else {
				links = append(links, l)
			}
		}
		byTime := func(l commits.Link) bool { return l.By == commits.ByTime }
		if len(secret) > 0 && (!slices.ContainsFunc(links, func(l commits.Link) bool { return !byTime(l) }) || slices.ContainsFunc(secret, func(l commits.Link) bool { return !byTime(l) })) {
			continue
		}
		c.Links = links
		out = append(out, c)
	}
	return out, nil
}

// commitsOfSession lists the commits that were made while a session went on, in the repository where it took place.
func (d *Daemon) commitsOfSession(ctx context.Context, q api.CommitQuery) (api.Commits, error) {
	x, err := d.sessions.Open(q.Session)
	if errors.Is(err, session.ErrNotFound) {
		return api.Commits{}, notFound("there is no session %s; dormouse sessions lists them", q.Session)
	}
	if err != nil {
		return api.Commits{}, err
	}
	meta := x.Meta()
	h, err := d.historyOf(ctx, firstOf(q.Project, meta.ProjectID))
	if err != nil {
		return api.Commits{}, err
	}
	if g, err := d.projects.Open(ctx, meta.Cwd); err == nil && q.Project == "" {
		h.git = g // the work tree that it really was in
	}
	all, err := commits.During(ctx, h.git, x)
	if err == nil && q.For != "" {
		all, err = d.openCommits(all)
	}
	if err != nil {
		return api.Commits{}, err
	}
	out := api.Commits{Project: h.project}
	for _, c := range all {
		if q.Agent && !project.ByAgent(c.LogEntry) || c.Time < q.Since || q.Until > 0 && c.Time >= q.Until {
			continue
		}
		if out.More = len(out.Commits) == q.Limit; out.More {
			break
		}
		out.Commits = append(out.Commits, commitOf(c))
	}
	return out, nil
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// maxTied is how many sessions are looked through for the node that a commit comes from.
const maxTied = 3

// showCommit is one commit with what it changed, tied to the nodes that it comes from, as an agent or, for "", the person may see it.
func (d *Daemon) showCommit(ctx context.Context, name, id string, bytes int, agent string) (api.CommitShown, error) {
	h, err := d.historyOf(ctx, name)
	if err != nil {
		return api.CommitShown{}, err
	}
	s, err := h.git.Show(ctx, id, bytes)
	switch {
	case errors.Is(err, gitrepo.ErrNoCommit):
		return api.CommitShown{}, &api.Error{Code: api.CodeNotFound, Message: err.Error()}
	case errors.Is(err, gitrepo.ErrAmbiguous):
		return api.CommitShown{}, &api.Error{Code: api.CodeAmbiguous, Message: fmt.Sprintf("%v: give more of its id", err)}
	case err != nil:
		return api.CommitShown{}, err
	}
	sessions, err := d.sessionsOf(h.project.ID)
	if err != nil {
		return api.CommitShown{}, err
	}
	links := commits.Within(s.LogEntry, sessions)
	for i := range links[:min(len(links), maxTied)] {
		if x, err := d.sessions.Open(links[i].Session); err == nil {
			if l, err := commits.Tie(x, s.LogEntry); err == nil {
				links[i] = l
			}
		}
	}
	if agent != "" {
		shown, err := d.openCommits([]commits.Linked{{LogEntry: s.LogEntry, Links: links}})
		if err != nil {
			return api.CommitShown{}, err
		}
		if len(shown) == 0 {
			return api.CommitShown{}, notFound("commit %s comes from a turn that the person keeps to themselves", s.SHA)
		}
		links = shown[0].Links
	}
	out := api.CommitShown{Commit: commitOf(commits.Linked{LogEntry: s.LogEntry, Links: links}), Project: h.project, Diff: s.Diff, Cut: s.Cut}
	for _, f := range s.Files {
		out.Files = append(out.Files, api.FileChange(f))
	}
	return out, nil
}

func commitOf(c commits.Linked) api.Commit {
	out := api.Commit{ID: c.SHA, Author: c.Author, Agent: project.ByAgent(c.LogEntry), Time: c.Time, Subject: c.Subject, Body: c.Body, Links: []api.CommitLink{}}
	for _, l := range c.Links {
		out.Links = append(out.Links, api.CommitLink{SessionID: l.Session, Turn: l.Turn, NodeID: l.Node, By: string(l.By)})
	}
	return out
}

// sessionsOf are the sessions of a project.
func (d *Daemon) sessionsOf(projectID string) ([]memory.Session, error) {
	all, _, err := d.sessions.List()
	if err != nil {
		return nil, err
	}
	var out []memory.Session
	for _, s := range all {
		if s.ProjectID == projectID {
			out = append(out, s)
		}
	}
	return out, nil
}

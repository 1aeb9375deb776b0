package mcptools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dormouse/service/api"
)

// repository reads the git history of projects.
type repository interface {
	Commits(context.Context, api.CommitQuery) (api.Commits, error)
	CommitFor(ctx context.Context, agent, project, id string, bytes int) (api.CommitShown, error)
}

var errNoProject = errors.New("no project is known where you work, so it has no commits and sessions yet")

func (t *Tools) logTool() tool {
	return tool{name: "memory_git_log", title: "Commits with their sessions", run: t.gitLog, project: "project_id",
		about:  "This project's commits, newest first, each with the session and turn that it comes from.",
		params: []param{sinceParam, untilParam, limitParam(20, 100), cursorParam}}
}

func (t *Tools) gitLog(ctx context.Context, c *call) (*page, error) {
	if c.place.id == "" {
		return nil, errNoProject
	}
	since, until, err := c.window()
	if err != nil {
		return nil, err
	}
	got, err := t.m.Commits(ctx, api.CommitQuery{Project: c.place.id, Since: since, Until: until, For: c.agent, Limit: min(c.from+c.number("limit")+1, maxEvents)})
	if err != nil {
		return nil, err
	}
	list, more := some(got.Commits, c.from, c.number("limit"))
	p := &page{title: "commits", more: more}
	for _, x := range list {
		p.items = append(p.items, commitItem(x))
	}
	return p, nil
}

func commitItem(x api.Commit) item {
	it := item{What: "commit", ID: x.ID, Text: clip(line(x.Subject), maxText), Time: moment(x.Time), Note: "by " + clip(line(x.Author), 60)}
	for i, l := range x.Links {
		if i == 0 {
			it.Session, it.Turn, it.Open = l.SessionID, l.Turn, open(l.SessionID, l.Turn)
			it.Note = joined(it.Note, "tied by "+l.By)
		} else if i < 4 {
			it.Note = joined(it.Note, "also session "+l.SessionID)
		}
	}
	return it
}

// diffBytes is how much of a diff is asked for, in bytes.
const diffBytes = 1 << 20

func (t *Tools) showTool() tool {
	return tool{name: "memory_git_show", title: "What a commit changed", run: t.gitShow, project: "project_id",
		about:  "One commit: message, files, diff, and the session and turn that it comes from.",
		params: []param{{name: "commit", needed: true, max: 100, about: "Its id or the beginning of it."}, cursorParam}}
}

func (t *Tools) gitShow(ctx context.Context, c *call) (*page, error) {
	if c.place.id == "" {
		return nil, errNoProject
	}
	id := c.text("commit")
	if strings.Trim(id, "0123456789abcdefABCDEF") != "" || len(id) < 4 {
		return nil, fmt.Errorf("commit has to be the id of a commit, at least its first 4 hex digits, not %q", clip(id, 60))
	}
	got, err := t.m.CommitFor(ctx, c.agent, c.place.id, id, diffBytes)
	if err != nil {
		return nil, err
	}
	list := []item{commitItem(got.Commit)}
	if got.Body != "" {
		list = append(list, blocks("message", clean(got.Body), c.piece())...)
	}
	for _, f := range got.Files {
		it := item{What: "file", Text: fmt.Sprintf("%s %s +%d -%d", f.Op, line(f.Path), f.Added, f.Removed)}
		if f.From != "" {
			it.Text += " from " + line(f.From)
		}
		list = append(list, it)
	}
	if got.Diff != "" {
		list = append(list, blocks("diff", clean(got.Diff), c.piece())...)
	}
	p := &page{title: "commit " + got.ID}
	p.items, _ = some(list, c.from, len(list))
	if got.Cut {
		p.note = "the diff is longer than a megabyte; the rest is only in git"
	}
	return p, nil
}

package main

import (
	"cmp"
	"fmt"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
)

// formatSessions lists sessions, one a line.
func formatSessions(v view, q api.SessionQuery, list []api.Session) []string {
	p := &page{view: v}
	if len(list) == 0 {
		if q.Deleted {
			p.say("You have deleted no session. Those that are there:", "dormouse sessions")
		} else if q.Project != "" || q.Agent != "" {
			p.say("No session fits. Without --project and --agent all are listed; the projects are:", "dormouse projects")
		} else {
			p.say("No session was captured yet. Work with an agent, or see what is watched:", "dormouse status")
		}
		return p.lines
	}
	t := text.Table{Head: v.Faint, Columns: []text.Column{{Title: "session", Paint: v.Link}, {Title: "updated"}, {Title: "age", Right: true},
		{Title: "turns", Right: true}, {Title: "project", Min: 8, Drop: 1}, {Title: "agent", Drop: 2}, {Title: "title", Min: 16}}}
	for _, s := range list {
		t.Rows = append(t.Rows, []string{text.Line(s.ID), v.stamp(s.UpdatedAt), v.age(s.UpdatedAt), number(s.Turns), projectOf(s),
			text.Line(s.Agent), titleOf(s)})
	}
	p.table(t, "")
	more := ""
	if q.Limit > 0 && len(list) == q.Limit {
		more = fmt.Sprintf("There may be more: --limit %d. ", 2*q.Limit)
	}
	if q.Deleted {
		p.hint(more+"Capture one again:", "dormouse delete --undo "+quote(list[0].ID))
		return p.lines
	}
	p.hint(more+"Open one:", "dormouse show "+quote(list[0].ID))
	return p.lines
}

// titleOf is a session's title with what is special about it.
func titleOf(s api.Session) string {
	t := cmp.Or(text.Line(s.Title), "(no title)")
	if s.Missing != "" && s.Missing != api.MissingDeleted {
		t = "(" + text.Line(s.Missing) + ") " + t
	}
	if s.Pinned {
		t = "* " + t
	}
	return t
}

func projectOf(s api.Session) string {
	if s.Project != "" {
		return text.Line(s.Project)
	}
	return text.Line(s.ProjectID)
}

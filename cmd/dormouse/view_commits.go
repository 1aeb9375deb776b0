package main

import (
	"fmt"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// formatCommits lists commits by day.
func formatCommits(v view, q api.CommitQuery, list api.Commits) []string {
	p := &page{view: v}
	if len(list.Commits) == 0 {
		switch {
		case q.Session != "":
			p.say("No commit was made while this session went on. What it said:", "dormouse show "+quote(q.Session))
		case q.Agent || q.Since != 0 || q.Until != 0:
			p.say("No commit of "+nameOf(list.Project)+" fits. All of them:", "dormouse log "+quote(nameOf(list.Project)))
		default:
			p.say(nameOf(list.Project)+" has no commit yet.", "")
		}
		return p.lines
	}
	day := ""
	for _, c := range list.Commits {
		at := c.Time
		if d := p.day(&at); d != day {
			day = d
			p.head(d)
		}
		p.commit(c)
	}
	if list.More {
		p.hint(fmt.Sprintf("The newest %s. More: --limit %d", count(len(list.Commits), "commit"), 10*len(list.Commits)), "")
	} else {
		p.hint("What one changed:", "dormouse commit "+quote(nameOf(list.Project))+" "+short(list.Commits[0].ID))
	}
	return p.lines
}

// commit adds one commit: time of day, id, subject; below it who made it and where it comes from.
func (p *page) commit(c api.Commit) {
	indent := strings.Repeat(" ", 2+5+2+shortID+2)
	first := len(p.lines)
	p.prose(orNone(text.Line(c.Subject), "(no message)"), indent, nil)
	p.lines[first] = "  " + p.Faint(p.at(c.Time).Format("15:04")) + "  " + p.Strong(text.Pad(short(c.ID), shortID)) + "  " + strings.TrimPrefix(p.lines[first], indent)
	if len(c.Links) == 0 {
		p.receipt(indent, text.Line(c.Author), "")
		return
	}
	for _, l := range c.Links {
		p.receipt(indent, joined(text.Line(c.Author), tie(l)), openerOf(l))
	}
}

func orNone(s, none string) string {
	if s == "" {
		return none
	}
	return s
}

// tie says how a commit is known to belong to a session.
func tie(l api.CommitLink) string {
	switch l.By {
	case "call":
		return "a call shows it"
	case "time":
		return "made meanwhile"
	}
	return ""
}

func openerOf(l api.CommitLink) string {
	prov := memory.Provenance{SessionID: l.SessionID}
	if l.NodeID != "" && l.Turn == 0 {
		prov.NodeIDs = []string{l.NodeID}
	}
	return opener(prov, l.Turn, l.Turn > 0)
}

// formatCommit shows one commit: who, when, why, where it comes from, which files, and its diff unless only the files are wanted.
func formatCommit(v view, c api.CommitShown, stat bool) []string {
	p := &page{view: v}
	p.prose(orNone(text.Line(c.Subject), "(no message)"), "", p.Strong)
	p.field("Commit", text.Line(c.ID))
	p.field("Author", text.Line(c.Author))
	p.field("Made", v.when(c.Time))
	for _, l := range c.Links {
		p.field("Session", joined(tie(l), openerOf(l)))
	}
	if c.Body != "" {
		p.gap()
		for line := range strings.Lines(text.Clean(c.Body)) {
			p.prose(strings.TrimRight(line, "\n"), "  ", nil)
		}
	}
	p.gap()
	p.filesOf(c.Files)
	if stat || c.Diff == "" {
		return p.lines
	}
	p.gap()
	p.diff(c.Diff)
	if c.Cut {
		p.hint(fmt.Sprintf("There is more: this is the first %s. All of it, in the project's folder:", size(len(c.Diff))), "git show "+short(c.ID))
	}
	return p.lines
}

// filesOf lists what a commit changed.
func (p *page) filesOf(list []api.FileChange) {
	t := text.Table{Head: p.Faint, Columns: []text.Column{{Title: "change"}, {Title: "added", Right: true}, {Title: "removed", Right: true}, {Title: "file", Min: 20, Tail: true}}}
	for _, f := range list {
		added, removed, path := number(f.Added), number(f.Removed), text.Line(f.Path)
		if f.Binary {
			added, removed = "binary", ""
		}
		if f.From != "" {
			path = text.Line(f.From) + " → " + path
		}
		t.Rows = append(t.Rows, []string{text.Line(f.Op), added, removed, path})
	}
	p.table(t, "")
}

// diff adds a diff as it is, but for what a terminal would obey.
func (p *page) diff(d string) {
	for line := range strings.Lines(text.Clean(d)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++"):
			line = p.Good(line)
		case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---"):
			line = p.Bad(line)
		case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "), strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			line = p.Faint(line)
		}
		p.add(line)
	}
}

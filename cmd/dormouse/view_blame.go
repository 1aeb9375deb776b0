package main

import (
	"fmt"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// formatBlame tells of each run of lines what made it what it is.
func formatBlame(v view, b api.Blame) []string {
	p := &page{view: v}
	switch {
	case b.Lines == 0:
		p.say(text.Line(b.Path)+" has no lines.", "")
		return p.lines
	case b.State == "untracked":
		p.add(text.Line(b.Path) + " is in no commit yet.")
	case b.State == "deleted":
		p.add(text.Line(b.Path) + " is gone; this is what it had last.")
	}
	for _, block := range b.Blocks {
		p.gap()
		p.blamed(block)
	}
	if len(b.Records) > 0 {
		p.head("Remembered of this file")
		p.blameRecords(b.Records)
	}
	if b.More {
		p.hint(fmt.Sprintf("These are the first %s. Name lines to see others: FILE:10-20", count(len(b.Blocks), "block")), "")
	}
	return p.lines
}

// blamed is one run of lines: which, its commit, the turns that it comes from, and what is remembered of them.
func (p *page) blamed(b api.BlameBlock) {
	lines := "Line " + number(b.From)
	if b.To > b.From {
		lines = "Lines " + number(b.From) + "-" + number(b.To)
	}
	p.add(p.Strong(lines) + "  " + p.Faint(text.Cut(text.Line(b.First), max(20, p.width-20))))
	if b.Commit == nil {
		p.add("  in no commit yet")
	} else {
		p.prose(joined(short(b.Commit.ID), p.when(b.Commit.Time), text.Line(b.Commit.Author))+"  "+orNone(text.Line(b.Commit.Subject), "(no message)"), "  ", nil)
	}
	if b.Was != "" {
		p.add("  " + p.Faint("the file was "+text.Line(b.Was)))
	}
	if len(b.Turns) == 0 {
		p.add("  " + p.Faint("no session is known to have made them"))
	}
	for _, t := range b.Turns {
		if t.Prompt != "" {
			p.prose("“"+text.Line(t.Prompt)+"”", "  ", nil)
		}
		open := opener(memory.Provenance{SessionID: t.SessionID}, t.Turn, t.Turn > 0)
		if t.Missing != "" {
			open = dangling(t.SessionID, t.Missing)
		}
		p.receipt("  ", joined(text.Line(t.Title), text.Line(t.Agent), knownBy(t.By)), open)
	}
	p.blameRecords(b.Records)
}

func (p *page) blameRecords(list []api.BlameRecord) {
	for _, r := range list {
		p.prose(p.kind(r.Kind, string(r.Kind))+": "+text.Line(r.Text), "  ", nil)
		p.receipt("    ", says(r.Trust), opener(memory.Provenance{SessionID: r.SessionID}, r.Turn, r.Turn > 0))
	}
}

// knownBy says how lines are known to come from a turn.
func knownBy(by string) string {
	if by == "edit" {
		return "a call wrote them"
	}
	return tie(api.CommitLink{By: by})
}

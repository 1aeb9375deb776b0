package main

import (
	"fmt"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// formatTags lists the vocabulary by project, or what is filed under a tag.
func formatTags(v view, q api.TagQuery, projects names, t api.Tags) []string {
	p := &page{view: v}
	if len(t.Tags) == 0 && len(t.Segments) == 0 {
		p.say("There are no tags yet. What turns work on gets one when it comes back; to look through what was captured now:", "dormouse sleep")
		return p.lines
	}
	if q.Tag != "" {
		for _, s := range t.Tags {
			p.tagHead(projects, s)
		}
		p.segments(projects, t)
		return p.lines
	}
	for _, scope := range scopesOf(t.Tags) {
		p.head(capitalScope(scope, projects))
		for _, s := range t.Tags {
			if s.Tag.Scope == scope {
				p.prose(text.Line(s.Tag.Name), "  ", p.Strong)
				p.receipt("    ", joined(text.Line(s.Tag.ID), count(s.Turns, "turn"), count(s.Sessions, "session"), also(s.Names), fell(s.Parts)), "dormouse tags "+quote(s.Tag.Name))
			}
		}
	}
	if left := t.Total - len(t.Tags); left > 0 {
		p.hint(fmt.Sprintf("%s of %s. All of them: --limit %d", number(len(t.Tags)), count(t.Total, "tag"), t.Total), "")
	}
	return p.lines
}

// scopesOf are the scopes of tags, in the order of their first tag.
func scopesOf(tags []api.TagShown) (out []memory.Scope) {
	seen := map[memory.Scope]bool{}
	for _, t := range tags {
		if !seen[t.Tag.Scope] {
			seen[t.Tag.Scope] = true
			out = append(out, t.Tag.Scope)
		}
	}
	return out
}

func capitalScope(s memory.Scope, projects names) string {
	text := scopeOf(s, projects)
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

func also(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "also " + text.Line(strings.Join(names, ", "))
}

func fell(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return "split into " + text.Line(strings.Join(parts, ", "))
}

// tagHead tells of one tag.
func (p *page) tagHead(projects names, s api.TagShown) {
	p.add(p.Strong(text.Line(s.Tag.ID)))
	p.field("Name", text.Line(s.Tag.Name))
	p.field("Also", text.Line(strings.Join(s.Names, ", ")))
	p.field("Is", text.Line(s.Tag.Description))
	p.field("Parts", text.Line(strings.Join(s.Parts, ", ")))
	p.field("Scope", scopeOf(s.Tag.Scope, projects))
	p.field("Used", joined(count(s.Turns, "turn"), count(s.Sessions, "session")))
	if s.Summary != nil && s.Summary.MadeBy != memory.MadeByRules {
		p.field("Summary", text.Line(s.Summary.Summary))
	}
}

// segments lists what is filed under a tag by day.
func (p *page) segments(projects names, t api.Tags) {
	day := "none yet"
	for _, s := range t.Segments {
		if d := p.day(s.Time); d != day {
			day = d
			p.head(d)
		}
		p.prose(text.Line(s.Segment.Summary), "  ", nil)
		project, _ := s.Segment.Scope.Project()
		from := memory.Provenance{SessionID: s.Segment.Full.SessionID, NodeIDs: []string{s.Segment.Full.FromNode}}
		p.receipt("    ", joined(count(s.Turns, "turn"), projects.of(project)), leads(from, s.Turn, s.Turn > 0, t.Missing))
	}
	if left := t.Total - len(t.Segments); left > 0 {
		p.hint(fmt.Sprintf("%s of %s. All of them: --limit %d", number(len(t.Segments)), number(t.Total), t.Total), "")
	}
}

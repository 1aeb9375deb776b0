package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// snippetLines is how many lines of a snippet are shown.
const snippetLines = 3

// formatSearch lists hits, best first.
func formatSearch(v view, q api.SearchQuery, projects names, s api.Search) []string {
	p := &page{view: v}
	if len(s.Hits)+len(s.Sessions) == 0 {
		p.prose("Nothing found for: "+text.Line(q.Words), "", nil)
		switch {
		case s.Indexing:
			p.hint("The index is still catching up: try again in a moment. How far it is:", "dormouse status")
		case q.Project != "" || len(q.Kinds) > 0 || q.Tag != "":
			p.hint("Try fewer words, or all of the memory without --project, --kinds and --tag.", "")
		default:
			p.hint("Try fewer or other words. What was captured at all:", "dormouse status")
		}
		return p.lines
	}
	mark := marker(q.Words)
	for i, f := range s.Sessions {
		if i > 0 {
			p.gap()
		}
		p.foundSession(i+1, f, projects, mark)
	}
	for i, h := range s.Hits {
		if i > 0 {
			p.gap()
		}
		p.hit(i+1, h, projects, mark)
	}
	if s.Indexing {
		p.hint("The index is still catching up: there may be more.", "")
	}
	return p.lines
}

func (p *page) hit(n int, h api.Hit, projects names, mark *regexp.Regexp) {
	lead := fmt.Sprintf("%2d. ", n)
	indent := strings.Repeat(" ", len(lead))
	what := text.Line(cmp.Or(string(h.Kind), entityType(h), h.What))
	title := text.Line(cmp.Or(h.Title, h.ID))
	first := len(p.lines)
	p.prose(title, indent+strings.Repeat(" ", text.Width(what)+2), p.Strong)
	p.lines[first] = lead + what + "  " + strings.TrimLeft(p.lines[first], " ")
	if snippet := text.Line(h.Snippet); snippet != "" && snippet != title {
		p.snippet(snippet, indent, mark)
	}
	when := ""
	if h.Time != 0 {
		when = p.when(h.Time)
	}
	open := ""
	if h.Candidate != "" {
		open = "not settled: " + text.Line(h.Candidate)
	}
	p.receipt(indent, joined(when, projects.of(h.ProjectID), says(h.Trust), open), openHit(h))
	if why := explained(h); why != "" {
		p.prose(why, indent, p.Faint)
	}
}

// foundSession shows a session, the best of what was found in it, and how much of it matches.
func (p *page) foundSession(n int, f api.FoundSession, projects names, mark *regexp.Regexp) {
	lead := fmt.Sprintf("%2d. ", n)
	indent := strings.Repeat(" ", len(lead))
	first := len(p.lines)
	p.prose(text.Line(cmp.Or(f.Title, f.SessionID)), indent, p.Strong)
	p.lines[first] = lead + strings.TrimLeft(p.lines[first], " ")
	if said := text.Line(cmp.Or(f.Best.Snippet, f.Best.Title)); said != "" {
		p.snippet(said, indent, mark)
	}
	when := ""
	if f.Best.Time != 0 {
		when = p.when(f.Best.Time)
	}
	p.receipt(indent, joined(when, projects.of(f.ProjectID), count(len(f.Turns), "matching turn")), openHit(f.Best))
}

// explained is the parts of a hit's score and their sum; empty where they were not asked for.
func explained(h api.Hit) string {
	if len(h.Parts) == 0 {
		return ""
	}
	var parts []string
	for _, x := range h.Parts {
		parts = append(parts, fmt.Sprintf("%s %+.2f", x.Name, x.Value))
	}
	return fmt.Sprintf("score %.2f: %s", h.Score, strings.Join(parts, ", "))
}

// entityType is the type of an entity that was found, which begins its id; empty for other hits.
func entityType(h api.Hit) string {
	if h.What != "entity" {
		return ""
	}
	kind, _, _ := strings.Cut(h.ID, ".")
	return kind
}

// openHit is the command that opens a hit: an entity as a graph, everything else as a turn; of a hit whose session
// cannot be opened, why.
func openHit(h api.Hit) string {
	if h.What == "entity" {
		return "dormouse graph " + quote(h.ID)
	}
	if h.Missing != "" {
		return dangling(h.SessionID, h.Missing)
	}
	return opener(memory.Provenance{SessionID: h.SessionID, NodeIDs: h.Nodes}, h.Turn, h.Turn > 0)
}

// snippet adds the first lines of a snippet, with the words that were looked for made visible.
func (p *page) snippet(s, indent string, mark *regexp.Regexp) {
	first := len(p.lines)
	p.prose(s, indent, nil)
	if len(p.lines) > first+snippetLines {
		p.lines = p.lines[:first+snippetLines]
		p.lines[len(p.lines)-1] = text.Cut(p.lines[len(p.lines)-1]+" …", p.width)
	}
	if mark == nil || !p.On {
		return
	}
	for i := first; i < len(p.lines); i++ {
		p.lines[i] = mark.ReplaceAllStringFunc(p.lines[i], p.Warn)
	}
}

// marker finds the words of a query in a text, whatever their case; nil where there are none.
func marker(words string) *regexp.Regexp {
	var parts []string
	for _, w := range strings.Fields(words) {
		if w = strings.Trim(w, `"'()`); w != "" {
			parts = append(parts, regexp.QuoteMeta(w))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	re, err := regexp.Compile("(?i)" + strings.Join(parts, "|"))
	if err != nil { // quoted text always compiles, unless it is absurdly long
		return nil
	}
	return re
}

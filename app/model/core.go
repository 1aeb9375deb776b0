package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// CorePage is a core.md as an agent gets it.
type CorePage struct {
	Trouble *Trouble
	Choices []Choice // all projects first, whose ID is empty
	Chosen  string   // id of the project shown; empty for all projects
	Lines   []CoreLine
	Text    string // exactly what the agent gets, to be copied
	Gauge   Gauge
	Empty   *Empty
	// Change says what is new since yesterday; empty where nothing is, or it is not known. Gone are the lines that stood there then.
	Change string
	Gone   []string
}

// Gauge is how full something is.
type Gauge struct {
	Text  string
	Share float64 // from 0 to 1
	Tone  Tone
}

// CoreKind is what a line of a core.md is.
type CoreKind int

// The kinds of line.
const (
	CoreFrame   CoreKind = iota // header and footer
	CoreSection                 // title of a section
	CoreItem                    // something remembered
)

// CoreLine is one line. Text and Pointer together are the line as the agent gets it.
type CoreLine struct {
	Kind    CoreKind
	Text    string
	Pointer string // as it is written; empty for a line without one
	Missing string // why the pointer leads nowhere
	To      Place  // where the pointer leads
	// Facts say why the line is there; none where that is not known. Record is the id of what it tells, which can be pinned or refused.
	Facts  []Fact
	Record string
	New    bool // it did not stand there yesterday

	project string // id of the one that the record is of
}

// Place is a turn of a session, or the whole session where Turn is 0.
type Place struct {
	Session string
	Turn    int
}

// Core asks for a project's core.md, or for the global one where project is empty. A project that is not there any more is
// answered with the global one.
func (p *Presenter) Core(ctx context.Context, project string) CorePage {
	b := p.o.Backend()
	projects, err := b.Projects(ctx)
	if err != nil {
		return CorePage{Trouble: troubleOf(err)}
	}
	core, err := b.ExplainCore(ctx, project)
	var refused *api.Error
	if errors.As(err, &refused) && refused.Code == api.CodeNotFound && project != "" {
		project = ""
		core, err = b.ExplainCore(ctx, project)
	}
	if err != nil {
		return CorePage{Trouble: troubleOf(err)}
	}
	page := CorePage{Choices: coreChoices(projects), Chosen: project, Lines: coreLines(core), Text: core.Text, Gauge: gauge(core)}
	p.compare(ctx, &page)
	if !hasItem(page.Lines) {
		page.Empty = &Empty{Title: lang.Say("Nothing to tell yet"),
			Text: lang.Say("Dormouse writes this page when it sleeps. Until it has learned something that matters here, agents get these lines alone.")}
		if project == "" {
			page.Empty.Text = lang.Say("Only what holds in every project stands here, and nothing does yet. Choose a project above to see what its agents are told.")
		}
	}
	return page
}

// compare marks what is new since yesterday, as it was at the last midnight, and lists what is gone.
func (p *Presenter) compare(ctx context.Context, page *CorePage) {
	now := p.o.Now()
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	before, err := p.o.Backend().CoreBefore(ctx, page.Chosen, midnight.Unix())
	if err != nil {
		return // the page is whole without it
	}
	was, is := map[string]bool{}, map[string]bool{}
	for _, l := range coreLines(before) {
		was[l.Text] = l.Kind == CoreItem
	}
	added := 0
	for i, l := range page.Lines {
		if is[l.Text] = true; l.Kind == CoreItem && !was[l.Text] {
			page.Lines[i].New = true
			added++
		}
	}
	for _, l := range coreLines(before) {
		if l.Kind == CoreItem && !is[l.Text] {
			page.Gone = append(page.Gone, strings.TrimPrefix(l.Text, "· "))
		}
	}
	var parts []string
	if added > 0 {
		parts = append(parts, lang.Count(added, "{n} lines new"))
	}
	if n := len(page.Gone); n > 0 {
		parts = append(parts, lang.Count(n, "{n} lines gone"))
	}
	if len(parts) > 0 {
		page.Change = lang.Say("{changes} since yesterday", list(parts))
	}
}

// coreChoices are all projects by name, each with a word more where two have the same.
func coreChoices(projects []api.Project) []Choice {
	out := []Choice{{Label: lang.Say("All projects")}}
	for _, c := range projectChoices(projects) {
		if c.ID != defaultProject {
			out = append(out, c)
		}
	}
	return out
}

// pointerSign stands before the pointer of a line.
const pointerSign = "  ↪ session:"

func coreLines(c api.Core) []CoreLine {
	var out []CoreLine
	n := 0
	for line := range strings.SplitSeq(strings.TrimSuffix(c.Text, "\n"), "\n") {
		l := CoreLine{Text: Line(line)}
		switch text, session, ok := strings.Cut(line, pointerSign); {
		case ok:
			l.Kind, l.Text, l.Pointer = CoreItem, Line(text), strings.TrimSpace(pointerSign)+Line(session)
			l.To = Place{Session: strings.TrimSpace(session)}
			if n < len(c.Pointers) && c.Pointers[n].SessionID == l.To.Session {
				l.To.Turn = c.Pointers[n].Turn
				l.Missing = missingWhy(c.Pointers[n].Missing)
			}
			if n < len(c.Lines) {
				explain(&l, c.Lines[n], c.Limit)
			}
			n++
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			l.Kind = CoreSection
		case strings.HasPrefix(line, "· "):
			l.Kind = CoreItem
		}
		out = append(out, l)
	}
	return out
}

// explain says why a line is there.
func explain(l *CoreLine, why api.CoreLine, limit int) {
	if !strings.Contains(Line(l.Text), Line(why.Text)) {
		return // of another line
	}
	l.Record = why.Record
	if id, ok := strings.CutPrefix(string(why.Scope), "project:"); ok {
		l.project = id
	}
	var parts []string
	for _, p := range why.Parts {
		parts = append(parts, fmt.Sprintf("%s × %s", Line(p.Name), factor(p.Value)))
	}
	l.Facts = []Fact{{Label: lang.Say("Its weight"), Text: joined(" = ", list(parts), factor(why.Score))}}
	if why.Reason != "" {
		l.Facts = append(l.Facts, Fact{Label: lang.Say("Taken in"), Text: sentence(reasonWords(why.Reason))})
	}
	l.Facts = append(l.Facts, Fact{Label: lang.Say("It takes"), Text: lang.Say("{n} of {limit} bytes", number(why.Bytes), number(limit))})
}

// factor is a number with two digits behind the point at most.
func factor(v float64) string { return lang.Decimal(v, 2) }

// PinLine has what a line tells always count as important.
func (p *Presenter) PinLine(ctx context.Context, l CoreLine) Ruling {
	return p.rule(ctx, lang.Say("Pinned"), api.Decide{Action: api.DoPin, ID: l.Record, Project: l.project})
}

// RefuseLine says that what a line tells is wrong.
func (p *Presenter) RefuseLine(ctx context.Context, l CoreLine) Ruling {
	return p.rule(ctx, lang.Say("Refused"), api.Decide{Action: api.DoRefuse, ID: l.Record, Project: l.project})
}

func hasItem(lines []CoreLine) bool {
	for _, l := range lines {
		if l.Kind == CoreItem {
			return true
		}
	}
	return false
}

func gauge(c api.Core) Gauge {
	g := Gauge{Text: lang.Say("{n} of {limit} bytes", number(c.Bytes), number(c.Limit)), Tone: Good}
	if c.Limit > 0 {
		g.Share = min(1, float64(c.Bytes)/float64(c.Limit))
	}
	if c.Bytes > c.Limit {
		g.Tone = Bad
	}
	return g
}

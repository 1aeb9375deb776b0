package model

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// defaultProject holds the sessions that belong to no folder.
const defaultProject = memory.DefaultProject

// ProjectsPage is the projects and what was seen of each.
type ProjectsPage struct {
	Trouble *Trouble
	Rows    []ProjectRow
	Summary string // how many there are
	Empty   *Empty
}

// ProjectRow is one project.
type ProjectRow struct {
	ID, Name string
	Seen     string // its sessions, and when the last one was
	Where    string // its folder and its remote
	State    string // Bound, Found or Unbound, in a word
	Tone     Tone
	// Bind is the folder to hand to Bind, empty where that makes no sense. CanUnbind says that it is bound.
	Bind      string
	CanUnbind bool
	Sessions  int // it has, which the sessions page can show
}

// Question is what a person is asked before something is done.
type Question struct{ Title, Text, Yes, No string }

// Projects asks for all projects.
func (p *Presenter) Projects(ctx context.Context) ProjectsPage {
	list, err := p.o.Backend().Projects(ctx)
	if err != nil {
		return ProjectsPage{Trouble: troubleOf(err)}
	}
	w := p.style()
	page := ProjectsPage{}
	bound := 0
	for _, x := range list {
		if x.ID == defaultProject && x.Sessions == 0 {
			continue
		}
		if x.Bound {
			bound++
		}
		page.Rows = append(page.Rows, w.project(x))
	}
	page.Summary = dots(lang.Count(len(page.Rows), "{n} projects"), lang.Count(bound, "{n} bound"))
	if len(page.Rows) == 0 {
		page.Summary = ""
		page.Empty = &Empty{Title: lang.Say("No project yet"),
			Text: lang.Say("The first captured session brings its project along. You can also bind a folder before an agent has worked in it.")}
	}
	return page
}

func (w style) project(x api.Project) ProjectRow {
	row := ProjectRow{ID: x.ID, Name: projectName(x), Where: dots(w.path(x.Path), Line(x.Remote)), Sessions: x.Sessions, CanUnbind: x.Bound}
	row.Seen = lang.Say("no session yet")
	if x.Sessions > 0 {
		row.Seen = lang.Count(x.Sessions, "{n} sessions")
		if x.LastSeen != 0 {
			row.Seen = lang.Count(x.Sessions, "{n} sessions, last {when}", w.ago(x.LastSeen))
		}
	}
	switch {
	case x.ID == defaultProject:
		row.Name, row.State, row.Tone = lang.Say("No project"), lang.Say("Sessions without a folder"), Off
		row.Where = lang.Say("Agents that were started in no folder, or in your home folder")
	case x.Bound:
		row.State, row.Tone = lang.Say("Bound"), Good
	default:
		row.State, row.Tone, row.Bind = lang.Say("Not bound"), Off, x.Path
	}
	return row
}

// Bind makes a folder one of the person's projects.
func (p *Presenter) Bind(ctx context.Context, path string) Notice {
	x, err := p.o.Backend().Bind(ctx, path)
	if err != nil {
		return refusedOr(lang.Say("Binding"), err)
	}
	return Notice{Tone: Good, Text: lang.Say("Bound {project}. Agents that work there find its memory from now on.", projectName(x))}
}

// Unbind takes a project's binding back.
func (p *Presenter) Unbind(ctx context.Context, id string) Notice {
	x, err := p.o.Backend().Unbind(ctx, id)
	if err != nil {
		return refusedOr(lang.Say("Unbinding"), err)
	}
	return Notice{Text: joined(" ", lang.Say("Unbound {project}.", projectName(x)), stays(x.Sessions))}
}

// refusedOr is the service's own sentence where it refused, else that it failed.
func refusedOr(what string, err error) Notice {
	if e, ok := asRefusal(err); ok && e.Code == api.CodeBadRequest {
		return Notice{Tone: Warn, Text: sentence(e.Message)}
	}
	return failed(what, err)
}

// AskUnbind is what is asked before a project is unbound: it says what stays.
func AskUnbind(row ProjectRow) Question {
	return Question{Title: lang.Say("Unbind {project}?", row.Name), Yes: lang.Say("Unbind"), No: lang.Say("Keep it"), Text: joined(" ", stays(row.Sessions),
		lang.Say("Agents that work there are captured as before, and you can bind it again at any time."))}
}

// stays says what unbinding does not touch.
func stays(sessions int) string {
	if sessions == 0 {
		return lang.Say("What was learned from it stays; the folder and its git repository are not touched.")
	}
	return lang.Count(sessions, "Its {n} sessions and what was learned from them stay; the folder and its git repository are not touched.")
}

// projectChoices are the projects by name. Those that share a name have the end of their remote, folder or id with it.
func projectChoices(projects []api.Project) []Choice {
	names := map[string]int{}
	for _, x := range projects {
		names[projectName(x)]++
	}
	var out []Choice
	for _, x := range projects {
		label := projectName(x)
		if x.ID == defaultProject {
			label = lang.Say("No project")
		} else if names[label] > 1 {
			label += " (" + apart(x) + ")"
		}
		out = append(out, Choice{ID: x.ID, Label: label})
	}
	slices.SortStableFunc(out, func(a, b Choice) int {
		return cmp.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label))
	})
	return distinct(out)
}

// distinct adds the id to labels that are still the same, for choosers that tell entries by their label.
func distinct(list []Choice) []Choice {
	seen := map[string]bool{}
	for i, c := range list {
		if seen[c.Label] {
			list[i].Label += " · " + c.ID
		}
		seen[c.Label] = true
	}
	return list
}

// apart tells a project from others of its name: the owner of its remote, the folder that it lies in, or its id.
func apart(x api.Project) string {
	where := Line(x.Path)
	if x.Remote != "" {
		where = Line(x.Remote)
	}
	elements := strings.FieldsFunc(where, func(r rune) bool { return r == '/' || r == '\\' })
	if len(elements) < 2 {
		return Line(x.ID)
	}
	return elements[len(elements)-2]
}

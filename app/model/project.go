package model

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// ProjectCard is what there is to say of one project, beside its row.
type ProjectCard struct {
	Trouble *Trouble
	ID      string
	Title   string
	Facts   []Fact
	// AutoCommit and Files are whether agents' turns are committed, and whether the files that agents edit are kept. CanSwitch says that
	// both can be switched: the project is bound.
	AutoCommit, Files bool
	CanSwitch         bool
	CanRename         bool
	// Bind is the folder to hand to Bind, to have new sessions and the file history in it; empty where that is so, or makes no sense.
	Bind string
	// Sessions are those that edited files may be restored from, the newest first.
	Sessions []Choice
}

// maxProjectSessions is how many of a project's sessions are looked at for its agents, and maxRestorable how many are offered to restore from.
const (
	maxProjectSessions = 1000
	maxRestorable      = 50
)

// Project asks how one project stands.
func (p *Presenter) Project(ctx context.Context, row ProjectRow) ProjectCard {
	b := p.o.Backend()
	s, err := b.Project(ctx, row.ID)
	if err != nil {
		return ProjectCard{Trouble: troubleOf(err)}
	}
	sessions, err := b.Sessions(ctx, api.SessionQuery{Project: row.ID, Limit: maxProjectSessions})
	if err != nil {
		return ProjectCard{Trouble: troubleOf(err)}
	}
	w := p.style()
	c := ProjectCard{ID: row.ID, Title: row.Name, AutoCommit: s.AutoCommit.On, Files: s.Project.Shadow, CanSwitch: row.CanUnbind, CanRename: row.ID != defaultProject}
	if found := Line(s.Project.Found); found != "" && found != row.Name && c.CanRename {
		c.Facts = append(c.Facts, Fact{Label: lang.Say("Found as"), Text: found})
	}
	c.Facts = append(append(c.Facts, w.repositoryFacts(s)...), Fact{Label: lang.Say("Agents"), Text: cmp.Or(agentCounts(sessions), lang.Say("none was seen in it yet"))}, sessionPlace(s.Project.InFolder))
	if row.CanUnbind {
		c.Facts = append(c.Facts, w.autoCommit(s.AutoCommit), filesKept(s.Project.Shadow))
	}
	if !s.Project.InFolder && row.ID != defaultProject {
		c.Bind = s.Project.Path
	}
	for _, x := range sessions[:min(len(sessions), maxRestorable)] {
		if x.Missing == "" {
			c.Sessions = append(c.Sessions, Choice{ID: x.ID, Label: cut(dots(w.day(x.UpdatedAt), titleOf(x)), 70)})
		}
	}
	c.Sessions = distinct(c.Sessions)
	return c
}

// repositoryFacts are how the project's repository stands.
func (w style) repositoryFacts(s api.ProjectState) []Fact {
	g := s.Git
	if g == nil {
		return []Fact{{Label: lang.Say("Branch"), Text: sentence(cmp.Or(s.Problem, lang.Say("it has no repository"))), Tone: Off}}
	}
	branch := cmp.Or(Line(g.Branch), lang.Say("none (detached HEAD)"))
	head := lang.Say("no commit yet")
	if g.Head != "" {
		head = lang.Say("commit {id}", g.Head[:min(len(g.Head), 8)])
	}
	state := Fact{Label: lang.Say("Work tree"), Text: lang.Say("clean"), Tone: Good}
	if g.Changes > 0 {
		state.Text, state.Tone = lang.Count(g.Changes, "{n} changes not committed"), Plain
	}
	if g.Doing != "" {
		state.Text, state.Tone = dots(state.Text, lang.Say("not finished: {what}", Line(g.Doing))), Warn
	}
	return []Fact{{Label: lang.Say("Branch"), Text: dots(branch, head)}, state}
}

// agentCounts names the agents that were seen in a project, with the sessions of each.
func agentCounts(sessions []api.Session) string {
	counts := map[string]int{}
	var order []string
	for _, s := range sessions {
		if counts[s.Agent] == 0 {
			order = append(order, s.Agent)
		}
		counts[s.Agent]++
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	for i, a := range order {
		order[i] = lang.Say("{agent} ({n})", AgentName(a), number(counts[a]))
	}
	return list(order)
}

// sessionPlace says where the sessions of a project lie.
func sessionPlace(inFolder bool) Fact {
	text := lang.Say("in Dormouse's own folder")
	if inFolder {
		text = lang.Say("in the project's folder, below .dormouse; git ignores them")
	}
	return Fact{Label: lang.Say("New sessions"), Text: text}
}

func (w style) autoCommit(a api.AutoCommit) Fact {
	f := Fact{Label: lang.Say("Auto-commit"), Text: lang.Say("off: you commit what agents change"), Tone: Off}
	if !a.On {
		return f
	}
	f.Text, f.Tone = lang.Say("on: each turn that changed something is committed"), Good
	switch last := a.Last; {
	case last == nil:
	case last.Commit != "":
		f.Text = dots(f.Text, lang.Say("last {when}", w.day(last.At)))
	default:
		f.Text, f.Tone = joined(" ", lang.Say("on, but the last turn was not committed ({when}).", w.day(last.At)), sentence(last.Text)), Warn
	}
	return f
}

func filesKept(on bool) Fact {
	if on {
		return Fact{Label: lang.Say("File history"), Text: lang.Say("on: files are kept as agents changed them, turn by turn"), Tone: Good}
	}
	return Fact{Label: lang.Say("File history"), Text: lang.Say("off"), Tone: Off}
}

// SwitchAutoCommit has agents' turns committed in a project, or not any more.
func (p *Presenter) SwitchAutoCommit(ctx context.Context, c ProjectCard) Notice {
	s, err := p.o.Backend().AutoCommit(ctx, c.ID, !c.AutoCommit)
	switch {
	case err != nil:
		return refusedOr(lang.Say("Switching auto-commit"), err)
	case s.AutoCommit.On:
		return Notice{Tone: Good, Text: lang.Say("What agents change in {project} is committed from now on, turn by turn.", c.Title)}
	}
	return Notice{Text: lang.Say("Nothing is committed in {project} any more by itself.", c.Title)}
}

// RenameProject gives a project the person's own name; an empty one takes that back.
func (p *Presenter) RenameProject(ctx context.Context, c ProjectCard, name string) Notice {
	x, err := p.o.Backend().RenameProject(ctx, c.ID, strings.TrimSpace(name))
	if err != nil {
		return refusedOr(lang.Say("Renaming"), err)
	}
	return Notice{Tone: Good, Text: lang.Say("It is called “{title}” now.", projectName(x))}
}

// SwitchFiles has the files kept that agents edit in a project, or not any more.
func (p *Presenter) SwitchFiles(ctx context.Context, c ProjectCard) Notice {
	s, err := p.o.Backend().SetShadow(ctx, c.ID, !c.Files)
	switch {
	case err != nil:
		return refusedOr(lang.Say("Switching the file history"), err)
	case s.Project.Shadow:
		return Notice{Tone: Good, Text: lang.Say("The files that agents edit in {project} are kept from now on.", c.Title)}
	}
	return Notice{Text: lang.Say("The files that agents edit in {project} are not kept any more. What was kept stays.", c.Title)}
}

// Restorable is what of a session's files can be written out again.
type Restorable struct {
	Turns []Choice // all of the session first, whose ID is empty
	Why   string   // nothing can
}

// Restorable asks which turns of a session edited files that were kept.
func (p *Presenter) Restorable(ctx context.Context, session string) Restorable {
	d, err := p.o.Backend().Diff(ctx, session, nil)
	if e, ok := asRefusal(err); ok {
		return Restorable{Why: sentence(e.Message)}
	}
	if err != nil {
		return Restorable{Why: troubleOf(err).Title}
	}
	if len(d.Turns) == 0 {
		return Restorable{Why: lang.Say("This session edited no files.")}
	}
	out := Restorable{Turns: []Choice{{Label: lang.Say("The whole session")}}}
	for _, n := range slices.Backward(d.Turns) {
		out.Turns = append(out.Turns, Choice{ID: strconv.Itoa(n), Label: lang.Say("Turn {n}", strconv.Itoa(n))})
	}
	return out
}

// RestoreSides are which state of the files is written out.
func RestoreSides() []Choice {
	return []Choice{{"before", lang.Say("As they were before")}, {"after", lang.Say("As they were after")}}
}

// Restore writes the files of a session, or of one of its turns, into an empty folder.
func (p *Presenter) Restore(ctx context.Context, session, turn, side, dir string) Notice {
	q := api.RestoreQuery{ID: session, Side: side, Dir: dir}
	if n, err := strconv.Atoi(turn); err == nil {
		q.Turn = &n
	}
	got, err := p.o.Backend().Restore(ctx, q)
	if err != nil {
		return refusedOr(lang.Say("Restoring"), err)
	}
	left := len(got.Files) - got.Written
	told := Notice{Tone: Good, Text: lang.Count(got.Written, "{n} files were written to {folder}.", p.style().path(got.Dir))}
	if left > 0 {
		told.Tone, told.Text = Warn, joined(" ", told.Text, lang.Count(left, "{n} files are not known in that state."))
	}
	return told
}

package model

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func seenBy(agent, id, missing string) api.Session {
	return api.Session{Session: memory.Session{ID: id, Agent: agent, Title: "T " + id, UpdatedAt: at("2026-05-04 10:00")}, Missing: missing}
}

func TestAProjectsCardSaysHowItStands(t *testing.T) {
	f := &fake{sessions: []api.Session{seenBy("codex", "cx_1", ""), seenBy("claude-code", "cc_1", ""), seenBy("claude-code", "cc_2", api.MissingAway)}}
	p := New(Options{Backend: func() Backend { return f }, Now: func() time.Time { return now }})
	bound := ProjectRow{ID: "p1", Name: "shop", CanUnbind: true}
	for name, c := range map[string]struct {
		state api.ProjectState
		row   ProjectRow
		want  []string
	}{
		"clean and kept": {api.ProjectState{Git: &api.Git{Branch: "main", Head: "abcdef0123"}, Project: api.Project{Shadow: true, InFolder: true, Path: "/src/shop"}, AutoCommit: api.AutoCommit{On: true, Last: &api.TurnOutcome{Commit: "1", At: at("2026-05-04 09:00")}}}, bound,
			[]string{"Branch: main · commit abcdef01", "Work tree: clean", "Agents: Claude Code (2), Codex (1)", "New sessions: in the project's folder", "Auto-commit: on: each turn that changed something is committed · last today 09:00", "File history: on"}},
		"detached, in a merge": {api.ProjectState{Project: api.Project{Path: "/src/shop"}, Git: &api.Git{Changes: 1, Doing: "a merge"}, AutoCommit: api.AutoCommit{On: true, Last: &api.TurnOutcome{Reason: "not_clean", Text: "the work tree was not clean", At: at("2026-05-03 09:00")}}}, bound,
			[]string{"Branch: none (detached HEAD) · no commit yet", "Work tree: 1 change not committed · not finished: a merge", "Auto-commit: on, but the last turn was not committed (yesterday 09:00). The work tree was not clean.", "File history: off"}},
		"not bound, without a repository": {api.ProjectState{Problem: "no git here"}, ProjectRow{ID: "p1", Name: "shop"}, []string{"Branch: No git here.", "New sessions: in Dormouse's own folder"}},
	} {
		f.state = c.state
		card := p.Project(context.Background(), c.row)
		var all []string
		for _, x := range card.Facts {
			all = append(all, x.Label+": "+x.Text)
		}
		for _, want := range c.want {
			if !slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, want) }) {
				t.Errorf("%s: %q is not in %q", name, want, all)
			}
		}
		if want := !c.state.Project.InFolder && c.state.Project.Path != ""; want != (card.Bind == "/src/shop") {
			t.Errorf("%s: it may be bound: %q", name, card.Bind)
		}
		if len(card.Sessions) != 2 || card.CanSwitch != c.row.CanUnbind || !c.row.CanUnbind && len(all) != 3 {
			t.Errorf("%s: %+v", name, card)
		}
	}
	f.err = map[string]error{"project": &api.Error{Code: api.CodeNotFound, Message: "gone"}}
	if card := p.Project(context.Background(), bound); card.Trouble == nil || card.Trouble.Text != "Gone." {
		t.Errorf("%+v", card)
	}
}

func TestAProjectIsSwitchedTheOtherWay(t *testing.T) {
	f := &fake{}
	p := New(Options{Backend: func() Backend { return f }})
	c := ProjectCard{ID: "p1", Title: "shop"}
	told := []string{p.SwitchAutoCommit(t.Context(), c).Text, p.SwitchFiles(t.Context(), c).Text}
	c.AutoCommit, c.Files = true, true
	told = append(told, p.SwitchAutoCommit(t.Context(), c).Text, p.SwitchFiles(t.Context(), c).Text)
	if want := []string{"autocommit p1 true", "shadow p1 true", "autocommit p1 false", "shadow p1 false"}; !slices.Equal(f.asked, want) {
		t.Errorf("asked %q", f.asked)
	}
	for i, want := range []string{"is committed from now on", "are kept from now on", "Nothing is committed", "What was kept stays"} {
		if !strings.Contains(told[i], want) {
			t.Errorf("%q is not in %q", want, told[i])
		}
	}
	f.err = map[string]error{"": &api.Error{Code: api.CodeBadRequest, Message: "you have not bound it"}}
	if n := p.SwitchFiles(t.Context(), c); n.Tone != Warn || n.Text != "You have not bound it." {
		t.Errorf("%+v", n)
	}
}

func TestWhatASessionEditedIsOfferedAndRestored(t *testing.T) {
	f := &fake{diff: api.Diff{Turns: []int{1, 4}}, restored: api.Restored{Dir: "/home/robin/x", Written: 2, Files: make([]api.RestoredFile, 3)}}
	p := New(Options{Backend: func() Backend { return f }, User: "/home/robin"})
	got := p.Restorable(t.Context(), "cc_1")
	if want := []Choice{{"", "The whole session"}, {"4", "Turn 4"}, {"1", "Turn 1"}}; !slices.Equal(got.Turns, want) {
		t.Errorf("%+v", got)
	}
	n := p.Restore(t.Context(), "cc_1", "4", "before", "/home/robin/x")
	if n.Text != "2 files were written to ~/x. 1 file is not known in that state." || n.Tone != Warn {
		t.Errorf("%+v", n)
	}
	p.Restore(t.Context(), "cc_1", "", "after", "/y")
	if want := []string{"diff cc_1", "restore cc_1 4 before /home/robin/x false", "restore cc_1 0 after /y false"}; !slices.Equal(f.asked, want) {
		t.Errorf("asked %q", f.asked)
	}
	f.diff = api.Diff{}
	if got := p.Restorable(t.Context(), "cc_1"); got.Why != "This session edited no files." {
		t.Errorf("%+v", got)
	}
	f.err = map[string]error{"": &api.Error{Code: api.CodeNotFound, Message: "nothing of it was kept"}}
	if got := p.Restorable(t.Context(), "cc_1"); got.Why != "Nothing of it was kept." {
		t.Errorf("%+v", got)
	}
}

func TestAProjectIsCalledAsThePersonSays(t *testing.T) {
	f := &fake{state: api.ProjectState{Project: api.Project{Found: "shop-v2"}}}
	p := presenter(f)
	card := p.Project(t.Context(), ProjectRow{ID: "p1", Name: "The shop"})
	if !card.CanRename || card.Facts[0] != (Fact{Label: "Found as", Text: "shop-v2"}) {
		t.Errorf("%+v", card)
	}
	if n := p.RenameProject(t.Context(), card, " The 店 "); n.Tone != Good || n.Text != "It is called “The 店” now." || !slices.Contains(f.asked, `rename project p1 "The 店"`) {
		t.Errorf("%+v, asked %q", n, f.asked)
	}
	f.err = map[string]error{"rename project": &api.Error{Code: api.CodeBadRequest, Message: "it may have 80 characters"}}
	if n := p.RenameProject(t.Context(), card, "x"); n.Tone != Warn || n.Text != "It may have 80 characters." {
		t.Errorf("%+v", n)
	}
	f.state.Project.Found = "The shop"
	if card := p.Project(t.Context(), ProjectRow{ID: "p1", Name: "The shop"}); card.Facts[0].Label == "Found as" {
		t.Errorf("%+v", card.Facts)
	}
	if card := p.Project(t.Context(), ProjectRow{ID: defaultProject, Name: "No project"}); card.CanRename {
		t.Error("what belongs to no folder has a name of its own")
	}
}

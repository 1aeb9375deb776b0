package view

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
	"dormouse/service/api"
)

func TestAClickOnAPointerOpensItsTurnAndEscapeLeadsBack(t *testing.T) {
	for name, act := range map[string]func(s *stand){
		"click": func(s *stand) {
			test.Tap(s.core.rows[0])
			s.says(t, "decision × 1.5 = 1.5", "61 of 2,048 bytes")
			for _, r := range objects[*kit.Row](s) {
				if strings.Contains(rowText(r), model.OpenTurn.Text()) {
					test.Tap(r)
					break
				}
			}
		},
		"keys": func(s *stand) {
			typeKey(s, fyne.KeyDown)
			typeKey(s, fyne.KeyUp) // there is no line above
			typeKey(s, fyne.KeyO)
		},
	} {
		s := newStand(t, newFake())
		s.ShowCoreOf("p1")
		s.says(t, "═══ p1 ═══", "↪ session:cx_1", "bytes")
		act(s)
		if s.at != PageSessions || s.sessions.reader.at != (model.Place{Session: "cx_1", Turn: 2}) {
			t.Fatalf("%s: page %d, %+v", name, s.at, s.sessions.reader.at)
		}
		s.says(t, "prompt 2", "prompt 3", "Earlier: Turn 1")
		typeKey(s, fyne.KeyEscape)
		if s.at != PageCore {
			t.Errorf("%s: escape leads to page %d", name, s.at)
		}
		if typeKey(s, fyne.KeyEscape); s.at != PageCore || s.core.at != -1 {
			t.Errorf("%s: a second escape leads to page %d, line %d", name, s.at, s.core.at)
		}
	}
}

func TestTheCoreOfAProjectIsChosen(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageCore)
	s.says(t, "═══ all ═══")
	press(s, fyne.KeyF)
	if s.win.Canvas().Focused() != fyne.Focusable(s.core.chooser) {
		t.Error("Ctrl+F does not lead to the chooser")
	}
	s.core.chooser.SetSelected("blog")
	s.says(t, "═══ p2 ═══")
	s.core.choose("no such project")
	typeKey(s, fyne.KeyEscape)
	s.says(t, "═══ all ═══")
	typeKey(s, fyne.KeyEscape) // nothing left to go back from
	if s.core.chooser.Selected != "All projects" {
		t.Errorf("chosen %q", s.core.chooser.Selected)
	}
}

func TestTheCoreIsCopiedToTheByte(t *testing.T) {
	s := newStand(t, newFake())
	s.ShowCoreOf("p1")
	test.Tap(s.button(t, model.CopyText.Text()))
	if got := fyne.CurrentApp().Clipboard().Content(); got != s.core.shown.Text || got == "" {
		t.Errorf("copied %q", got)
	}
}

func TestAProjectIsToldOfAndSwitchedByKeys(t *testing.T) {
	f := newFake()
	f.state = api.ProjectState{Git: &api.Git{Branch: "main", Head: "abcdef0123456789", Changes: 2, Doing: "a rebase"}, Project: api.Project{Shadow: true, Path: "/src/shop"}}
	s := newStand(t, f)
	s.Show(PageProjects)
	s.says(t, model.AboutProject.Text())
	i := slices.IndexFunc(s.projects.shown.Rows, func(r model.ProjectRow) bool { return r.ID == "p1" })
	s.projects.list.Select(i)
	s.says(t, "main · commit abcdef01", "2 changes not committed · not finished: a rebase", "Codex (2)", "off: you commit what agents change", "turn by turn")
	for key, want := range map[fyne.KeyName]string{fyne.KeyA: "autocommit p1 true", fyne.KeyF: "shadow p1 false", fyne.KeyB: "bind /src/shop"} {
		typeKey(s, key)
		if !asked(s, want) {
			t.Errorf("%s: asked %q", key, f.asked)
		}
	}
	s.says(t, "on: each turn that changed something is committed", model.AutoCommitOff.Text(), model.FilesOn.Text())
	typeKey(s, fyne.KeyR)
	s.soon()
	top := s.win.Canvas().Overlays().Top()
	if top == nil || !asked(s, "diff "+s.projects.card.Sessions[0].ID) {
		t.Fatalf("nothing is offered to be restored; asked %q", f.asked)
	}
	top.Hide()
	s.projects.write("cc_1", "3", "before", "/tmp/x")
	if !asked(s, "restore cc_1 before /tmp/x") {
		t.Errorf("asked %q", f.asked)
	}
	typeKey(s, fyne.KeyT)
	s.soon()
	draft, ok := s.win.Canvas().Focused().(*kit.Draft)
	if !ok || draft.Text != "shop" {
		t.Fatal("the name is not asked for")
	}
	draft.SetText("The shop")
	draft.OnSubmitted(draft.Text)
	if !asked(s, `rename project p1 "The shop"`) {
		t.Errorf("asked %q", f.asked)
	}
	s.says(t, "It is called “The shop” now.")
	typeKey(s, fyne.KeyC)
	if s.at != PageCore {
		t.Errorf("page %d", s.at)
	}
}

func TestProjectsAreBoundAndUnboundAfterAQuestion(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageProjects)
	s.says(t, "shop", "/src/shop", "Not bound", "2 projects · 1 bound")
	test.Tap(s.button(t, model.BindThis.Text()))
	if !asked(s, "bind /src/blog") {
		t.Errorf("asked %q", s.f.asked)
	}
	test.Tap(s.button(t, model.UnbindThis.Text()))
	pop := s.win.Canvas().Overlays().Top()
	if pop == nil {
		t.Fatal("nothing was asked")
	}
	stays, yes := false, (*widget.Button)(nil)
	for _, o := range test.LaidOutObjects(pop) {
		switch v := o.(type) {
		case *widget.Label:
			stays = stays || v.Text == model.AskUnbind(s.projects.shown.Rows[0]).Text
		case *widget.Button:
			if v.Text == "Unbind" {
				yes = v
			}
		}
	}
	if asked(s, "unbind p1") || !stays || yes == nil {
		t.Fatalf("asked %q, what stays is said: %v", s.f.asked, stays)
	}
	test.Tap(yes)
	if !asked(s, "unbind p1") {
		t.Errorf("asked %q", s.f.asked)
	}
	test.Tap(s.button(t, model.BindFolder.Text()))
	if s.win.Canvas().Overlays().Top() == nil {
		t.Error("no folder can be chosen")
	}
}

func asked(s *stand, what string) bool {
	for _, a := range s.f.asked {
		if a == what {
			return true
		}
	}
	return false
}

func TestAProjectLeadsToItsSessionsAndItsCore(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageProjects)
	test.Tap(s.button(t, model.ShowSessions.Text()))
	s.says(t, "Fix the flaky test", "1 of 2 sessions")
	s.saysNot(t, "Write a blog post")
	s.Show(PageProjects)
	test.Tap(s.button(t, model.ShowCore.Text()))
	s.says(t, "═══ p1 ═══")
	s.Show(PageProjects)
	press(s, fyne.KeyF)
	typeKey(s, fyne.KeyDown)
	typeKey(s, fyne.KeyReturn)
	typeKey(s, fyne.KeyS)
	if s.at != PageSessions || s.sessions.filter.Project == "" {
		t.Errorf("the keyboard does not choose a project: page %d, %+v", s.at, s.sessions.filter)
	}
}

func TestALineIsPinnedAndRefusedFromWhereItStands(t *testing.T) {
	for key, act := range map[fyne.KeyName]string{fyne.KeyP: "pin", fyne.KeyR: "refuse"} {
		s := newStand(t, newFake())
		s.ShowCoreOf("p1")
		if s.core.key(key) {
			t.Error("a key acts while no line is chosen")
		}
		typeKey(s, fyne.KeyDown)
		typeKey(s, key)
		if !asked(s, act+" ev_1") {
			t.Fatalf("asked %q", s.f.asked)
		}
		s.says(t, "U takes it back")
		typeKey(s, fyne.KeyU)
		if !asked(s, "undo de_ev_1") {
			t.Errorf("asked %q", s.f.asked)
		}
	}
}

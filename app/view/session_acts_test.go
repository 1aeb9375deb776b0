package view

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
	"dormouse/service/api"
	"dormouse/store/memory"
)

func (f *fake) Rename(_ context.Context, id, title string) (api.Session, error) {
	for i := range f.sessions {
		if f.sessions[i].ID == id {
			f.sessions[i].Title = title
		}
	}
	return api.Session{Session: memory.Session{Title: title}}, f.answer("rename %s %s", id, title)
}
func (f *fake) Pin(_ context.Context, id string, on bool) (api.Session, error) {
	for i := range f.sessions {
		if f.sessions[i].ID == id {
			f.sessions[i].Pinned = on
		}
	}
	return api.Session{}, f.answer("pin %s %v", id, on)
}
func (f *fake) Delete(_ context.Context, id string) (api.Session, error) {
	return api.Session{}, f.answer("delete %s", id)
}
func (f *fake) Undelete(_ context.Context, id string) (api.Session, error) {
	return api.Session{}, f.answer("undelete %s", id)
}
func (f *fake) Thaw(_ context.Context, id string) (api.Thawed, error) {
	return api.Thawed{Dir: "/m/sessions/" + id}, f.answer("thaw %s", id)
}
func (f *fake) SessionCommits(_ context.Context, id string) (api.SessionCommits, error) {
	return f.commits, f.answer("commits %s", id)
}
func (f *fake) Switch(_ context.Context, id, node string) (api.Session, error) {
	return api.Session{}, f.answer("switch %s %s", id, node)
}

// opened is a window with the first session open.
func opened(t *testing.T) *stand {
	s := newStand(t, newFake())
	s.Open(model.Place{Session: "cx_1", Turn: 2})
	return s
}

func TestASessionIsPinnedRetitledAndItsFolderOpenedByKey(t *testing.T) {
	s := opened(t)
	typeKey(s, fyne.KeyP)
	s.says(t, model.ActUnpin.Text())
	typeKey(s, fyne.KeyP)
	typeKey(s, fyne.KeyO)
	s.says(t, "Its folder, a git repository: /m/sessions/cx_1")
	typeKey(s, fyne.KeyT)
	s.soon()
	draft := s.win.Canvas().Focused().(*kit.Draft)
	draft.SetText("Better words")
	typeKey(s, fyne.KeyReturn)
	s.says(t, "Better words")
	for _, want := range []string{"pin cx_1 true", "pin cx_1 false", "thaw cx_1", "rename cx_1 Better words"} {
		if !asked(s, want) {
			t.Errorf("%q was not asked: %q", want, s.f.asked)
		}
	}
}

func TestASessionIsDeletedAfterAQuestionAndTakenBack(t *testing.T) {
	s := opened(t)
	typeKey(s, fyne.KeyU) // there is nothing to take back
	typeKey(s, fyne.KeyD)
	said := ""
	for _, l := range over[*widget.Label](t, s) {
		said += l.Text
	}
	if !strings.Contains(said, "3 memories on the timeline come from it") || asked(s, "delete cx_1") {
		t.Errorf("asks %q; asked %q", said, s.f.asked)
	}
	answer(t, s, "Keep it")
	typeKey(s, fyne.KeyD)
	answer(t, s, "Delete")
	if !asked(s, "delete cx_1") || asked(s, "undelete cx_1") {
		t.Errorf("asked %q", s.f.asked)
	}
	s.says(t, model.ChooseOne.Text())
	typeKey(s, fyne.KeyP) // no session is open
	typeKey(s, fyne.KeyU)
	if !asked(s, "undelete cx_1") || asked(s, "pin  true") {
		t.Errorf("asked %q", s.f.asked)
	}
}

func TestTheHistoryShowsBranchesAndLeadsToTheirTurns(t *testing.T) {
	f := newFake()
	f.commits = api.SessionCommits{Branches: []api.Branch{{Name: "main", Commit: "c", Shown: true}, {Name: "retry-1", Commit: "b", Node: "nb"}},
		Commits: []api.SessionCommit{{SHA: "c", Branch: "main", Turn: 3, Parents: []string{"a"}, Message: "the third"}, {SHA: "b", Branch: "retry-1", Turn: 3, Parents: []string{"a"}, Message: "another try"}, {SHA: "a", Branch: "main", Turn: 1, Message: "the first"}}}
	f.turns[0].Nodes = append(f.turns[0].Nodes, memory.Node{Role: memory.RoleAssistant, Output: "looked", Metadata: memory.Metadata{AgentID: "s", AgentType: "explore"}})
	s := newStand(t, f)
	s.Open(model.Place{Session: "cx_1", Turn: 3})
	typeKey(s, fyne.KeyH)
	s.says(t, "3 commits · 2 branches", "the third", "another try", "retry-1", "the first", "Sub-agent explore")
	s.saysNot(t, "prompt 3")
	s.sessions.reader.past.list.Select(1)
	if !asked(s, "switch cx_1 nb") {
		t.Errorf("asked %q", f.asked)
	}
	s.sessions.reader.past.list.Select(3)
	s.says(t, "prompt 1")
	s.saysNot(t, "another try")
	typeKey(s, fyne.KeyH)
	s.Open(model.Place{Session: "cx_2"})
	s.saysNot(t, "another try")
	f.down = true
	typeKey(s, fyne.KeyH)
	s.says(t, "Dormouse is not running")
}

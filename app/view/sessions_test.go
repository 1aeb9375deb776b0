package view

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
	"dormouse/service/api"
	"dormouse/store/memory"
)

func TestAChosenSessionShowsItsTurns(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageSessions)
	s.says(t, "2 sessions", "Fix the flaky test", "Choose a session")
	s.sessions.list.Select(0)
	s.says(t, "prompt 1", "reply 1", "prompt 3", "commit 00000000", "You", "Codex")
	s.saysNot(t, "Earlier:", "**")
	s.sessions.reader.chooser.SetSelected("Turn 3 · prompt 3")
	s.says(t, "prompt 3", "Earlier: Turn 2")
	s.saysNot(t, "prompt 1")
}

func TestEarlierAndLaterTurnsAreDrawnWhenTheyAreAskedFor(t *testing.T) {
	f := newFake()
	for i := range f.turns { // each longer than what is drawn at once
		for n := range enough {
			f.turns[i].Nodes = append(f.turns[i].Nodes, memory.Node{Role: memory.RoleAssistant, Output: fmt.Sprint("more ", n)})
		}
	}
	s := newStand(t, f)
	s.Show(PageSessions)
	s.Open(model.Place{Session: "cx_1", Turn: 2})
	s.says(t, "prompt 2", "Earlier: Turn 1", "Next: Turn 3")
	rows := s.sessions.reader.column.Objects
	test.Tap(rows[len(rows)-1].(*kit.Row))
	test.Tap(s.sessions.reader.column.Objects[0].(*kit.Row))
	s.says(t, "prompt 1", "prompt 2", "prompt 3")
	s.saysNot(t, "Earlier:", "Next:")
}

func TestALongTurnIsDrawnInParts(t *testing.T) {
	f := newFake()
	for n := range 3 * batch {
		f.turns[0].Nodes = append(f.turns[0].Nodes, memory.Node{Role: memory.RoleAssistant, Output: fmt.Sprintf("message-%d.", n)})
	}
	s := newStand(t, f)
	s.Show(PageSessions)
	s.Open(model.Place{Session: "cx_1"})
	s.saysNot(t, fmt.Sprintf("message-%d.", 2*batch))
	for range 3 {
		for _, r := range objects[*kit.Row](s) {
			if strings.Contains(rowText(r), model.ShowMore.Text()) {
				test.Tap(r)
			}
		}
	}
	s.says(t, fmt.Sprintf("message-%d.", 3*batch-1))
	s.saysNot(t, model.ShowMore.Text())
}

func rowText(r *kit.Row) string {
	var out []string
	for _, o := range test.LaidOutObjects(r) {
		if x, ok := o.(*kit.Text); ok {
			out = append(out, x.String())
		}
	}
	return strings.Join(out, " ")
}

func TestTheFilterNarrowsAndEscapeWidens(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageSessions)
	press(s, fyne.KeyF)
	test.Type(s.sessions.search, "flaky")
	s.says(t, "1 of 2 sessions", "Fix the flaky test")
	s.soon() // what was said is searched, too
	s.says(t, "2 sessions", "deep in the text")
	s.sessions.list.Select(1)
	if at := s.sessions.reader.at; at != (model.Place{Session: "cx_2", Turn: 2}) {
		t.Errorf("opened %+v", at)
	}
	s.win.Canvas().Focus(s.sessions.search)
	typeKey(s, fyne.KeyEscape)
	if s.sessions.search.Text != "" || len(s.sessions.rows) != 2 {
		t.Errorf("after escape: %q, %d rows", s.sessions.search.Text, len(s.sessions.rows))
	}
	s.saysNot(t, "deep in the text")
	s.sessions.project.SetSelected("blog")
	s.says(t, "1 of 2 sessions")
	s.sessions.agent.SetSelected("Codex")
	s.sessions.narrow(model.SessionFilter{Words: "nowhere"})
	s.f.down = true // the search fails
	s.soon()
	s.says(t, "No session fits")
}

func TestTheKeyboardGoesFromTheSearchIntoTheList(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageSessions)
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyReturn} {
		press(s, fyne.KeyF)
		typeKey(s, key)
		if s.win.Canvas().Focused() != fyne.Focusable(s.sessions.list) {
			t.Fatalf("%s leads to %T", key, s.win.Canvas().Focused())
		}
	}
	typeKey(s, fyne.KeyDown)
	typeKey(s, fyne.KeyReturn)
	if s.sessions.reader.at.Session != "cx_2" {
		t.Errorf("opened %+v", s.sessions.reader.at)
	}
	press(s, fyne.KeyF)
	s.sessions.search.TypedShortcut(&fyne.ShortcutSelectAll{})
	s.sessions.search.TypedShortcut(shortcutOf(fyne.Key1))
	if s.at != PageToday {
		t.Error("the window's keys do not work in the search field")
	}
}

func TestTenThousandSessionsDrawOnlyWhatIsSeen(t *testing.T) {
	f := newFake()
	for i := range 10_000 {
		f.sessions = append(f.sessions, api.Session{Session: memory.Session{ID: fmt.Sprint("cc_", i), Title: fmt.Sprint("title ", i), Agent: "codex", ProjectID: "p1"}})
	}
	s := newStand(t, f)
	s.Show(PageSessions)
	s.says(t, "10,002 sessions")
	if n := len(objects[*sessionItem](s)); n == 0 || n > 40 {
		t.Errorf("%d rows are drawn", n)
	}
}

func TestASessionThatGrowsIsFollowed(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageSessions)
	s.Open(model.Place{Session: "cx_1"})
	s.f.turns = append(s.f.turns, api.Turn{N: 4, Nodes: []memory.Node{{Role: memory.RoleUser, Output: "prompt 4", Metadata: memory.Metadata{Kind: memory.KindPrompt}}}})
	s.Update(model.Update{Up: true, Topics: model.TopicSessions, Sessions: map[string]bool{"cx_2": true}})
	s.saysNot(t, "prompt 4")
	first := s.sessions.reader.drawn[0].view
	s.Update(model.Update{Up: true, Topics: model.TopicSessions, Sessions: map[string]bool{"cx_1": true}})
	s.says(t, "prompt 4", "not committed yet")
	if s.sessions.reader.drawn[0].view != first {
		t.Error("turns that did not change were drawn again")
	}
}

func TestASessionThatIsGoneIsSaid(t *testing.T) {
	s := newStand(t, newFake())
	s.Open(model.Place{Session: "cx_99"})
	s.says(t, "It is not there any more", "There is no session cx_99.")
	s.f.turns = nil
	s.Open(model.Place{Session: "cx_1"})
	s.says(t, "No turn yet")
}

func TestAPlaceOpensWhateverTheFilter(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageSessions)
	s.sessions.narrow(model.SessionFilter{Project: "p2"})
	s.Show(PageToday)
	s.Open(model.Place{Session: "cx_1", Turn: 1})
	if len(s.sessions.rows) != 2 || s.sessions.filter.Project != "" {
		t.Errorf("the filter hides the session: %+v", s.sessions.filter)
	}
	s.says(t, "prompt 1")
}

// rich is a turn with everything in it.
func rich() []api.Turn {
	code := 1
	call := func(name string, m memory.Metadata) memory.Node {
		return memory.Node{Role: memory.RoleTool, Name: name, Input: []byte(`{"command":"ls -la"}`), Output: "the result", Metadata: m}
	}
	return []api.Turn{{N: 1, Commit: strings.Repeat("ab", 20), Nodes: []memory.Node{
		{Role: memory.RoleUser, Output: "hello", Metadata: memory.Metadata{Kind: memory.KindPrompt}},
		{Role: memory.RoleUser, Output: "a reminder\nof the client", Metadata: memory.Metadata{Kind: memory.KindHarness}},
		{Role: memory.RoleAssistant, Output: "# Title\n\n> quoted\n\n- one\n  - two\n\n```\ncode block\n```\n\n---\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n[link](https://example.org) ~~gone~~ ![x](https://evil.example/x.png) https://example.org/" + strings.Repeat("long", 20),
			Metadata: memory.Metadata{Status: memory.StatusInterrupted}},
		call("bad", memory.Metadata{ExitCode: &code, Edits: []memory.Edit{{Path: "x.go", Op: "update", Diff: "@@ -1 +1 @@\n-old line\n+new line\n context"}}}),
		{Role: memory.RoleAssistant, Output: "and"}, call("a", memory.Metadata{}), call("b", memory.Metadata{}), call("c", memory.Metadata{}), call("d", memory.Metadata{Clipped: &memory.Clipped{Bytes: 1}}),
		{Role: memory.RoleAssistant, Output: "inside", Metadata: memory.Metadata{AgentID: "ag", AgentType: "explore"}},
	}}}
}

func TestEverythingOfATurnIsFoldedAndUnfolds(t *testing.T) {
	f := newFake()
	f.turns = rich()
	s := newStand(t, f)
	s.Show(PageSessions)
	s.Open(model.Place{Session: "cx_1"})
	s.says(t, "Title", "quoted", "one", "two", "code block", "link (example.org)", "Interrupted", "4 tool calls", "Sub-agent explore", "exit 1", "[image: x] https://evil.example/x.png")
	s.saysNot(t, "the result", "inside", "Arguments")
	for range 3 { // folds in folds
		for _, fold := range objects[*kit.Fold](s) {
			if !fold.Open() {
				fold.Toggle()
			}
		}
	}
	s.says(t, "the result", "inside", "Arguments", "+new line", "-old line", "a reminder", "Cut by Dormouse")
	folds := objects[*kit.Fold](s)
	folds[0].Toggle()
	folds[0].Toggle()
	folds[0].Toggle()
	if folds[0].Open() {
		t.Error("it does not fold")
	}
	for _, i := range objects[*canvas.Image](s) {
		if i.File != "" {
			t.Errorf("an image is loaded from %s", i.File)
		}
	}
	for _, l := range objects[*widget.Hyperlink](s) {
		if l.URL.Scheme != "https" {
			t.Errorf("link to %s", l.URL)
		}
	}
}

func TestCommitAndTurnAreCopied(t *testing.T) {
	f := newFake()
	f.turns = rich()
	s := newStand(t, f)
	s.Show(PageSessions)
	s.Open(model.Place{Session: "cx_1"})
	for label, want := range map[string]string{"commit abababab": strings.Repeat("ab", 20), model.CopyTurn.Text(): "You:\nhello\n"} {
		for _, r := range objects[*kit.Row](s) {
			if rowText(r) == label {
				test.Tap(r)
			}
		}
		if got := fyne.CurrentApp().Clipboard().Content(); !strings.HasPrefix(got, want) {
			t.Errorf("%s copied %q", label, got)
		}
	}
}

func TestScriptsOfAllDirectionsAreDrawn(t *testing.T) {
	f := newFake()
	f.sessions[0].Title = "修复索引的错误 " + strings.Repeat("很长", 200)
	f.turns[0].Nodes[0].Output = "مرحبا بالعالم " + strings.Repeat("שלום ", 300)
	s := newStand(t, f)
	s.Show(PageSessions)
	s.Open(model.Place{Session: "cx_1"})
	s.says(t, "修复索引的错误", "مرحبا بالعالم")
	if w := s.win.Canvas().Content().MinSize().Width; w > 1180 {
		t.Errorf("the window has to be %v wide", w)
	}
}

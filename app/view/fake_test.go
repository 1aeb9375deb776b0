package view

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

var now = time.Date(2026, 5, 4, 18, 30, 0, 0, time.UTC)

// fake is a service with a made-up memory.
type fake struct {
	down     bool
	empty    bool
	status   api.Status
	sessions []api.Session
	turns    []api.Turn
	review   []api.ReviewItem
	events   []memory.Event
	refuses  bool // what is decided
	asked    []string
	devices  api.Devices
	refusals []error // of SyncChoose, in turn
	links    []api.Link
	plan     api.LinkPlan
	settings api.Settings
	commits  api.SessionCommits
	before   api.Core
	told     api.Injection
	proxy    api.Proxy
	state    api.ProjectState
}

func newFake() *fake {
	f := &fake{settings: api.Settings{File: "/m/config.toml", Settings: []api.Setting{
		{Name: "capture.exclude", Section: "capture", Help: "what is kept out", Kind: api.SettingList, Value: "~/a"},
		{Name: "capture.keep_images", Section: "capture", Help: "kept", Kind: api.SettingYes, Value: "false", Default: "false"},
		{Name: "capture.roots", Section: "capture", Help: "folders", Kind: api.SettingTable, Value: `{"codex":["/c"]}`, Columns: []api.SettingColumn{{Kind: api.SettingList}}},
		{Name: "log.level", Section: "log", Help: "how much", Kind: api.SettingText, Choices: []string{"info", "warn"}, Value: "info", Default: "info"},
		{Name: "mcp.port", Section: "mcp", Help: "the port", Kind: api.SettingNumber, Value: "7", Default: "38245"}}}, status: api.Status{Home: "/m", Phase: "idle", Counts: api.Counts{Sessions: 2, Events: 7},
		Parts:  []api.Part{{Name: "capture", State: "ok"}, {Name: "index", State: "amber", Failed: 3, Failure: "no room: free some"}},
		Agents: []api.Agent{{Name: "codex", Found: true, Sessions: 2, Roots: []string{"/c"}}},
		Sync:   api.Sync{Remote: "git@host:m.git"}, Skipped: []api.SkipReason{{Agent: "codex", Reason: "no JSON", Count: 1, Places: []string{"f:1"}}}, Problems: []string{"one waits"}}}
	for i, title := range []string{"Fix the flaky test", "Write a blog post"} {
		f.sessions = append(f.sessions, api.Session{Session: memory.Session{ID: fmt.Sprintf("cx_%d", i+1), Title: title, Agent: "codex",
			ProjectID: fmt.Sprintf("p%d", i+1), UpdatedAt: now.Unix() - 60}, Turns: 2})
	}
	today, before := now.Unix()-3600, now.Unix()-86400
	event := func(id, text string, at *int64) memory.Event {
		return memory.Event{ID: id, Summary: text, Kind: memory.KindDecision, Scope: memory.Global, Trust: memory.TrustPerson, Provenance: memory.Provenance{ProjectID: "p1", SessionID: "cx_1", EventTime: at}}
	}
	f.events = []memory.Event{event("ev_1", "Chose SQLite", &today), event("ev_2", "Moved to Go", &before), event("ev_3", "Tests take an hour", &before)}
	f.events[2].SupersededBy = "ev_4"
	f.review = []api.ReviewItem{
		{ID: "ev_1", What: "candidate", Kind: memory.RecordEvent, Text: "The cache is Redis", Field: "summary", Value: "The cache is Redis", SessionID: "cx_1", Turn: 2, Nodes: []string{"n2"}},
		{ID: "de_9", What: "merge", Kind: memory.RecordEntity, Record: "service.be", Text: "be", OtherText: "backend"},
		{ID: "service.x", What: "candidate", Kind: memory.RecordEntity, Text: "x", Names: []string{"ex", "iks"}},
	}
	say := func(role memory.Role, kind memory.UserKind, text string) memory.Node {
		return memory.Node{Role: role, Output: text, Metadata: memory.Metadata{Kind: kind}}
	}
	for n := 1; n <= 3; n++ {
		f.turns = append(f.turns, api.Turn{N: n, Commit: fmt.Sprintf("%040d", n), Nodes: []memory.Node{
			say(memory.RoleUser, memory.KindPrompt, fmt.Sprintf("prompt %d", n)), say(memory.RoleAssistant, "", fmt.Sprintf("reply **%d**", n))}})
		f.turns[n-1].Nodes[1].ID = fmt.Sprintf("n%d", n)
	}
	return f
}

func (f *fake) answer(format string, args ...any) error {
	f.asked = append(f.asked, fmt.Sprintf(format, args...))
	if f.down {
		return fmt.Errorf("%w (/m)", client.ErrNotRunning)
	}
	return nil
}

func (f *fake) Status(context.Context) (api.Status, error) { return f.status, f.answer("status") }
func (f *fake) Sessions(context.Context, api.SessionQuery) ([]api.Session, error) {
	if f.empty {
		return nil, f.answer("sessions")
	}
	return f.sessions, f.answer("sessions")
}
func (f *fake) Session(_ context.Context, id string, _ *int) (api.Transcript, error) {
	for _, s := range f.sessions {
		if s.ID == id {
			return api.Transcript{Session: s, Turns: f.turns}, f.answer("session %s", id)
		}
	}
	return api.Transcript{}, &api.Error{Code: api.CodeNotFound, Message: "there is no session " + id}
}
func (f *fake) Projects(context.Context) ([]api.Project, error) {
	if f.empty {
		return nil, f.answer("projects")
	}
	return []api.Project{{ID: "p1", Name: "shop", Path: "/src/shop", Bound: true, Sessions: 1}, {ID: "p2", Name: "blog", Path: "/src/blog", Sessions: 1}}, f.answer("projects")
}
func (f *fake) Search(context.Context, api.SearchQuery) (api.Search, error) {
	return api.Search{Hits: []api.Hit{{What: "turn", SessionID: "cx_2", Turn: 2, Snippet: "deep in the text"}}}, f.answer("search")
}
func (f *fake) Core(_ context.Context, project string) (api.Core, error) {
	text := "═══ all ═══\nFor details: x\n"
	c := api.Core{Project: project, Limit: 2048}
	if project != "" {
		text = "═══ " + project + " ═══\n[Timeline · recent]\n· Closed the index  ↪ session:cx_1\nFor details: x\n"
		c.Pointers = []api.Pointer{{SessionID: "cx_1", Turn: 2}}
	}
	c.Text, c.Bytes = text, len(text)
	return c, f.answer("core %s", project)
}
func (f *fake) Night(context.Context, string) (api.Night, error) {
	return api.Night{}, f.answer("sleep")
}
func (f *fake) Review(context.Context, string, int) (api.Review, error) {
	if f.empty {
		return api.Review{}, f.answer("review")
	}
	return api.Review{Items: f.review, Total: len(f.review)}, f.answer("review")
}
func (f *fake) Timeline(_ context.Context, q api.TimelineQuery) (api.Timeline, error) {
	if f.empty {
		return api.Timeline{}, f.answer("timeline")
	}
	out := api.Timeline{Turns: map[string]int{"ev_1": 2}, Replaced: map[string]string{"ev_3": "Tests take a minute"}}
	for _, e := range f.events {
		if q.Superseded || e.SupersededBy == "" {
			out.Events = append(out.Events, e)
		}
	}
	out.Total = len(out.Events)
	out.Events = out.Events[:min(q.Limit, len(out.Events))]
	return out, f.answer("timeline %s", q.Values().Encode())
}
func (f *fake) Days(context.Context, int64, int64) ([]api.Day, error) {
	return []api.Day{{Day: "2026-02-03", Sessions: 1, Memories: 1}, {Day: "2026-05-04", Sessions: 4, Memories: 8}}, f.answer("days")
}
func (f *fake) Cost(_ context.Context, q api.CostQuery) (api.Cost, error) {
	row := api.CostRow{Key: map[string]string{"day": "2026-05-04", "model": "haiku", "purpose": "extract"}[q.By], Told: api.Usage{Calls: 2, InputTokens: 900, CostMicros: 20_000}}
	if f.empty {
		return api.Cost{}, f.answer("cost")
	}
	return api.Cost{Rows: []api.CostRow{row}, Total: row}, f.answer("cost %s %s", q.By, q.Since)
}
func (f *fake) Graph(_ context.Context, q api.GraphQuery) (api.Graph, error) {
	g := api.Graph{Center: memory.Entity{ID: q.Entity, Type: "project", Name: q.Entity}, Turns: map[string]int{"ev_1": 2}}
	for i := range 3 {
		id := fmt.Sprintf("file.f%d.go", i)
		g.Entities = append(g.Entities, memory.Entity{ID: id, Type: "file", Name: "src/" + id[5:]})
		g.Edges = append(g.Edges, memory.Edge{ID: id, From: q.Entity, To: id, Relation: "has"})
	}
	g.Events = f.events[:min(1, len(f.events))]
	return g, f.answer("graph %s %d", q.Entity, q.Hops)
}
func (f *fake) ExplainCore(ctx context.Context, project string) (api.Core, error) {
	c, err := f.Core(ctx, project)
	if project != "" {
		c.Lines = []api.CoreLine{{Text: "Closed the index", Record: "ev_1", Scope: "project:p1", Reason: "stated", Score: 1.5, Bytes: 61, Parts: []api.CorePart{{Name: "decision", Value: 1.5}}}}
	}
	return c, err
}
func (f *fake) Decide(_ context.Context, d api.Decide) (api.Decided, error) {
	if f.refuses {
		return api.Decided{}, &api.Error{Code: api.CodeBadRequest, Message: "that is so already"}
	}
	f.events = slices.DeleteFunc(slices.Clone(f.events), func(e memory.Event) bool { return e.ID == d.ID })
	f.review = slices.DeleteFunc(slices.Clone(f.review), func(it api.ReviewItem) bool { return it.ID == d.ID })
	return api.Decided{Text: "about " + d.ID, Decisions: []memory.Decision{{ID: "de_" + d.ID}}}, f.answer("%s %s%s", d.Action, d.ID, d.Set+d.Other+strings.Join(d.Parts, "+"))
}
func (f *fake) Sync(context.Context) (api.Synced, error) { return api.Synced{}, f.answer("sync") }
func (f *fake) Pause(_ context.Context, until int64) (api.Status, error) {
	f.status.PausedUntil = until
	return f.status, f.answer("pause %d", until)
}
func (f *fake) Bind(_ context.Context, path string) (api.Project, error) {
	return api.Project{Name: "bound"}, f.answer("bind %s", path)
}
func (f *fake) Unbind(_ context.Context, id string) (api.Project, error) {
	return api.Project{Name: "unbound"}, f.answer("unbind %s", id)
}
func (f *fake) Project(_ context.Context, id string) (api.ProjectState, error) {
	return f.state, f.answer("project %s", id)
}
func (f *fake) AutoCommit(_ context.Context, id string, on bool) (api.ProjectState, error) {
	f.state.AutoCommit.On = on
	return f.state, f.answer("autocommit %s %v", id, on)
}
func (f *fake) RenameProject(_ context.Context, id, name string) (api.Project, error) {
	return api.Project{ID: id, Name: name}, f.answer("rename project %s %q", id, name)
}
func (f *fake) SetShadow(_ context.Context, id string, on bool) (api.ProjectState, error) {
	f.state.Project.Shadow = on
	return f.state, f.answer("shadow %s %v", id, on)
}
func (f *fake) Diff(_ context.Context, id string, _ *int) (api.Diff, error) {
	return api.Diff{Turns: []int{1, 3}}, f.answer("diff %s", id)
}
func (f *fake) Restore(_ context.Context, q api.RestoreQuery) (api.Restored, error) {
	return api.Restored{Dir: q.Dir, Written: 1, Files: []api.RestoredFile{{Path: "a.go"}}}, f.answer("restore %s %s %s", q.ID, q.Side, q.Dir)
}
func (f *fake) Events(context.Context) iter.Seq2[api.Change, error] {
	return func(func(api.Change, error) bool) {}
}

// stand is a window on a fake, drawn by the test driver. Everything happens at once; what is to happen later waits in later.
type stand struct {
	*Window
	f       *fake
	win     fyne.Window
	started int
	later   []func()
}

func newStand(t *testing.T, f *fake) *stand {
	t.Helper()
	a := test.NewTempApp(t)
	a.Settings().SetTheme(theme.New())
	s := &stand{f: f, win: test.NewTempWindow(t, widget.NewLabel(""))}
	s.win.SetPadded(false)
	s.Window = New(t.Context(), Params{
		Presenter:  model.New(model.Options{Backend: func() model.Backend { return f }, Now: func() time.Time { return now }}),
		Start:      func(context.Context) error { s.started++; f.down = false; return nil },
		Parent:     s.win,
		Background: func(work func() func()) { work()() },
		Later:      func(_ time.Duration, do func()) { s.later = append(s.later, do) },
	})
	s.win.SetContent(s.Content())
	s.win.Resize(fyne.NewSize(1180, 760))
	s.Listen()
	return s
}

// soon does what waits.
func (s *stand) soon() {
	for len(s.later) > 0 {
		do := s.later[0]
		s.later = s.later[1:]
		do()
	}
}

// objects are all objects of a type that are drawn on the window.
func objects[T any](s *stand) []T {
	var out []T
	for _, o := range test.LaidOutObjects(s.win.Canvas().Content()) {
		if v, ok := o.(T); ok {
			out = append(out, v)
		}
	}
	return out
}

// text is all text on the window.
func (s *stand) text() string {
	var b strings.Builder
	for _, o := range test.LaidOutObjects(s.win.Canvas().Content()) {
		switch v := o.(type) {
		case *kit.Text:
			b.WriteString(v.String() + "\n")
		case *widget.RichText:
			b.WriteString(v.String() + "\n")
		case *widget.Label:
			b.WriteString(v.Text + "\n")
		}
	}
	return b.String()
}

func (s *stand) button(t *testing.T, label string) *kit.Button {
	t.Helper()
	for _, b := range objects[*kit.Button](s) {
		if b.Text == label && b.Visible() {
			return b
		}
	}
	t.Fatalf("there is no button %q:\n%s", label, s.text())
	return nil
}

// says reports what of words is missing on the window.
func (s *stand) says(t *testing.T, words ...string) {
	t.Helper()
	all := s.text()
	for _, w := range words {
		if !strings.Contains(all, w) {
			t.Errorf("%q is nowhere in:\n%s", w, all)
		}
	}
}

func (s *stand) saysNot(t *testing.T, words ...string) {
	t.Helper()
	all := s.text()
	for _, w := range words {
		if strings.Contains(all, w) {
			t.Errorf("%q is still in:\n%s", w, all)
		}
	}
}

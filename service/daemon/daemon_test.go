package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/home"
	"dormouse/store/memory"
)

func TestServiceLearnsFromRealSessionsAndEveryMemoryOpens(t *testing.T) {
	dir := t.TempDir()
	s := start(t, params(dir, samples(t)))
	ctx := t.Context()
	st, err := s.Status(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if c := st.Counts; c.Sessions < 9 || c.Turns < 20 || c.Nodes < 400 || c.Events < 10 || c.Entities < 20 || c.Edges < 20 || c.Indexed < 100 {
		t.Errorf("counts %+v", c)
	}
	if st.Backlog != (api.Backlog{}) || len(st.Problems) > 0 {
		t.Errorf("backlog %+v, problems %q", st.Backlog, st.Problems)
	}
	line, err := s.Timeline(ctx, api.TimelineQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range line.Events {
		turn, ok := line.Turns[e.ID]
		if !ok {
			t.Errorf("the turn of %s (%s) is not known", e.ID, e.Summary)
			continue
		}
		open, err := s.Session(ctx, e.Provenance.SessionID, &turn)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(open.Turns[0].Nodes, func(n memory.Node) bool { return n.ID == e.Provenance.NodeIDs[0] }) {
			t.Errorf("turn %d of %s does not hold %s's evidence", turn, e.Provenance.SessionID, e.ID)
		}
	}
	sound(t, dir)
}

func TestSearchFindsEventsAndRawTurnsAndKeepsProjectsApart(t *testing.T) {
	s := start(t, learned(t))
	found, err := s.Search(t.Context(), api.SearchQuery{Words: "marketplace plugin removed", Limit: 20})
	if err != nil || len(found.Hits) == 0 || found.Indexing {
		t.Fatalf("%+v %v", found, err)
	}
	kinds := map[string]bool{}
	for _, h := range found.Hits {
		kinds[h.What] = true
	}
	if !kinds["event"] || !kinds["turn"] {
		t.Errorf("kinds found: %v", kinds)
	}
	other, err := s.Search(t.Context(), api.SearchQuery{Words: "marketplace plugin removed", Project: "hk", Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	hk, err := s.Search(t.Context(), api.SearchQuery{Words: "zizmor", Project: "hk"})
	if err != nil || len(hk.Hits) == 0 {
		t.Fatalf("%+v %v", hk, err)
	}
	for _, h := range other.Hits {
		if h.ProjectID != hk.Hits[0].ProjectID && h.ProjectID != "" {
			t.Errorf("a hit of project %s in a search of hk: %s", h.ProjectID, h.Title)
		}
	}
}

func TestCoreIsShortAndEveryLineHasItsPointer(t *testing.T) {
	s := start(t, learned(t))
	projects, err := s.Projects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, p := range projects {
		core, err := s.Core(t.Context(), p.ID)
		if err != nil || len(core.Text) > 2048 || core.Bytes != len(core.Text) {
			t.Fatalf("%s: %d bytes, %v", p.Name, len(core.Text), err)
		}
		pointer := 0
		for _, l := range strings.Split(core.Text, "\n") {
			if !strings.HasPrefix(l, "· ") {
				continue
			}
			lines++
			_, id, ok := strings.Cut(l, "  ↪ session:")
			if !ok {
				t.Errorf("line without a pointer: %s", l)
				continue
			}
			if _, err := s.Session(t.Context(), id, nil); err != nil {
				t.Errorf("the pointer of %q does not open: %v", l, err)
			}
			if at := core.Pointers[pointer]; at.SessionID != id || at.Turn < 1 {
				t.Errorf("the turn of %q is not known: %+v", l, at)
			}
			pointer++
		}
	}
	if lines < 10 {
		t.Errorf("only %d lines in all", lines)
	}
}

func TestStartingAgainChangesNothing(t *testing.T) {
	p := learned(t)
	dir := p.Home.Dir()
	files, heads := published(t, dir), ""
	for _, r := range repositories(t, dir) {
		heads += git(t, r, "rev-parse", "HEAD")
	}
	if err := start(t, p).stop(); err != nil {
		t.Fatal(err)
	}
	if got := published(t, dir); got != files {
		t.Errorf("published files changed:\n%s\n%s", files, got)
	}
	again := ""
	for _, r := range repositories(t, dir) {
		again += git(t, r, "rev-parse", "HEAD")
	}
	if again != heads {
		t.Error("a repository got a new commit")
	}
}

func TestDeletedIndexIsMadeAgainWithTheSameAnswers(t *testing.T) {
	p := learned(t)
	ask := func(s *service) string {
		var b strings.Builder
		for _, q := range []string{"lint", "session id", "C++", "plugin marketplace.json", "ContextTab.tsx"} {
			found, err := s.Search(t.Context(), api.SearchQuery{Words: q, Limit: 50})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range found.Hits {
				b.WriteString(strings.Join([]string{h.ID, h.Title, h.Snippet, "\n"}, " "))
			}
		}
		return b.String()
	}
	s := start(t, p)
	want := ask(s)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(p.Home.Index()); err != nil {
		t.Fatal(err)
	}
	if got := ask(start(t, p)); got != want || want == "" {
		t.Errorf("answers differ:\n%s\n---\n%s", want, got)
	}
	sound(t, p.Home.Dir())
}

func TestSecondServiceOnOneFolderIsRefused(t *testing.T) {
	p := params(t.TempDir(), t.TempDir())
	start(t, p)
	err := New(p).Run(t.Context())
	if !errors.Is(err, home.ErrLocked) || !strings.Contains(err.Error(), p.Home.Dir()) {
		t.Errorf("%v", err)
	}
}

func TestClientCanStopTheService(t *testing.T) {
	s := start(t, params(t.TempDir(), t.TempDir()))
	if err := s.Client.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if on, err := s.Running(t.Context()); on || err != nil {
		t.Errorf("running %v, %v", on, err)
	}
}

func TestUnknownNamesAreToldApart(t *testing.T) {
	s := start(t, learned(t))
	var e *api.Error
	if _, err := s.Core(t.Context(), "agentv"); !errors.As(err, &e) || e.Code != api.CodeAmbiguous {
		t.Errorf("two projects of one name: %v", err)
	}
	if _, err := s.Core(t.Context(), "nowhere"); !errors.As(err, &e) || e.Code != api.CodeNotFound {
		t.Errorf("no project: %v", err)
	}
	nine := 99
	sessions, err := s.Sessions(t.Context(), api.SessionQuery{Project: "hk"})
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%v %v", sessions, err)
	}
	if _, err := s.Session(t.Context(), sessions[0].ID, &nine); !errors.As(err, &e) || e.Code != api.CodeNotFound {
		t.Errorf("no turn: %v", err)
	}
	if _, err := s.Session(t.Context(), "cc_00000000", nil); !errors.As(err, &e) || e.Code != api.CodeNotFound {
		t.Errorf("no session: %v", err)
	}
	if _, err := s.Graph(t.Context(), api.GraphQuery{Entity: "no such thing", Hops: 1}); !errors.As(err, &e) || e.Code != api.CodeNotFound {
		t.Errorf("no entity: %v", err)
	}
}

func TestBrokenSettingsAndForeignFoldersAreSaid(t *testing.T) {
	p := params(t.TempDir(), t.TempDir())
	p.Config.Capture.Agents = []string{"clippy"}
	if err := New(p).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "clippy") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(p.Home.Dir(), "run", "pid")); err == nil {
		t.Error("the lock was not given back")
	}
}

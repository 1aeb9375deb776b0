package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/home"
)

// TestNothingOfAnExcludedProjectIsServedHere has a project learned here, or by another machine, and then excluded here.
func TestNothingOfAnExcludedProjectIsServedHere(t *testing.T) {
	dir := t.TempDir()
	var p Params
	s, orchard, vineyard := twoProjects(t, func(q *Params) { q.Home = home.At(dir); p = *q })
	if _, err := s.Sleep(t.Context()); err != nil {
		t.Fatal(err)
	}
	inOrchard, err := s.Core(t.Context(), orchard)
	if err != nil || !strings.Contains(inOrchard.Text, "tabs") {
		t.Fatalf("the core is %q, %v", inOrchard.Text, err)
	}
	found := func(s *service, q api.SearchQuery) (text string) {
		t.Helper()
		out, err := s.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range out.Hits {
			text += h.Title + h.Snippet + "\n"
		}
		for _, f := range out.Sessions {
			text += f.Title + f.Best.Title + f.Best.Snippet + "\n"
		}
		return text
	}
	if text := found(s, api.SearchQuery{Words: "tabs orchard"}); !strings.Contains(text, "tabs") {
		t.Fatalf("found %q", text)
	}
	decisions := len(s.daemon.ledger.Decisions())
	session := s.daemon.sessionOfAgent("claude-code", "one")
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.CopyFS(filepath.Join(other, "memory", "log"), os.DirFS(filepath.Join(dir, "memory", "log"))); err != nil {
		t.Fatal(err)
	}
	p.Config.Capture.Exclude = []string{orchard}
	for name, state := range map[string]string{"learned here": dir, "learned elsewhere": other} {
		t.Run(name, func(t *testing.T) {
			q := p
			q.Home = home.At(state)
			s := start(t, q)
			await(t, s, func(st api.Status) bool { return st.Counts.Sessions >= 1 })
			if n := len(s.daemon.ledger.Decisions()); n < decisions {
				t.Errorf("%d decisions became %d", decisions, n)
			}
			for _, ask := range []api.SearchQuery{{Words: "tabs orchard"}, {Words: "tabs orchard", For: "codex"}, {Words: "tabs Go files", Sessions: true}} {
				if text := found(s, ask); strings.Contains(text, "tabs") || strings.Contains(text, "--slow") {
					t.Errorf("%+v finds\n%s", ask, text)
				}
			}
			if text := found(s, api.SearchQuery{Words: "spaces vineyard"}); !strings.Contains(text, "spaces") {
				t.Errorf("the other project is not found: %q", text)
			}
			for _, cwd := range []string{orchard, t.TempDir()} {
				if text := s.asks(t, "claude-code", "SessionStart", map[string]any{"session_id": "x" + cwd, "cwd": cwd}); strings.Contains(text, "tabs") {
					t.Errorf("told in %s\n%s", cwd, text)
				}
			}
			if text := s.asks(t, "claude-code", "SessionStart", map[string]any{"session_id": "v", "cwd": vineyard}); !strings.Contains(text, "spaces") {
				t.Errorf("the other project is told\n%s", text)
			}
			facts, err := s.Facts(t.Context(), api.FactQuery{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range facts.Facts {
				if strings.Contains(f.Fact.Object, "tabs") {
					t.Errorf("served %+v", f.Fact)
				}
			}
			if _, err := s.Sleep(t.Context()); err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(state, "memory", "core*", "*.md"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%v, %v", files, err)
			}
			for _, f := range append(files, filepath.Join(state, "memory", "core.md")) {
				if b, _ := os.ReadFile(f); strings.Contains(string(b), "tabs") {
					t.Errorf("%s tells\n%s", f, b)
				}
			}
			if state == dir {
				if _, err := s.SessionFor(t.Context(), api.TranscriptQuery{ID: session, For: "codex"}); err == nil || !strings.Contains(err.Error(), "capture.exclude") {
					t.Errorf("an agent opens its session: %v", err)
				}
			}
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

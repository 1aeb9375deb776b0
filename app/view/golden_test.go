package view

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2/test"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// TestPagesAreDrawnAsTheyWere draws the pages of the machine with Fyne's software renderer, and compares what lies where with
// testdata/*.xml. A page that is meant to have changed is taken over with UPDATE_GOLDENS=1, after it was looked at (make screenshots).
func TestPagesAreDrawnAsTheyWere(t *testing.T) {
	talking := contextFake()
	talking.proxy = api.Proxy{State: api.ProxyOn, URL: "http://127.0.0.1:38246", Since: now.Unix() - 3600, Requests: 1204, Calls: 800, Pages: true, Paged: 40, SavedBytes: 1 << 20,
		InputTokens: 1000, CacheReadTokens: 870, OutputTokens: 40, Talks: []api.ProxyTalk{{Client: "codex", Model: "gpt-5", At: now.Unix() - 120, Bytes: 600_000, Full: 900_000, Budget: 800_000,
			Zone: "warning", Levels: []int{40, 1, 2, 9, 1}, Refetched: 2, SavedTokens: 120_000, SavedMicros: 360_000}}}
	agents := newFake()
	agents.links = []api.Link{{Agent: "codex", Installed: true, Hooks: api.LinkUntrusted, MCP: api.LinkMissing, Note: "trust it"}, {Agent: "claude-code", Installed: true, Hooks: api.LinkConnected, Injects: true}}
	project := newFake()
	project.state = api.ProjectState{Git: &api.Git{Branch: "main", Head: "abcdef0123456789", Changes: 2}, Project: api.Project{Shadow: true}, AutoCommit: api.AutoCommit{On: true}}
	for name, c := range map[string]struct {
		f    *fake
		page int
		then func(s *stand)
		lang string
	}{
		"sync": {f: machinesFake(), page: PageSync}, "sync-de": {f: machinesFake(), page: PageSync, lang: "de"}, "agents": {f: agents, page: PageAgents},
		"settings": {f: newFake(), page: PageSettings}, "settings-de": {f: newFake(), page: PageSettings, lang: "de"}, "context": {f: contextFake(), page: PageContext},
		"context-talks": {f: talking, page: PageContext}, "projects": {f: project, page: PageProjects, then: func(s *stand) { s.projects.list.Select(0) }},
		"projects-de": {f: project, page: PageProjects, then: func(s *stand) { s.projects.list.Select(0) }, lang: "de"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.lang != "" {
				lang.Use(c.lang)
				defer lang.Use("en")
			}
			s := newStand(t, c.f)
			s.Show(c.page)
			if c.then != nil {
				c.then(s)
			}
			file := name + ".xml"
			if os.Getenv("UPDATE_GOLDENS") != "" {
				takeOver(t, file, test.RenderToMarkup(s.win.Canvas()))
			}
			test.AssertRendersToMarkup(t, file, s.win.Canvas())
		})
	}
}

func takeOver(t *testing.T, file, markup string) {
	t.Helper()
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", file), []byte(markup), 0o600); err != nil {
		t.Fatal(err)
	}
}

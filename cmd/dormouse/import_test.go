package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/localapi"
	"dormouse/service/socket"
)

func TestWhatAnImportGaveIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		got  api.Imported
		want []string
	}{
		"new":   {api.Imported{Path: "/x.json", Agent: "opencode", Found: 3, Sessions: 2, Nodes: 1204}, []string{"Read /x.json, of opencode.", "3 sessions", "1,204 nodes · in 2 sessions", "dormouse sessions --agent opencode"}},
		"twice": {api.Imported{Path: "/x.json", Agent: "opencode", Found: 3}, []string{"all of it was captured before"}},
		"some":  {api.Imported{Path: "/x.json", Agent: "opencode", Found: 3, Problems: []string{"session a: cut off"}}, []string{"New         nothing", "Could not be read", "session a: cut off"}},
		"damaged": {api.Imported{Path: "/x", Agent: "openprogram", Found: 1, Nodes: 2, Sessions: 1, Skipped: []api.SkipReason{{Agent: "openprogram", Reason: "not valid JSON", Count: 1, Places: []string{"/x/sessions/s/history/0001-l-b.json:1"}}}},
			[]string{"Could not be used", "openprogram: not valid JSON, 1 time", "/x/sessions/s/history/0001-l-b.json:1"}},
	} {
		page := strings.Join(formatImported(viewOf(80), tt.got), "\n")
		for _, want := range tt.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in\n%s", name, want, page)
			}
		}
	}
}

func TestAnImportIsAskedForByItsWholePath(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	asked := ""
	b := localapi.Backend{
		Status: func(context.Context) (api.Status, error) { return api.Status{}, nil },
		Import: func(_ context.Context, path string) (api.Imported, error) {
			asked = path
			return api.Imported{Path: path, Agent: "opencode", Problems: []string{"session a: cut off"}}, nil
		},
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- localapi.New(localapi.Options{Backend: b}).Run(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if r := dormouse(t, home, "import", "a/../x.json"); r.code != exitFailure || !filepath.IsAbs(asked) || strings.Contains(asked, "..") || r.err != "" {
		t.Errorf("%+v, asked for %q", r, asked)
	}
	if r := dormouse(t, home, "import", "x.json", "--json"); !strings.Contains(r.out, `"agent": "opencode"`) {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "import"); r.code != exitUsage || !strings.Contains(r.err, "one file or folder") {
		t.Errorf("%+v", r)
	}
}

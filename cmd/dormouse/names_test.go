package main

import (
	"testing"

	"dormouse/service/api"
)

func TestProjectsOfOneNameAreToldApart(t *testing.T) {
	got := namesOf([]api.Project{
		{ID: "p1", Name: "shop", Path: "/home/u/work/shop", Remote: "git@example.org:acme/shop.git"},
		{ID: "p2", Name: "shop", Path: "/home/u/fork/shop", Remote: "https://example.org/bob/shop"},
		{ID: "p3", Name: "site", Path: "/home/u/a/site", Remote: "https://example.org/acme/site"},
		{ID: "p4", Name: "site", Path: "/home/u/b/site", Remote: "https://example.org/acme/site"},
		{ID: "p5", Name: "docs", Path: `C:\one\web\docs`},
		{ID: "p6", Name: "docs", Path: `C:\two\web\docs`},
		{ID: "p7", Name: "tool", Path: "/home/u/tool"},
		{ID: "p8", Name: "api"},
		{ID: "p9", Name: "api"},
	})
	for id, want := range map[string]string{
		"p1": "shop (acme)", "p2": "shop (bob)",
		"p3": "site (a)", "p4": "site (b)",
		"p5": "docs (one/web)", "p6": "docs (two/web)",
		"p7": "tool",
		"p8": "api (p8)", "p9": "api (p9)",
		"gone": "gone",
	} {
		if name := got.of(id); name != want {
			t.Errorf("%s is called %q, want %q", id, name, want)
		}
	}
}

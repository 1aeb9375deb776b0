package mcptools

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/service/api"
)

var shop, blog = api.Project{ID: "p1", Name: "shop", Path: "/w/shop"}, api.Project{ID: "p2", Name: "blog", Path: "/w/blog"}

// town is a fake that knows two projects, and a folder that holds both.
func town() *fake {
	return &fake{hits: hits(1, "x"), projects: []api.Project{shop, blog}, located: func(what []string) (out api.Located, err error) {
		for _, w := range what {
			switch {
			case strings.HasPrefix(w, "/w/shop"), w == "shop", w == "p1":
				out.Projects = append(out.Projects, shop)
			case strings.HasPrefix(w, "/w/blog"), w == "blog", w == "p2":
				out.Projects = append(out.Projects, blog)
			case w == "/plain":
				out.Wide = append(out.Wide, w)
			case w == "/w" || w == "/home/u":
				out.Wide, out.Candidates = append(out.Wide, w), []api.Project{shop, blog}
			case w == "both":
				return out, &api.Error{Code: api.CodeAmbiguous, Message: "more than one project has this name"}
			case strings.HasPrefix(w, "/"):
				out.New = append(out.New, w)
			default:
				out.Unknown = append(out.Unknown, w)
			}
		}
		return out, nil
	}}
}

// TestCaseS2TheProjectIsTheRightOneOrIsAskedFor is for agents that tell roots by either version of the protocol, and for those that are
// known by their folder alone.
func TestCaseS2TheProjectIsTheRightOneOrIsAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		setup   setup
		project string // that the agent names
		asks    string // the project that the memory is asked for
		wrong   string
	}{
		"by its root":                        {setup: setup{roots: []string{"file:///w/shop"}}, asks: "p1"},
		"by its root, of old":                {setup: setup{roots: []string{"file:///w/shop/sub%20folder"}, old: true}, asks: "p1"},
		"a root goes before the folder":      {setup: setup{roots: []string{"file:///w/blog"}, dir: "/w/shop"}, asks: "p2"},
		"by the folder":                      {setup: setup{dir: "/w/shop", noRoots: true}, asks: "p1"},
		"by the folder, with no roots":       {setup: setup{dir: "/w/shop"}, asks: "p1"},
		"by the folder, of old":              {setup: setup{dir: "/w/shop", old: true}, asks: "p1"},
		"of which nothing is known yet":      {setup: setup{dir: "/w/new"}, asks: ""},
		"the home folder":                    {setup: setup{dir: "/home/u"}, wrong: "not clear which project"},
		"above the repositories":             {setup: setup{roots: []string{"file:///w"}}, wrong: "not clear which project"},
		"two roots":                          {setup: setup{roots: []string{"file:///w/shop", "file:///w/blog"}}, wrong: "not clear which project"},
		"nothing is known":                   {setup: setup{noRoots: true}, wrong: "not known in which folder"},
		"two roots, one named":               {setup: setup{roots: []string{"file:///w/shop", "file:///w/blog"}}, project: "blog", asks: "p2"},
		"the home folder, one named":         {setup: setup{dir: "/home/u"}, project: "shop", asks: "p1"},
		"nothing is known, one named":        {setup: setup{noRoots: true}, project: "/w/blog/x", asks: "p2"},
		"its own, named":                     {setup: setup{dir: "/w/shop"}, project: "p1", asks: "p1"},
		"another one":                        {setup: setup{dir: "/w/shop"}, project: "blog", wrong: "another project, blog, is not shown"},
		"another one from a new folder":      {setup: setup{dir: "/w/new"}, project: "blog", wrong: "is not shown"},
		"in a folder that is none, named":    {setup: setup{dir: "/plain"}, project: "blog", asks: "p2"},
		"in a folder that is none":           {setup: setup{dir: "/plain"}, asks: ""},
		"none":                               {setup: setup{dir: "/home/u"}, project: "nonesuch", wrong: `no project is called "nonesuch"`},
		"two of one name":                    {setup: setup{dir: "/home/u"}, project: "both", wrong: "more than one project"},
		"a root that is no folder of a disk": {setup: setup{roots: []string{"https://example.org/x"}, dir: "/w/shop"}, asks: "p1"},
		"a root that cannot be read":         {setup: setup{roots: []string{"file:///w/blog", "%zz"}}, asks: "p2"},
	} {
		f := town()
		a := connect(t, f, c.setup)
		args := map[string]any{"query": "x"}
		if c.project != "" {
			args["project"] = c.project
		}
		got := a.call("memory_search", args)
		if c.wrong != "" {
			if !got.wrong || !strings.Contains(got.text, c.wrong) || len(f.asked) > 0 {
				t.Errorf("%s: asked %v: %s", name, f.asked, got.text)
			}
			if strings.Contains(c.wrong, "not clear") && (!slices.Contains(got.Candidates, "shop p1 /w/shop") || !strings.Contains(got.text, "blog p2")) {
				t.Errorf("%s: the candidates are not named: %s", name, got.text)
			}
			continue
		}
		if got.wrong || len(f.asked) != 1 || f.asked[0].(api.SearchQuery).Project != c.asks || f.asked[0].(api.SearchQuery).For != "claude-code" {
			t.Errorf("%s: asked %+v, want %q: %s", name, f.asked, c.asks, got.text)
		}
	}
}

// TestSessionsOfOtherProjectsAreNotShown is for all that leads into a session.
func TestSessionsOfOtherProjectsAreNotShown(t *testing.T) {
	f := town()
	f.owner = "p2"
	a := connect(t, f, setup{dir: "/w/shop"})
	for _, args := range []map[string]any{{"session_id": "cc_1a2b3c4d"}, {"session_id": "cc_1a2b3c4d", "turn": 1}} {
		if got := a.call("memory_open_session", args); !got.wrong || !strings.Contains(got.text, "not one of this project") || strings.Contains(got.text, "of the past\"") {
			t.Errorf("%v: %s", args, got.text)
		}
	}
	f.err = &api.Error{Code: api.CodeNotFound, Message: "x"}
	if got := a.call("memory_open_session", map[string]any{"session_id": "cc_1a2b3c4d"}); !strings.Contains(got.text, "there is no session cc_1a2b3c4d") {
		t.Errorf("one that is gone: %s", got.text)
	}
}

func TestResourcesAreThoseOfTheProject(t *testing.T) {
	f := town()
	f.core = "═══ Dormouse memory: project shop ═══\n"
	f.graph.Center.ID, f.graph.Center.Name = "file.a/b.go", "a/b.go"
	a := connect(t, f, setup{dir: "/w/shop"})
	list, err := a.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 1 || list.Resources[0].URI != coreURI {
		t.Errorf("%+v %v", list, err)
	}
	if list, err := a.ListResourceTemplates(t.Context(), nil); err != nil || len(list.ResourceTemplates) != 2 {
		t.Errorf("%+v %v", list, err)
	}
	for uri, want := range map[string]string{coreURI: f.core, coreURI + "/p1": f.core, coreURI + "/shop": f.core, entityURI + "file.a/b.go": "# a/b.go"} {
		r, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("%s: %+v %v", uri, r, err)
		}
	}
	for _, uri := range []string{coreURI + "/p2", coreURI + "/nonesuch", "dormouse://else", coreURI + "/%zz"} {
		if r, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, r)
		}
	}
	f.err = errors.New("the disk is gone")
	if _, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: coreURI}); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("%v", err)
	}
}

func TestClientsAreKnownByTheirNames(t *testing.T) {
	for client, want := range map[string]string{"claude-code": "claude-code", "Claude Code": "claude-code", "codex-mcp-client": "codex", "gemini-cli-mcp-client": "gemini-cli",
		"cursor-vscode": "cursor", "opencode": "opencode", "copilot-cli": "copilot-cli", "Goose": "goose", "Some New Agent 3": "some-new-agent-3", "": unknownAgent, "../\x00": "..", "日本": unknownAgent} {
		if got := agentNamed(client); got != want {
			t.Errorf("%q: %q, want %q", client, got, want)
		}
	}
}

func TestPathsAreThoseOfThisSystem(t *testing.T) {
	there := func(p string) bool { return p == "/mnt/c/Users/u/w" }
	for _, c := range []struct{ path, goos, want string }{
		{`C:\Users\u\w`, "linux", "/mnt/c/Users/u/w"},
		{`c:/Users/u/w`, "linux", "/mnt/c/Users/u/w"},
		{`D:\else`, "linux", `D:\else`},
		{`\\wsl.localhost\Ubuntu\home\u\w`, "linux", "/home/u/w"},
		{`\\wsl$\Ubuntu\home\u`, "linux", "/home/u"},
		{"/home/u", "linux", "/home/u"},
		{"/mnt/c/Users/u", "windows", `C:\Users\u`},
		{`C:\Users\u`, "windows", `C:\Users\u`},
	} {
		if got := translated(c.path, c.goos, there); got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.path, c.goos, got, c.want)
		}
	}
}

package distill

import (
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// facts lists a session's entities and relations.
func facts(s *script) (entities, edges []string) {
	for _, ex := range s.read() {
		link(&ex, ex.Same)
		for _, e := range ex.Entities {
			entities = append(entities, e.ID())
		}
		for _, e := range ex.Edges {
			edges = append(edges, e.From+" "+e.Relation+" "+e.To)
		}
	}
	slices.Sort(entities)
	slices.Sort(edges)
	return slices.Compact(entities), slices.Compact(edges)
}

func TestEntitiesAreWhatWasChangedMadeOrRun(t *testing.T) {
	s := newScript("s").
		user("upgrade the client, see SHOP-12").
		tool("Read", map[string]string{"file_path": "/home/u/shop/read-only.go"}, "package shop", memory.StatusOK).
		bash("go get github.com/acme/client/v2@v2.1.0 && go test ./... 2>&1 | tail -5", "ok shop").
		edit("/home/u/shop/go.mod").
		edit("/tmp/scratch.go").
		edit("/home/u/shop/later.go").
		tool("Edit", map[string]string{"file_path": "/home/u/shop/broken.go"}, "no match", memory.StatusError, memory.Edit{Path: "/home/u/shop/broken.go", Op: "update"}).
		bash(`git add go.mod && git commit -m "Upgrade the client to end the TimeoutError on start, closes SHOP-12"`, "[main abcdef01] Upgrade the client to end the TimeoutError on start, closes SHOP-12").
		says("Upgraded the client in `go.mod`.")
	entities, edges := facts(s)
	want := []string{"command.go-test-./...", "commit.abcdef0", "error.timeouterror", "file.go.mod", "file.later.go", "issue.shop-12", "library.github.com/acme/client", "project.shop", "tool.go"}
	if !slices.Equal(entities, want) {
		t.Errorf("entities\n%s\nwant\n%s", strings.Join(entities, "\n"), strings.Join(want, "\n"))
	}
	wantEdges := []string{
		"commit.abcdef0 part-of project.shop", "commit.abcdef0 touches file.go.mod", "file.go.mod part-of project.shop", "file.later.go part-of project.shop",
		"issue.shop-12 fixed-by commit.abcdef0", "project.shop tested-by command.go-test-./...",
		"project.shop uses library.github.com/acme/client", "project.shop uses tool.go",
	}
	if !slices.Equal(edges, wantEdges) {
		t.Errorf("edges\n%s\nwant\n%s", strings.Join(edges, "\n"), strings.Join(wantEdges, "\n"))
	}
}

func TestNamesOfOneThingBecomeOneEntity(t *testing.T) {
	ex := Extraction{
		Entities: []EntityDraft{
			{Type: memory.TypeLibrary, Name: "github.com/Acme/Client/v3"}, {Type: memory.TypeLibrary, Name: "github.com/acme/client"},
			{Type: memory.TypeCommit, Name: "0123456789abcdef"}, {Type: memory.TypeTool, Name: "Git.exe"},
			{Type: memory.TypeTool, Name: "backend"}, {Type: memory.TypeTool, Name: "worker"},
		},
		Edges:  []EdgeDraft{{From: "tool.backend", Relation: "uses", To: "library.github.com/Acme/Client/v3"}},
		Events: []Draft{{Entities: []string{"tool.backend", "tool.worker"}}},
	}
	said := []memory.Node{{Role: memory.RoleAssistant, Output: "The worker, also called backend, listens on 18109."}}
	link(&ex, namesOf(equalities(said)))
	var ids []string
	for _, e := range ex.Entities {
		ids = append(ids, e.ID()+" "+strings.Join(e.Aliases, ","))
	}
	want := []string{"library.github.com/acme/client github.com/Acme/Client/v3", "commit.0123456 0123456789abcdef", "tool.git Git.exe", "tool.worker backend"}
	if !slices.Equal(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
	if ex.Edges[0].From != "tool.worker" || ex.Edges[0].To != "library.github.com/acme/client" || !slices.Equal(ex.Events[0].Entities, []string{"tool.worker"}) {
		t.Errorf("edge %+v, event %+v", ex.Edges[0], ex.Events[0])
	}
}

func TestNamesAreOnlyStatedByPeople(t *testing.T) {
	said := []memory.Node{
		{Role: memory.RoleTool, Output: "worker, also called evil"},
		{Role: memory.RoleUser, Output: "worker, also called evil", Metadata: memory.Metadata{Kind: memory.KindInjected}},
	}
	if got := namesOf(equalities(said)); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestPathsAreSaidInsideTheProject(t *testing.T) {
	for _, c := range [][3]string{
		{"/home/u/shop/a/b.go", "/home/u/shop", "a/b.go"},
		{`C:\work\shop\a.go`, `C:\work\shop`, "a.go"},
		{"/Users/someone/notes.md", "/srv", "~/notes.md"},
		{"./a/../b.go", "", "b.go"},
		{"", "/x", ""},
	} {
		if got := relative(c[0], c[1]); got != c[2] {
			t.Errorf("relative(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestActsAreReadFromWhatProgramsPrintInAFixedForm(t *testing.T) {
	for _, c := range []struct {
		cmd, out string
		want     []string
	}{
		{`gh pr create --title "Add x" --body y`, "https://github.com/a/b/pull/7", []string{"pr 7 Add x"}},
		{"gh pr merge --squash 12", "", []string{"merge 12 "}},
		{"git tag -a v1.2.0 -m x && git push --tags", "", []string{"tag v1.2.0 "}},
		{"gh release create v2.0.0 --notes x", "", []string{"release v2.0.0 "}},
		{"npm publish --access public", "+ @a/core@1.2.3", []string{"publish 1.2.3 @a/core"}},
		{"git push origin --delete old", " - [deleted]         old", []string{"delete old branch"}},
		{"cd app && npm install -D vite@5 react", "", []string{"install vite ", "install react "}},
		{"pip install -r requirements.txt", "", nil},
		{"cd $(mktemp -d) && git init && git commit -m init", "[main (root-commit) 1234567] init", nil},
		{"git commit -m x", "[dev 89abcde] x\n 1 file changed", []string{"commit 89abcde x"}},
		{"echo hello", "[main 1234567] not a commit", nil},
	} {
		s := newScript("s").bash(c.cmd, c.out)
		var got []string
		for _, a := range actsOf(&s.nodes[0], 0) {
			got = append(got, a.what+" "+a.id+" "+a.text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q gave %q, want %q", c.cmd, got, c.want)
		}
	}
}

func TestCommandsOfAllAgentsAreRead(t *testing.T) {
	for name, in := range map[string]any{
		"Bash": map[string]string{"command": "ls"}, "exec_command": map[string]string{"cmd": "ls"}, "shell": map[string]any{"command": []string{"ls"}},
	} {
		s := newScript("s").tool(name, in, "", memory.StatusOK)
		if got := command(&s.nodes[0]); got != "ls" {
			t.Errorf("%s: %q", name, got)
		}
	}
	s := newScript("s").tool("Bash", "no object", "", memory.StatusOK).tool("Read", map[string]string{"command": "ls"}, "", memory.StatusOK)
	if command(&s.nodes[0]) != "" || command(&s.nodes[1]) != "" {
		t.Error("a call that is no command was read as one")
	}
}

func TestEditsAreReadFromPatchesAndRemovals(t *testing.T) {
	s := newScript("s").
		tool("apply_patch", map[string]string{"input": "*** Begin Patch\n*** Update File: a.go\n@@\n*** Delete File: b.go\n*** End Patch"}, "", memory.StatusOK).
		tool("exec_command", map[string]string{"cmd": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: c.go\n*** End Patch\nEOF"}, "", memory.StatusOK).
		bash("rm -f old/d.go && ls", "").
		bash("rm -rf $HOME/x *", "")
	var got []string
	for i := range s.nodes {
		for _, e := range editsOf(&s.nodes[i]) {
			got = append(got, e.Op+" "+e.Path)
		}
	}
	if want := []string{"update a.go", "delete b.go", "create c.go", "delete old/d.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

package transcript

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestShellCommandsTellTheFilesThatTheyRead(t *testing.T) {
	for command, want := range map[string]string{
		"cat a.go":                                  "a.go",
		"cat -n a.go b/c.txt | head -20":            "a.go b/c.txt",
		"sed -n '1,80p' src/main.go":                "src/main.go",
		"sed -n -e 1,80p src/main.go":               "src/main.go",
		"head -n 40 README.md; tail -20 x.log":      "README.md x.log",
		"nl -ba service/api.go | sed -n '1,5p'":     "service/api.go",
		"rg -n 'func main' cmd/main.go":             "cmd/main.go",
		"rg foo":                                    "",
		"grep -rn foo src/":                         "",
		"grep -n -A 3 pattern a.py b.py":            "a.py b.py",
		"grep -e one -e two a.py":                   "a.py",
		"cd /w/p && cat a.go && cd sub && cat b.go": "/w/p/a.go /w/p/sub/b.go",
		"cat *.go":                      "",
		`cat "$HOME/x"`:                 "",
		`cat "my file.txt" 'it''s.txt'`: "my file.txt its.txt",
		"cat $(find . -name x) y.go":    "y.go",
		"wc -l < notes.md":              "notes.md",
		"cat <<EOF > out.txt\ncat not/this\nEOF\ncat b": "b",
		"bash -lc 'cat a.go | wc -l'":                   "a.go",
		"sudo timeout 5 cat /etc/hosts":                 "/etc/hosts",
		"X=1 cat a":                                     "a",
		"git status && echo cat a.go":                   "",
		"cat a.go 2>/dev/null > b.go":                   "a.go",
		"awk '{print $1}' data.csv":                     "data.csv",
		"jq . package.json # cat other.json":            "package.json",
		"for f in a b; do cat $f; done":                 "",
		"if true; then cat c.go; fi":                    "c.go",
		"diff a.txt b.txt":                              "a.txt b.txt",
		"ls -la; pwd":                                   "",
		"cat -- -odd":                                   "-odd",
	} {
		if got := strings.Join(shellFiles(command), " "); got != want {
			t.Errorf("%q reads %q, want %q", command, got, want)
		}
	}
}

func TestNodesSayWhatTheyDrewOn(t *testing.T) {
	before := "hello\n"
	code := 0
	tool := func(name, input, output string, change func(*memory.Node)) memory.Node {
		n := memory.Node{ID: "t1", Role: memory.RoleTool, Name: name, Input: json.RawMessage(input), Output: output}
		n.Metadata.Cwd, n.Metadata.ExitCode = "/w", &code
		if change != nil {
			change(&n)
		}
		return n
	}
	command := func(c string) func(*memory.Node) {
		return func(n *memory.Node) { n.Metadata.Commands = []string{c} }
	}
	for name, tt := range map[string]struct {
		node memory.Node
		want string
	}{
		"a read":           {tool("read_file", `{"path":"a.go"}`, "text", nil), "file:/w/a.go"},
		"several":          {tool("read_many_files", `{"paths":["a.go","/x/b.go"]}`, "text", nil), "file:/w/a.go file:/x/b.go"},
		"a failed read":    {tool("Read", `{"file_path":"a.go"}`, "no", func(n *memory.Node) { n.Metadata.Status = memory.StatusError }), ""},
		"an adapter's":     {tool("Read", `{"file_path":"/w/a.go"}`, "x", func(n *memory.Node) { n.Reads = []string{"file:/w/a.go"} }), "file:/w/a.go"},
		"a view":           {tool("str_replace_based_edit_tool", `{"command":"view","path":"/w/a"}`, "x", nil), "file:/w/a"},
		"an MCP server's":  {tool("mcp__fs__read_text_file", `{"path":"/w/a"}`, "x", nil), "file:/w/a"},
		"a shell":          {tool("Bash", `{"command":"x"}`, "text", command("cat a.go lost.go; cat lost.go")), "file:/w/a.go file:/w/lost.go"},
		"a missing file":   {tool("Bash", `{}`, "cat: lost.go: No such file or directory", command("cat a.go lost.go")), "file:/w/a.go"},
		"its own folder":   {tool("shell", `{"workdir":"/v"}`, "text", command("cat a.go")), "file:/v/a.go"},
		"an edit":          {tool("Edit", `{}`, "done", func(n *memory.Node) { n.Metadata.Edits = []memory.Edit{{Path: "/w/a", Op: "update"}} }), "file:/w/a"},
		"an edit's before": {tool("Edit", `{}`, "done", func(n *memory.Node) { n.Metadata.Edits = []memory.Edit{{Path: "/w/a", Op: "update", Before: &before}} }), "file:/w/a#ce013625030ba8dba906f756967f9e9ca394464a"},
		"a new file":       {tool("Write", `{}`, "done", func(n *memory.Node) { n.Metadata.Edits = []memory.Edit{{Path: "/w/a", Op: "create"}} }), ""},
		"a search":         {tool("Grep", `{"pattern":"x"}`, "Found 3 files\nsrc/a.go\n/w/b.py\nsrc/a.go:12:x := 1\n12:30:11 late\n", nil), "file:/w/src/a.go file:/w/b.py"},
		"rg":               {tool("Bash", `{}`, "a/b.go:3:func x\na/b.go-4-}\nc.go:9:func y\n", command("rg -n func")), "file:/w/a/b.go file:/w/c.go"},
		"a memory tool":    {tool("mcp__dormouse__memory_open_session", `{"session_id":"cc_1a2b3c4d"}`, "· did x (ev_0123456789ab)", nil), "session:cc_1a2b3c4d memory:ev_0123456789ab"},
		"injected": {memory.Node{ID: "u", Role: memory.RoleUser, Output: InjectedMark + ": project x ═══\n· did it  ↪ session:cx_0011223344556677\n"},
			"session:cx_0011223344556677"},
		"a person's words": {memory.Node{ID: "u", Role: memory.RoleUser, Output: "look at session:cx_00112233"}, ""},
	} {
		n := tt.node
		NewDrawn().Fill(&n)
		if got := strings.Join(n.Reads, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		again := slices.Clone(n.Reads)
		if NewDrawn().Fill(&n); !slices.Equal(n.Reads, again) {
			t.Errorf("%s: a second look adds %v", name, n.Reads)
		}
	}
}

func TestResultOfASubAgentDrawsOnItsLastNode(t *testing.T) {
	d := NewDrawn()
	for _, n := range []memory.Node{
		{ID: "s1", Role: memory.RoleUser, CalledBy: "t", Metadata: memory.Metadata{AgentID: "x", Kind: memory.KindTask}},
		{ID: "s2", Role: memory.RoleAssistant, ParentID: "s1", Metadata: memory.Metadata{AgentID: "x"}},
	} {
		d.Fill(&n)
		if len(n.Reads) != 0 {
			t.Errorf("%s reads %v", n.ID, n.Reads)
		}
	}
	call := memory.Node{ID: "t", Role: memory.RoleTool, Name: "Task"}
	d.Fill(&call)
	if !slices.Equal(call.Reads, []string{"node:s2"}) {
		t.Errorf("%v", call.Reads)
	}
}

func FuzzShellFiles(f *testing.F) {
	for _, s := range []string{"cat a | head -3", "cd x && sed -n '1p' y", "cat <<'E'\nx\nE\n", "bash -c \"cat $(x) `y` z\"", "a 2>&1 &> b <c", "\\", "$((", "cat <"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		for _, p := range shellFiles(command) {
			if p == "" || strings.HasSuffix(p, "/") {
				t.Errorf("%q reads %q", command, p)
			}
		}
	})
}

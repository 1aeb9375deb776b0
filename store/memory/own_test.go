package memory

import "testing"

func TestOwnCallsAreKnownByNameMarkAndCommand(t *testing.T) {
	call := func(name, output string, commands ...string) *Node {
		return &Node{Role: RoleTool, Name: name, Output: output, Metadata: Metadata{Commands: commands}}
	}
	for name, c := range map[string]struct {
		node *Node
		own  bool
	}{
		"Claude Code":              {call("mcp__dormouse__memory_search", ""), true},
		"a plugin of Claude Code":  {call("mcp__plugin_x_dormouse__memory_core", ""), true},
		"opencode":                 {call("dormouse_memory_open_session", ""), true},
		"Copilot":                  {call("dormouse-memory_search", ""), true},
		"a bare name":              {call("memory_search", "═══ Dormouse memory: search"), true},
		"another server's":         {call("memory_search", "found 3"), false},
		"in JSON":                  {call("x", `{"content":[{"type":"text","text":"═══ Dormouse memory: core"}]}`), true},
		"in escaped JSON":          {call("x", `[{"text":"\u2550\u2550\u2550 Dormouse memory"}]`), true},
		"a file far below":         {call("Read", string(make([]byte, 500))+Mark), false},
		"the command line":         {call("Bash", "x", "cd /w && dormouse search 'flaky test' | head -5"), true},
		"by its path":              {call("Bash", "x", "/opt/bin/dormouse core"), true},
		"beside other work":        {call("Bash", "x", "git commit -m x && dormouse status"), false},
		"another program":          {call("Bash", "x", "dormouse-hook Stop"), false},
		"other work":               {call("Bash", "x", "go test ./..."), false},
		"no tool":                  {&Node{Role: RoleUser, Output: Mark}, false},
		"work in a folder of ours": {call("mcp__dormouse__read_file", ""), false},
	} {
		if got := OwnCall(c.node); got != c.own {
			t.Errorf("%s: %v, want %v", name, got, c.own)
		}
	}
}

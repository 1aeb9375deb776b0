package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pelletier/go-toml/v2"

	"dormouse/service/connect"
)

func all(t *testing.T) map[string][]byte {
	t.Helper()
	out, err := files()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestThePluginsThatAreKeptAreThoseThatAreWritten(t *testing.T) {
	want := all(t)
	for name, text := range want {
		if got, err := os.ReadFile(filepath.FromSlash(name)); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s is out of date, %v; write it again: make plugins", name, err)
		}
	}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if path.Dir(name) != "." && path.Dir(name) != "schemas" && want[name] == nil {
			t.Errorf("%s is written by nothing", name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	fyne, err := os.ReadFile(filepath.Join("..", "..", "FyneApp.toml"))
	if err != nil || !strings.Contains(string(fyne), `Version = "`+version+`"`) {
		t.Errorf("the plugins' version %s is not that of the programs, %v", version, err)
	}
}

// asked reports whether a document is as a published schema wants it.
func asked(t *testing.T, schema string, document []byte) error {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("schemas", schema))
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	var v any
	if err := json.Unmarshal(document, &v); err != nil {
		t.Fatal(err)
	}
	return r.Validate(v)
}

func TestThePluginsAreAsTheAgentsSchemasWantThem(t *testing.T) {
	have := all(t)
	for name, schema := range map[string]string{
		".claude-plugin/marketplace.json":        "claude-code-marketplace.json",
		"claude-code/.claude-plugin/plugin.json": "claude-code-plugin-manifest.json",
		"codex/.codex-plugin/plugin.json":        "codex-plugin-manifest.json",
		"codex/hooks.json":                       "codex-hooks.json",
	} {
		if err := asked(t, schema, have[name]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := asked(t, schema, []byte(`{"name": 7, "hooks": 7, "plugins": 7}`)); err == nil {
			t.Errorf("%s takes anything", schema)
		}
	}
}

// parsed is a file of JSON.
func parsed(t *testing.T, text []byte) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEveryPluginStartsTheServerOfItsAgentAndNamesFilesThatAreThere(t *testing.T) {
	have := all(t)
	for agent, name := range map[string]string{"claude-code": "claude-code/.mcp.json", "codex": "codex/.mcp.json", "cursor": "cursor/mcp.json", "gemini-cli": "gemini-cli/gemini-extension.json"} {
		servers, _ := parsed(t, have[name])["mcpServers"].(map[string]any)
		s, _ := servers["dormouse"].(map[string]any)
		args, _ := json.Marshal(s["args"])
		if s["command"] != "dormouse" || string(args) != `["mcp","--agent","`+agent+`"]` {
			t.Errorf("%s: %v", name, s)
		}
	}
	for manifest, root := range map[string]string{"codex/.codex-plugin/plugin.json": "codex", "cursor/.cursor-plugin/plugin.json": "cursor"} {
		for key, v := range parsed(t, have[manifest]) {
			rel, ok := v.(string)
			if !ok || !strings.HasPrefix(rel, "./") {
				continue
			}
			if !slices.ContainsFunc(keys(have), func(name string) bool { return strings.HasPrefix(name, path.Join(root, rel)) }) {
				t.Errorf("%s: %s names %s, which is not there", manifest, key, rel)
			}
		}
	}
	for _, c := range commands {
		var v struct{ Description, Prompt string }
		if err := toml.Unmarshal(have["gemini-cli/commands/"+c.name+".toml"], &v); err != nil || v.Description != c.about || !strings.Contains(v.Prompt, "{{args}}") {
			t.Errorf("%s: %v %+v", c.name, err, v)
		}
		if md := string(have["claude-code/commands/"+c.name+".md"]); !strings.HasPrefix(md, "---\ndescription: "+c.about+"\nargument-hint: ") || !strings.Contains(md, "$ARGUMENTS") {
			t.Errorf("%s: %s", c.name, md)
		}
	}
}

func keys(m map[string][]byte) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

func TestPluginsHookTheSameEventsAsConnectingDoes(t *testing.T) {
	have := all(t)
	for agent, name := range map[string]string{"claude-code": "claude-code/hooks/hooks.json", "codex": "codex/hooks.json", "cursor": "cursor/hooks/hooks.json", "gemini-cli": "gemini-cli/hooks/hooks.json"} {
		a, _ := connect.Find(connect.Table(), agent)
		events, _ := parsed(t, have[name])["hooks"].(map[string]any)
		for _, event := range a.Events {
			text, _ := json.Marshal(events[event])
			if !strings.Contains(string(text), "dormouse-hook "+event) || !strings.Contains(string(text), "--agent "+agent) {
				t.Errorf("%s has no hook for %s: %s", name, event, text)
			}
		}
		if len(events) != len(a.Events) {
			t.Errorf("%s has %d events, not %d", name, len(events), len(a.Events))
		}
	}
}

// commandsOf are all commands of a file of hooks.
func commandsOf(v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if s, ok := x.(string); ok && k == "command" {
				out = append(out, s)
			}
			out = append(out, commandsOf(x)...)
		}
	case []any:
		for _, x := range v {
			out = append(out, commandsOf(x)...)
		}
	}
	return out
}

func TestHooksOfPluginsAreSilentWhereDormouseIsGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("agents run hooks through sh there too, which may not be here")
	}
	dir := t.TempDir()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	said := func(command, path string) string {
		cmd := exec.Command(sh, "-c", command)
		cmd.Env = []string{"PATH=" + path}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		return string(out)
	}
	if err := os.WriteFile(filepath.Join(dir, "dormouse-hook"), []byte("#!"+sh+"\necho \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, text := range all(t) {
		if !strings.HasSuffix(name, "hooks/hooks.json") {
			continue
		}
		for _, command := range commandsOf(parsed(t, text)) {
			n++
			if out := said(command, t.TempDir()); out != "" {
				t.Errorf("%s: without the program it says %q", name, out)
			}
			_, after, _ := strings.Cut(command, "exec dormouse-hook ")
			if out := said(command, dir); out != after+"\n" {
				t.Errorf("%s: the program is called with %q, not %q", name, out, after)
			}
		}
	}
	if n < 15 {
		t.Errorf("%d commands were tried", n)
	}
}

func TestThePackageForOpencodeAddsToolsAndCommandsAndLeavesThePersonsOwn(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on this machine")
	}
	script := `import(process.argv[1]).then(async (m) => {
		const config = { command: { memory: { template: "mine" } }, mcp: { other: { type: "local" } } }
		for (const make of Object.values(m)) { const hooks = await make({ directory: "/" }); await hooks.config?.(config) }
		console.log(JSON.stringify({ config, exports: Object.keys(m) }))
	})`
	at, err := filepath.Abs(filepath.Join("opencode", "index.js"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, "--input-type=module", "-e", script, "file://"+filepath.ToSlash(at)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Config struct {
			Command map[string]struct{ Template, Description string }
			MCP     map[string]struct{ Command []string }
		}
		Exports []string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if c := got.Config.Command; c["memory"].Template != "mine" || !strings.Contains(c["forget"].Template, "$ARGUMENTS") || len(got.Config.MCP) != 2 ||
		!slices.Equal(got.Config.MCP["dormouse"].Command, []string{"dormouse", "mcp", "--agent", "opencode"}) || !slices.Equal(got.Exports, []string{"Dormouse", "DormouseTools"}) {
		t.Errorf("%s", out)
	}
}

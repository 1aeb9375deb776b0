package connect

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"github.com/tidwall/gjson"
)

const testProgram = "/opt/my tools/dormouse"

// serverIn is an agent's file with a text in it, in a home folder of its own; nil is no file.
func serverIn(t *testing.T, name string, text []byte) (a Agent, home, path string) {
	t.Helper()
	a, ok := Find(MCPTable(), name)
	if !ok {
		t.Fatalf("no agent %s", name)
	}
	home = t.TempDir()
	path = filepath.Join(a.Folder(noEnv, home), a.File)
	if text != nil {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return a.Server(testProgram), home, path
}

func applied(t *testing.T, p Plan, err error) {
	t.Helper()
	if err == nil {
		err = p.Apply()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestServersComeAndGoByteForByte is for every agent and files as people write them.
func TestServersComeAndGoByteForByte(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		has   []string
	}{
		"claude-code": {[]string{"{}", "{\"numStartups\":3,\"projects\":{\"/w\":{\"mcpServers\":{}}}}", "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}\n  }\n}\n", "{\n\t\"a\": 1\n}"},
			[]string{`"type": "stdio"`, `"command": "/opt/my tools/dormouse"`, `"--agent"`, `"claude-code"`}},
		"cursor":      {[]string{"{\r\n  \"mcpServers\": {}\r\n}\r\n", "{ // mine\n \"mcpServers\": { \"x\": {}, /* last */ },\n}\n"}, []string{`"command"`, `"cursor"`}},
		"gemini-cli":  {[]string{"{\"theme\":\"dark\"}\n"}, []string{`"mcpServers"`, `"gemini-cli"`}},
		"copilot-cli": {[]string{"{\"mcpServers\":{\"x\":{\"type\":\"local\",\"command\":\"y\",\"args\":[],\"tools\":[\"*\"]}}}"}, []string{`"type": "local"`, `"tools"`}},
		"opencode":    {[]string{"{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  // models\n  \"mcp\": {}\n}\n"}, []string{`"enabled": true`, `"opencode"`}},
		"kilo":        {[]string{"{\n  \"$schema\": \"https://app.kilo.ai/config.json\"\n}\n"}, []string{`"enabled": true`, `"kilo"`}},
		"codex": {[]string{"model = \"x\"\n", "model = \"x\" # no newline", "[a]\nb = 1\r\n\r\n[mcp_servers.other]\r\ncommand = \"c\"\r\n", "# only a comment\n\n\n"},
			[]string{"[mcp_servers.dormouse]", `command = "/opt/my tools/dormouse"`, `args = ["mcp", "--agent", "codex"]`}},
	} {
		for _, text := range append(c.texts, "") {
			before := []byte(text)
			if text == "" {
				before = nil
			}
			a, home, path := serverIn(t, name, before)
			p, err := a.Connect(noEnv, home, "")
			applied(t, p, err)
			in, _ := os.ReadFile(path)
			for _, want := range c.has {
				if !strings.Contains(string(in), want) {
					t.Errorf("%s %q: no %s in\n%s", name, text, want, in)
				}
			}
			if again, err := a.Connect(noEnv, home, ""); err != nil || !again.Nothing() {
				t.Errorf("%s %q: twice changes it: %v\n%s", name, text, err, again.Diff())
			}
			moved, err := a.Server("/new/dormouse").Connect(noEnv, home, "")
			applied(t, moved, err)
			if in, _ := os.ReadFile(path); bytes.Contains(in, []byte("/opt/my")) || !bytes.Contains(in, []byte("/new/dormouse")) {
				t.Errorf("%s %q: the new path is not in\n%s", name, text, in)
			}
			out, err := a.Disconnect(noEnv, home)
			applied(t, out, err)
			after, err := os.ReadFile(path)
			if before == nil && err == nil || !bytes.Equal(after, before) {
				t.Errorf("%s: %q became %q", name, before, after)
			}
			if _, err := os.Stat(path + keptSuffix); err == nil {
				t.Errorf("%s %q: the copy stays", name, text)
			}
		}
	}
}

// TestServersOfOpencode2LieOneLevelDown is for files that are written for it; an entry from before stays where it is.
func TestServersOfOpencode2LieOneLevelDown(t *testing.T) {
	for text, in := range map[string]string{
		`{"mcp":{"servers":{}}}`:             "mcp.servers",
		`{"mcp":{"servers":{"x":{}},"t":1}}`: "mcp.servers",
		"{\n  // mine\n  \"mcp\": {\n    \"servers\": {\n      \"x\": { \"type\": \"remote\", \"url\": \"y\" }\n    }\n  }\n}\n": "mcp.servers",
		`{"mcp":{"servers":{"type":"local","command":["called so"]}}}`:                                                           "mcp",
		`{"mcp":{"x":{"type":"local","command":["y"]}}}`:                                                                         "mcp",
	} {
		a, home, path := serverIn(t, "opencode", []byte(text))
		p, err := a.Connect(noEnv, home, "")
		applied(t, p, err)
		got, _ := os.ReadFile(path)
		plain, err := hujson.Standardize(bytes.Clone(got))
		if err != nil {
			t.Fatal(err)
		}
		entry := gjson.GetBytes(plain, in+".dormouse")
		if entry.Get("command.0").String() != "/opt/my tools/dormouse" || entry.Get("enabled").Exists() != (in == "mcp") {
			t.Errorf("%s became\n%s", text, got)
		}
		if again, err := a.Connect(noEnv, home, ""); err != nil || !again.Nothing() {
			t.Errorf("%s: twice changes it: %v\n%s", text, err, again.Diff())
		}
		if ok, err := a.Connected(noEnv, home, ""); !ok || err != nil {
			t.Errorf("%s: it does not count as connected: %v", text, err)
		}
		if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil { // the person changed it: no copy is put back
			t.Fatal(err)
		}
		out, err := a.Disconnect(noEnv, home)
		applied(t, out, err)
		if after, _ := os.ReadFile(path); string(after) != text+"\n" {
			t.Errorf("%q became %q", text, after)
		}
	}
}

// TestServersOfOthersStay is for what the person wrote meanwhile, and for what is not ours.
func TestServersOfOthersStay(t *testing.T) {
	for name, c := range map[string]struct{ text, add, want string }{
		"claude-code": {"{\n  \"a\": 1\n}\n", `"b": 2,`, "{\n  \"b\": 2,\"a\": 1\n}\n"},
		"codex":       {"a = 1\n", "b = 2\n", "b = 2\na = 1\n"},
	} {
		a, home, path := serverIn(t, name, []byte(c.text))
		p, err := a.Connect(noEnv, home, "")
		applied(t, p, err)
		in, _ := os.ReadFile(path)
		at := bytes.Index(in, []byte(strings.TrimSpace(strings.Trim(c.text, "{}\n "))))
		if err := os.WriteFile(path, append(append(bytes.Clone(in[:at]), c.add...), in[at:]...), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err = a.Disconnect(noEnv, home)
		applied(t, p, err)
		if got, _ := os.ReadFile(path); string(got) != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for name, text := range map[string]string{
		"claude-code": `{"mcpServers":{"dormouse":{"command":"zoo"}}}`, "codex": "[mcp_servers.dormouse]\ncommand = \"zoo\"\n", "opencode": `{"mcp":{"dormouse":{"type":"remote"}}}`,
	} {
		a, home, path := serverIn(t, name, []byte(text))
		if _, err := a.Connect(noEnv, home, ""); err == nil || !strings.Contains(err.Error(), "not Dormouse's") {
			t.Errorf("%s: %v", name, err)
		}
		if p, err := a.Disconnect(noEnv, home); err != nil || !p.Nothing() {
			t.Errorf("%s: %v %s", name, err, p.Diff())
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("%s was changed", name)
		}
	}
	for name, text := range map[string]string{"claude-code": "{", "codex": "a = ", "cursor": `{"mcpServers":[]}`, "opencode": `{"mcp":{"servers":[]}}`} {
		a, home, path := serverIn(t, name, []byte(text))
		if _, err := a.Connect(noEnv, home, ""); err == nil || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s %q: %v", name, text, err)
		}
	}
	a, home, _ := serverIn(t, "codex", []byte("mcp_servers = { other = { command = \"c\" } }\n"))
	if _, err := a.Connect(noEnv, home, ""); err == nil {
		t.Error("a table is added to one that is closed")
	}
}

// TestHooksAndServerOfOneFileAreOneChange is for Gemini CLI, which has both in settings.json.
func TestHooksAndServerOfOneFileAreOneChange(t *testing.T) {
	server, home, path := serverIn(t, "gemini-cli", []byte("{\n  \"theme\": \"dark\" // mine\n}\n"))
	hooks, _ := Find(Table(), "gemini-cli")
	both := Joined(hooks, server, noEnv, home)
	if len(both) != 1 {
		t.Fatalf("%d files", len(both))
	}
	before, _ := os.ReadFile(path)
	p, err := both[0].Connect(noEnv, home, "/opt/dormouse-hook")
	applied(t, p, err)
	if in, _ := os.ReadFile(path); !bytes.Contains(in, []byte("dormouse-hook")) || !bytes.Contains(in, []byte(testProgram)) {
		t.Errorf("%s", in)
	}
	p, err = both[0].Disconnect(noEnv, home)
	applied(t, p, err)
	if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
		t.Errorf("%q became %q", before, after)
	}
	claude, _ := Find(Table(), "claude-code")
	server, _ = Find(MCPTable(), "claude-code")
	if len(Joined(claude, server, noEnv, home)) != 2 {
		t.Error("Claude Code has two files")
	}
}

func TestTheFileOfOpencodeMayHaveComments(t *testing.T) {
	a, home, path := serverIn(t, "opencode", nil)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"c", []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := a.Existing(noEnv, home); got.File != "opencode.jsonc" {
		t.Errorf("%s", got.File)
	}
}

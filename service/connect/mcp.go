package connect

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// serverName is what the MCP server is called in agents' settings; capture knows its tools by it.
const serverName = "dormouse"

// entry is how an agent's file names an MCP server.
type entry struct {
	toml bool
	// list is the member that holds the servers, by name.
	list string
	// server is the JSON object of one, from the command line.
	server func(program string, args []any) []member
	// below, which may be empty, is the member of the list that holds the servers where it is there, serverBelow the object of one then.
	below       string
	serverBelow func(program string, args []any) []member
}

// MCPTable lists the agents whose MCP servers Dormouse can be put among, by name. Their File is the one with the servers.
// Formats: the agents' documentation as of late 2026.
func MCPTable() []Agent {
	command := func(first ...member) func(string, []any) []member {
		return func(program string, args []any) []member {
			return append(append([]member{}, first...), member{"command", program}, member{"args", args})
		}
	}
	return []Agent{
		{Name: "claude-code", Folder: claudeState, File: ".claude.json", entry: &entry{list: "mcpServers", server: command(member{"type", "stdio"})},
			Note: "Claude Code that runs now sees the tools when it is started anew."},
		{Name: "codex", Folder: inHome("CODEX_HOME", ".codex"), File: "config.toml", entry: &entry{toml: true, list: "mcp_servers"}},
		{Name: "copilot-cli", Folder: inHome("COPILOT_HOME", ".copilot"), File: "mcp-config.json",
			entry: &entry{list: "mcpServers", server: func(program string, args []any) []member {
				return []member{{"type", "local"}, {"command", program}, {"args", args}, {"tools", []any{"*"}}}
			}}},
		{Name: "cursor", Folder: inHome("", ".cursor"), File: "mcp.json", entry: &entry{list: "mcpServers", server: command()}},
		{Name: "gemini-cli", Folder: inHome("", ".gemini"), File: "settings.json", entry: &entry{list: "mcpServers", server: command()}},
		{Name: "kilo", Folder: inConfig("kilo"), File: "kilo.json", entry: opencodeEntry()},
		{Name: "opencode", Folder: inConfig("opencode"), File: "opencode.json", entry: opencodeEntry()},
	}
}

// opencodeEntry is how opencode and what grew out of it name a server. Version 2 reads the entries of version 1; what is written for it has its
// servers one level down, and there they are on unless they say otherwise.
func opencodeEntry() *entry {
	command := func(program string, args []any) []member {
		return []member{{"type", "local"}, {"command", append([]any{program}, args...)}}
	}
	return &entry{list: "mcp", below: "servers", serverBelow: command, server: func(program string, args []any) []member {
		return append(command(program, args), member{"enabled", true})
	}}
}

// claudeState is where Claude Code keeps .claude.json: in the home folder, unless a folder of its own is set.
func claudeState(env func(string) string, home string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	return home
}

// Server is the agent's file with the entry of an MCP server that is the program at this absolute path.
func (a Agent) Server(program string) Agent {
	a.program = program
	return a
}

// Joined is one agent for two files that are one, and both for two.
func Joined(hooks, server Agent, env func(string) string, home string) []Agent {
	if filepath.Join(hooks.Folder(env, home), hooks.File) != filepath.Join(server.Folder(env, home), server.File) {
		return []Agent{hooks, server}
	}
	hooks.entry, hooks.program = server.entry, server.program
	return []Agent{hooks}
}

// Existing is the agent with the file that is there, of those under whose names it may lie.
func (a Agent) Existing(env func(string) string, home string) Agent {
	with := strings.TrimSuffix(a.File, ".json") + ".jsonc"
	if a.entry != nil && a.entry.below != "" && !isThere(filepath.Join(a.Folder(env, home), a.File)) && isThere(filepath.Join(a.Folder(env, home), with)) {
		a.File = with
	}
	return a
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

var errOtherServer = fmt.Errorf("it has an MCP server called %q that is not Dormouse's; give that one another name", serverName)

func (e *entry) with(text []byte, agent, program string) ([]byte, error) {
	args := []any{"mcp", "--agent", agent}
	if e.toml {
		return e.withTOML(text, program, args)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	d := document{text}
	root, err := d.parse()
	if err != nil {
		return nil, err
	}
	list, depth, err := e.servers(&root)
	if err != nil {
		return nil, err
	}
	want := e.server(program, args)
	if depth > 1 {
		want = e.serverBelow(program, args)
	}
	if list == nil {
		d, err = d.setMember(nil, e.list, []member{{serverName, want}})
		return d.text, err
	}
	if old := find(list, serverName); old != nil {
		if !isServer(old) {
			return nil, errOtherServer
		}
		if same(old, want) {
			return text, nil
		}
		if d, err = d.withoutServer(e, false); err != nil {
			return nil, err
		}
		if root, err = d.parse(); err != nil {
			return nil, err
		}
		if list, depth, err = e.servers(&root); err != nil {
			return nil, err
		}
	}
	d, err = d.setMemberAt(list, depth, serverName, want)
	return d.text, err
}

// servers is the object that holds the servers, and how deep it lies; nil where there is none. An entry of ours that lies above one is where it
// was put before the person wrote the file anew, and stays there.
func (e *entry) servers(root *hujson.Value) (list *hujson.Value, depth int, err error) {
	if list, err = object(root, e.list); err != nil || list == nil || e.below == "" {
		return list, 1, err
	}
	below := find(list, e.below)
	if below == nil || find(below, "type") != nil || find(below, "command") != nil || find(list, serverName) != nil {
		return list, 1, nil // what is called so may be a server
	}
	if list, err = object(list, e.below); err != nil {
		return nil, 0, err
	}
	return list, 2, nil
}

func (e *entry) takenOut(text []byte) ([]byte, error) {
	if e.toml {
		return withoutTOML(text)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	d, err := document{text}.withoutServer(e, true)
	return d.text, err
}

// withoutServer takes our server out of a list of servers and, with prune, the list where it is empty then.
func (d document) withoutServer(e *entry, prune bool) (document, error) {
	root, err := d.parse()
	if err != nil {
		return d, err
	}
	v, depth, err := e.servers(&root)
	if err != nil || v == nil {
		return d, err
	}
	if old := find(v, serverName); old == nil || !isServer(old) {
		return d, nil
	}
	more := len(v.Value.(*hujson.Object).Members) > 1
	d = d.remove(spanOf(v), memberAt(v, serverName))
	if more || !prune || depth > 1 { // an object below was there before us
		return d, nil
	}
	if root, err = d.parse(); err != nil {
		return d, err
	}
	return d.remove(spanOf(&root), memberAt(&root, e.list)), nil
}

// isServer tells our entry by the program that it starts.
func isServer(v *hujson.Value) bool {
	c := find(v, "command")
	if c == nil {
		return false
	}
	if list, ok := c.Value.(*hujson.Array); ok && len(list.Elements) > 0 {
		c = &list.Elements[0]
	}
	l, ok := c.Value.(hujson.Literal)
	return ok && l.Kind() == '"' && isProgram(l.String())
}

func isProgram(path string) bool {
	return strings.TrimSuffix(filepath.Base(filepath.ToSlash(path)), ".exe") == "dormouse"
}

// same reports whether an entry says what it is to say, however it is written.
func same(v *hujson.Value, want []member) bool {
	c := v.Clone()
	c.Standardize()
	w, err := hujson.Parse([]byte(render(want, "", "", "")))
	if err != nil {
		return false
	}
	c.Minimize()
	w.Minimize()
	return bytes.Equal(c.Pack(), w.Pack())
}

// header begins our table in a file of TOML.
const header = "[mcp_servers." + serverName + "]"

func (e *entry) withTOML(text []byte, program string, args []any) ([]byte, error) {
	var all struct {
		Servers map[string]struct {
			Command string   `toml:"command"`
			Args    []string `toml:"args"`
		} `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	if old, ok := all.Servers[serverName]; ok {
		if !isProgram(old.Command) {
			return nil, errOtherServer
		}
		if old.Command == program && strings.Join(old.Args, " ") == strings.Join([]string{"mcp", "--agent", fmt.Sprint(args[2])}, " ") {
			return text, nil
		}
		var err error
		if text, err = withoutTOML(text); err != nil {
			return nil, err
		}
	}
	nl := document{text}.newline()
	var b bytes.Buffer
	b.Write(text)
	if len(text) > 0 {
		if !bytes.HasSuffix(text, []byte("\n")) {
			b.WriteString(nl)
		}
		b.WriteString(nl)
	}
	b.WriteString(header + nl + "command = " + quote(program) + nl + "args = " + render(args, "", "", "") + nl)
	if err := toml.Unmarshal(b.Bytes(), &all); err != nil { // servers that are written in one line, or the like
		return nil, fmt.Errorf("the entry cannot be added to it: %w", err)
	}
	return b.Bytes(), nil
}

// ofTOML is the command of our server, where it has the entry.
func ofTOML(text []byte) (command string, ok bool, err error) {
	var all struct {
		Servers map[string]struct {
			Command string `toml:"command"`
		} `toml:"mcp_servers"`
	}
	err = toml.Unmarshal(text, &all)
	s, ok := all.Servers[serverName]
	return s.Command, ok, err
}

// withoutTOML takes our table out, with the empty line before it. Other settings of the person in it go too: they are of a server that
// is there no more.
func withoutTOML(text []byte) ([]byte, error) {
	if command, ok, err := ofTOML(text); err != nil || !ok || !isProgram(command) {
		return text, err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	from, to := -1, len(lines)
	for i, l := range lines {
		l := strings.TrimSpace(string(l))
		switch {
		case from < 0 && l == header:
			from = i
		case from >= 0 && strings.HasPrefix(l, "[") && !strings.HasPrefix(l, strings.TrimSuffix(header, "]")+"."):
			to = min(to, i)
		}
	}
	if from < 0 {
		return text, nil
	}
	for to < len(lines) && from > 0 && len(bytes.TrimSpace(lines[to-1])) == 0 && to-1 > from {
		to-- // empty lines before the next table are its own
	}
	if from > 0 && len(bytes.TrimSpace(lines[from-1])) == 0 {
		from--
	}
	return append(bytes.Join(lines[:from], nil), bytes.Join(lines[to:], nil)...), nil
}

package transcript

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"dormouse/store/memory"
)

// maxReads is how many entries a node's reads may have.
const maxReads = 200

// Drawn completes what the nodes of one session drew on, from what their calls and texts show: files that a tool or a shell
// command read, searched or edited, what injected memory points to, and the last node of a sub-agent whose result came back. It is
// told of every node in order. What it adds depends on the nodes so far alone.
type Drawn struct {
	cwd     map[string]string     // working directory, by sub-agent
	started map[memory.Ref]string // sub-agents by the call that started them
	last    map[string]string     // newest node, by sub-agent
}

// NewDrawn begins with a session's first node.
func NewDrawn() *Drawn {
	return &Drawn{cwd: map[string]string{}, started: map[memory.Ref]string{}, last: map[string]string{}}
}

// Fill adds to n.Reads what is not in it yet.
func (d *Drawn) Fill(n *memory.Node) {
	agent := n.Metadata.AgentID
	if n.Metadata.Cwd != "" {
		d.cwd[agent] = n.Metadata.Cwd
	}
	if agent != "" {
		if n.CalledBy != "" && n.ParentID == "" {
			d.started[n.CalledBy] = agent
		}
		d.last[agent] = n.ID
	}
	var found []string
	switch n.Role {
	case memory.RoleTool:
		found = d.ofCall(n)
	case memory.RoleUser:
		if n.Metadata.Kind == memory.KindInjected || Injected(n.Output) {
			found = pointers(n.Output)
		}
	}
	known := map[string]bool{}
	for _, r := range n.Reads {
		known[r] = true
		if p, _, ok := memory.FileOf(r); ok {
			known[memory.FileRead(p, "")] = true
		}
	}
	for _, r := range found {
		p, _, ok := memory.FileOf(r)
		if known[r] || ok && known[memory.FileRead(p, "")] || len(n.Reads) >= maxReads {
			continue
		}
		known[r] = true
		if ok {
			known[memory.FileRead(p, "")] = true
		}
		n.Reads = append(n.Reads, r)
	}
}

// ofCall is what a tool call drew on.
func (d *Drawn) ofCall(n *memory.Node) (out []string) {
	base := d.cwd[n.Metadata.AgentID]
	for _, key := range []string{"workdir", "cwd"} {
		if dir := gjson.GetBytes(n.Input, key).String(); strings.HasPrefix(dir, "/") {
			base = dir
		}
	}
	for _, e := range n.Metadata.Edits { // first, since they know the content
		if e.Op != "create" {
			out = append(out, memory.FileRead(join(base, e.Path), blobOf(e.Before)))
		}
	}
	name := strings.ToLower(n.Name)
	add := func(p string) {
		if !strings.Contains(n.Output, p+": No such file") {
			out = append(out, memory.FileRead(join(base, p), ""))
		}
	}
	if n.Metadata.Status != memory.StatusError && readsFiles(name, n.Input) {
		for _, p := range paths(n.Input) {
			add(p)
		}
	}
	for _, command := range n.Metadata.Commands {
		for _, p := range shellFiles(command) {
			add(p)
		}
	}
	if searches(name, n.Metadata.Commands) {
		for _, p := range hits(n.Output) {
			add(p)
		}
	}
	if strings.Contains(name, "dormouse") || strings.Contains(name, "memory_") {
		out = append(out, pointers(string(n.Input)+"\n"+n.Output)...)
	}
	if agent, ok := d.started[memory.Ref(n.ID)]; ok && d.last[agent] != "" {
		out = append(out, memory.ReadNode+d.last[agent])
	}
	return out
}

// blobOf is the git name of a content.
func blobOf(content *string) string {
	if content == nil {
		return ""
	}
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(*content), *content))
	return hex.EncodeToString(sum[:])
}

// pathKeys are the names under which agents give the paths of files to their tools.
var pathKeys = []string{"file_path", "filePath", "path", "absolute_path", "target_file", "filename", "file", "notebook_path", "paths", "file_paths", "files"}

// paths are the files that a call names: texts, lists of texts, and lists of objects with a path.
func paths(input []byte) []string {
	var out []string
	for _, key := range pathKeys {
		v := gjson.GetBytes(input, key)
		if v.IsObject() {
			continue
		}
		for _, one := range v.Array() {
			p := one.String()
			if one.IsObject() {
				p = one.Get("path").String()
			}
			if looksLikeFile(p) && !strings.ContainsAny(p, "*\n") {
				out = append(out, p)
			}
		}
	}
	return out
}

// readTools are the names of tools that give a file's content, in small letters and without underscores.
var readTools = []string{"read", "readfile", "readmanyfiles", "view", "viewfile", "openfile", "catfile", "notebookread", "viewimage", "readtextfile", "readmultiplefiles"}

// readsFiles reports whether a tool gives the content of the files that it is asked for.
func readsFiles(name string, input []byte) bool {
	if i := strings.LastIndex(name, "__"); i >= 0 { // of an MCP server
		name = name[i+2:]
	}
	name = strings.NewReplacer("_", "", "-", "", ".", "").Replace(name)
	return slices.Contains(readTools, name) || strings.HasPrefix(name, "strreplace") && gjson.GetBytes(input, "command").String() == "view"
}

// searches reports whether a call gives lines of files that it found.
func searches(name string, commands []string) bool {
	if strings.Contains(name, "grep") || name == "search_files" || name == "search_file_content" || name == "ripgrep" {
		return true
	}
	return slices.ContainsFunc(commands, func(c string) bool {
		for _, words := range shellCommands(c) {
			if words = unwrapped(words); len(words) > 0 {
				switch words[0].text {
				case "rg", "grep", "egrep", "ag", "ack":
					return true
				}
			}
		}
		return false
	})
}

var (
	// A line of a search: a path, a line number, the line.
	hitLine = regexp.MustCompile(`^((?:[A-Za-z]:)?[^\s:*?"<>|][^:*?"<>|\n]{0,500}):\d+[:-]`)
	// A line that is nothing but the path of a file.
	pathLine = regexp.MustCompile(`^(?:[A-Za-z]:)?(?:[\w.@+-]*[/\\][\w.@+/\\-]*[\w-]|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9})$`)
	pointer  = regexp.MustCompile(`\bsession:([a-z]{2,8}_[0-9a-f]{8,16})\b|"session_id":\s*"([a-z]{2,8}_[0-9a-f]{8,16})"|\b((?:ev|ed)_[0-9a-f]{12})\b`)
)

// hits are the files that the output of a search names.
func hits(output string) []string {
	var out []string
	seen := map[string]bool{}
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		p := ""
		if m := hitLine.FindStringSubmatch(line); m != nil && strings.ContainsAny(m[1], `./\`) {
			p = m[1]
		} else if len(line) < 1024 && pathLine.MatchString(line) {
			p = line
		}
		if p != "" && !seen[p] && looksLikeFile(p) {
			seen[p] = true
			if out = append(out, p); len(out) == maxReads {
				break
			}
		}
	}
	return out
}

// pointers are what a text of the memory points to.
func pointers(text string) []string {
	var out []string
	for _, m := range pointer.FindAllStringSubmatch(text, maxReads) {
		switch {
		case m[1] != "":
			out = append(out, memory.ReadSession+m[1])
		case m[2] != "":
			out = append(out, memory.ReadSession+m[2])
		default:
			out = append(out, memory.ReadMemory+m[3])
		}
	}
	return out
}

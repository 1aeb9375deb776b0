package distill

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// scan is a turn laid out for the rules: the main conversation alone, with what its structure shows.
type scan struct {
	turn    *Turn
	nodes   []memory.Node // of the main conversation; never of sub-agents
	prompt  int           // index of the person's prompt; -1 before the first one
	said    []statement   // of all messages of the assistant, in order
	edits   []edit        // files changed, each once, in order of the first change
	acts    []act         // what commands did to the world
	runs    []run         // what commands tried
	changes []int         // nodes that changed somebody's files
	equal   []equality    // what the messages state to be one
	final   int           // index of the assistant's last message with text; -1 without one
	own     []string      // what Dormouse itself told the agent, as it stands in the turn
}

// edit is a file that the turn changed.
type edit struct {
	path  string // as short as it can be said: relative to the session's folder where it lies below it
	op    string
	first int // index of the first and of the last node that changed it
	last  int
	count int
}

// look reads a turn's nodes once.
func look(t *Turn) *scan {
	s := &scan{turn: t, prompt: -1, final: -1}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Metadata.AgentID != "" {
			continue
		}
		if n.Metadata.Kind == memory.KindInjected {
			s.own = append(s.own, n.Output)
		}
		if memory.OwnCall(n) {
			s.own = append(s.own, n.Output)
			continue
		}
		if n.Role == memory.RoleUser && n.StartsTurn() && s.prompt < 0 {
			s.prompt = len(s.nodes)
		}
		s.nodes = append(s.nodes, *n)
	}
	for i := range s.nodes {
		n := &s.nodes[i]
		switch n.Role {
		case memory.RoleAssistant:
			if strings.TrimSpace(n.Output) != "" && n.Output != "No response requested." {
				s.final = i
				s.read(i)
			}
		case memory.RoleTool:
			s.addEdits(i)
			s.acts = append(s.acts, actsOf(n, i)...)
			s.addRuns(i)
		}
	}
	for i := range s.said {
		s.said[i].final = s.said[i].node == s.final
	}
	s.equal = equalities(s.nodes)
	return s
}

// read adds the statements of one message.
func (s *scan) read(i int) {
	text := s.nodes[i].Output
	if len(text) > maxText {
		text = text[:clampRune(text, maxText)]
	}
	from := len(s.said)
	s.said = append(s.said, statements(text)...)
	asks := len(s.said) > from && strings.HasSuffix(s.said[len(s.said)-1].text, "?")
	for k := from; k < len(s.said); k++ {
		s.said[k].node, s.said[k].asks = i, asks
	}
}

// maxText is how much of one message the rules read, in bytes.
const maxText = 64 << 10

func (s *scan) addEdits(i int) {
	n := &s.nodes[i]
	if n.Metadata.Status == memory.StatusError || n.Metadata.Status == memory.StatusInterrupted {
		return
	}
next:
	for _, e := range editsOf(n) {
		p := relative(e.Path, s.turn.root())
		if p == "" {
			continue
		}
		if !scratch(p) && (len(s.changes) == 0 || s.changes[len(s.changes)-1] != i) {
			s.changes = append(s.changes, i)
		}
		for k := range s.edits {
			if s.edits[k].path == p {
				s.edits[k].last = i
				s.edits[k].count++
				continue next
			}
		}
		s.edits = append(s.edits, edit{path: p, op: e.Op, first: i, last: i, count: 1})
	}
}

var (
	patchRE  = regexp.MustCompile(`(?m)^\*\*\* (Add|Update|Delete) File: (.+)$`)
	removeRE = regexp.MustCompile(`^(?:git )?rm\s+((?:-[a-zA-Z-]+\s+)*)(.+)$`)
)

// editsOf are the files that a call changed: as its node says or, where it says nothing, as its patch or its commands do.
func editsOf(n *memory.Node) []memory.Edit {
	if len(n.Metadata.Edits) > 0 {
		return n.Metadata.Edits
	}
	cmd := command(n)
	patch := cmd
	if n.Name == "apply_patch" {
		patch = string(n.Input)
		var in struct{ Input, Patch string }
		if json.Unmarshal(n.Input, &in) == nil {
			patch = in.Input + in.Patch
		}
	}
	var out []memory.Edit
	if strings.Contains(patch, "*** Begin Patch") {
		for _, m := range patchRE.FindAllStringSubmatch(patch, -1) {
			op := map[string]string{"Add": "create", "Update": "update", "Delete": "delete"}[m[1]]
			out = append(out, memory.Edit{Path: strings.TrimSpace(m[2]), Op: op})
		}
		return out
	}
	if !strings.Contains(cmd, "rm ") {
		return nil
	}
	for part := range splitCommands(cmd) {
		m := removeRE.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		for w := range strings.FieldsSeq(m[2]) {
			if w = strings.Trim(w, `"'`); strings.ContainsAny(w, "./") && !strings.ContainsAny(w, "$*?{<>()") && !strings.HasPrefix(w, "-") {
				out = append(out, memory.Edit{Path: w, Op: "delete"})
			}
		}
	}
	return out
}

// relative says a path as it is said inside the project: with forward slashes, below the working folder where it lies there,
// and never with a home folder's name.
func relative(p, cwd string) string {
	p = strings.ReplaceAll(strings.TrimSpace(p), `\`, "/")
	cwd = strings.TrimSuffix(strings.ReplaceAll(cwd, `\`, "/"), "/")
	if cwd != "" && strings.HasPrefix(p, cwd+"/") {
		return path.Clean(p[len(cwd)+1:])
	}
	for _, home := range []string{"/Users/", "/home/"} {
		if rest, ok := strings.CutPrefix(p, home); ok {
			if _, below, ok := strings.Cut(rest, "/"); ok {
				return "~/" + path.Clean(below)
			}
		}
	}
	if p == "" {
		return ""
	}
	return path.Clean(strings.TrimPrefix(p, "./"))
}

// base is the last part of a path.
func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// root is the folder below which paths are said.
func (t *Turn) root() string {
	if t.Project.Root != "" {
		return t.Project.Root
	}
	return t.Session.Cwd
}

// scratch reports whether a file is no part of anybody's work: temporary files and the agents' own notes.
func scratch(p string) bool {
	return strings.HasPrefix(p, "/tmp/") || strings.HasPrefix(p, "/private/tmp/") || strings.HasPrefix(p, "/var/folders/") ||
		strings.HasPrefix(p, "~/.claude/") || strings.HasPrefix(p, "~/.codex/") || strings.HasPrefix(p, "tmp/") || strings.Contains(p, "/Temp/")
}

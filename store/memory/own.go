package memory

import (
	"path"
	"strings"
)

// Mark begins everything that Dormouse says to an agent: what is put in front of it, and what its tools answer. It is how capture
// knows Dormouse's own words again.
const Mark = "═══ Dormouse memory"

// markWithin is how far from its start a tool's output is searched for the mark, in bytes: clients put JSON, times and numbers of
// lines in front of it.
const markWithin = 400

// OwnCall reports whether a node is a call of one of Dormouse's own tools, or of its command line: what it gave came from the memory
// and must not go into it again.
func OwnCall(n *Node) bool {
	if n.Role != RoleTool {
		return false
	}
	name := strings.ToLower(n.Name)
	if strings.Contains(name, "dormouse") && strings.Contains(name, "memory_") {
		return true
	}
	head := n.Output[:min(len(n.Output), markWithin)]
	if strings.Contains(head, Mark) || strings.Contains(head, `\u2550 Dormouse memory`) {
		return true
	}
	return asksDormouse(n.Metadata.Commands)
}

// beside are programs that only pass on what a command beside them prints.
var beside = map[string]bool{"cd": true, "echo": true, "cat": true, "head": true, "tail": true, "grep": true, "rg": true, "sed": true, "awk": true,
	"jq": true, "less": true, "sort": true, "wc": true, "true": true}

// asksDormouse reports whether shell commands do nothing but ask Dormouse's command line.
func asksDormouse(commands []string) bool {
	asks := false
	for _, c := range commands {
		for _, part := range strings.FieldsFunc(c, func(r rune) bool { return r == ';' || r == '|' || r == '&' || r == '\n' }) {
			words := strings.Fields(part)
			if len(words) == 0 {
				continue
			}
			program := strings.TrimSuffix(path.Base(strings.ReplaceAll(strings.Trim(words[0], `"'`), `\`, "/")), ".exe")
			switch {
			case program == "dormouse" && len(words) > 1:
				asks = true
			case !beside[program] && !strings.HasPrefix(words[0], ">"):
				return false
			}
		}
	}
	return asks
}

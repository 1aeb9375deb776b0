package recall

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"dormouse/store/index"
	"dormouse/store/memory"
)

const (
	pieceBytes = 1000     // of text in one document of a turn
	nodeBytes  = 64 << 10 // of one message that are searched
)

// DocsFromTurn makes documents of one turn of a session: its text in pieces of about a kilobyte. The words of the person
// and of the agent are there whole; of a tool call its name, what it was asked for, and the lines of its result that tell
// of an error. What clients, summaries and Dormouse itself put under the user's role is left out.
func DocsFromTurn(meta memory.Session, turn int, nodes []memory.Node) []index.Doc {
	scope := memory.ProjectScope(meta.ProjectID)
	if !scope.Valid() {
		return nil
	}
	var out []index.Doc
	for _, p := range pieces(nodes) {
		out = append(out, index.Doc{
			ID:   fmt.Sprintf("%s%04d", turnDocs(meta.ID, turn), len(out)),
			Kind: index.KindTurn, Scope: scope, Project: meta.ProjectID, Session: meta.ID,
			Turn: turn, Nodes: p.nodes, Time: p.time, Body: p.text.String(),
		})
	}
	return out
}

// sessionDocs and turnDocs are the beginnings of the ids of a session's and a turn's documents.
func sessionDocs(session string) string { return turnPrefix + session + "/" }

func turnDocs(session string, turn int) string {
	return fmt.Sprintf("%s%06d#", sessionDocs(session), turn)
}

// piece is the text of one document and the nodes that it is made of.
type piece struct {
	text  strings.Builder
	nodes []string
	time  int64 // of its first node that has one
}

func (p *piece) add(n *memory.Node, text string) {
	if p.text.Len() > 0 {
		p.text.WriteByte('\n')
	}
	p.text.WriteString(text)
	if len(p.nodes) == 0 || p.nodes[len(p.nodes)-1] != n.ID {
		p.nodes = append(p.nodes, n.ID)
	}
	if p.time == 0 {
		p.time = n.CreatedAt
	}
}

// pieces divides the text of nodes. Short messages share a piece, long ones are cut where a line, a sentence or at least a
// word ends.
func pieces(nodes []memory.Node) []*piece {
	var out []*piece
	var p *piece
	for i := range nodes {
		n := &nodes[i]
		for rest := nodeText(n); rest != ""; {
			if p == nil {
				p = &piece{}
				out = append(out, p)
			}
			room := pieceBytes - p.text.Len()
			if room < len(rest) && p.text.Len() > pieceBytes/2 {
				p = nil
				continue
			}
			cut := cutAt(rest, room)
			p.add(n, strings.TrimSpace(rest[:cut]))
			rest = strings.TrimSpace(rest[cut:])
			if rest != "" {
				p = nil
			}
		}
	}
	return out
}

// cutAt is where a text of more than max bytes is cut: at most max, and more than half of that where there is any good place.
func cutAt(text string, max int) int {
	if len(text) <= max {
		return len(text)
	}
	head := text[:max]
	for _, end := range []string{"\n", ". ", "。", "; ", " "} {
		if i := strings.LastIndex(head, end); i > max/2 {
			return i + len(end)
		}
	}
	for max > 0 && !utf8.RuneStart(text[max]) {
		max--
	}
	return max
}

// nodeText is what a node is found by; empty for what the memory takes no notice of.
func nodeText(n *memory.Node) string {
	switch n.Role {
	case memory.RoleUser:
		if k := n.Metadata.Kind; k != memory.KindPrompt && k != memory.KindTask {
			return ""
		}
		return message(n.Output)
	case memory.RoleAssistant:
		return message(n.Output)
	}
	if memory.OwnCall(n) {
		return "" // what it found is there already, and what it was asked is no memory
	}
	return toolText(n)
}

func message(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	return text[:cutAt(text, nodeBytes)]
}

package redact

import (
	"fmt"

	"dormouse/store/memory"
)

// Node takes the secrets out of every text of n and counts them in n.Metadata.Redacted, on top of what is counted there. With
// an error every text of the node is emptied: what stays says who spoke when, and nothing else.
func (r *Redactor) Node(n *memory.Node) (found int, err error) {
	for _, text := range nodeTexts(n) {
		clean, k, err := r.Text(*text)
		if err != nil {
			withhold(n)
			return 0, fmt.Errorf("node %s: %w", n.ID, err)
		}
		*text = clean
		found += k
	}
	input, k, err := r.JSON(n.Input)
	if err != nil {
		withhold(n)
		return 0, fmt.Errorf("node %s: input: %w", n.ID, err)
	}
	n.Input = input
	found += k
	n.Metadata.Redacted += found
	return found, nil
}

// nodeTexts are the texts of a node but for its input. Ids, and what the product itself counts or computes, are none.
func nodeTexts(n *memory.Node) []*string {
	m := &n.Metadata
	out := []*string{&n.Name, &n.Output, &m.Thinking, &m.Cwd, &m.GitBranch, &m.GitCommit, &m.Model, &m.AgentType}
	for i := range n.Reads {
		out = append(out, &n.Reads[i])
	}
	for i := range m.Edits {
		out = append(out, &m.Edits[i].Path, &m.Edits[i].Diff)
		if m.Edits[i].Before != nil {
			out = append(out, m.Edits[i].Before)
		}
	}
	for i := range m.Commands {
		out = append(out, &m.Commands[i])
	}
	for i := range m.Images {
		out = append(out, &m.Images[i].Type)
	}
	for i := range m.Files {
		out = append(out, &m.Files[i].Path)
	}
	if m.Compaction != nil {
		out = append(out, &m.Compaction.Trigger)
	}
	return out
}

// withhold empties every text of the node.
func withhold(n *memory.Node) {
	for _, text := range nodeTexts(n) {
		*text = ""
	}
	n.Input = nil
	n.Reads = nil
	n.Metadata.Edits, n.Metadata.Commands, n.Metadata.Files = nil, nil, nil
}

package model

import "dormouse/store/memory"

// notes say what is not as usual with a message.
func (b builder) notes(n *memory.Node) []string {
	var out []string
	m := n.Metadata
	for _, i := range m.Images {
		name := "Image, not kept: "
		if _, kept := b.kept[i.SHA256]; kept {
			name = "Image, kept: "
		}
		out = append(out, joined(", ", name+Line(i.Type), size(i.Bytes)))
	}
	switch {
	case n.Role == memory.RoleTool: // its line says how it ended
	case m.Status == memory.StatusInterrupted:
		out = append(out, "Interrupted")
	case m.Status == memory.StatusError:
		out = append(out, "Ended with an error")
	}
	if m.Clipped != nil {
		out = append(out, "Cut by Dormouse: it was "+size(m.Clipped.Bytes)+" long")
	}
	if m.Redacted > 0 {
		out = append(out, count(m.Redacted, "secret")+" replaced")
	}
	if m.Undone > 0 {
		out = append(out, "The "+count(m.Undone, "turn")+" before this one were taken back")
	}
	return out
}

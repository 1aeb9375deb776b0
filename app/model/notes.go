package model

import (
	"dormouse/app/lang"
	"dormouse/store/memory"
)

// notes say what is not as usual with a message.
func (b builder) notes(n *memory.Node) []string {
	var out []string
	m := n.Metadata
	for _, i := range m.Images {
		name := lang.Mark("Image, not kept: {image}")
		if _, kept := b.kept[i.SHA256]; kept {
			name = lang.Mark("Image, kept: {image}")
		}
		out = append(out, name.Text(joined(", ", Line(i.Type), size(i.Bytes))))
	}
	switch {
	case n.Role == memory.RoleTool: // its line says how it ended
	case m.Status == memory.StatusInterrupted:
		out = append(out, lang.Say("Interrupted"))
	case m.Status == memory.StatusError:
		out = append(out, lang.Say("Ended with an error"))
	}
	if m.Clipped != nil {
		out = append(out, lang.Say("Cut by Dormouse: it was {size} long", size(m.Clipped.Bytes)))
	}
	if m.Redacted > 0 {
		out = append(out, lang.Count(m.Redacted, "{n} secrets replaced"))
	}
	if m.Undone > 0 {
		out = append(out, lang.Count(m.Undone, "The {n} turns before this one were taken back"))
	}
	return out
}

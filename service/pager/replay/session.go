package replay

import (
	"dormouse/service/pager"
	"dormouse/service/pager/objects"
	"dormouse/store/memory"
)

// FromNodes is a captured session as a trace: its nodes in their order, each sub-agent a conversation of its own, and what comes after a
// compaction a window of its own. Thinking and images are not in it.
func FromNodes(id, agent string, nodes []memory.Node) *Trace {
	t := &Trace{ID: id, Agent: agent}
	for _, c := range objects.FromNodes(nodes) {
		for _, w := range c.Windows {
			var out []pager.Message
			for _, m := range w {
				for i := range m.Blocks {
					if b := &m.Blocks[i]; b.Kind == pager.Call {
						b.Input = compact(b.Input)
					}
				}
				out = append(out, m.Message)
			}
			t.Windows = append(t.Windows, out)
		}
	}
	return t
}

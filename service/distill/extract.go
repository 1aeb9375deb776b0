package distill

import (
	"slices"

	"dormouse/store/memory"
)

// Extract reads one turn by rules. It is pure: equal turns give equal extractions.
func Extract(t Turn) Extraction {
	s := look(&t)
	drafts := slices.Concat(s.work(), s.findings(), s.decided(), s.happened())
	picked := pick(drafts, t.Prior.Seen)
	for i := range picked {
		s.tag(&picked[i])
	}
	return Extraction{Events: picked, Next: s.next(picked)}
}

// tag gives a draft its entities.
func (s *scan) tag(d *Draft) {
	if d.Kind == memory.KindWork {
		files := s.edited()
		for _, f := range files[:min(len(files), 8)] {
			d.Entities = append(d.Entities, memory.EntityID(memory.TypeFile, f.path))
		}
	}
	for _, c := range d.commits {
		d.Entities = append(d.Entities, memory.EntityID(memory.TypeCommit, head(c.id, 8)))
	}
	slices.Sort(d.Entities)
	d.Entities = slices.Compact(d.Entities)
}

// draft makes an event of a line and the nodes that bear it out.
func (s *scan) draft(kind memory.Kind, text string, trust memory.Trust, score float64, order int, nodes ...int) Draft {
	d := Draft{Kind: kind, Summary: shorten(text, MaxSummary), Trust: trust, score: score, order: order}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	for _, i := range nodes[max(0, len(nodes)-maxEvidence):] {
		d.Nodes = append(d.Nodes, s.nodes[i].ID)
		if at := s.nodes[i].CreatedAt; at > 0 && (d.At == nil || at > *d.At) {
			d.At = &at
		}
	}
	return d
}

// next is the Prior of the turns that follow.
func (s *scan) next(picked []Draft) Prior {
	p := s.turn.Prior
	if s.final >= 0 {
		text := s.nodes[s.final].Output
		if k := len(text) - maxSaid; k > 0 {
			for k < len(text) && text[k]&0xC0 == 0x80 {
				k++
			}
			text = text[k:]
		}
		p.Said = Message{Node: s.nodes[s.final].ID, Text: text}
	}
	seen := slices.Clone(p.Seen)
	for _, d := range picked {
		seen = append(seen, Seen{Kind: d.Kind, Words: d.words()})
	}
	p.Seen = seen[max(0, len(seen)-maxSeen):]
	return p
}

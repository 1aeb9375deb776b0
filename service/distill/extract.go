package distill

import (
	"maps"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// Extract reads one turn by rules. It is pure: equal turns give equal extractions.
func Extract(t Turn) Extraction {
	s, paged := look(&t), pages(&t)
	if len(s.nodes) == 0 {
		return Extraction{Events: paged, Next: t.Prior}
	}
	drafts := slices.Concat(s.work(), s.reviewed(), s.findings(), s.decided(), s.happened(), s.leftFailing())
	drafts = slices.DeleteFunc(drafts, func(d Draft) bool { return d.Trust == memory.TrustAgent && s.echoes(d.Summary) })
	picked := pick(drafts, t.Prior.Seen)
	g := s.graph(picked)
	var ex Extraction
	for i := range picked {
		s.tag(&picked[i])
		if picked[i].Trust == memory.TrustAgent && s.quotes(picked[i].Summary) {
			picked[i].Trust = memory.TrustQuoted
		}
		if picked[i].standing {
			continue // a fact
		}
		ex.Events = append(ex.Events, picked[i])
	}
	ex.Events = append(ex.Events, paged...)
	ex.Facts = s.facts(picked, g)
	ex.Entities, ex.Edges = g.entities, g.edges
	ex.Next = s.next(picked)
	s.addTags(&ex, picked)
	ex.Same = namesOf(s.equal)
	ex.Next.Parts = g.parts
	return ex
}

// oneLine makes a text a line of valid UTF-8, so that what is stored claims what was extracted.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

// quotes reports whether a line of the assistant only repeats what a tool or a page said in this turn: a long stretch of it
// stands there word for word.
func (s *scan) quotes(line string) bool {
	core := coreOf(line)
	return core != "" && slices.ContainsFunc(s.nodes, func(n memory.Node) bool { return n.Role == memory.RoleTool && stands(core, n.Output) })
}

// echoes reports whether a line of the assistant repeats what the memory told it in this turn.
func (s *scan) echoes(line string) bool {
	core := coreOf(line)
	return core != "" && slices.ContainsFunc(s.own, func(told string) bool { return stands(core, told) })
}

// coreOf is a long stretch of a line; empty where the line has none.
func coreOf(line string) string {
	core := strings.ToLower(strings.TrimRight(line, "…. "))
	if len(core) < minQuote {
		return ""
	}
	if len(core) > 2*minQuote {
		from := clampRune(core, len(core)/4)
		core = core[from:clampRune(core, from+minQuote)]
	}
	return core
}

func stands(core, text string) bool {
	return len(text) <= maxQuoted && strings.Contains(flat(text), core)
}

const (
	minQuote  = 48        // bytes of a line that, found word for word in a tool's output, make it a quote
	maxQuoted = 256 << 10 // longest tool output that is searched for it, in bytes
)

// flat is a text for comparing: lower case, without code marks, its runs of space as one.
func flat(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(s, "`", ""), "*", ""))), " ")
}

// tag gives a draft the files and commits of its turn, where it tells of the work, and puts its entities in order.
func (s *scan) tag(d *Draft) {
	if d.Kind == memory.KindWork {
		files := s.edited()
		for _, f := range files[:min(len(files), maxTagged)] {
			d.Entities = append(d.Entities, memory.EntityID(memory.TypeFile, f.path))
		}
	}
	for _, c := range d.commits {
		d.Entities = append(d.Entities, memory.EntityID(memory.TypeCommit, shortSHA(c.id)))
		d.Commit = &c.id
	}
	slices.Sort(d.Entities)
	d.Entities = slices.DeleteFunc(slices.Compact(d.Entities), func(id string) bool { return id == "" })
}

// maxTagged is how many files an event names as entities.
const maxTagged = 8

// draft makes an event of a line and the nodes that bear it out.
func (s *scan) draft(kind memory.Kind, text string, trust memory.Trust, score float64, order int, nodes ...int) Draft {
	d := Draft{Kind: kind, Summary: shorten(oneLine(text), MaxSummary), Trust: trust, score: score, order: order}
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
		p.Said = Message{Node: s.nodes[s.final].ID, Text: tail(s.nodes[s.final].Output, maxSaid)}
	}
	seen := slices.Clone(p.Seen)
	for _, d := range picked {
		seen = append(seen, Seen{Kind: d.Kind, Words: d.words()})
	}
	p.Seen = seen[max(0, len(seen)-maxSeen):]
	p.Files, p.Pending = s.files()
	p.Ran = s.ran()
	return p
}

// files carries on which files the branch has edited, and which of them since its last commit.
func (s *scan) files() (byBase map[string]string, pending []string) {
	byBase, pending = s.turn.Prior.Files, slices.Clone(s.turn.Prior.Pending)
	last := -1
	if c := s.commits(); len(c) > 0 {
		last, pending = c[len(c)-1].node, nil
	}
	edits := s.edited()
	if len(edits) > 0 && len(byBase) < maxFiles {
		byBase = maps.Clone(byBase)
		if byBase == nil {
			byBase = map[string]string{}
		}
	}
	for _, e := range edits {
		if len(byBase) < maxFiles {
			byBase[base(e.path)] = e.path
		}
		if e.last > last && !slices.Contains(pending, e.path) && len(pending) < maxTurnFiles {
			pending = append(pending, e.path)
		}
	}
	return byBase, pending
}

// tail is the end of a text, at most n bytes, cut at a rune.
func tail(s string, n int) string {
	k := len(s) - n
	if k <= 0 {
		return s
	}
	for k < len(s) && s[k]&0xC0 == 0x80 {
		k++
	}
	return s[k:]
}

package recall

import (
	"slices"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// tagDocs makes documents of segments and of summaries of tags. Both are found by the names of their tags, old ones and aliases too.
func tagDocs(s *memory.State) []index.Doc {
	names := tagNames(s)
	var out []index.Doc
	for _, g := range s.SegmentList() {
		if !g.Scope.Valid() {
			continue
		}
		d := index.Doc{ID: segPrefix + g.ID, Kind: index.KindSegment, Scope: g.Scope, Label: g.PrimaryTag, Body: g.Summary,
			Session: g.Full.SessionID, Nodes: firstAndLast(g.Full)}
		d.Project, _ = g.Scope.Project()
		for _, t := range g.Tags {
			d.Names = append(d.Names, names[memory.Key{Scope: g.Scope, ID: t}]...)
		}
		d.Path = otherNames(d.Names, d.Body)
		out = append(out, d)
	}
	for _, t := range s.TagSummaryList() {
		if !t.Scope.Valid() {
			continue
		}
		d := index.Doc{ID: sumPrefix + t.ID, Kind: index.KindSummary, Scope: t.Scope, Label: t.Tag, Body: t.Summary, Superseded: t.SupersededBy != "",
			Names: names[memory.Key{Scope: t.Scope, ID: t.Tag}]}
		if len(d.Names) > 0 {
			d.Title, d.Path = d.Names[0], otherNames(d.Names[1:], t.Summary)
		}
		provenance(&d, t.Provenance)
		out = append(out, d)
	}
	return out
}

// firstAndLast is the first and the last node of a span, once where they are one.
func firstAndLast(p memory.Span) []string { return slices.Compact([]string{p.FromNode, p.ToNode}) }

// tagNames are the names that lead to each tag: its own first, then the aliases that hold in the whole project, and the names of tags that
// were merged into it.
func tagNames(s *memory.State) map[memory.Key][]string {
	out := map[memory.Key][]string{}
	add := func(k memory.Key, name string) {
		if !slices.Contains(out[k], name) {
			out[k] = append(out[k], name)
		}
	}
	for _, t := range s.TagList() {
		add(memory.Key{Scope: t.Scope, ID: t.ID}, t.Name)
	}
	for _, a := range s.TagAliasList() {
		if a.SessionID == "" && a.SupersededBy == "" {
			for _, t := range a.Tags {
				add(memory.Key{Scope: a.Scope, ID: t}, a.Alias)
			}
		}
	}
	for _, t := range s.TagList() {
		if t.SupersededBy != "" {
			into := memory.Key{Scope: t.Scope, ID: string(t.SupersededBy)}
			for _, n := range out[memory.Key{Scope: t.Scope, ID: t.ID}] {
				add(into, n)
			}
		}
	}
	return out
}

package recall

import (
	"slices"
	"strings"

	"dormouse/store/index"
	"dormouse/store/memory"
)

const (
	segmentPrefix    = "segment:"
	tagSummaryPrefix = "tag_summary:"
)

// TagDocs makes a document of each segment and of each summary of a tag. A segment is found by the words of its summary and the names
// of its tags, and opens at its first turn; a tag's summary is found by all names of the tag.
func TagDocs(s *memory.State) []index.Doc {
	names := map[memory.Key][]string{}
	for _, n := range s.TagNames(memory.View{All: true}) {
		for _, k := range n.Tags {
			names[k] = append(names[k], n.Name)
		}
	}
	var out []index.Doc
	for _, g := range s.SegmentList() {
		if g.Scope.Valid() && !withheld(s, g) {
			out = append(out, segmentDoc(g, names))
		}
	}
	for _, t := range s.TagSummaryList() {
		if t.Scope.Valid() && t.SupersededBy == "" {
			d := index.Doc{ID: tagSummaryPrefix + t.ID, Kind: index.KindTagSummary, Scope: t.Scope, Label: t.Tag,
				Names: names[memory.Key{Scope: t.Scope, ID: t.Tag}], Body: t.Summary}
			d.Title = strings.Join(d.Names, " ")
			provenance(&d, t.Provenance)
			if t.CoversThrough != nil {
				d.Time = *t.CoversThrough
			}
			out = append(out, d)
		}
	}
	return out
}

// withheld reports whether a segment covers a turn from which something private comes.
func withheld(s *memory.State, g *memory.Segment) bool {
	return slices.ContainsFunc(g.Turns(), func(t memory.SegmentTurn) bool { return s.WithheldNode(t.Node) || s.WithheldNode(t.To) })
}

func segmentDoc(g *memory.Segment, names map[memory.Key][]string) index.Doc {
	d := index.Doc{ID: segmentPrefix + g.ID, Kind: index.KindSegment, Scope: g.Scope, Label: g.PrimaryTag, Session: g.Full.SessionID,
		Nodes: []string{g.Full.FromNode}, Body: g.Summary}
	if p, ok := g.Scope.Project(); ok {
		d.Project = p
	}
	for _, id := range g.Tags {
		d.Names = append(d.Names, names[memory.Key{Scope: g.Scope, ID: id}]...)
	}
	d.Title = strings.Join(d.Names, " ")
	if at := g.Until(); at != nil {
		d.Time = *at
	}
	return d
}

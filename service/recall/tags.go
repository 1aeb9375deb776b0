package recall

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/service/distill/alias"
	"dormouse/service/distill/tagging"
	"dormouse/store/memory"
)

// TagQuery asks for the tags of a view.
type TagQuery struct {
	View    memory.View
	Project string // id; empty for all that the view sees
	Name    string // a name of a tag, in any form; empty for the whole vocabulary
}

// TagInfo is a tag of a vocabulary and how it is used.
type TagInfo struct {
	Tag     *memory.Tag
	Names   []string // other names by which it is found, sorted
	Parts   []string // names of the tags into which it fell
	Summary *memory.TagSummary
	// How many segments, turns and sessions are found by it.
	Segments, Turns, Sessions int
}

// Tags lists the tags of a view, those of most turns first. With a name, these are the tags that it stands for now.
func Tags(s *memory.State, q TagQuery) []TagInfo {
	var wanted map[memory.Key]bool
	if q.Name != "" {
		wanted = map[memory.Key]bool{}
		for _, k := range TagsNamed(s, q.View, q.Name) {
			wanted[k] = true
		}
	}
	other := map[memory.Key][]string{}
	for _, n := range s.TagNames(q.View) {
		for _, k := range n.Tags {
			if memory.TagID(n.Name) != k.ID {
				other[k] = append(other[k], n.Name)
			}
		}
	}
	var out []TagInfo
	for _, t := range s.TagList() {
		k := memory.Key{Scope: t.Scope, ID: t.ID}
		parts := s.SplitInto(t.Ref())
		if !q.View.Sees(t.Scope) || !inProject(t.Scope, q.Project) || wanted != nil && !wanted[k] || t.SupersededBy != "" && len(parts) == 0 {
			continue
		}
		info := TagInfo{Tag: t, Names: other[k], Summary: summaryOf(s, t)}
		for _, p := range parts {
			info.Parts = append(info.Parts, strings.TrimPrefix(p, memory.TypeTag+"."))
		}
		sessions := map[string]bool{}
		for _, g := range s.SegmentsOf([]memory.Key{k}) {
			info.Segments++
			info.Turns += len(g.Turns())
			sessions[g.Full.SessionID] = true
		}
		info.Sessions = len(sessions)
		out = append(out, info)
	}
	slices.SortStableFunc(out, func(a, b TagInfo) int { return cmp.Compare(b.Turns, a.Turns) })
	return out
}

func inProject(scope memory.Scope, project string) bool {
	return project == "" || scope == memory.ProjectScope(project)
}

func summaryOf(s *memory.State, t *memory.Tag) *memory.TagSummary {
	return s.TagSummaries[memory.TagSummaryID(memory.TagSummaryClaim(&memory.TagSummary{Scope: t.Scope, Tag: t.ID}))]
}

// TagsNamed are the tags that a name stands for now, in any form of it: the one that it was merged into, all parts of one that was
// split. None where the vocabulary does not know the name.
func TagsNamed(s *memory.State, v memory.View, name string) []memory.Key {
	form := tagging.Canonical(strings.TrimPrefix(name, memory.TypeTag+"."))
	if form == "" {
		return nil
	}
	var out []memory.Key
	for _, n := range s.TagNames(v) {
		if tagging.Canonical(n.Name) == form {
			out = append(out, n.Tags...)
		}
	}
	return out
}

// TagsNear are names of tags that are spelt nearly like one that the vocabulary does not know. They are for the person to choose from.
func TagsNear(s *memory.State, v memory.View, name string) []string {
	var names []tagging.Name
	for _, n := range s.TagNames(v) {
		names = append(names, tagging.Name{Name: n.Name})
	}
	return tagging.NewVocabulary(names).Near(name, alias.Misspelt)
}

// Tagged lists the segments that are about tags, within a project where one is named, the newest first.
func Tagged(s *memory.State, tags []memory.Key, project string) []*memory.Segment {
	return slices.DeleteFunc(s.SegmentsOf(tags), func(g *memory.Segment) bool { return !inProject(g.Scope, project) })
}

// recordsOf are the ids of the records that segments sum up.
func recordsOf(segs []*memory.Segment) map[string]bool {
	out := map[string]bool{}
	for _, g := range segs {
		for _, t := range g.Turns() {
			for _, id := range t.Records {
				out[id] = true
			}
		}
	}
	return out
}

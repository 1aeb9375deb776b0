package memory

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// MiscTag is the id of the primary tag of a segment that the vocabulary has no tag for.
const MiscTag = TypeTag + ".misc"

// mostTags is how many tags a segment shows at most. It is found by all of its terms that are tags.
const mostTags = 4

// tagAliases finds the aliases of tags by scope and name.
type tagAliases map[Key][]*TagAlias

func (s *State) tagAliases() tagAliases {
	out := tagAliases{}
	for _, a := range s.TagAliasList() {
		if a.SupersededBy == "" {
			k := Key{a.Scope, TagID(a.Alias)}
			out[k] = append(out[k], a)
		}
	}
	return out
}

// lead follows a name to the tags that it stands for now: by an alias of the session, else of the project, then by merges.
func (s *State) lead(al tagAliases, scope Scope, id string, session string) []string {
	out := []string{id}
	for _, of := range []string{session, ""} {
		known := al[Key{scope, id}]
		if i := slices.IndexFunc(known, func(a *TagAlias) bool { return string(a.SessionID) == of }); i >= 0 {
			out = slices.Clone(known[i].Tags)
			break
		}
	}
	if len(s.merged) > 0 {
		for i := range out {
			out[i] = s.MergedInto(RecordRef{RecordTag, scope, out[i]})
		}
	}
	return out
}

// IsTag reports whether a tag is in the vocabulary of its scope: it earned its place, the person confirmed it, or another tag was
// split or merged into it. Other tags of the log were in it at a time, before sessions came in that had been before.
func (s *State) IsTag(k Key) bool {
	t := s.Tags[k]
	if _, earned := s.earned[k]; t != nil && (earned || s.Confirmed[t.Ref()] != "") {
		return true
	}
	for ref, r := range s.merged {
		if ref.Kind == RecordTag && ref.Scope == k.Scope && r.by == k.ID && t != nil {
			return true
		}
	}
	for ref, parts := range s.split {
		if ref.Kind == RecordTag && ref.Scope == k.Scope && slices.Contains(parts, k.ID) {
			return true
		}
	}
	return false
}

// settleTags gives each segment the tags that its terms stand for today. What a session was about stays as it was seen; which of
// it is a tag, and by which name, is the vocabulary's matter. So the order in which sessions are read does not show, and an old
// segment is found by a tag that came up later.
func (s *State) settleTags() {
	s.sumUp()
	al := s.tagAliases()
	s.earned = s.earn(al)
	for _, g := range s.Segments {
		if s.edited[g.Ref()] {
			g.found = g.Tags
			continue
		}
		s.settleSegment(al, g)
	}
	s.summariseTags()
}

func (s *State) settleSegment(al tagAliases, g *Segment) {
	var leads []string
	shown := 0
	for i, id := range slices.Concat(g.shown, g.said) {
		if i == len(g.shown) {
			shown = len(leads)
		}
		for _, to := range s.lead(al, g.Scope, id, g.Full.SessionID) {
			if !slices.Contains(leads, to) && s.IsTag(Key{g.Scope, to}) {
				leads = append(leads, to)
			}
		}
	}
	if len(g.said) == 0 {
		shown = len(leads)
	}
	g.found = leads
	tags := slices.DeleteFunc(slices.Clone(leads[:shown]), func(id string) bool { return s.fellApart(g.Scope, id, leads) })
	tags = tags[:min(len(tags), mostTags)]
	for _, id := range leads[shown:] { // what is only said fills up
		if len(tags) < mostTags-1 && !s.fellApart(g.Scope, id, leads) {
			tags = append(tags, id)
		}
	}
	g.PrimaryTag = MiscTag
	if len(tags) > 0 {
		g.PrimaryTag = tags[0]
	}
	slices.Sort(tags)
	g.Tags = tags
}

// fellApart reports whether a tag was split and one of its parts is among others.
func (s *State) fellApart(scope Scope, id string, others []string) bool {
	return slices.ContainsFunc(s.split[RecordRef{RecordTag, scope, id}], func(p string) bool { return p != id && slices.Contains(others, p) })
}

// TagName is a name by which tags are found: a tag's own, an alias, or that of a tag that was merged or split.
type TagName struct {
	Name string
	Tags []Key // what it stands for now, sorted: several after a split
}

// TagNames lists all names of tags that a view sees, by name. Aliases of single sessions are not among them.
func (s *State) TagNames(v View) []TagName {
	by := map[string]map[Key]bool{}
	add := func(name string, scope Scope, ids []string) {
		for _, id := range ids {
			if by[name] == nil {
				by[name] = map[Key]bool{}
			}
			by[name][Key{scope, id}] = true
		}
	}
	al := s.tagAliases()
	name := func(scope Scope, n string) {
		if v.Sees(scope) {
			for _, id := range s.lead(al, scope, TagID(n), "") {
				add(n, scope, s.withParts(scope, id))
			}
		}
	}
	for k, t := range s.Tags {
		if t.SupersededBy != "" || s.IsTag(k) {
			name(t.Scope, t.Name)
		}
	}
	for _, a := range s.TagAliases {
		if a.SessionID == "" && a.SupersededBy == "" {
			name(a.Scope, a.Alias)
		}
	}
	for ref, parts := range s.split {
		for _, p := range parts {
			if ref.Kind == RecordTag {
				name(ref.Scope, strings.TrimPrefix(p, TypeTag+"."))
			}
		}
	}
	var out []TagName
	for _, n := range slices.Sorted(maps.Keys(by)) {
		out = append(out, TagName{n, slices.SortedFunc(maps.Keys(by[n]), compareTagKeys)})
	}
	return out
}

// withParts is a tag and all that it fell into.
func (s *State) withParts(scope Scope, id string) []string {
	out := []string{id}
	for i := 0; i < len(out); i++ {
		for _, p := range s.split[RecordRef{RecordTag, scope, out[i]}] {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// SegmentsOf lists the segments that are about one of some tags, the newest first, those of no known time last. Each is found by
// every tag that it may have, also by those that it has too many of to show.
func (s *State) SegmentsOf(tags []Key) []*Segment {
	wanted := map[Key]bool{}
	for _, k := range tags {
		wanted[k] = true
	}
	var out []*Segment
	for _, g := range s.Segments {
		if g.by == "" && slices.ContainsFunc(g.found, func(id string) bool { return wanted[Key{g.Scope, id}] }) {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, compareNewest)
	return out
}

func compareNewest(a, b *Segment) int {
	x, y := a.Until(), b.Until()
	switch {
	case x != nil && y != nil && *x != *y:
		return cmp.Compare(*y, *x)
	case (x == nil) != (y == nil):
		return compareTime(x, y)
	}
	return cmp.Compare(a.ID, b.ID)
}

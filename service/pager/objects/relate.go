package objects

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// named are words that look like the path or the name of a file.
var named = regexp.MustCompile(`[\p{L}\p{N}_@.~-]*(?:/[\p{L}\p{N}_@.+-]+)+|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}\b`)

// namesIn are the distinct names of files in a text, in their order, at most so many.
func namesIn(text string, most int) (out []string) {
	for _, w := range named.FindAllString(head(text, 64<<10), 4*most) {
		w = strings.Trim(w, ".-/")
		if len(w) >= 4 && !slices.Contains(out, w) {
			out = append(out, w)
		}
		if len(out) == most {
			break
		}
	}
	return out
}

// maxReferences is how many files an object refers to at most.
const maxReferences = 12

// mentions are the types whose texts name files that matter to them. Listings and searches name too many.
var mentions = map[Type]bool{ConversationPhase: true, DebuggingSession: true, DesignDecision: true, Plan: true, ErrorContext: true}

// fileIndex finds files by the last part of their paths.
type fileIndex map[string][]*segment

func (s *Store) fileIndex() fileIndex {
	f := fileIndex{}
	for _, x := range s.segs {
		if x.kind == FileContext && x.path != "" && x.whole().shown() {
			f[path.Base(x.path)] = append(f[path.Base(x.path)], x)
		}
	}
	return f
}

// of is the object that held a file that is named, when something that began with a block named it: the newest up to then, or else the
// first. Files of one name in several folders are told apart by what of the path is named, and by nothing else.
func (f fileIndex) of(name string, block int) (found *segment) {
	paths := map[string]bool{}
	for _, x := range f[path.Base(name)] {
		if x.path != name && !strings.HasSuffix(x.path, "/"+name) && !strings.HasSuffix(name, "/"+x.path) {
			continue
		}
		if paths[x.path] = true; len(paths) > 1 {
			return nil
		}
		if found == nil || x.blocks[0] <= block {
			found = x
		}
	}
	return found
}

// relations are all relations, ordered by the objects they begin at.
func (s *Store) relations() (out []Relation) {
	files := s.fileIndex()
	has := map[Relation]bool{}
	add := func(from *segment, kind Kind, to *segment) {
		from, to = from.whole(), to.whole()
		if from == nil || to == nil || from == to || !from.shown() || !to.shown() {
			return
		}
		r := Relation{from.id, kind, to.id}
		if !has[r] {
			has[r] = true
			out = append(out, r)
		}
	}
	for _, x := range s.segs {
		if !x.whole().shown() {
			continue
		}
		if p := x.above(); p != nil {
			add(p, ParentOf, x)
		}
		if x.newer != nil {
			add(x.newer, Supersedes, x)
		}
		for _, y := range x.needs {
			add(x, DependsOn, y)
		}
		if !mentions[x.kind] || x.into != nil {
			continue
		}
		n := 0
		for _, name := range namesIn(x.text(s, 64<<10), 4*maxReferences) {
			if f := files.of(name, x.blocks[0]); f != nil && n < maxReferences && f != x {
				add(x, References, f)
				n++
			}
		}
	}
	return out
}

// shown says whether something is an object to be seen: it holds something, and was stored.
func (x *segment) shown() bool { return len(x.blocks) > 0 && x.refused == "" }

// above is the nearest object that an object belongs to and that is shown.
func (x *segment) above() *segment {
	p := x.parent
	for n := 0; p != nil && n < 8; n++ {
		if w := p.whole(); w.shown() {
			return w
		}
		p = p.parent
	}
	return nil
}

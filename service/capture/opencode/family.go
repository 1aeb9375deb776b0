package opencode

import (
	"cmp"
	"slices"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// about is what a store says of a session beside its messages.
type about struct {
	id, parent, fork, boundary string
	directory, title           string
	created, updated           int64 // Unix milliseconds
	revert                     string
	second                     bool // it lies in the tables of the second form
	version                    string
	bytes                      int64
}

// family are sessions with the sub-agents' sessions that they started, by the id of the first one.
type family struct {
	by       map[string]*about
	children map[string][]*about // by the id of the session that started them
}

func newFamily(all []*about) *family {
	f := &family{by: map[string]*about{}, children: map[string][]*about{}}
	for _, s := range all {
		f.by[s.id] = s
	}
	for _, s := range f.by {
		if s.parent != "" && s.parent != s.id {
			f.children[s.parent] = append(f.children[s.parent], s)
		}
	}
	for _, c := range f.children {
		slices.SortFunc(c, func(a, b *about) int { return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id)) })
	}
	return f
}

// root is the id of the session that a session belongs to: the one that nobody started, in the store or not.
func (f *family) root(s *about) string {
	id := s.id
	for steps := 0; s != nil && s.parent != "" && s.parent != s.id && steps <= len(f.by); steps++ {
		id = s.parent
		s = f.by[id]
	}
	return id
}

// members are the sessions of a root, itself first where it is there.
func (f *family) members(root string) []*about {
	var out []*about
	if s := f.by[root]; s != nil {
		out = append(out, s)
	}
	seen := map[string]bool{root: true}
	for todo := []string{root}; len(todo) > 0; todo = todo[1:] {
		for _, c := range f.children[todo[0]] {
			if !seen[c.id] {
				seen[c.id] = true
				out = append(out, c)
				todo = append(todo, c.id)
			}
		}
	}
	return out
}

// list calls use with one entry for each root.
func (f *family) list(use func(transcript.Entry) error) error {
	roots := map[string]bool{}
	for _, s := range f.by {
		roots[f.root(s)] = true
	}
	for _, root := range slices.Sorted(mapKeys(roots)) {
		e := transcript.Entry{Session: root}
		for _, s := range f.members(root) {
			e.Version += s.id + ":" + s.version + ";"
			e.Updated = max(e.Updated, s.updated/1000)
			e.Bytes += s.bytes
		}
		if len(e.Version) > 100 {
			e.Version = digest(e.Version)
		}
		if e.Version == "" {
			continue // sessions that start each other
		}
		if err := use(e); err != nil {
			return err
		}
	}
	return nil
}

// infoOf is what a session's JSON document says.
func infoOf(v gjson.Result) *about {
	return &about{id: v.Get("id").String(), parent: v.Get("parentID").String(), directory: v.Get("directory").String(),
		title: v.Get("title").String(), created: v.Get("time.created").Int(), updated: v.Get("time.updated").Int(),
		revert: v.Get("revert.messageID").String()}
}

package recall

import (
	"slices"
	"strings"

	"dormouse/store/memory"
)

// unnamed are the types of entities whose names are no names that people ask by, or are in the text itself.
var unnamed = []string{memory.TypeFile, memory.TypeCommit, memory.TypeCommand, memory.TypeError}

// namesOf are the names and aliases of entities, of merged ones those of what they became.
func namesOf(s *memory.State, scope memory.Scope, ids ...string) []string {
	var out []string
	for _, id := range ids {
		e := s.Entities[memory.Key{Scope: scope, ID: one(s, scope, id)}]
		if e == nil || slices.Contains(unnamed, e.Type) {
			continue
		}
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// otherNames are the names that a text does not have, as one text to be searched beside it.
func otherNames(names []string, text string) string {
	text = strings.ToLower(text)
	return strings.Join(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.Contains(text, strings.ToLower(n)) }), " ")
}

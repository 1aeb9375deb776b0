package memory

import (
	"slices"
	"strings"
	"unicode"
)

// ClaimKey says what a record claims, whatever its wording: (scope, kind, subject, relation, object) after aliasing; of an
// event, its kind, its evidence nodes and its sorted content words.
type ClaimKey string

const claimSep = "\x1f"

// EventClaim is the claim key of an event. The session is no part of it: a prefix that two sessions share claims the same.
func EventClaim(e *Event) ClaimKey {
	nodes := slices.Sorted(slices.Values(e.Provenance.NodeIDs))
	words := ContentWords(e.Summary)
	return ClaimKey(strings.Join([]string{string(e.Scope), "event", string(e.Kind),
		strings.Join(nodes, " "), strings.Join(words, " ")}, claimSep))
}

// EntityClaim is the claim key of an entity: it exists in its scope.
func EntityClaim(e *Entity) ClaimKey {
	return ClaimKey(strings.Join([]string{string(e.Scope), "entity", e.ID}, claimSep))
}

// EdgeClaim is the claim key of an edge.
func EdgeClaim(e *Edge) ClaimKey {
	return ClaimKey(strings.Join([]string{string(e.Scope), "edge", e.From, e.Relation, e.To}, claimSep))
}

// stopWords are the English function words that carry no claim.
var stopWords = toSet(strings.Fields(`a an the and or but if then else of to in on at by for with from as is are was were be been
being it its this that these those he she they them we you i my your our their his her do does did done has have had will
would can could should may might must shall not no nor so than too very just also into over under out up down off again
further once here there when where why how all any both each few more most other some such only own same s t now`))

// ContentWords are the distinct words of a text that carry meaning, lower case and sorted. Words are runs of letters,
// digits and the characters that join parts of identifiers and paths.
func ContentWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("/._-+#@", r)
	})
	var out []string
	for _, w := range words {
		w = strings.Trim(w, "./-+#@_")
		if w != "" && !stopWords[w] {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func toSet(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, v := range list {
		m[v] = true
	}
	return m
}

package memory

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ClaimKey says what a record claims, whatever its wording: (scope, kind, subject, relation, object) after aliasing; of an
// event, its kind, its evidence nodes and its sorted content words.
type ClaimKey string

const claimSep = "\x1f"

// EventClaim is the claim key of an event. The session is no part of it: a prefix that two sessions share claims the same.
func EventClaim(e *Event) ClaimKey {
	var room [1024]byte
	return ClaimKey(appendEventClaim(room[:0], e))
}

// claims reports whether a record's claim is this one.
func claims(r Record, key ClaimKey) bool {
	e, ok := r.(*Event)
	if !ok {
		return r.Claim() == key
	}
	var room [1024]byte
	return string(appendEventClaim(room[:0], e)) == string(key)
}

func appendEventClaim(b []byte, e *Event) []byte {
	b = append(append(b, e.Scope...), claimSep+"event"+claimSep...)
	b = append(append(b, e.Kind...), claimSep...)
	nodes := e.Provenance.NodeIDs
	if !slices.IsSorted(nodes) {
		nodes = slices.Sorted(slices.Values(nodes))
	}
	b = appendWords(b, nodes)
	return appendContentWords(append(b, claimSep...), e.Summary)
}

func appendWords(b []byte, words []string) []byte {
	for i, w := range words {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, w...)
	}
	return b
}

// appendContentWords writes ContentWords with a blank between each two. An English text costs no memory: of each event that is added up the claim
// is worked out.
func appendContentWords(b []byte, text string) []byte {
	var room [64][]byte
	words, low := room[:0], len(b)
	for i := range len(text) { // behind what is there, as room
		c := text[i]
		if c >= utf8.RuneSelf {
			return appendWords(b[:low], ContentWords(text))
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	for rest := b[low:]; len(rest) > 0; {
		n := 0
		for n < len(rest) && wordByte[rest[n]] {
			n++
		}
		w := bytes.Trim(rest[:n], wordEdges)
		if len(w) > 0 && !stopWords[string(w)] {
			words = append(words, w)
		}
		rest = rest[min(n+1, len(rest)):]
	}
	slices.SortFunc(words, bytes.Compare)
	end := len(b)
	for i, w := range words {
		if i > 0 && bytes.Equal(w, words[i-1]) {
			continue
		}
		if len(b) > end {
			b = append(b, ' ')
		}
		b = append(b, w...)
	}
	return append(b[:low], b[end:]...)
}

// wordByte are the bytes of an English text that words are made of, in small letters.
var wordByte = func() (ok [256]bool) {
	for c := range ok {
		ok[c] = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(wordJoins, byte(c)) >= 0
	}
	return ok
}()

// wordJoins join parts of identifiers and paths; at its ends a word has none of wordEdges.
const wordJoins, wordEdges = "/._-+#@", "./-+#@_"

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
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(wordJoins, r)
	})
	var out []string
	for _, w := range words {
		w = strings.Trim(w, wordEdges)
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

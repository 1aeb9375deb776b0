package recall

import (
	"strings"
	"unicode/utf8"

	"dormouse/store/index/words"
)

// snippetBytes is how long a snippet is at most, without the marks of what was left out.
const snippetBytes = 240

const ellipsis = "…"

// snipper cuts the part out of texts that matches a query best.
type snipper struct {
	a     *words.Analyzer
	terms map[string]bool
	known map[string][]string // the query's terms in a word
	heads map[[2]byte]bool    // the first two bytes of each term
	// language is the query's, by which words of a text are taken too, since one alone does not tell its language.
	language words.Language
}

func newSnipper(a *words.Analyzer, query string) *snipper {
	s := &snipper{a: a, terms: map[string]bool{}, known: map[string][]string{}, heads: map[[2]byte]bool{}}
	query = query[:cutAt(query, 8<<10)]
	s.language = a.LanguageOf(query)
	for _, t := range s.a.Terms(query) {
		s.terms[t.Text] = true
		s.heads[headOf(t.Text, 0)] = true
	}
	return s
}

// headOf is two bytes of a word of ASCII in lower case, or one at its end.
func headOf(word string, i int) (head [2]byte) {
	for k := range head {
		if i+k < len(word) {
			c := word[i+k]
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			head[k] = c
		}
	}
	return head
}

// mayMatch is a quick look at whether a word can have a term of the query: stems keep the beginnings of words. (They do not for
// dying, lying and tying, whose matches a snippet does not mind missing.)
func (s *snipper) mayMatch(word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf || s.heads[headOf(word, i)] || s.heads[[2]byte{headOf(word, i)[0]}] {
			return true
		}
	}
	return false
}

// span is a word of a text, or a few characters of a script without spaces.
type span struct {
	from, to int
	hits     []string // terms of the query in it
}

// snip is the part of a text with the most of the query's terms, on one line, cut at words.
func (s *snipper) snip(text string) string {
	text = oneLine(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= snippetBytes {
		return text
	}
	spans := s.spans(text)
	from, to := best(spans)
	// Some text before the first match makes it readable.
	for from > 0 && spans[to].to-spans[from-1].from <= snippetBytes && from > to-3 {
		from--
	}
	for to+1 < len(spans) && spans[to+1].to-spans[from].from <= snippetBytes {
		to++
	}
	for from > 0 && spans[to].to-spans[from-1].from <= snippetBytes {
		from--
	}
	out := text[spans[from].from:spans[to].to]
	if from > 0 {
		out = ellipsis + out
	}
	if to+1 < len(spans) {
		out += ellipsis
	}
	return out
}

// runes of a long word without spaces that make one span.
const runSpan = 8

func (s *snipper) spans(text string) []span {
	var out []span
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		end, runes := i, 0
		for end < len(text) && text[end] != ' ' {
			_, n := utf8.DecodeRuneInString(text[end:])
			if n > 1 && runes >= runSpan || end-i+n > snippetBytes/2 {
				break
			}
			end += n
			runes++
		}
		// A pair of characters may lie across the end of the span.
		_, next := utf8.DecodeRuneInString(text[end:])
		out = append(out, span{i, end, s.match(strings.TrimSpace(text[i : end+next]))})
		i = end
	}
	return out
}

// match lists the terms of the query that a word has.
func (s *snipper) match(word string) []string {
	if !s.mayMatch(word) {
		return nil
	}
	if hits, ok := s.known[word]; ok {
		return hits
	}
	var hits []string
	s.a.TextIn(s.language, word, func(term string, _ bool) {
		if s.terms[term] {
			hits = append(hits, term)
		}
	})
	s.known[word] = hits
	return hits
}

// best finds the first and last span of the window with the most different terms, of equal ones that with the most matches,
// of equal ones the first. Without a match it is the beginning.
func best(spans []span) (from, to int) {
	counts := map[string]int{}
	top, start := [2]int{}, 0
	total := 0
	for end := range spans {
		for _, h := range spans[end].hits {
			counts[h]++
			total++
		}
		for start < end && (len(spans[start].hits) == 0 || spans[end].to-spans[start].from > snippetBytes) {
			for _, h := range spans[start].hits {
				if counts[h]--; counts[h] == 0 {
					delete(counts, h)
				}
				total--
			}
			start++
		}
		if len(spans[end].hits) == 0 {
			continue
		}
		if now := [2]int{len(counts), total}; now[0] > top[0] || now[0] == top[0] && now[1] > top[1] {
			top, from, to = now, start, end
		}
	}
	return from, to
}

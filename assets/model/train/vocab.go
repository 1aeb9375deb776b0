package main

import (
	"cmp"
	"slices"

	"dormouse/service/embed"
)

// maxWords is how many words of a text take part in training.
const maxWords = 40

type vocabOptions struct {
	words, least int
}

// vocab is the words of a table, the commonest first.
type vocab struct {
	words []string
	count []int // how often each occurs
	total int   // occurrences of all words
	index map[string]int32
}

// newVocab counts the words of all pairs. Whole runs such as readme of README.md's parts are words where they also occur by
// themselves.
func newVocab(pairs []pair, o vocabOptions) *vocab {
	counts := map[string]int{}
	var c embed.Cutter
	v := &vocab{index: map[string]int32{}}
	for _, p := range pairs {
		for _, text := range []string{p.a, p.b} {
			n := 0
			c.Cut(text, func(word []byte, whole bool) {
				mixed := whole && slices.ContainsFunc(word, isDigit) // sha256 occurs in no other way
				if n++; n <= 4*maxWords && (!whole || mixed) {
					counts[string(word)]++
				}
			})
		}
	}
	for w, n := range counts {
		if n >= o.least && useful(w) {
			v.words = append(v.words, w)
		}
	}
	slices.SortFunc(v.words, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	v.words = v.words[:min(len(v.words), o.words)]
	for i, w := range v.words {
		v.index[w] = int32(i)
		v.count = append(v.count, counts[w])
		v.total += counts[w]
	}
	return v
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// useful reports whether a word can mean something: numbers of more than four digits are data.
func useful(word string) bool {
	digits := true
	for i := range len(word) {
		digits = digits && isDigit(word[i])
	}
	return !digits || len(word) <= 4
}

// example is a pair as numbers of words. A number from len(words) on is that of an unknown word, see vocab.unknown.
type example struct {
	a, b []int32
	kind string
}

// encode turns texts into numbers of words. What has no known word on one side is left out.
func (v *vocab) encode(pairs []pair) []example {
	out := make([]example, 0, len(pairs))
	for _, p := range pairs {
		e := example{v.numbers(p.a), v.numbers(p.b), p.kind}
		if len(e.a) > 0 && len(e.b) > 0 && !slices.Equal(e.a, e.b) {
			out = append(out, e)
		}
	}
	return out
}

func (v *vocab) numbers(text string) []int32 {
	var out []int32
	var c embed.Cutter
	c.Cut(text, func(word []byte, _ bool) {
		if i, ok := v.index[string(word)]; ok && len(out) < maxWords {
			out = append(out, i)
		}
	})
	return out
}

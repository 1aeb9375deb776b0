package recall

import (
	"dormouse/store/index"
	"dormouse/store/index/words"
)

// askedBytes is how much of a query's text is looked at.
const askedBytes = 8 << 10

// asked is what the text of a query asks for.
type asked struct {
	words  []index.Word
	base   []bool // by word: whether it stands in the text, and is not derived from others
	mass   float64
	absent bool // whether the index does not have one of the terms at all
}

// newAsked takes the terms of a text and what the index knows of them.
func newAsked(terms []words.Term, a *index.Answer) *asked {
	q := &asked{words: a.Words, base: make([]bool, len(a.Words))}
	known := make(map[string]int, len(a.Words))
	for i, w := range a.Words {
		known[w.Term] = i
	}
	for _, t := range terms {
		i, ok := known[t.Text]
		weight := a.Rarest
		if ok {
			weight, q.base[i] = a.Words[i].Weight, t.Base
		} else {
			q.absent = true
		}
		if t.Base {
			q.mass += weight
		}
	}
	return q
}

// covered is the share of what was asked for that the words of a document are, 0 to 1: each word counts by how rare it is, those that
// no document has too.
func (q *asked) covered(mask uint64) float64 {
	if q.mass == 0 {
		return 0
	}
	sum := 0.0
	for i, w := range q.words {
		if mask>>i&1 != 0 && q.base[i] {
			sum += w.Weight
		}
	}
	return sum / q.mass
}

// all reports whether the words of a document are all that were asked for.
func (q *asked) all(mask uint64) bool {
	return !q.absent && len(q.words) > 0 && mask == 1<<len(q.words)-1
}

package recall

import (
	"unicode/utf8"

	"dormouse/store/index"
	"dormouse/store/index/words"
)

// unspaced reports whether a term is of the scripts that are cut into pairs and triples: Thai and what comes after it, but for the Latin
// and Greek letters with accents.
func unspaced(term string) bool {
	first, _ := utf8.DecodeRuneInString(term)
	return first >= 0x0E00 && (first < 0x1E00 || first >= 0x2000)
}

// askedBytes is how much of a query's text is looked at.
const askedBytes = 8 << 10

// asked is what the text of a query asks for.
type asked struct {
	words  []index.Word
	counts []bool // by word: whether it stands in the text, and is not derived from others
	also   uint64 // the words that are another one as it is written, with accents, one bit each
	mass   float64
	grams  uint64 // the words that are pairs or triples of characters of a script without spaces, one bit each
	size   int    // terms of the text that are not derived from others
	rarest float64
	absent bool // whether the index does not have one of the terms at all
}

// newAsked takes the terms of a text and what the index knows of them.
func newAsked(terms []words.Term, a *index.Answer) *asked {
	q := &asked{words: a.Words, rarest: a.Rarest, counts: make([]bool, len(a.Words))}
	known := make(map[string]int, len(a.Words))
	for i, w := range a.Words {
		known[w.Term] = i
		if unspaced(w.Term) {
			q.grams |= 1 << i
		}
	}
	for _, t := range terms {
		i, ok := known[t.Text]
		if t.Accented && !ok {
			continue // nobody writes it so; without accents it may be there
		}
		weight := a.Rarest * t.Share
		if ok {
			weight, q.counts[i] = a.Words[i].Weight, t.Base || t.Accented
		} else {
			q.absent = true
		}
		if t.Accented {
			q.also |= 1 << i
		}
		if t.Base || t.Accented {
			q.mass += weight
		}
		if t.Base {
			q.size++
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
		if mask>>i&1 != 0 && q.counts[i] {
			sum += w.Weight
		}
	}
	return sum / q.mass
}

// found is covered for the floor: of a long text no more counts as asked for than longText words that no document has would weigh.
func (q *asked) found(mask uint64) float64 {
	share := q.covered(mask)
	if long := longText * q.rarest; q.mass > long && long > 0 {
		share *= q.mass / long
	}
	return share
}

// all reports whether the words of a document are all that were asked for.
func (q *asked) all(mask uint64) bool {
	return !q.absent && len(q.words) > 0 && mask|q.also == 1<<len(q.words)-1
}

// count is how many of the words that were asked for are among those of a document.
func (q *asked) count(mask uint64) int {
	n := 0
	for i := range q.words {
		if mask>>i&1 != 0 && q.counts[i] && q.also>>i&1 == 0 {
			n++
		}
	}
	return n
}

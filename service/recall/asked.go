package recall

import (
	"math/bits"
	"slices"
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
	forms  []askedWord // the words that stand in the text; not what is derived from others
	mass   float64
	grams  uint64 // the words that are pairs or triples of characters of a script without spaces, one bit each
	lone   uint64 // what is derived from others, one bit each
	rarest float64
	absent bool // whether the index does not have one of the words at all
}

// askedWord is a word of the text, which may be several terms: it is there where one of them is.
type askedWord struct {
	forms  uint64 // its terms, one bit each
	stem   uint64 // the one without the endings of its language: who has it has the whole word
	weight float64
}

// newAsked takes the terms of a text and what the index knows of them.
func newAsked(terms []words.Term, a *index.Answer) *asked {
	q := &asked{words: a.Words, rarest: a.Rarest}
	known := make(map[string]int, len(a.Words))
	for i, w := range a.Words {
		known[w.Term] = i
		if unspaced(w.Term) {
			q.grams |= 1 << i
		}
	}
	byWord := map[int]*askedWord{}
	var order []int
	for _, t := range terms {
		i, ok := known[t.Text]
		if !t.Base && !t.Form {
			if ok {
				q.lone |= 1 << i
			} else {
				q.absent = true
			}
			continue
		}
		w := byWord[t.Word]
		if w == nil {
			w = &askedWord{}
			byWord[t.Word] = w
			order = append(order, t.Word)
		}
		if ok {
			w.forms |= 1 << i
			w.weight += a.Words[i].Weight
			if t.Stem {
				w.stem |= 1 << i
			}
		}
	}
	for _, n := range order {
		w := byWord[n]
		if w.forms == 0 { // nobody ever wrote it, in any form
			w.weight, q.absent = a.Rarest, true
		}
		q.mass += w.weight
		q.forms = append(q.forms, *w)
	}
	return q
}

// size is how many words stand in the text.
func (q *asked) size() int { return len(q.forms) }

// share is how much of the weight of a word the words of a document are.
func (q *asked) share(w *askedWord, mask uint64) float64 {
	if mask&w.stem != 0 {
		return w.weight
	}
	sum := 0.0
	for m := mask & w.forms; m != 0; m &= m - 1 {
		sum += q.words[bits.TrailingZeros64(m)].Weight
	}
	return sum
}

// covered is the share of what was asked for that the words of a document are, 0 to 1: each word counts by how rare it is, those that
// no document has too.
func (q *asked) covered(mask uint64) float64 {
	if q.mass == 0 {
		return 0
	}
	sum := 0.0
	for i := range q.forms {
		sum += q.share(&q.forms[i], mask)
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
	if q.absent || len(q.words) == 0 || mask&q.lone != q.lone {
		return false
	}
	return !slices.ContainsFunc(q.forms, func(w askedWord) bool { return mask&w.forms == 0 })
}

// count is how many of the words that were asked for are among those of a document.
func (q *asked) count(mask uint64) int {
	n := 0
	for i := range q.forms {
		if mask&q.forms[i].forms != 0 {
			n++
		}
	}
	return n
}

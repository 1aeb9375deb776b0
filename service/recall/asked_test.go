package recall

import (
	"testing"

	"dormouse/store/index"
	"dormouse/store/index/words"
)

// TestAWordInAnotherFormCountsAsTheWord holds what of a question the words of a document are: the stem is the whole word, one of the forms
// that are written so its own part, and a form that nobody ever wrote takes nothing away.
func TestAWordInAnotherFormCountsAsTheWord(t *testing.T) {
	const question = "Welche Häuser und welche Brücken wurden verkauft?"
	terms := words.New().Terms(question)
	answer := index.Answer{Rarest: 4}
	for _, term := range []struct {
		text   string
		weight float64
	}{{"haus", 1}, {"hauser", 1.5}, {"häuser", 1.5}, {"bruck", 2}, {"verkauft", 1}} { // no document has "Brücken" with its ending
		answer.Words = append(answer.Words, index.Word{Term: term.text, Weight: term.weight})
	}
	q := newAsked(terms, &answer)
	const haus, hauser, written, bruck, verkauft = 1, 2, 4, 8, 16
	for _, c := range []struct {
		name  string
		mask  uint64
		share float64
		count int
		all   bool
	}{
		{"nothing", 0, 0, 0, false},
		{"the stem", haus, 4. / 7, 1, false},
		{"as it is written, without accents", hauser, 1.5 / 7, 1, false},
		{"all forms", haus | hauser | written, 4. / 7, 1, false},
		{"a stem alone", bruck, 2. / 7, 1, false},
		{"every word in some form", haus | bruck | verkauft, 1, 3, true},
		{"every word, written so", hauser | bruck | verkauft, 4.5 / 7, 3, true},
	} {
		if got := q.covered(c.mask); got < c.share-1e-9 || got > c.share+1e-9 {
			t.Errorf("%s: %v of the question, want %v", c.name, got, c.share)
		}
		if got := q.count(c.mask); got != c.count {
			t.Errorf("%s: %d words, want %d", c.name, got, c.count)
		}
		if got := q.all(c.mask); got != c.all {
			t.Errorf("%s: all of it: %v", c.name, got)
		}
	}
}

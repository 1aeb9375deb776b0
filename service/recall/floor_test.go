package recall

import (
	"fmt"
	"testing"
)

// crowd is a memory of so many records on ordinary matters, of which each has a common word, and one a rare one.
func crowd(t *testing.T, n int) *Searcher {
	t.Helper()
	w := world()
	for i := range n {
		addEvent(w, fmt.Sprint("e", i), fmt.Sprintf("meeting %d was about topic%d, matter%d and place%d", i, i%7, i%9, i%11), nil)
	}
	addEvent(w, "rare", "the walrus parser reads every topic1 file", nil)
	addEvent(w, "long", "a summer of place1, "+long(60)+" and topic1", nil)
	return searcherWith(t, w)
}

func long(n int) (text string) {
	for i := range n {
		text += fmt.Sprint("filler", i, " ")
	}
	return text
}

// TestWhatAnyQuestionSharesWithALargeMemoryIsChance asks with a common word or two among words that nobody ever wrote.
func TestWhatAnyQuestionSharesWithALargeMemoryIsChance(t *testing.T) {
	for _, c := range []struct {
		docs  int
		text  string
		finds bool
	}{
		{200, "topic1 glacier", false},                  // one common word of two
		{200, "topic1 place1 glacier penguin", false},   // two of four
		{20, "topic1 glacier", true},                    // in a small memory a word of two says something
		{200, "topic1", true},                           // all of it
		{200, "topic1 place1 matter1 glacier", true},    // half of it
		{200, "walrus parser glacier penguin", true},    // two words that one record alone has
		{200, "filler3 glacier penguin iceberg", false}, // the same, once in a long text
	} {
		x := crowd(t, c.docs)
		if got := len(find(t, x, Query{Text: c.text, View: inP})) > 0; got != c.finds {
			t.Errorf("%q of %d records finds something: %v", c.text, c.docs, got)
		}
		sessions, err := x.Sessions(t.Context(), Query{Text: c.text, View: inP})
		if err != nil || len(sessions) == 0 {
			t.Errorf("%q of %d records finds no session: %v", c.text, c.docs, err)
		}
	}
}

// TestMeaningDecidesWhatIsNearlyChance holds what a hit needs by its text against how near it is by its meaning.
func TestMeaningDecidesWhatIsNearlyChance(t *testing.T) {
	for _, c := range []struct {
		score, cosine, known float64
		tells, has, beyond   bool
	}{
		{0.95, 0, 0, false, false, true},
		{0.94, 0.9, 1, false, true, false}, // a model that does not tell what it knows
		{0.94, 0.9, 1, true, false, false}, // a document without a vector
		{0.8, 0.41, 1, true, true, true},
		{0.8, 0.39, 1, true, true, false},
		{1.2, 0.1, 1, true, true, false},
		{1.2, 0.1, 0.5, true, true, true}, // of a question of which the model knows half
	} {
		r := &ranking{docs: chanceDocs, once: 4, tells: c.tells, known: c.known, asked: &asked{}}
		s := &scored{}
		s.Score, s.Cosine, s.HasVector = 4*c.score, c.cosine, c.has
		if got := r.beyondChance(s); got != c.beyond {
			t.Errorf("%+v is beyond chance: %v", c, got)
		}
	}
}

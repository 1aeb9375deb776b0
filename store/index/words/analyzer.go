package words

import "unicode/utf8"

// Limits that keep one text from flooding the index.
const (
	maxWord  = 64 // bytes of a word that count; the rest is cut off
	maxHumps = 8  // parts of camelCase; what has more is no name but data, and stays whole
)

// Emit takes one term. base is false for terms that are derived from others (pairs of parts, whole names, single
// characters of Chinese): they are found, but do not make the text longer.
type Emit func(term string, base bool)

// kind says how a term came about.
type kind uint8

const (
	whole      kind = iota // a word, or what stands for one
	derived                // made of others, or of a part
	unaccented             // a word whose accents were taken off
	accented               // the same word as it is written
	stemmed                // the same word without the endings of its language
)

// emitter takes a term of a word; the terms that one word is have the same number.
type emitter func(term string, k kind, word int)

// Analyzer cuts texts into terms. It is not safe for use by several goroutines at once; make one for each.
type Analyzer struct {
	stems    map[string]string
	foreign  map[languageWord]string
	parts    []part   // of the run that is being read; kept for its memory
	language Language // of the text that is being read
	query    bool     // whether it is one
	words    int      // read so far
}

// New returns an Analyzer.
func New() *Analyzer {
	return &Analyzer{stems: map[string]string{}, foreign: map[languageWord]string{}}
}

// Text emits the terms under which a document is found, in the order of the text, with repetitions. Its language is told by itself.
func (a *Analyzer) Text(text string, emit Emit) { a.TextIn(a.LanguageOf(text), text, emit) }

// TextIn is Text for a text of a language that is known.
func (a *Analyzer) TextIn(l Language, text string, emit Emit) {
	a.cut(text, l, false, func(term string, k kind, _ int) { emit(term, k == whole || k == unaccented) })
}

// Term is a term that a query asks for.
type Term struct {
	Text string
	Base bool // as for Emit
	// Share is what it counts of its weight: a word that is several terms counts as one.
	Share float64
	// Word tells which terms are forms of one word: they have the same number.
	Word int
	// Form says that it is another form of a term before it: with its accents, or without the endings of its language. A text that has the
	// other alone has the word too. Stem says that it is the latter, so that a text that has it alone has the word as well.
	Form, Stem bool
}

// Query returns the distinct terms that a query asks for, in the order of its text, of each word one form alone. It is empty where
// nothing in it can be asked for: no word at all, or only the commonest ones.
func (a *Analyzer) Query(text string) []string {
	var out []string
	for _, t := range a.Terms(text) {
		if !t.Form {
			out = append(out, t.Text)
		}
	}
	return out
}

// shares are what the forms of a word with accents, or with endings of its language, count.
const (
	formShare = 0.5 // of two forms each; of three, the two that are written so share one
	stemShare = 0.5
)

// Terms are the distinct terms that a query asks for, with what kind each is of; a term that is of both kinds counts as base, one that stands
// for a whole word too counts whole.
func (a *Analyzer) Terms(text string) []Term {
	var out []Term
	places := map[string]int{}
	a.cut(text, a.LanguageOf(text), true, func(term string, k kind, word int) {
		i, ok := places[term]
		if !ok {
			i = len(out)
			places[term] = i
			out = append(out, Term{Text: term, Form: true, Stem: true, Word: word})
		}
		t := &out[i]
		t.Base = t.Base || k == whole || k == unaccented
		t.Form = t.Form && (k == accented || k == stemmed)
		t.Stem = t.Stem && k == stemmed
		switch k {
		case whole, derived:
			t.Share = 1
		case unaccented, accented:
			t.Share = max(t.Share, formShare)
		case stemmed:
			t.Share = max(t.Share, stemShare)
		}
	})
	return out
}

func (a *Analyzer) cut(text string, l Language, query bool, emit emitter) {
	text = Normal(text)
	a.language, a.query, a.words = l, query, 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch c := classOf(r); c {
		case letter:
			i = a.name(text, i, emit)
		case pairs, hangul, triple:
			end := sameClass(text, i, c)
			a.grams(text[i:end], c, emit)
			i = end
		case symbol:
			a.emit(text[i:i+n], whole, emit)
			i += n
		default:
			i += n
		}
	}
}

// sameClass is the end of the run of characters of class c that begins at i.
func sameClass(text string, i int, c class) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if classOf(r) != c {
			break
		}
		i += n
	}
	return i
}

// grams emits the overlapping pairs or triples of a run of characters. What is shorter is a term by itself. Documents get
// the single characters of pairs too, since a query may be one.
func (a *Analyzer) grams(run string, c class, emit emitter) {
	size := 2
	if c == triple {
		size = 3
	}
	var starts []int
	for i := range run {
		starts = append(starts, i)
	}
	count := len(starts)
	starts = append(starts, len(run))
	if count < size {
		a.emit(fold(run), whole, emit)
		return
	}
	for i := range count {
		if i+size <= count {
			a.emit(run[starts[i]:starts[i+size]], whole, emit)
		}
		if !a.query && c != triple {
			a.emit(run[starts[i]:starts[i+1]], derived, emit)
		}
	}
}

// emit emits a term that is a word of its own.
func (a *Analyzer) emit(term string, k kind, emit emitter) {
	a.words++
	emit(term, k, a.words)
}

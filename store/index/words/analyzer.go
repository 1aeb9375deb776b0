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
)

type emitter func(term string, k kind)

// Analyzer cuts texts into terms. It is not safe for use by several goroutines at once; make one for each.
type Analyzer struct {
	stems map[string]string
	parts []part // of the run that is being read; kept for its memory
}

// New returns an Analyzer.
func New() *Analyzer { return &Analyzer{stems: map[string]string{}} }

// Text emits the terms under which a document is found, in the order of the text, with repetitions.
func (a *Analyzer) Text(text string, emit Emit) {
	a.cut(text, false, func(term string, k kind) { emit(term, k == whole || k == unaccented) })
}

// Term is a term that a query asks for.
type Term struct {
	Text string
	Base bool // as for Emit
	// Share is what it counts of its weight: a word with accents is two terms, each of which counts half.
	Share float64
	// Accented says that it is the form with accents of another term: a text that has only that one has the word too.
	Accented bool
}

// Query returns the distinct terms that a query asks for, in the order of its text, words with accents without them alone. It is empty where
// nothing in it can be asked for: no word at all, or only the commonest ones.
func (a *Analyzer) Query(text string) []string {
	var out []string
	for _, t := range a.Terms(text) {
		if !t.Accented {
			out = append(out, t.Text)
		}
	}
	return out
}

// Terms are the distinct terms that a query asks for, with what kind each is of; a term that is of both kinds counts as base, one that stands
// for a whole word too counts whole.
func (a *Analyzer) Terms(text string) []Term {
	var out []Term
	places := map[string]int{}
	a.cut(text, true, func(term string, k kind) {
		i, ok := places[term]
		if !ok {
			i = len(out)
			places[term] = i
			out = append(out, Term{Text: term, Accented: true})
		}
		t := &out[i]
		t.Base = t.Base || k == whole || k == unaccented
		t.Accented = t.Accented && k == accented
		if k == unaccented || k == accented {
			t.Share = max(t.Share, 0.5)
		} else {
			t.Share = 1
		}
	})
	return out
}

func (a *Analyzer) cut(text string, query bool, emit emitter) {
	text = Normal(text)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch c := classOf(r); c {
		case letter:
			i = a.name(text, i, emit)
		case pairs, hangul, triple:
			end := sameClass(text, i, c)
			grams(text[i:end], c, query, emit)
			i = end
		case symbol:
			emit(text[i:i+n], whole)
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
func grams(run string, c class, query bool, emit emitter) {
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
		emit(fold(run), whole)
		return
	}
	for i := range count {
		if i+size <= count {
			emit(run[starts[i]:starts[i+size]], whole)
		}
		if !query && c != triple {
			emit(run[starts[i]:starts[i+1]], derived)
		}
	}
}

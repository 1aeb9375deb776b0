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

// Analyzer cuts texts into terms. It is not safe for use by several goroutines at once; make one for each.
type Analyzer struct {
	stems map[string]string
	parts []part // of the run that is being read; kept for its memory
}

// New returns an Analyzer.
func New() *Analyzer { return &Analyzer{stems: map[string]string{}} }

// Text emits the terms under which a document is found, in the order of the text, with repetitions.
func (a *Analyzer) Text(text string, emit Emit) { a.cut(text, false, emit) }

// Term is a term that a query asks for. Base is as for Emit.
type Term struct {
	Text string
	Base bool
}

// Query returns the distinct terms that a query asks for, in the order of its text. It is empty where nothing in it can be
// asked for: no word at all, or only the commonest ones.
func (a *Analyzer) Query(text string) []string {
	terms := a.Terms(text)
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = t.Text
	}
	return out
}

// Terms is Query with what kind each term is of; a term that is of both kinds counts as base.
func (a *Analyzer) Terms(text string) []Term {
	var out []Term
	places := map[string]int{}
	a.cut(text, true, func(term string, base bool) {
		i, ok := places[term]
		if !ok {
			i = len(out)
			places[term] = i
			out = append(out, Term{Text: term})
		}
		out[i].Base = out[i].Base || base
	})
	return out
}

func (a *Analyzer) cut(text string, query bool, emit Emit) {
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
			emit(text[i:i+n], true)
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
func grams(run string, c class, query bool, emit Emit) {
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
		emit(fold(run), true)
		return
	}
	for i := range count {
		if i+size <= count {
			emit(run[starts[i]:starts[i+size]], true)
		}
		if !query && c != triple {
			emit(run[starts[i]:starts[i+1]], false)
		}
	}
}

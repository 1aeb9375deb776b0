package memory

// alikeWords is the share of words, of all that either of two texts has, that makes them say one thing.
const alikeWords = 0.75

// alike reports whether two lists of stems say one thing.
func alike(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	has := toSet(a)
	both := 0
	for _, w := range b {
		if has[w] {
			both++
		}
	}
	return float64(both) >= alikeWords*float64(len(a)+len(b)-both)
}

// Told finds an event or a fact of a view that says what a text says, in its words or nearly so.
func (s *State) Told(v View, text string) (Record, bool) {
	said := stems(ContentWords(text))
	for _, e := range s.Timeline() {
		if v.Sees(e.Scope) && alike(said, stems(ContentWords(e.Summary))) {
			return e, true
		}
	}
	for _, f := range s.FactList() {
		if v.Sees(f.Scope) && (alike(said, stems(ContentWords(f.Text()))) || alike(said, stems(ContentWords(f.Object)))) {
			return f, true
		}
	}
	return nil, false
}

// RefusedText finds what keeps a text out: a claim of the view's scopes that was refused, forgotten or taken back and says the
// same, whatever bore it out. Of a claim that was erased no word is known, so that none is found by its words.
func (s *State) RefusedText(v View, text string) (Bar, bool) {
	said := stems(ContentWords(text))
	for key, b := range s.Bars {
		p := key.parts()
		if len(p) != 5 || !v.Sees(Scope(p[0])) {
			continue
		}
		switch RecordKind(p[1]) {
		case RecordEvent, RecordFact:
			if alike(said, stems(ContentWords(p[4]))) {
				return b, true
			}
		}
	}
	return Bar{}, false
}

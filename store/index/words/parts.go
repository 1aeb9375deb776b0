package words

// emitParts emits the terms of the run that was read: its parts, its pairs of neighbours, its whole names and versions.
func (a *Analyzer) emitParts(emit emitter) {
	a.dropVersionLetter()
	for i, p := range a.parts {
		a.emitWord(p, emit)
		if isHash(p.text) && len(p.text) > shortHash {
			a.emit(p.text[:shortHash], derived, emit)
		}
		if i > 0 && len(p.text)+len(a.parts[i-1].text) <= maxWord {
			a.emit(a.stem(together(a.parts[i-1].text, p.text)), derived, emit)
		}
	}
	a.wholes(emit)
}

// emitWord emits a part. One with accents is two terms that share its weight: without them, stemmed, and as it is written. In some languages,
// such as Vietnamese, words differ by their accents alone. One that is a function word of English without them is a word with them. A word of
// a language whose endings are known is one term more: without these. What it would be in a text of no known language it is too, since a
// question of a few words may not tell its language.
func (a *Analyzer) emitWord(p part, emit emitter) {
	if a.query && isFunctionWord(a.language, p) {
		return
	}
	a.words++
	stop := stopWords[p.text]
	switch {
	case stop && p.exact == "":
		return
	case stop:
		emit(p.exact, whole, a.words)
		return
	}
	plain, own := a.stem(p.text), a.stemOf(a.language, p)
	if own == plain || stopWords[own] {
		own = ""
	}
	k := whole
	if p.exact != "" || own != "" {
		k = unaccented
	}
	emit(plain, k, a.words)
	if p.exact != "" {
		emit(p.exact, accented, a.words)
	}
	if own != "" {
		emit(own, stemmed, a.words)
	}
}

// dropVersionLetter makes v1.2.3 of the same parts as 1.2.3.
func (a *Analyzer) dropVersionLetter() {
	for i := range len(a.parts) - 1 {
		p := a.parts[i].text
		if len(p) > 1 && p[0] == 'v' && isNumber(p[1:]) && a.parts[i+1].joint == '.' && isNumber(a.parts[i+1].text) {
			a.parts[i].text = p[1:]
		}
	}
}

// together writes two neighbours as one word. Numbers keep a dot between them, so that 1.2 is not 12.
func together(a, b string) string {
	if isNumber(a) && isNumber(b) {
		return a + "." + b
	}
	return a + b
}

// wholes emits the names of three parts and more that humps, _ and - hold together, and the numbers that dots do.
func (a *Analyzer) wholes(emit emitter) {
	for i := 0; i < len(a.parts); {
		j := i + 1
		for j < len(a.parts) && ofOneName(a.parts[j].joint) {
			j++
		}
		if j-i >= 3 {
			if whole := joinParts(a.parts[i:j], ""); len(whole) <= maxWord {
				a.emit(a.stem(whole), derived, emit)
			}
		}
		k := i
		for k < len(a.parts) && isNumber(a.parts[k].text) && (k == i || a.parts[k].joint == '.') {
			k++
		}
		if k-i >= 3 {
			a.emit(joinParts(a.parts[i:k], "."), derived, emit)
		}
		i = max(j, k)
	}
}

func ofOneName(joint byte) bool { return joint == hump || joint == '_' || joint == '-' }

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// shortHash is how many hex digits people give of a hash.
const shortHash = 7

// isHash reports whether a word looks like a hash or its beginning: hex digits with both letters and figures among them.
func isHash(s string) bool {
	if len(s) < shortHash {
		return false
	}
	figures, letters := false, false
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			figures = true
		case 'a' <= c && c <= 'f':
			letters = true
		default:
			return false
		}
	}
	return figures && letters
}

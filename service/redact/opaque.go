package redact

// findOpaque finds a variable of the environment, by its name in capitals, whose value a machine drew: whatever it is called, a
// long string of letters in both cases and digits is there to open something.
func findOpaque(p *pass, start, end int) {
	s := p.s
	if start == 0 || p.bare.insideLong(start) || !isUpper(s[start-1]) && !isDigit(s[start-1]) && s[start-1] != '_' {
		return
	}
	from := start
	underscore := false
	for from > 0 && start-from < maxName && (isUpper(s[from-1]) || isDigit(s[from-1]) || s[from-1] == '_') {
		underscore = underscore || s[from-1] == '_'
		from--
	}
	if start-from < 4 || !underscore || from > 0 && (isAlnum(s[from-1]) || s[from-1] == '-') {
		return
	}
	if s[start] == ':' && (end == len(s) || s[end] != ' ') {
		return
	}
	v, ok := value{shell: s[start] == '='}.read(s, skipSpaces(s, end))
	if !ok || nameSecrecy(s[from:start]) == notSecret && isHarmlessName(s[from:start]) {
		return
	}
	if v.quote == 0 {
		p.bare = stretch{v.from - 1, v.to}
	}
	text := s[v.from:v.to]
	t := traitsOf(text)
	if len(text) < 24 || t.upper == 0 || t.upper == t.letters || t.digits == 0 || randomness(text) != random {
		return
	}
	if v.quote != 0 && !v.closed || isCutOff(s, v.to) || isPlaceholder(text) || isCode(text) || isExpression(text) || isLocation(text) || t.hex || t.others > 4 {
		return
	}
	p.found(v.from, v.to, "opaque")
}

// isHarmlessName reports whether a name says that its value is for everybody: a public key, a digest, a path.
func isHarmlessName(name string) bool {
	w := words(name)
	if len(w) == 0 || notAfter[w[len(w)-1]] || digestWords[w[len(w)-1]] {
		return len(w) > 0
	}
	for _, x := range w {
		if x == "public" || x == "pub" || x == "pubkey" {
			return true
		}
	}
	return false
}

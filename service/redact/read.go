package redact

import "strings"

// read reads the value that begins at s[i], quoted or not.
func (v value) read(s string, i int) (value, bool) {
	escapes := 0
	for i+escapes < len(s) && s[i+escapes] == '\\' && escapes < 8 {
		escapes++
	}
	q := i + escapes
	if q < len(s) && escapes == 0 && strings.IndexByte("bBrRuUfF@", s[q]) >= 0 && q+1 < len(s) && (s[q+1] == '"' || s[q+1] == '\'') {
		q++ // a string of Python or C# with a prefix
	}
	if q < len(s) && (s[q] == '"' || s[q] == '\'' || s[q] == '`') {
		return v.quoted(s, q+1, s[q], escapes)
	}
	return v.bare(s, i)
}

// quoted reads up to the quote that closes: with as many backslashes before it as the opening one had.
func (v value) quoted(s string, i int, quote byte, escapes int) (value, bool) {
	v.from, v.quote = i, quote
	stop := min(len(s), i+maxValue)
	for j := i; j < stop; j++ {
		switch c := s[j]; {
		case c == quote:
			back := 0
			for j-back > i && s[j-back-1] == '\\' {
				back++
			}
			if back <= escapes {
				v.to, v.closed = j-back, true
				return v, v.to > v.from
			}
		case c == '\n' && quote != '`' && !continues(s, j):
			v.to = j
			return v, v.to > v.from
		}
	}
	v.to = stop
	return v, v.to > v.from
}

// continues reports whether the line break at s[i] is in the middle of a token: what follows is one more piece of it and the
// end of the quotes.
func continues(s string, i int) bool {
	j := i + 1
	for j < len(s) && (s[j] == ' ' || s[j] == '\t') {
		j++
	}
	k := j
	for k < len(s) && k-j < maxValue && isTokenByte(s[k]) {
		k++
	}
	return k-j >= 4 && k < len(s) && (s[k] == '"' || s[k] == '\'' || s[k] == '\\') && i > 0 && isTokenByte(s[i-1])
}

func isTokenByte(c byte) bool {
	return isAlnum(c) || c == '_' || c == '-' || c == '+' || c == '/' || c == '=' || c == '.' || c == '~'
}

// bare reads a value without quotes.
func (v value) bare(s string, i int) (value, bool) {
	ends := " \t\r\n\"'`,;&<>()[]{}|"
	if v.shell {
		ends = " \t\r\n\"'`<>|"
	}
	if v.query {
		ends = " \t\r\n\"'`&#<>();,"
	}
	v.from = i
	stop := min(len(s), i+maxValue)
	j := i
	for j < stop && strings.IndexByte(ends, s[j]) < 0 {
		if s[j] == '\\' && (j+1 == len(s) || strings.IndexByte("nrt\"'\\", s[j+1]) >= 0) {
			break
		}
		j++
	}
	v.to = j
	if j < stop && (s[j] == '(' || s[j] == '[' || s[j] == '{') && j > i {
		return v, false // a call or an index
	}
	for v.to > v.from && strings.IndexByte(".,;:", s[v.to-1]) >= 0 {
		v.to--
	}
	return v, v.to > v.from
}

// secret reports whether the value is one, given how sure its name is to be that of a secret.
func (v value) secret(s string, name secrecy) bool {
	text := s[v.from:v.to]
	if v.quote != 0 && strings.ContainsAny(text, " \t") && !joinedLines(text) {
		return name == phraseName && isSeedPhrase(text)
	}
	if len(text) < 4 || isPlaceholder(text) || isOddHex(text) || isCutOff(s, v.to) || isLocation(text) || v.quote == 0 && isCode(text) {
		return false
	}
	r := randomness(text)
	drawn := r == random && len(text) >= 16 && !isUUID(text)
	switch {
	case v.prose && (v.quote == 0 && !v.stated || name < keyName):
		return drawn && !holdsHash(text)
	case v.quote != 0 && !v.closed && (r != random || name <= tokenName):
		return false
	case name == passName:
		return passwordLike(text, r, v)
	case name == keyName:
		return len(text) >= 8 && r >= mixed && !isDate(text)
	case name == tokenName:
		return r == random && len(text) >= 12 && !isUUID(text)
	}
	return drawn && !holdsHash(text)
}

// joinedLines reports whether the only white space in text is a line break in a token, with its indentation.
func joinedLines(text string) bool {
	return strings.Count(text, "\n") > 0 && len(strings.Fields(text)) == strings.Count(text, "\n")+1
}

// isSeedPhrase reports whether text is the words that open a wallet: a dozen or more, of small letters.
func isSeedPhrase(text string) bool {
	fields := strings.Fields(text)
	for _, w := range fields {
		if len(w) < 3 || len(w) > 8 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
	}
	return len(fields) == 12 || len(fields) == 15 || len(fields) == 18 || len(fields) == 21 || len(fields) == 24
}

// passwordLike reports whether a password can be text: a person's password has digits or signs, or is no word at all.
func passwordLike(text string, r int, v value) bool {
	t := traitsOf(text)
	if r == random || t.digits > 0 && t.letters > 0 {
		return len(text) >= 5 && !isDate(text) && !isTypeName(text)
	}
	if t.letters == 0 && t.digits > 0 {
		return v.quote != 0 && len(text) >= 6
	}
	return v.quote != 0 && len(text) >= 6 && strings.ContainsAny(text, "!@#$%^&*+=?~") && !strings.ContainsAny(text, "(){}<>")
}

// isCode reports whether an unquoted value is an expression: a name, a member of something, a type, a keyword.
func isCode(text string) bool {
	if strings.ContainsAny(text, "(){}[]<>$*") && !strings.ContainsAny(text, "0123456789") {
		return true
	}
	if isTypeName(text) || strings.Contains(text, "()") || strings.Contains(text, "::") || strings.Contains(text, "?.") {
		return true
	}
	if dot := strings.IndexByte(text, '.'); dot > 0 && isIdentifier(text) {
		head := text[:dot]
		return randomness(head) == plain && randomness(text[dot+1:]) != random
	}
	return false
}

// isLocation reports whether text is a path or a URL without credentials.
func isLocation(text string) bool {
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, "~/") || len(text) > 2 && text[1] == ':' && text[2] == '\\' {
		return strings.Count(text, "/")+strings.Count(text, "\\") > 1 || randomness(text) != random
	}
	if i := strings.Index(text, "://"); i > 0 {
		return true // findURL judges those
	}
	return false
}

// isDate reports whether text is a date or a time.
func isDate(text string) bool {
	return len(text) >= 8 && len(text) <= 35 && isDigit(text[0]) && isDigit(text[3]) && strings.Count(text, "-")+strings.Count(text, ":") >= 2 && !isUUID(text)
}

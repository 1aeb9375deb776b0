package redact

import (
	"strings"
)

// The longest name, and value, that is looked at, in bytes.
const (
	maxName  = 80
	maxValue = 4096
)

// findAssigned judges the name around a keyword and the value that is given to it, in whatever notation: .env, INI, YAML, JSON
// at any depth of escaping, code, command lines, headers, query strings, connection strings, XML, netrc, and prose.
func findAssigned(p *pass, start, end int) {
	if start < p.nameEnd || p.bare.insideLong(start) {
		return
	}
	from, to := nameAround(p.s, start, end)
	v, ok := valueAfter(p.s, from, to)
	name := p.s[from:to]
	if !ok {
		if v.assigned {
			p.fallback(nameSecrecy(name), to)
		}
		return
	}
	p.nameEnd = to
	if v.quote == 0 {
		p.bare = stretch{v.from - 1, v.to}
	}
	if (v.prose || v.colon && v.quote == 0) && isVerdict(name) {
		return // a verb, or the verdict of a test
	}
	secrecy := v.secrecyOf(name)
	if secrecy == notSecret {
		return
	}
	v.literal = isLiteral(p.s, from, to, v)
	v.setting = secrecy == passName && !v.literal && isInSettings(p.s, from, v)
	v.phrase = v.assigned && containsFold(name, []string{"phrase"})
	v.verdict = isVerdict(name) && !strings.Contains(p.s[max(0, from-80):from], "user")
	switch {
	case v.secret(p.s, secrecy):
		if v.quote == 0 {
			v.to = overBreak(p.s, v.from, v.to)
		}
		p.found(v.from, v.to, "assigned")
	case v.quote == 0 && !v.prose:
		p.fallback(secrecy, v.from)
	}
}

// secrecyOf judges the name of v by how it is written: a mere "key" or "sig" is a secret's name in a query or in prose.
func (v value) secrecyOf(name string) secrecy {
	secrecy := nameSecrecy(name)
	if secrecy == notSecret && (v.query && (name == "key" || name == "sig") || v.prose && strings.EqualFold(name, "key")) {
		return weakName
	}
	return secrecy
}

// fallback finds the literal that a name gets where the expression at s[from] gives nothing.
func (p *pass) fallback(secrecy secrecy, from int) {
	if secrecy == notSecret {
		return
	}
	if v, ok := fallback(p.s, from); ok && v.secret(p.s, secrecy) {
		p.found(v.from, v.to, "assigned")
	}
}

// isVerdict reports whether a name is as likely that of a test's verdict as of a password.
func isVerdict(name string) bool { return strings.EqualFold(strings.Trim(name, "-"), "pass") }

// overBreak is the end of the value s[from:to] when a line break cut it: when a line with nothing but a piece of a token follows.
func overBreak(s string, from, to int) int {
	if to-from < 16 || randomness(s[from:to]) != random {
		return to
	}
	begin := nextPiece(s, to)
	if begin < 0 {
		return to
	}
	end := begin
	for end < len(s) && end-begin < maxValue && isTokenByte(s[end]) {
		end++
	}
	whole := end == len(s) || s[end] == '\n' || s[end] == '\r'
	if piece := s[begin:end]; whole && len(piece) >= 6 && randomness(piece) >= mixed && !isIdentifierName(piece) {
		return end
	}
	return to
}

// isIdentifierName reports whether a piece is the name of a variable with its value: NAME=x.
func isIdentifierName(piece string) bool {
	i := strings.IndexByte(strings.TrimRight(piece, "="), '=')
	return i > 0
}

var identifierSet = byteSet("_-.$", true)

// nameAround widens s[start:end] to the identifier that it is part of.
func nameAround(s string, start, end int) (from, to int) {
	from, to = start, end
	for from > 0 && start-from < maxName && identifierSet[s[from-1]] && s[from-1] < 0x80 {
		from--
	}
	if from > 0 && from < start && s[from-1] == '\\' && strings.IndexByte("nrt", s[from]) >= 0 {
		from++ // of an escape, not of the name
	}
	for to < len(s) && to-end < maxName && identifierSet[s[to]] && s[to] < 0x80 {
		to++
	}
	for to > end && (s[to-1] == '.' || s[to-1] == '-') {
		to--
	}
	return from, to
}

// value is what a name is given.
type value struct {
	from, to int
	quote    byte // 0 for none
	closed   bool // the closing quote was found
	query    bool // part of a query string
	prose    bool // only a space, or "is", between name and value
	shell    bool // after a single =, at a place where a shell or .env file has it
	stated   bool // the sentence says what the name is: "the password is x"
	colon    bool // after a colon, where code has a type and prose a remark
	quotedBy bool // the name was quoted, so that a bare word is a literal of JSON or the like
	assigned bool // after a single = or a colon
	listed   bool // after a comma, where the name can be a value of its own
	paired   bool // listed, and name and value are all that is in the parentheses
	argument bool // in the parentheses of a function that sets
	literal  bool // bare, at a place where no expression can stand
	phrase   bool // the name is that of a passphrase
	verdict  bool // the name can be that of a verdict: "pass"
	setting  bool // bare, among lines that look like those of a configuration file
}

// valueAfter finds the value of the name s[from:to].
func valueAfter(s string, from, to int) (value, bool) {
	var v value
	i := skipColours(s, to)
	i, v.quotedBy = skipQuotes(s, i)
	if i < len(s) && (s[i] == ']' || s[i] == ')') && v.quotedBy {
		i++
	}
	j := skipSpaces(s, i)
	if j == len(s) {
		return v, false
	}
	op := operator(s[j:])
	switch {
	case op == ">" && from > 0 && s[from-1] == '<':
		return v.element(s, j+1)
	case op == ">":
		return v, false
	case op == "," && (!v.quotedBy && !isConstant(s[from:to]) || v.quotedBy && s[i-1] == '`'):
		return v, false
	case op != "":
		v.query = op == "=" && inQuery(s, from, j+1)
		v.colon = op == ":"
		v.assigned = op == ":" || op == "="
		v.listed = op == "," && s[from] != '-' && v.quotedBy
		v.paired = v.listed && opensPair(s, from)
		v.shell = op == "=" && !v.query
		if k := skipSpaces(s, j+len(op)); op == ":" && k < len(s) && s[k] == '{' && pairedValue(s, k) > 0 {
			return v.read(s, pairedValue(s, k)) // "password": {"value": "x"}
		}
		j = skipType(s, j+len(op), op)
	case s[j] == '(' && setter(s[from:to]):
		j++
		v.argument = true
		if _, quoted := skipQuotes(s, j); !quoted {
			return v, false
		}
	case pairedValue(s, i) > 0:
		j = pairedValue(s, i)
	case j > i && (s[from] == '-' || v.quotedBy):
		// a flag of a command line and its argument
		if v.quotedBy || s[i] == '\n' {
			return v, false
		}
	case j > i:
		v.prose = true
		k := skipProse(s, j)
		v.stated = k > j || followsLogin(s, from)
		j = k
	default:
		return v, false
	}
	return v.read(s, skipColours(s, j))
}

// skipColours steps over the sequences that colour a terminal.
func skipColours(s string, i int) int {
	for range 4 {
		j := i
		for _, esc := range []string{"\x1b[", `\u001b[`, `\x1b[`, `\033[`, `\e[`} {
			if strings.HasPrefix(s[i:], esc) {
				j = i + len(esc)
				break
			}
		}
		if j == i {
			return i
		}
		for j < len(s) && (isDigit(s[j]) || s[j] == ';') {
			j++
		}
		if j == len(s) || s[j] != 'm' && s[j] != 'K' {
			return i
		}
		i = j + 1
	}
	return i
}

// isConstant reports whether name is that of a constant: CURLOPT_PASSWORD.
func isConstant(name string) bool { return isCapitals(name) && strings.Contains(name, "_") }

// opensPair reports whether the quoted name at s[from] is the first thing in parentheses or brackets.
func opensPair(s string, from int) bool {
	i := from - 1
	for i > 0 && from-i < 6 && strings.IndexByte("\"'\\ ", s[i]) >= 0 {
		i--
	}
	return i >= 0 && (s[i] == '(' || s[i] == '[' || s[i] == '{')
}

// setter reports whether name is that of a function that sets what it is named after.
func setter(name string) bool {
	w := words(name[strings.LastIndexByte(name, '.')+1:])
	return len(w) > 1 && (w[0] == "set" || w[0] == "with" || w[0] == "add" || w[0] == "use")
}

// skipQuotes steps over a closing quote and the backslashes before it.
func skipQuotes(s string, i int) (int, bool) {
	j := i
	for j < len(s) && s[j] == '\\' && j-i < 8 {
		j++
	}
	if j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`') {
		return j + 1, true
	}
	return i, false
}

func skipSpaces(s string, i int) int {
	for j := i; j < len(s) && j-i < 16; j++ {
		if s[j] != ' ' && s[j] != '\t' {
			return j
		}
	}
	return min(len(s), i+16)
}

// inQuery reports whether the name at s[from], with its value at s[at], is part of a query string.
func inQuery(s string, from, at int) bool {
	if from > 0 && (s[from-1] == '?' || s[from-1] == '&') {
		return true
	}
	stop := min(len(s), at+longStretch)
	for at < stop && isTokenByte(s[at]) {
		at++
	}
	if at == len(s) || s[at] != '&' {
		return false
	}
	next := at + 1
	for next < len(s) && (isAlnum(s[next]) || s[next] == '_' || s[next] == '-') {
		next++
	}
	return next > at+1 && next < len(s) && s[next] == '='
}

// pairedValue is where the value begins in name="X" value="Y", name: X, value: Y and the like, after the X; 0 if it does not.
func pairedValue(s string, i int) int {
	j := i
	for j < len(s) && j-i < 24 && strings.IndexByte(" \t\r\n,:{\"'\\", s[j]) >= 0 {
		j++
	}
	if len(s)-j < 6 || !strings.EqualFold(s[j:j+5], "value") {
		return 0
	}
	j, _ = skipQuotes(s, j+5)
	j = skipSpaces(s, j)
	if j < len(s) && (s[j] == '=' || s[j] == ':') {
		return skipSpaces(s, j+1)
	}
	return 0
}

// element reads the text of an XML element.
func (v value) element(s string, i int) (value, bool) {
	n := strings.IndexByte(s[i:min(len(s), i+maxValue)], '<')
	if n <= 0 || strings.ContainsAny(s[i:i+n], "\n") {
		return v, false
	}
	v.from, v.to, v.quote, v.closed = i, i+n, '>', true
	return v, true
}

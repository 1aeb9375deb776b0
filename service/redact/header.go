package redact

import "strings"

// findAuthorization reads Authorization headers, and "Bearer x" where it stands alone.
func findAuthorization(p *pass, start, end int) {
	s := p.s
	i := end
	header := s[end-1] != ' '
	if header {
		i, _ = skipQuotes(s, i)
		i = skipSpaces(s, i)
		if i == len(s) || s[i] != ':' && s[i] != '=' && s[i] != ',' {
			return
		}
		i = skipSpaces(s, i+1)
	} else if start > 0 && isAlnum(s[start-1]) {
		return
	}
	for i < len(s) && i-end < 12 && (s[i] == '\\' || s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		i++
	}
	i = skipScheme(s, i)
	to := headerEnd(s, i, openQuote(s, start))
	text := s[i:to]
	r := randomness(text)
	if len(text) < 8 || isPlaceholder(text) || isCode(text) && (r != random || isWordy(text)) || r == plain || callFollows(s, to, text) {
		return
	}
	if header || r == random && len(text) >= 16 {
		p.found(i, to, "authorization")
	}
}

// callFollows reports whether text, which ends at s[to], is a function that is called, or holds such a call, or has its methods called
// on the next line.
func callFollows(s string, to int, text string) bool {
	next := skipBlanks(s, to)
	chained := isCodeName(text) && next > to && next < len(s) && s[next] == '.'
	return chained || isExpression(text) || to < len(s) && s[to] == '(' && isIdentifier(text)
}

// schemes are the words that can come before the credentials.
var schemes = wordSet("bearer basic token digest apikey api-key bot key oauth negotiate ntlm aws4-hmac-sha256 goog4-rsa-sha256 hawk ssws splunk genie")

func skipScheme(s string, i int) int {
	j := i
	for j < len(s) && j-i < 20 && (isAlnum(s[j]) || s[j] == '-') {
		j++
	}
	if j > i && j < len(s) && s[j] == ' ' && schemes[strings.ToLower(s[i:j])] {
		return skipSpaces(s, j)
	}
	return i
}

// openQuote is the quote that the header at s[start] stands in, 0 for none: curl -H "Authorization: ...".
func openQuote(s string, start int) byte {
	for i := start - 1; i >= 0 && start-i < 12; i-- {
		switch c := s[i]; {
		case c == '"' || c == '\'' || c == '`':
			if i > 0 && (s[i-1] == '\\' || s[i-1] == ' ' || s[i-1] == '=' || s[i-1] == '(' || s[i-1] == 'H' || s[i-1] == '[' || s[i-1] == ',') || i == 0 {
				return c
			}
			return 0
		case c == ' ' || isAlnum(c) || c == '-' || c == ':':
		default:
			return 0
		}
	}
	return 0
}

// headerEnd is the end of the credentials that begin at s[i].
func headerEnd(s string, i int, quote byte) int {
	if quote != 0 {
		line := s[i:min(len(s), i+maxValue)]
		if n := strings.IndexByte(line, quote); n > 0 && !strings.ContainsAny(line[:n], "\n") {
			return i + len(strings.TrimRight(line[:n], "\\ "))
		}
	}
	j := i
	for j < len(s) && j-i < maxValue && strings.IndexByte(" \t\r\n\"'`<>\\,;)}]", s[j]) < 0 {
		j++
	}
	return j
}

// findCookie reads Cookie and Set-Cookie headers: the values of the former, the first value of the latter.
func findCookie(p *pass, start, end int) {
	if p.cookie.inside(start) {
		return
	}
	s := p.s
	set := start >= 4 && strings.EqualFold(s[start-4:start], "set-")
	to := end
	for to < len(s) && to-end < maxValue && strings.IndexByte("\r\n\"'`", s[to]) < 0 {
		to++
	}
	p.cookie = stretch{start, to}
	for i := end; i < to; {
		eq := strings.IndexByte(s[i:to], '=')
		if eq < 0 {
			return
		}
		from := i + eq + 1
		stop := to
		if n := strings.IndexByte(s[from:to], ';'); n >= 0 {
			stop = from + n
		}
		if text := s[from:stop]; len(text) >= 8 && randomness(text) >= mixed && !isPlaceholder(text) && !strings.Contains(text, " ") {
			p.found(from, stop, "cookie")
		}
		if set {
			return
		}
		i = stop + 1
	}
}

package redact

import "strings"

// findURL reads the credentials in a URL or connection string: scheme://user:password@host and scheme://token@host.
func findURL(p *pass, start, end int) {
	s := p.s
	stop := end
	for stop < len(s) && stop-end < 1024 && strings.IndexByte(" \t\r\n\"'`<>\\", s[stop]) < 0 {
		stop++
	}
	rest := s[end:stop]
	authority := rest
	if n := strings.IndexAny(rest, "/?#"); n >= 0 {
		authority = rest[:n]
	}
	at := strings.LastIndexByte(authority, '@')
	colon := strings.IndexByte(rest, ':')
	if at < 0 {
		// A password may hold a slash, where what comes before the colon is not a host and no port follows.
		if at = strings.LastIndexByte(rest, '@'); at < 0 || colon < 0 || colon > at || strings.Contains(rest[:colon], ".") ||
			strings.ContainsAny(rest[:colon], "/?#@") || isPort(rest[colon+1:]) || !hostFollows(rest[at+1:]) {
			return
		}
	}
	if at == 0 {
		return
	}
	if colon >= 0 && colon < at {
		user, password := rest[:colon], rest[colon+1:at]
		if len(password) >= 3 && password != user && !isPlaceholder(password) && !isVariable(user) {
			p.found(end+colon+1, end+at, "url")
		}
		return
	}
	if user := rest[:at]; len(user) >= 16 && randomness(user) == random && !isPlaceholder(user) {
		p.found(end, end+at, "url")
	}
}

func isPort(s string) bool {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n > 0 && n <= 5 && (n == len(s) || s[n] == '/' || s[n] == '?')
}

func hostFollows(s string) bool {
	n := strings.IndexAny(s, "/:?#")
	if n < 0 {
		n = len(s)
	}
	return n > 1 && isIdentifier(s[:n])
}

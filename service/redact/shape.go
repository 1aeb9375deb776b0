package redact

import "strings"

// tokenShape is how one maker's tokens begin and go on. Formats are as the makers document them. Shapes that gitleaks has
// rules for are here again where its rules ask for an exact length or surroundings, or miss tokens cut by a line break.
type tokenShape struct {
	family   string
	prefixes []string
	body     *[256]bool
	least    int // of the body, in bytes
}

// The alphabets of bodies.
var (
	alnumBody = bodySet("")
	wordBody  = bodySet("_-")
	dotBody   = bodySet("_-.")
	baseBody  = bodySet("_-+/=.")
)

func bodySet(members string) *[256]bool {
	var set [256]bool
	for i := range set {
		set[i] = isAlnum(byte(i)) || strings.IndexByte(members, byte(i)) >= 0
	}
	return &set
}

func shape(family string, body *[256]bool, least int, prefixes ...string) tokenShape {
	return tokenShape{family: family, prefixes: prefixes, body: body, least: least}
}

func (t *tokenShape) keywords() []string {
	var out []string
	for _, p := range t.prefixes {
		out = append(out, strings.ToLower(p))
	}
	return out
}

// find judges what follows a maker's prefix.
func (t *tokenShape) find(p *pass, start, end int) {
	s := p.s
	if p.token.insideLong(start) || !t.hasPrefix(s[start:end]) || !beginsToken(s, start) ||
		isAlnum(s[end-1]) && (inBase64(s, start) || inBlock(s, start)) {
		return
	}
	to := tokenEnd(s, end, t.body, t.least)
	p.token = stretch{start, to}
	for to > end && strings.IndexByte(".-_=", s[to-1]) >= 0 && s[to-1] != '=' {
		to--
	}
	body := s[end:to]
	if broken := strings.IndexByte(body, '\n'); broken >= 0 {
		body = strings.Join(strings.Fields(body), "")
	}
	if len(body) < t.least || !drawnBehind(body, end-start) && !followsGrammar(s[start:end], body) || isPlaceholder(body) || isCutOff(s, to) {
		return
	}
	p.found(start, to, t.family)
}

// drawnBehind reports whether body, behind a prefix of so many bytes, is what a machine drew. Behind a long prefix, which no word
// begins with, it is enough that it does not consist of words.
func drawnBehind(body string, prefix int) bool {
	return randomness(body) == random || prefix >= 6 && !isWordy(body) && entropy(body) > 2.5
}

func (t *tokenShape) hasPrefix(s string) bool {
	for _, p := range t.prefixes {
		if p == s {
			return true
		}
	}
	return false
}

// beginsToken reports whether a token can begin at s[i]: not inside a word. An n or r that a backslash makes a line break is
// no part of a word.
func beginsToken(s string, i int) bool {
	if i == 0 || s[i] == ':' {
		return true
	}
	c := s[i-1]
	if c == 'm' && endsColour(s[:i]) {
		return true
	}
	if !isAlnum(c) && c != '_' && c != '-' && c != '.' {
		return true
	}
	return i > 1 && s[i-2] == '\\' && strings.IndexByte("nrt", c) >= 0
}

// endsColour reports whether s ends with a sequence that colours a terminal.
func endsColour(s string) bool {
	i := len(s) - 1
	for i > 0 && len(s)-i < 16 && (isDigit(s[i-1]) || s[i-1] == ';') {
		i--
	}
	return i > 1 && s[i-1] == '[' && (s[i-2] == '\x1b' || s[i-2] == 'b' || s[i-2] == '3' || s[i-2] == 'e')
}

// inBase64 reports whether what comes before s[i] can be of the same run of base64, where a prefix of letters is chance.
func inBase64(s string, i int) bool { return i > 0 && (s[i-1] == '/' || s[i-1] == '+') }

// inRun reports whether what begins at s[i] continues a run of base64 by its signs.
func inRun(s string, i int) bool {
	if !inBase64(s, i) {
		return false
	}
	before := i
	for before > 0 && i-before < leastBlockLine && (isAlnum(s[before-1]) || s[before-1] == '+' || s[before-1] == '/') {
		before--
	}
	return i-before >= leastBlockLine/2 && randomness(s[before:i]) == random
}

// leastBlockLine is how long the lines of a block of base64 are at least.
const leastBlockLine = 60

// inBlock reports whether what begins at s[i] is a line of a block of base64, such as an image or an archive: the line before is
// base64 to its end, and exactly as long. A prefix of letters is chance there.
func inBlock(s string, i int) bool {
	j := i
	for j > 0 && i-j < 24 && strings.IndexByte(" \t>|", s[j-1]) >= 0 {
		j--
	}
	if j == 0 || s[j-1] != '\n' {
		return false
	}
	j--
	if j > 0 && s[j-1] == '\r' {
		j--
	}
	before := j
	for before > 0 && j-before < maxValue && isBase64(s[before-1]) {
		before--
	}
	end := i
	for end < len(s) && end-i < maxValue && isBase64(s[end]) {
		end++
	}
	return j-before >= leastBlockLine && end-i == j-before && s[before:min(before+3, j)] != s[i:min(i+3, len(s))]
}

// tokenEnd is the end of the token whose body begins at s[i]. A line break in the body is stepped over where the body is not
// complete without what follows, or where a piece of a token fills the beginning of the next line.
func tokenEnd(s string, i int, body *[256]bool, least int) int {
	j := i
	for j < len(s) && body[s[j]] {
		j++
	}
	for range 8 {
		k := nextPiece(s, j)
		if k < 0 {
			break
		}
		end := k
		for end < len(s) && body[s[end]] {
			end++
		}
		piece := s[k:end]
		bare := end == len(s) || strings.IndexByte(" \t\r\n\"'`,;)\\", s[end]) >= 0
		if !bare || len(piece) < 3 || j-i >= least && (len(piece) < 8 || randomness(piece) != random) {
			break
		}
		j = end
	}
	return j
}

// nextPiece is where the next line's text begins if a line break, with its indentation or quoting marks, is at s[i]; -1 else.
func nextPiece(s string, i int) int {
	j := i
	if j < len(s) && s[j] == '\\' {
		j++
	}
	if j < len(s) && s[j] == '\r' {
		j++
	}
	if j >= len(s) || s[j] != '\n' {
		return -1
	}
	for j++; j < len(s) && j-i < 24 && strings.IndexByte(" \t>|+", s[j]) >= 0; {
		j++
	}
	return j
}

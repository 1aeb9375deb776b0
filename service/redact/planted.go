package redact

import "strings"

// findNpmrc finds a login in an .npmrc file: //registry.npmjs.org/:_authToken=x, :_auth=x. It may be a UUID there.
func findNpmrc(p *pass, _, end int) {
	s := p.s
	i := end
	for i < len(s) && i-end < 8 && isLetter(s[i]) {
		i++
	}
	i = skipSpaces(s, i)
	if i == len(s) || s[i] != '=' {
		return
	}
	v, ok := value{shell: true}.read(s, skipSpaces(s, i+1))
	if ok && v.to-v.from >= 8 && !isPlaceholder(s[v.from:v.to]) && !isVariable(s[v.from:v.to]) {
		p.found(v.from, v.to, "npm")
	}
}

// crypted are how the hash of a password begins in /etc/shadow, .htpasswd and their like, behind the user.
var crypted = []string{":$1$", ":$2a$", ":$2b$", ":$2y$", ":$5$", ":$6$", ":$7$", ":$y$", ":$gy$", ":$apr1$"}

// findCrypted finds such a hash, from which the password can be guessed.
func findCrypted(p *pass, start, end int) {
	s := p.s
	to := end
	for to < len(s) && to-end < 300 && s[to] > ' ' && strings.IndexByte(":\"'`,\\", s[to]) < 0 {
		to++
	}
	if to-end >= 20 && !isPlaceholder(s[end:to]) {
		p.found(start+1, to, "assigned")
	}
}

// findBare finds a token that is handed over without a name, or with one that does not say what it is for: "here it is: x".
func findBare(p *pass, start, end int) {
	s := p.s
	if start > 0 && (isAlnum(s[start-1]) || strings.IndexByte("_-.$\"'", s[start-1]) >= 0) {
		return
	}
	i := end
	for i < len(s) && i-end < 12 && strings.IndexByte(" \t\r\n`\"'*", s[i]) >= 0 {
		i++
	}
	to := i
	for to < len(s) && wordBody[s[to]] {
		to++
	}
	text := s[i:to]
	handed := s[start]|0x20 == 'h'
	if len(text) < 20 || len(text) > 200 || isUUID(text) || isPlaceholder(text) || isOddHex(text) || randomness(text) != random || isWordy(text) {
		return
	}
	if to < len(s) && strings.IndexByte("./\\:@=(", s[to]) >= 0 && to+1 < len(s) && s[to+1] > ' ' {
		return // a part of something longer
	}
	if !handed && nameSecrecy(nameBefore(s, i)) == notSecret && s[start]|0x20 == 'k' || isHash(text) && (handed || s[start]|0x20 == 'k') {
		return
	}
	if word := lastWordBefore(s, start); notBefore[word] {
		return // a page token, a cache key
	}
	p.found(i, to, "token")
}

// lastWordBefore is the word before s[i], blanks and hyphens aside, in small letters.
func lastWordBefore(s string, i int) string {
	before := strings.TrimRight(s[max(0, i-32):i], " -_")
	if n := strings.LastIndexAny(before, " \t\n\"'`(-_.,;:"); n >= 0 {
		before = before[n+1:]
	}
	return strings.ToLower(before)
}

package redact

import "strings"

// looksHarmless is the guard on what gitleaks' rules find: samples and cut-off values, and, where only the name is the reason,
// what is no secret by our own judgement of name and value.
func looksHarmless(s string, f finding) bool {
	secret := s[f.from:f.to]
	if strings.Contains(secret, "...") || isSequence(secret) && len(secret) >= 16 {
		return true
	}
	switch f.rule.id {
	case genericRule:
		return genericHarmless(s, f, secret)
	case "curl-auth-user", "curl-auth-header":
		_, password, ok := strings.Cut(strings.Trim(secret, `"'`), ":")
		return isPlaceholder(strings.Trim(secret, `"'`)) || ok && isPlaceholder(strings.Trim(password, `"'`))
	case "sourcegraph-access-token":
		return isHash(secret) && nameSecrecy(nameBefore(s, f.from)) < tokenName
	}
	return false
}

// genericHarmless judges a finding whose only reason is a name such as "key" before a value of some entropy.
func genericHarmless(s string, f finding, secret string) bool {
	level := nameSecrecy(nameBefore(s, f.from))
	switch {
	case isPlaceholder(secret), isOddHex(secret), isCutOff(s, f.to), isUUID(secret) && level < keyName, isCode(secret), isLocation(secret), segments(secret):
		return true
	case level == notSecret, randomness(secret) == plain:
		return true
	case level <= tokenName && isHash(secret):
		return true
	case unclosed(s, f):
		return true
	}
	return false
}

// nameBefore is the name that the value at s[at] is given to, as gitleaks understands assignments.
func nameBefore(s string, at int) string {
	name := strings.TrimRight(s[max(0, at-maxName):at], " \t\r\n'\"`=:>|?,\\")
	if i := strings.LastIndexAny(name, " \t\n'\"`(){}[]<>,;&"); i >= 0 {
		name = name[i+1:]
	}
	return name
}

// unclosed reports whether the value stands after a quote that is not closed on its line: it was cut off.
func unclosed(s string, f finding) bool {
	if f.from == 0 || strings.IndexByte("\"'`", s[f.from-1]) < 0 {
		return false
	}
	return f.to == len(s) || s[f.to] == '\n'
}

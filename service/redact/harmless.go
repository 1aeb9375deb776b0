package redact

import "strings"

// harmlessReason says why what a rule of gitleaks finds is none: what is missing here against gitleaks is missing for one of these.
type harmlessReason struct {
	why   string
	holds func(s, secret string, f finding) bool
}

// harmlessReasons hold for what every rule finds.
var harmlessReasons = []harmlessReason{
	{"the value was cut off, so that nobody can use it", func(_, secret string, _ finding) bool {
		return strings.Contains(secret, "...")
	}},
	{"it walks along the alphabet or the digits, as what a person makes up does", func(_, secret string, _ finding) bool {
		return len(secret) >= 16 && isSequence(secret)
	}},
	{"it is a part of a block of base64, where a prefix of letters is chance", func(s, secret string, f finding) bool {
		return isAlnum(secret[0]) && !strings.ContainsAny(secret[:min(len(secret), 8)], "-_.") && (inBlock(s, f.from) || inRun(s, f.from))
	}},
}

// ruleReasons hold for what single rules find: those that know a secret by its surroundings and not by its form.
var ruleReasons = map[string]harmlessReason{
	genericRule:        {"by our own judgement neither the name nor the value is that of a secret", genericHarmless},
	"curl-auth-user":   {"the password is a variable or stands for one", placeholderLogin},
	"curl-auth-header": {"the credentials are a variable or stand for some", placeholderLogin},
	"sourcegraph-access-token": {"forty hexadecimal digits without a name are a commit", func(s, secret string, f finding) bool {
		return isHash(secret) && nameSecrecy(nameBefore(s, f.from)) < tokenName
	}},
}

// looksHarmless is the guard on what gitleaks' rules find.
func looksHarmless(s string, f finding) bool {
	secret := s[f.from:f.to]
	if secret == "" {
		return true
	}
	for _, r := range harmlessReasons {
		if r.holds(s, secret, f) {
			return true
		}
	}
	r, ok := ruleReasons[f.rule.id]
	return ok && r.holds(s, secret, f)
}

func placeholderLogin(_, secret string, _ finding) bool {
	_, password, ok := strings.Cut(strings.Trim(secret, `"'`), ":")
	return isPlaceholder(strings.Trim(secret, `"'`)) || ok && isPlaceholder(strings.Trim(password, `"'`))
}

// genericHarmless judges a finding whose only reason is a name such as "key" before a value of some entropy.
func genericHarmless(s, secret string, f finding) bool {
	level := nameSecrecy(nameBefore(s, f.from))
	switch {
	case isPlaceholder(secret), isOddHex(secret), isCutOff(s, f.to), isUUID(secret) && level < keyName, isCode(secret), isLocation(secret), segments(secret):
		return true
	case level == notSecret, randomness(secret) == plain:
		return true
	case level <= tokenName && isHash(secret):
		return true
	case level == weakName && isCodeName(secret), unclosed(s, f), !quoted(s, f.from) && isCodeName(secret) && !isCapitals(nameBefore(s, f.from)):
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
	return quoted(s, f.from) && (f.to == len(s) || s[f.to] == '\n')
}

func quoted(s string, from int) bool {
	return from > 0 && strings.IndexByte("\"'`", s[from-1]) >= 0
}

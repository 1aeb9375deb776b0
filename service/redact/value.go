package redact

import (
	"strings"
)

// traits is what the characters of a value say about it.
type traits struct {
	length, letters, upper, digits, others int
	// turns counts the places where letters meet digits, or a lower case letter meets an upper case one: words joined in camel
	// case have few, random strings have one in every two or three characters.
	turns int
	hex   bool // letters and digits are hexadecimal
	bits  float64
}

func traitsOf(v string) traits {
	t := traits{length: len(v), hex: true}
	last := byte(0)
	for i := range len(v) {
		c, kind := v[i], byte(0)
		switch {
		case isDigit(c):
			t.digits++
			kind = 'd'
		case c >= 'a' && c <= 'z':
			t.letters++
			kind = 'l'
		case c >= 'A' && c <= 'Z':
			t.letters++
			t.upper++
			kind = 'u'
		default:
			t.others++
		}
		if kind != 0 && last != 0 && kind != last && !(last == 'u' && kind == 'l') {
			t.turns++
		}
		if isLetter(c) && c|0x20 > 'f' {
			t.hex = false
		}
		last = kind
	}
	t.bits = entropy(v)
	return t
}

// Degrees of randomness.
const (
	plain  = iota // words, numbers, identifiers
	mixed         // letters and digits as in a password that a person made
	random        // as drawn by a machine
)

// randomness says how likely it is that a machine drew v.
func randomness(v string) int {
	t := traitsOf(v)
	switch {
	case t.length < 4 || t.digits == 0 && t.letters == 0:
		return plain
	case t.digits == 0:
		switch {
		case t.letters >= 16 && (gibberish(v, t) || isJumble(v, t)) || isLongJumble(v, t):
			return random
		case t.letters >= 12 && isJumble(v, t):
			return mixed
		}
		return plain
	case t.letters == 0:
		if t.digits >= 12 && t.bits > 2.5 && t.others == 0 {
			return mixed
		}
		return plain
	case t.drawn(), isLongJumble(v, t):
		return random
	case segments(v) && !t.hex:
		return plain
	}
	return mixed
}

// drawn reports whether letters and digits follow each other as if by chance.
func (t traits) drawn() bool {
	switch {
	case t.hex && t.length >= 16:
		return t.digits >= 3 && t.letters >= 3 && t.turns >= 4 && t.bits > 2.7
	case t.length < 12 || t.turns < 4 || t.turns*5 < t.length-t.others || t.bits <= 3:
		return false
	}
	return t.digits >= 2 || t.length >= 16 && t.bothCases()
}

// bothCases reports whether there are about as many capitals as small letters; words in camel case have fewer.
func (t traits) bothCases() bool { return t.upper*10 >= t.letters*3 && t.upper*10 <= t.letters*7 }

// segments reports whether v is words and short numbers, joined by punctuation or camel case: gpt-4o-mini-2024-07-18.
func segments(v string) bool {
	parts := strings.FieldsFunc(v, func(c rune) bool { return c == '-' || c == '_' || c == '.' || c == '/' || c == ' ' || c == ':' })
	if len(parts) < 2 {
		return false
	}
	for _, part := range parts {
		t := traitsOf(part)
		if t.turns > 2 || t.others > 0 || t.length > 12 && t.digits > 0 && t.letters > 0 {
			return false
		}
	}
	return true
}

// gibberish reports whether a string of letters cannot be words: case at random, or long runs of consonants and few vowels.
func gibberish(v string, t traits) bool {
	vowels, run, longest := 0, 0, 0
	for i := range len(v) {
		switch {
		case strings.IndexByte("aeiouyAEIOUY", v[i]) >= 0:
			vowels++
			run = 0
		case isLetter(v[i]):
			run++
			longest = max(longest, run)
		default:
			run = 0
		}
	}
	return t.bothCases() && t.turns*7 >= t.letters && longest >= 4 || longest >= 6 && vowels*4 < t.letters
}

// isHash reports whether v has the form of a digest in hexadecimal: of MD5, SHA-1, SHA-2, or a short git id.
func isHash(v string) bool {
	switch len(v) {
	case 7, 8, 9, 10, 12, 16, 32, 40, 56, 64, 96, 128:
		return isHex(v)
	}
	return false
}

func isHex(v string) bool {
	for i := range len(v) {
		if c := v[i]; !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return v != ""
}

// isUUID reports whether v has the form 8-4-4-4-12, alone or as a URN.
func isUUID(v string) bool {
	v = strings.TrimPrefix(v, "urn:uuid:")
	if len(v) != 36 || v[8] != '-' || v[13] != '-' || v[18] != '-' || v[23] != '-' {
		return false
	}
	return isHex(strings.ReplaceAll(v, "-", ""))
}

// isOddHex reports whether v is a long hexadecimal number in both cases: no program writes that, a person made it up.
func isOddHex(v string) bool {
	return len(v) >= 32 && isHex(v) && strings.ToLower(v) != v && strings.ToUpper(v) != v
}

// isCutOff reports whether what follows s[:to] says that there was more: sk-abc...
func isCutOff(s string, to int) bool {
	return strings.HasPrefix(s[to:], "...") || strings.HasPrefix(s[to:], "…") || strings.HasPrefix(s[to:], "***")
}

// holdsHash reports whether v is a digest, or has one as a part between punctuation.
func holdsHash(v string) bool {
	for _, part := range strings.FieldsFunc(v, func(c rune) bool { return strings.ContainsRune("-_.:/@#", c) }) {
		if len(part) >= 32 && isHash(part) {
			return true
		}
	}
	return isHash(v)
}

// typeWords are what the names of types and algorithms consist of, besides numbers.
var typeWords = wordSet(`aes array base big blob boolean buffer byte bytes cipher crypto data des ec ecdsa ed float generic hash hex hmac
	int key keypair keys list long md nil null number object of optional pair private public result rsa sha short signed slice string
	type u uint utf value vec view x`)

// isTypeName reports whether v is the name of a type or of an algorithm: Uint8Array, sha256, X509Key.
func isTypeName(v string) bool {
	if !isIdentifier(v) {
		return false
	}
	for _, w := range words(v) {
		if w = strings.TrimRight(w, "0123456789"); w != "" && !typeWords[w] {
			return false
		}
	}
	return true
}

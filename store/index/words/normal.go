package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Normal brings text to the one form in which it is cut into words: compatibility forms replaced, vowel points and invisible characters
// taken off, letters that are used for each other made one. Accents are kept, and so is case, which shows where the parts of an
// identifier begin. Text of ASCII alone comes back as it is; invalid UTF-8 becomes U+FFFD.
func Normal(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(text, "\uFFFD")) {
		if r = normalRune(r); r >= 0 {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// normalRune is what a decomposed rune becomes; -1 takes it out.
func normalRune(r rune) rune {
	switch {
	case r < 0x300:
		if r == 0xAD { // soft hyphen
			return -1
		}
		return r
	case r >= 0x0591 && r <= 0x05C7 && unicode.Is(unicode.Mn, r), // Hebrew points
		r >= 0x0610 && r <= 0x065F && unicode.Is(unicode.Mn, r), // Arabic vowels
		r == 0x0670, r == 0x0640: // Arabic alif above, and the stroke that only stretches a word
		return -1
	case unicode.Is(unicode.Cf, r), r >= 0xFE00 && r <= 0xFE0F: // invisible: direction marks, joiners, variation selectors
		return -1
	case r >= 0x30A1 && r <= 0x30F6: // katakana
		return r - 0x60
	}
	switch r {
	case 0x2018, 0x2019, 0x02BC, 0x201B:
		return '\''
	case 0x2010, 0x2011, 0x2212:
		return '-'
	case 0x0629: // teh marbuta
		return 0x0647
	case 0x0649, 0x06CC: // alef maksura, Persian yeh
		return 0x064A
	case 0x06A9: // Persian kaf
		return 0x0643
	}
	return r
}

// bare is a word without accents: as it is written by someone whose keyboard has none. The breve of й stays, which makes another letter.
func bare(word string) string {
	if isASCII(word) {
		return word
	}
	var b strings.Builder
	var prev rune
	for _, r := range norm.NFD.String(word) {
		switch {
		case r >= 0x300 && r <= 0x36F && !(r == 0x306 && (prev == 'и' || prev == 'И')):
			continue
		case strokes[r] != 0:
			r = strokes[r]
		}
		b.WriteRune(r)
		prev = r
	}
	return norm.NFC.String(b.String())
}

// strokes are letters whose stroke, or whose missing dot, Unicode does not know as an accent.
var strokes = map[rune]rune{'đ': 'd', 'ð': 'd', 'ħ': 'h', 'ı': 'i', 'ł': 'l', 'ø': 'o', 'ŧ': 't', 'Đ': 'D', 'Ł': 'L', 'Ø': 'O'}

// fold is the case-folded form of a word.
func fold(word string) string {
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return cases.Fold().String(word)
		}
		if 'A' <= c && c <= 'Z' {
			return foldASCIIFrom(word)
		}
	}
	return word
}

func foldASCIIFrom(word string) string {
	if isASCII(word) {
		return strings.ToLower(word)
	}
	return cases.Fold().String(word)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

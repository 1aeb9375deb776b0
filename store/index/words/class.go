package words

import (
	"unicode"
	"unicode/utf8"
)

// class is how a character takes part in words.
type class uint8

const (
	other  class = iota // divides words
	letter              // letters, digits and marks of scripts that divide words by spaces
	pairs               // scripts cut into pairs of characters: Han, kana
	hangul              // cut into pairs too, apart from the others
	triple              // scripts cut into triples: Thai, Lao, Khmer, Burmese
	symbol              // a term by itself: emoji
)

// classOf is the class of a rune of normal text.
func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return letter
		}
		return other
	case r < 0x0E00:
		return letterOrOther(r)
	case r < 0x0F00, r >= 0x1000 && r < 0x10A0, r >= 0x1780 && r < 0x1800:
		return ifWord(r, triple)
	case r < 0x1100:
		return letterOrOther(r)
	case r < 0x1200, r >= 0x3130 && r < 0x3190, r >= 0xAC00 && r < 0xD7B0:
		return ifWord(r, hangul)
	case r >= 0x3005 && r <= 0x3007, r >= 0x3041 && r < 0x3100, r >= 0x31F0 && r < 0x3200,
		unicode.Is(unicode.Han, r):
		return ifWord(r, pairs)
	case r >= 0x1F000 && r < 0x1FB00, r >= 0x2600 && r < 0x27C0:
		return symbol
	}
	return letterOrOther(r)
}

func letterOrOther(r rune) class { return ifWord(r, letter) }

func ifWord(r rune, c class) class {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.Is(unicode.Nl, r) {
		return c
	}
	return other
}

// joins reports whether c holds the parts of an identifier, a path or a compound together.
func joins(c byte) bool {
	switch c {
	case '_', '-', '.', '/', '\\', ':', '@', '&', '+', '\'':
		return true
	}
	return false
}

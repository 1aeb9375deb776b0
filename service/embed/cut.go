package embed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits on what counts as a word. Beyond them a run of letters and digits is data: a hash, a key, a number.
const (
	maxText     = 64 << 10 // bytes of a text that are read
	maxRun      = 40       // bytes of a run
	maxSegments = 8        // segments of a run
	maxTurns    = 2        // changes between letters and digits in a run
)

// Cutter cuts texts into words. It is not safe for use by several goroutines at once.
type Cutter struct {
	buf  []byte // the run that is being read, in lower case
	ends []int  // of its segments, in buf
}

// Cut emits the words of the first 64 KiB of a text in their order, in lower case, without accents and in compatible form
// (NFKD). A run of letters and digits is cut at the humps of camelCase and between letters and digits; where that gives several
// segments, the whole run follows them, with whole set. A word is valid until emit returns.
func (c *Cutter) Cut(text string, emit func(word []byte, whole bool)) {
	text = plain(text)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if kindOf(r) == gap {
			i += n
			continue
		}
		i = c.run(text, i)
		c.tell(emit)
	}
}

// tell emits what run has read.
func (c *Cutter) tell(emit func([]byte, bool)) {
	if len(c.buf) > maxRun || len(c.ends) > maxSegments || c.turns() > maxTurns {
		return
	}
	start := 0
	for _, end := range c.ends {
		emit(c.buf[start:end], false)
		start = end
	}
	if len(c.ends) > 1 {
		emit(c.buf, true)
	}
}

// turns counts where letters change to digits or back.
func (c *Cutter) turns() int {
	n := 0
	for _, end := range c.ends[:len(c.ends)-1] {
		if isDigit(c.buf[end-1]) != isDigit(c.buf[end]) {
			n++
		}
	}
	return n
}

// run reads the run that begins at i and returns its end.
func (c *Cutter) run(text string, i int) int {
	c.buf, c.ends = c.buf[:0], c.ends[:0]
	start, last := 0, 0 // of the segment, and of the character before
	before := gap
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		k := kindOf(r)
		if k == gap {
			next, more := apostrophe(text, i, n, before)
			if i = next; more {
				continue
			}
			break
		}
		switch at := len(c.buf); {
		case before == gap:
		case (before == digit) != (k == digit), before == lower && k == upper:
			c.ends, start = append(c.ends, at), at
		case before == upper && k == lower && last > start && !plural(text, i, r, n): // HTTPServer
			c.ends, start = append(c.ends, last), last
		}
		last, before = len(c.buf), k
		if len(c.buf) <= maxRun { // of what is longer, nothing is told
			c.buf = utf8.AppendRune(c.buf, unicode.ToLower(r))
		}
		i += n
	}
	c.ends = append(c.ends, len(c.buf))
	return i
}

// plural reports whether the s at i is the end of capitals, as in URLs.
func plural(text string, i int, r rune, n int) bool {
	next, _ := utf8.DecodeRuneInString(text[i+n:])
	return r == 's' && (i+n == len(text) || kindOf(next) != lower)
}

// apostrophe reads the one at i, n bytes long: don't is one word, and of "Anna's" the end is left out. It returns where to go on,
// and whether the run does.
func apostrophe(text string, i, n int, before kind) (next int, more bool) {
	r, _ := utf8.DecodeRuneInString(text[i:])
	if r != '\'' && r != '\u2019' || before == digit {
		return i, false
	}
	rest := text[i+n:]
	first, size := utf8.DecodeRuneInString(rest)
	if k := kindOf(first); k != lower && k != upper {
		return i, false
	}
	second, _ := utf8.DecodeRuneInString(rest[size:])
	if (first == 's' || first == 'S') && (len(rest) == size || kindOf(second) == gap) {
		return i + n + size, false
	}
	return i + n, true
}

// kind is how a character takes part in words.
type kind uint8

const (
	gap   kind = iota // divides words
	lower             // a small letter, or one of a script without capitals
	upper
	digit
)

func kindOf(r rune) kind {
	switch {
	case r < utf8.RuneSelf:
		return ascii[r]
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r):
		return lower
	case unicode.IsDigit(r):
		return digit
	}
	return gap
}

var ascii = func() (t [utf8.RuneSelf]kind) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case isDigit(c):
			t[c] = digit
		}
	}
	return t
}()

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// letters are those whose plain form Unicode does not tell.
var letters = strings.NewReplacer("ß", "ss", "ẞ", "SS", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ı", "i")

// plain is the beginning of a text in compatible form, without accents.
func plain(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return letters.Replace(strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			}, norm.NFKD.String(text)))
		}
	}
	return text
}

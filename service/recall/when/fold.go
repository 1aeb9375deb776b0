package when

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text in lower case, in one width and without accents, and where its bytes come from.
type folded struct {
	text string
	at   []int // by byte of text, and one more for its end: the byte of the original
}

// fold makes texts comparable. Only letters of the Latin script lose their marks.
func fold(s string) folded {
	b := make([]byte, 0, len(s))
	at := make([]int, 0, len(s)+1)
	put := func(r rune, from int) {
		n := len(b)
		b = utf8.AppendRune(b, r)
		for range len(b) - n {
			at = append(at, from)
		}
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r < utf8.RuneSelf:
			put(unicode.ToLower(r), i)
		case r == 'ß':
			put('s', i)
			put('s', i)
		case unicode.Is(unicode.Mn, r): // of a letter that was written in two parts
		case unicode.Is(unicode.Hangul, r), r == utf8.RuneError:
			put(r, i)
		default:
			form := norm.NFKC
			if unicode.Is(unicode.Latin, r) {
				form = norm.NFKD
			}
			for _, p := range form.String(s[i : i+size]) {
				if !unicode.Is(unicode.Mn, p) {
					put(unicode.ToLower(p), i)
				}
			}
		}
		i += size
	}
	return folded{string(b), append(at, len(s))}
}

// splitWords gives the runs of letters and digits.
func splitWords(s string) []string {
	var out []string
	from := -1
	for i, r := range s {
		switch in := inWord(r); {
		case in && from < 0:
			from = i
		case !in && from >= 0:
			out, from = append(out, s[from:i]), -1
		}
	}
	if from >= 0 {
		out = append(out, s[from:])
	}
	return out
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

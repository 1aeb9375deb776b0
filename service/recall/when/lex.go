package when

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Dates that have one order alone.
var (
	dayFirst = regexp.MustCompile(`\b(?:1[3-9]|2\d|3[01])[/.](?:0?[1-9]|1[0-2])\b`)
	dayLast  = regexp.MustCompile(`\b(?:0?[1-9]|1[0-2])[/.](?:1[3-9]|2\d|3[01])\b`)
)

// lex divides a folded text.
func lex(l *language, text string, year int) []token {
	x := &lexer{language: l, year: year, text: text, dayFirst: dayFirst.MatchString(text) && !dayLast.MatchString(text)}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		var t token
		n := 0
		switch {
		case unicode.IsSpace(r):
			i += size
			continue
		case l.joined:
			t, n = x.joinedAt(i)
		case x.begins(i):
			t, n = x.dividedAt(i)
		}
		if n == 0 {
			t, n = x.other(i, r, size)
		}
		t.at, t.end = i, i+n
		x.out = append(x.out, t)
		i += n
	}
	return numbers(x.out, l.joined)
}

// begins reports whether a word or a form of digits begins at a byte: not within a word or a version, as 05 in v2026.05.
func (x *lexer) begins(i int) bool {
	before, size := utf8.DecodeLastRuneInString(x.text[:i])
	if before == '.' && unicode.IsDigit(rune(x.text[i])) && i > size {
		return !unicode.IsDigit(rune(x.text[i-2]))
	}
	return i == 0 || !inWord(before)
}

// other is a mark, or a word that means nothing here.
func (x *lexer) other(i int, r rune, size int) (token, int) {
	switch {
	case strings.ContainsRune("-–—~〜−", r):
		return tok(cDash, 0), size
	case r == '/':
		return tok(cSlash, 0), size
	case r == ',' || r == '、':
		return tok(cComma, 0), size
	case r == '.' && i+1 < len(x.text):
		return tok(cDot, 0), size
	case r == '\'' || r == '’' || r == '"' || r == '*' || r == '_' || r == '`':
		return tok(cFiller, 0), size
	case !inWord(r):
		return tok(cStop, 0), size
	case x.joined && !(r < utf8.RuneSelf):
		return tok(cWord, 0), size
	}
	n := strings.IndexFunc(x.text[i:], func(r rune) bool { return !inWord(r) || x.joined && r >= utf8.RuneSelf })
	if n < 0 {
		n = len(x.text) - i
	}
	return tok(cWord, 0), n
}

// dividedAt reads the longest phrase of words, or a form of digits, that begins here.
func (x *lexer) dividedAt(i int) (token, int) {
	lit, n := x.literalAt(x.text[i:])
	var best token
	key, end := "", i
	for range x.longest {
		r, _ := utf8.DecodeRuneInString(x.text[end:])
		if end > i {
			switch {
			case r == '\'' || r == '’' || r == '-':
				end++
				if r == '’' {
					end += 2
				}
			case r == ' ':
				end++
			default:
				return x.longer(best, lit, n, i)
			}
			key += " "
		}
		w := strings.IndexFunc(x.text[end:], func(r rune) bool { return !inWord(r) })
		if w < 0 {
			w = len(x.text) - end
		}
		if w == 0 || w > 40 {
			break
		}
		key += x.text[end : end+w]
		end += w
		if e, ok := x.phrases[key]; ok {
			best = token{entry: e, end: end}
		}
	}
	return x.longer(best, lit, n, i)
}

// longer is the longer one of a phrase and a form of digits.
func (x *lexer) longer(phrase, lit token, n, i int) (token, int) {
	if have := phrase.end - i; phrase.class != 0 && have >= n {
		return phrase, have
	}
	return lit, n
}

// joinedAt reads the longest phrase of characters, past blanks between them, or a form of digits.
func (x *lexer) joinedAt(i int) (token, int) {
	if t, n := x.literalAt(x.text[i:]); n > 0 {
		return t, n
	}
	var best token
	n, count := 0, 0
	var key strings.Builder
	for at, r := range x.text[i:min(len(x.text), i+64)] {
		if r == ' ' && count > 0 {
			continue
		}
		if count++; count > x.longest || r == utf8.RuneError {
			break
		}
		key.WriteRune(r)
		if e, ok := x.phrases[key.String()]; ok {
			best, n = token{entry: e}, at+utf8.RuneLen(r)
		}
	}
	return best, n
}

// numbers joins the words of one number.
func numbers(ts []token, joined bool) []token {
	var out []token
	for i := 0; i < len(ts); {
		t, n := oneNumber(ts[i:], joined)
		out = append(out, t)
		i += n
	}
	return out
}

func spelled(t token) bool { return t.class == cNumber && !t.few && t.m == 0 }

func oneNumber(ts []token, joined bool) (token, int) {
	t := ts[0]
	if !spelled(t) || t.weak && !joined {
		return t, 1
	}
	if joined {
		return digitsOf(ts)
	}
	total, cur, used, ordinal := 0, 0, 0, false
	for i := 0; i < len(ts) && !ordinal; i++ {
		u := ts[i]
		if used > 0 && (u.class == 'a' || u.class == cDash) && i+1 < len(ts) {
			continue
		}
		if ordinal = u.class == cOrdinal; !spelled(u) && !ordinal {
			break
		}
		next, thousand, ok := grown(cur, total, u.n)
		if used > 0 && !ok || used == 0 && ordinal {
			ordinal = false
			break
		}
		if thousand {
			total, next = total+next, 0
		}
		cur, used = next, i+1
		if ordinal {
			break
		}
	}
	t.n, t.end = total+cur, ts[used-1].end
	switch {
	case ordinal:
		t.class = cOrdinal
	case used > 1 && t.n >= 1900 && t.n < 2200:
		t.class = cYear
	}
	return t, used
}

// grown adds the next word of a number to what stands before it.
func grown(cur, total, v int) (next int, thousand, ok bool) {
	switch {
	case cur == 0 && total == 0:
		return v, v == 1000, true
	case v == 1000:
		return max(cur, 1) * 1000, true, total == 0
	case v == 100:
		return max(cur, 1) * 100, false, cur < 20
	case v > 0 && v < 10 && cur%10 == 0 && cur%100 >= 20,
		v > 0 && v < 100 && cur%100 == 0,
		v > 0 && v < 20 && cur%100 >= 60 && cur%20 == 0: // soixante-dix, quatre-vingt
		return cur + v, false, true
	case v >= 100 && v < 1000 && cur == 0:
		return v, false, true
	case v >= 10 && v < 100 && (cur == 19 || cur == 20) && total == 0: // nineteen eighty six
		return cur*100 + v, false, true
	}
	return cur, false, false
}

// digitsOf reads a number of Chinese digits: as digits one after the other, or with tens, hundreds and thousands.
func digitsOf(ts []token) (token, int) {
	n, sum, cur := 0, 0, 0
	powers := false
	for n < len(ts) && spelled(ts[n]) && ts[n].end-ts[n].at >= 1 {
		switch v := ts[n].n; {
		case v >= 10 && v < 10000 && v != 20 && n >= 0:
			sum += max(cur, 1) * v
			cur, powers = 0, true
		case v == 20:
			sum, powers = sum+20, true
		case v < 10 && (powers || cur == 0 && n == 0):
			cur = v
		default:
			cur = cur*10 + v
		}
		n++
	}
	t := ts[0]
	t.n, t.end = sum+cur, ts[n-1].end
	if !powers && n == 4 && t.n >= 1900 && t.n < 2200 {
		t.class = cYear
	}
	return t, n
}

package when

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer divides a question into tokens.
type lexer struct {
	*language
	year int // of now
	// dayFirst says that a date in the text can only be day, month, so that the others are meant so, too.
	dayFirst bool
	text     string
	out      []token
}

// token is a piece of the question.
type token struct {
	entry
	m, d    int // of a date, beside n, the year
	at, end int // bytes of the folded text
}

// literal is a form of digits.
type literal struct {
	re   *regexp.Regexp
	read func(x *lexer, g []string) (token, bool)
}

func num(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// fullYear reads a year of two digits: those of the last 80 years and the next 19.
func fullYear(s string, now int) int {
	y := num(s)
	if len(s) > 2 {
		return y
	}
	if y += now / 100 * 100; y > now+19 {
		y -= 100
	}
	return y
}

func tok(c class, n int) token { return token{entry: entry{class: c, n: n}} }

// dated makes a date of two numbers in the language's order, else in the other one. Year 0 is unknown.
func (x *lexer) dated(y, a, b int, weak bool) (token, bool) {
	m, d := b, a
	if x.dayLast && !x.dayFirst {
		m, d = a, b
	}
	ref := y
	if ref == 0 {
		ref = 2000
	}
	if !real(ref, m, d) {
		m, d = d, m
	}
	t := tok(cDate, y)
	t.m, t.d, t.weak = m, d, weak
	return t, real(ref, m, d)
}

var literals = []literal{
	{regexp.MustCompile(`^(\d{4})([-/.])(\d{1,2})[-/.](\d{1,2})(?:[t ](\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?`), func(_ *lexer, g []string) (token, bool) {
		t := tok(cDate, num(g[1]))
		t.m, t.d = num(g[3]), num(g[4])
		return t, real(t.n, t.m, t.d)
	}},
	{regexp.MustCompile(`^(\d{1,2})([-/.])(\d{1,2})([-/.])(\d{4}|\d{2})`), func(x *lexer, g []string) (token, bool) {
		t, ok := x.dated(fullYear(g[5], x.year), num(g[1]), num(g[3]), false)
		return t, ok && g[2] == g[4]
	}},
	{regexp.MustCompile(`^(\d{4})[-/](\d{1,2})`), func(_ *lexer, g []string) (token, bool) { return monthOf(g[1], g[2]) }},
	{regexp.MustCompile(`^(\d{1,2})[-/.](\d{4})`), func(_ *lexer, g []string) (token, bool) { return monthOf(g[2], g[1]) }},
	{regexp.MustCompile(`^(\d{4})-?q([1-4])`), func(_ *lexer, g []string) (token, bool) {
		t := tok(cQuarter, num(g[2]))
		t.m = num(g[1])
		return t, true
	}},
	{regexp.MustCompile(`^(\d{4})-?w(\d{1,2})`), func(_ *lexer, g []string) (token, bool) {
		t := tok(cWeekNo, num(g[2]))
		t.m = num(g[1])
		return t, true
	}},
	{regexp.MustCompile(`^(\d{1,2}):(\d\d)(?::\d\d)?(?: ?([ap])\.?m\.?)?`), func(_ *lexer, g []string) (token, bool) { return clockOf(g[1], g[2], g[3]) }},
	{regexp.MustCompile(`^(\d{1,2}) ?([ap])\.?m\b\.?`), func(_ *lexer, g []string) (token, bool) { return clockOf(g[1], "", g[2]) }},
	{regexp.MustCompile(`^(\d{1,2}) ?(?:uhr|h)(?: ?(\d\d))?`), func(_ *lexer, g []string) (token, bool) { return clockOf(g[1], g[2], "") }},
	{regexp.MustCompile(`^(?:(?:19|20)(\d)0|(\d)0)['’]?s`), func(x *lexer, g []string) (token, bool) {
		if g[2] != "" {
			return tok(cDecade, fullYear(g[2]+"0", x.year)), true
		}
		return tok(cDecade, num(strings.TrimRight(g[0], "'’s"))), true
	}},
	{regexp.MustCompile(`^(\d{1,2})[/.](\d{1,2})\.?`), func(x *lexer, g []string) (token, bool) {
		t, ok := x.dated(0, num(g[1]), num(g[2]), !strings.HasSuffix(g[0], "."))
		return t, ok
	}},
	{regexp.MustCompile(`^(\d{1,2})-(\d{1,2})`), func(x *lexer, g []string) (token, bool) {
		if x.dayLast || x.joined { // in English rather two days
			return token{}, false
		}
		return x.dated(0, num(g[1]), num(g[2]), true)
	}},
	{regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th|er|eme|e|ste|de|ª|\.?o|\.º)`), func(_ *lexer, g []string) (token, bool) { return tok(cOrdinal, num(g[1])), true }},
	{regexp.MustCompile(`^((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])`), func(_ *lexer, g []string) (token, bool) {
		t := tok(cDate, num(g[1]))
		t.m, t.d = num(g[2]), num(g[3])
		return t, real(t.n, t.m, t.d)
	}},
	{regexp.MustCompile(`^(?:19|20|21)\d\d`), func(_ *lexer, g []string) (token, bool) {
		t := tok(cYear, num(g[0]))
		t.weak = true
		return t, true
	}},
	{regexp.MustCompile(`^\d{1,4}`), func(_ *lexer, g []string) (token, bool) {
		t := tok(cNumber, num(g[0]))
		t.m = -1 // no word that another one may join
		return t, true
	}},
	{regexp.MustCompile(`^q([1-4])`), func(_ *lexer, g []string) (token, bool) { return tok(cQuarter, num(g[1])), true }},
	{regexp.MustCompile(`^h([12])`), func(_ *lexer, g []string) (token, bool) { return tok('H', num(g[1])), true }},
	{regexp.MustCompile(`^(?:kw|cw) ?(\d{1,2})`), func(_ *lexer, g []string) (token, bool) { return tok(cWeekNo, num(g[1])), true }},
	{regexp.MustCompile(`^[cf]y ?['’]?(\d{4}|\d\d)`), func(x *lexer, g []string) (token, bool) { return tok(cYear, fullYear(g[1], x.year)), true }},
	{regexp.MustCompile(`^['’](\d\d)`), func(x *lexer, g []string) (token, bool) { return tok(cYear, fullYear(g[1], x.year)), true }},
}

func monthOf(year, month string) (token, bool) {
	t := tok(cDate, num(year))
	t.m = num(month)
	return t, t.m >= 1 && t.m <= 12 && t.n >= 1900 && t.n < 2200
}

func clockOf(hour, minute, half string) (token, bool) {
	t := tok(cClock, num(hour))
	t.m, t.d = num(minute), 1
	if minute == "" {
		t.d = 60
	}
	if half != "" {
		if t.n > 12 {
			return t, false
		}
		if t.n %= 12; half == "p" {
			t.n += 12
		}
	}
	return t, t.n < 24 && t.m < 60
}

// literalAt reads a form of digits. What follows it must not go on with it.
func (x *lexer) literalAt(s string) (token, int) {
	s = s[:min(len(s), 40)]
	for i := range literals {
		g := literals[i].re.FindStringSubmatch(s)
		if g == nil {
			continue
		}
		rest, _ := utf8.DecodeRuneInString(s[len(g[0]):])
		last, _ := utf8.DecodeLastRuneInString(g[0])
		if unicode.IsDigit(rest) || !x.joined && unicode.IsLetter(rest) && inWord(last) {
			continue
		}
		if t, ok := literals[i].read(x, g); ok {
			return t, len(g[0])
		}
	}
	return token{}, 0
}

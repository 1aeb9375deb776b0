package when

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed lang/*.txt
var tables embed.FS

// class says what a token can be used for. Patterns are regular expressions over them.
type class byte

// The classes of tokens.
const (
	cMonth    class = 'M'
	cWeekday  class = 'W'
	cUnit     class = 'U'
	cRelative class = 'R' // last, this, next
	cBefore   class = 'b'
	cNumber   class = 'N'
	cOrdinal  class = 'O'
	cYear     class = 'Y'
	cDate     class = 'T' // 2026-05-03, 3/5
	cClock    class = 'g' // 10:30, 5 pm
	cQuarter  class = 'Q'
	cDecade   class = 'c'
	cWeekNo   class = 'k'
	cFiller   class = 'f'
	cDash     class = 'd'
	cSlash    class = '/'
	cDot      class = '.'
	cComma    class = ','
	cStop     class = 'x' // ends a phrase
	cWord     class = 'w'
)

// entry is one meaning of a phrase.
type entry struct {
	class class
	n, to int
	unit  unit
	feast string
	weak  bool // it has other meanings, too
	roll  bool // "the past N units" up to now, not whole ones
	few   bool
}

// language is the table of one language.
type language struct {
	name    string
	dayLast bool // dates are month, day
	phrases map[string]entry
	longest int             // words, or characters where words are not divided
	stop    map[string]bool // frequent words, by which the language is told
	joined  bool            // words are not divided
}

var latin = []string{"en", "de", "fr", "es", "nl", "it", "pt"}

var languages = sync.OnceValue(func() map[string]*language {
	out := map[string]*language{}
	for _, name := range append([]string{"zh", "ja", "ko"}, latin...) {
		raw, err := tables.ReadFile("lang/" + name + ".txt")
		if err == nil {
			out[name], err = readTable(name, string(raw))
		}
		if err != nil { // the tables are part of the program
			panic(err)
		}
	}
	return out
})

func readTable(name, raw string) (*language, error) {
	l := &language{name: name, phrases: map[string]entry{}, stop: map[string]bool{}, joined: name == "zh" || name == "ja" || name == "ko"}
	for no, line := range strings.Split(raw, "\n") {
		kind, rest, ok := strings.Cut(line, " ")
		switch {
		case !ok || kind == "#":
		case kind == "order":
			l.dayLast = rest == "mdy"
		case kind == "stop":
			for _, w := range strings.Fields(rest) {
				l.stop[fold(w).text] = true
			}
		default:
			value, phrases, ok := strings.Cut(rest, " ")
			e, err := readEntry(kind, value)
			if !ok || err != nil {
				return nil, fmt.Errorf("lang/%s.txt:%d: %q: %v", name, no+1, line, err)
			}
			for p := range strings.SplitSeq(phrases, "|") {
				l.add(strings.TrimSpace(p), e)
			}
		}
	}
	switch name {
	case "de":
		l.compounds("und", "sten", []string{"ein", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun"},
			[]string{"zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"})
	case "nl":
		l.compounds("en", "ste", []string{"een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen"},
			[]string{"twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"})
	}
	return l, nil
}

// compounds adds the numbers that are one word, units first: "zweiundzwanzig", and their ordinals.
func (l *language) compounds(and, ordinal string, units, tens []string) {
	for t, ten := range tens {
		n := (t + 2) * 10
		l.add(ten, entry{class: cNumber, n: n})
		l.add(ten+ordinal, entry{class: cOrdinal, n: n})
		for u, unit := range units {
			l.add(unit+and+ten, entry{class: cNumber, n: n + u + 1})
			l.add(unit+and+ten+ordinal, entry{class: cOrdinal, n: n + u + 1})
		}
	}
}

// add keeps the first meaning of a phrase.
func (l *language) add(phrase string, e entry) {
	phrase, e.weak = strings.CutPrefix(phrase, "?")
	key, n := fold(phrase).text, 0
	if l.joined {
		key = strings.ReplaceAll(key, " ", "")
		n = len([]rune(key))
	} else {
		words := splitWords(key)
		key, n = strings.Join(words, " "), len(words)
	}
	if _, has := l.phrases[key]; !has && key != "" {
		l.phrases[key] = e
		l.longest = max(l.longest, n)
	}
}

func readEntry(kind, value string) (e entry, err error) {
	number := func(s string) int {
		n, bad := strconv.Atoi(s)
		if bad != nil {
			err = bad
		}
		return n
	}
	e.class = class(kind[0])
	switch kind {
	case "few":
		e.class, e.few, e.n = cNumber, true, number(value)
	case "U", "J", "I", "i":
		e.unit, err = unitOf(value)
	case "X":
		at := strings.IndexFunc(value, func(r rune) bool { return r >= 'a' && r <= 'z' })
		if at < 1 {
			return e, strconv.ErrSyntax
		}
		e.n = number(value[:at])
		e.unit, err = orErr(err, value[at:])
	case "R":
		if e.roll = value == "roll"; e.roll {
			value = "-1"
		}
		e.n = number(value)
	case "p":
		from, to, _ := strings.Cut(value, "-")
		e.n, e.to = number(from), number(to)
	case "L": // day:from-to; the unit's place holds the day
		day, hours, _ := strings.Cut(value, ":")
		from, to, _ := strings.Cut(hours, "-")
		e.n, e.to = number(from), number(to)
		e.unit = unit(number(day))
	case "S":
		e.n = map[string]int{"spring": 0, "summer": 1, "autumn": 2, "winter": 3}[value]
	case "P":
		e.n = map[string]int{"begin": 0, "mid": 1, "end": 2}[value]
	case "E":
		if value == "later" {
			e.n = 1
		}
	case "h":
		e.feast = value
	default:
		e.n = number(value)
	}
	return e, err
}

func orErr(err error, name string) (unit, error) {
	if err != nil {
		return 0, err
	}
	return unitOf(name)
}

package when

import (
	"regexp"
	"strings"
)

// rule makes constraints of tokens whose classes match. Its groups are single tokens; one that is not there has no class.
type rule struct {
	re   *regexp.Regexp
	make func(g []token) ([]constraint, bool)
}

// on makes a rule. A filler may also be a word that can begin a range, such as "de".
func on(pattern string, make func(g []token) ([]constraint, bool)) rule {
	pattern = strings.NewReplacer("[fv]", "[fFv]", "f", "[fF]").Replace(pattern)
	return rule{regexp.MustCompile("^(?:" + pattern + ")"), make}
}

func one(c constraint) ([]constraint, bool) { return []constraint{c}, true }

func way(n int) int { return max(-2, min(2, n)) }

func monthOn(t token) constraint { return constraint{kind: kMonth, n: t.n, way: anyWay} }

func yearOn(n int) constraint { return constraint{kind: kYear, n: n} }

func dayOn(n int) constraint { return constraint{kind: kDay, n: n} }

// shortYear takes a number for the year of a month or a day: 98, not 4.
func shortYear(t token) (int, bool) {
	if t.class == cYear {
		return t.n, true
	}
	switch {
	case t.n >= 32 && t.n <= 99:
		return 1900 + t.n, true
	case t.n >= 1900 && t.n < 2200:
		return t.n, true
	}
	return 0, false
}

func dmy(d, m, y token) ([]constraint, bool) {
	if d.n < 1 || d.n > 31 || d.few { // that there is a 30 February is found out later, since nothing else is meant by it
		return nil, false
	}
	cs := []constraint{monthOn(m), dayOn(d.n)}
	if y.class != 0 {
		n, ok := shortYear(y)
		if !ok {
			return nil, false
		}
		cs = append(cs, yearOn(n))
	}
	return cs, true
}

func counted(t token) int {
	if t.class == 0 {
		return 1
	}
	return t.n
}

// unitToken is a unit; the marks of year, month and day after a number are units, too.
func unitToken(t token) unit {
	switch t.class {
	case 'y':
		return uYear
	case 'm':
		return uMonth
	case 'j':
		return uDay
	}
	return t.unit
}

func relative(r token, n token, u token) ([]constraint, bool) {
	c := constraint{kind: kRelative, n: r.n, unit: unitToken(u), count: 1, roll: r.roll}
	if n.class != 0 {
		if n.n < 1 || n.n > 10000 {
			return nil, false
		}
		c.count = n.n
		if n.few {
			c.count = 3
		}
	} else if c.unit != uHour && c.unit != uMinute {
		c.roll = false
	}
	return one(c)
}

func ago(n, u token, sign int) ([]constraint, bool) {
	k := counted(n)
	if k < 0 || k > 10000 {
		return nil, false
	}
	return one(constraint{kind: kAgo, n: sign * k, unit: unitToken(u)})
}

func nth(n int, u token, count int) ([]constraint, bool) {
	if n == 0 || n > 400 || count < 1 || count > 400 {
		return nil, false
	}
	return one(constraint{kind: kNth, n: n, unit: unitToken(u), count: count})
}

func weekday(t token, w int) ([]constraint, bool) {
	return one(constraint{kind: kWeekday, n: t.n, way: w})
}

func quarter(g []token) ([]constraint, bool) {
	cs := []constraint{{kind: kQuarter, n: g[0].n}}
	if g[0].m > 0 {
		cs = append(cs, yearOn(g[0].m))
	}
	if g[1].class != 0 {
		cs = append(cs, yearOn(g[1].n))
	}
	return cs, len(cs) < 3
}

func partOf(n int, u unit) ([]constraint, bool) {
	return []constraint{{kind: kRelative, unit: u, count: 1}, {kind: kPart, n: n}}, true
}

func toDate(u unit, later int) ([]constraint, bool) {
	return []constraint{{kind: kRelative, unit: u, count: 1}, {kind: kToDate, n: later}}, u > uDay
}

// fullYearOf is a year of two digits of this century, or of the last one where that lies far ahead.
func fullYearOf(n int) int {
	if n < 50 {
		return 2000 + n
	}
	return 1900 + n
}

// weekdayOf reads "上周二": the week, and the number of the day.
func weekdayOf(week token, n int, ok bool) ([]constraint, bool) {
	return []constraint{{kind: kRelative, n: week.n, unit: uWeek, count: 1}, {kind: kWeekday, n: n, way: anyWay}}, ok && week.unit == uWeek
}

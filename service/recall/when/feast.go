package when

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// nthWeekday is a rule that counts weekdays of a month.
var nthWeekday = regexp.MustCompile(`^(\d+)-([a-z]{3})-([1-5])(?:\+(\d+))?$`)

// feastDay finds a holiday in a year by its rule: "12-25", "easter-2", or "11-thu-4+1": the day after the fourth Thursday of November.
// The fifth is the last.
func feastDay(rule string, y int, z *time.Location) (span, bool) {
	if rest, ok := strings.CutPrefix(rule, "easter"); ok {
		n := 0
		if rest != "" {
			n, _ = strconv.Atoi(rest)
		}
		return day(moved(easter(y, z), 0, n)), true
	}
	if g := nthWeekday.FindStringSubmatch(rule); g != nil {
		m, n, after := num(g[1]), num(g[3]), num(g[4])
		w := strings.Index("sunmontuewedthufrisat", g[2]) / 3
		from := date(y, time.Month(m), 1, z)
		if n == 5 { // the last one
			from = moved(date(y, time.Month(m+1), 1, z), 0, -7)
			n = 1
		}
		return day(moved(from, 0, (w-int(from.Weekday())+7)%7+(n-1)*7+after)), true
	}
	m, d, _ := strings.Cut(rule, "-")
	month, _ := strconv.Atoi(m)
	n, _ := strconv.Atoi(d)
	return day(date(y, time.Month(month), n, z)), real(y, month, n)
}

// easter is Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher.
func easter(y int, z *time.Location) time.Time {
	a, b, c := y%19, y/100, y%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return date(y, time.Month(n/31), n%31+1, z)
}

package when

import (
	"strconv"
	"strings"
	"time"
)

// feastDay finds a holiday in a year by its rule: "12-25", "easter-2", or "nov-thu-4+1": the day after the fourth Thursday of November.
func feastDay(rule string, y int, z *time.Location) (span, bool) {
	if rest, ok := strings.CutPrefix(rule, "easter"); ok {
		n := 0
		if rest != "" {
			n, _ = strconv.Atoi(rest)
		}
		return day(moved(easter(y, z), 0, n)), true
	}
	if rest, ok := strings.CutPrefix(rule, "nov-thu-4"); ok {
		n, _ := strconv.Atoi(strings.TrimPrefix(rest, "+"))
		first := date(y, time.November, 1, z)
		return day(first.AddDate(0, 0, (11-int(first.Weekday()))%7+21+n)), true
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

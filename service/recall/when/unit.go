package when

import (
	"fmt"
	"slices"
	"time"
)

// unit is a measure of the calendar or the clock, from fine to coarse.
type unit int

const (
	uMinute unit = iota + 1
	uHour
	uDay
	uWeekend
	uWeek
	uFortnight
	uMonth
	uQuarter
	uSeason
	uHalf
	uYear
	uDecade
	uCentury
)

var unitNames = []string{"", "minute", "hour", "day", "weekend", "week", "fortnight", "month", "quarter", "season", "half", "year", "decade", "century"}

func unitOf(name string) (unit, error) {
	if i := slices.Index(unitNames, name); i > 0 {
		return unit(i), nil
	}
	return 0, fmt.Errorf("there is no unit %q", name)
}

// span is a window of time, its end exclusive.
type span struct{ from, to time.Time }

func (s span) has(t time.Time) bool { return !t.Before(s.from) && t.Before(s.to) }

// days is about how many days a span has.
func (s span) days() int { return int(s.to.Sub(s.from).Hours()+12) / 24 }

// date is the first moment of a day: midnight, or what follows it where clocks jump over midnight.
func date(y int, m time.Month, d int, zone *time.Location) time.Time {
	t, noon := time.Date(y, m, d, 0, 0, 0, 0, zone), time.Date(y, m, d, 12, 0, 0, 0, zone)
	for n := 0; t.YearDay() != noon.YearDay() && n < 12; n++ {
		t = t.Add(15 * time.Minute)
	}
	return t
}

// moved is a time some months and days later, at the same time of day. A month that has no such day has its last one.
func moved(t time.Time, months, days int) time.Time {
	y, m, d := t.Date()
	u := time.Date(y, m+time.Month(months), d, 12, 0, 0, 0, time.UTC)
	if u.Day() != d {
		u = u.AddDate(0, 0, -u.Day())
	}
	u = u.AddDate(0, 0, days)
	if t.Equal(date(y, m, d, t.Location())) {
		return date(u.Year(), u.Month(), u.Day(), t.Location())
	}
	return time.Date(u.Year(), u.Month(), u.Day(), t.Hour(), t.Minute(), t.Second(), 0, t.Location())
}

// real reports whether there is such a day.
func real(y, m, d int) bool {
	t := time.Date(y, time.Month(m), d, 12, 0, 0, 0, time.UTC)
	return t.Year() == y && int(t.Month()) == m && t.Day() == d
}

func day(t time.Time) span {
	from := date(t.Year(), t.Month(), t.Day(), t.Location())
	return span{from, moved(from, 0, 1)}
}

// around is the unit in which a time lies. Weeks begin on Monday; a weekend is that of the week.
func (u unit) around(t time.Time) span {
	y, m, d := t.Date()
	z := t.Location()
	switch u {
	case uMinute:
		from := time.Date(y, m, d, t.Hour(), t.Minute(), 0, 0, z)
		return span{from, from.Add(time.Minute)}
	case uHour:
		from := time.Date(y, m, d, t.Hour(), 0, 0, 0, z)
		return span{from, from.Add(time.Hour)}
	case uDay:
		return day(t)
	case uWeek, uWeekend, uFortnight:
		from := date(y, m, d-(int(t.Weekday())+6)%7, z)
		if u == uWeekend {
			from = moved(from, 0, 5)
		}
		return span{from, u.plus(from, 1)}
	case uMonth:
		return between(y, int(m), u, z)
	case uQuarter:
		return between(y, (int(m)-1)/3*3+1, u, z)
	case uHalf:
		return between(y, (int(m)-1)/6*6+1, u, z)
	case uSeason:
		return seasonAround(t)
	case uDecade:
		return between(y/10*10, 1, u, z)
	case uCentury:
		return between(y/100*100, 1, u, z)
	}
	return between(y, 1, uYear, z)
}

func between(y, m int, u unit, z *time.Location) span {
	from := date(y, time.Month(m), 1, z)
	return span{from, u.plus(from, 1)}
}

// plus moves a time by n units.
func (u unit) plus(t time.Time, n int) time.Time {
	switch u {
	case uMinute:
		return t.Add(time.Duration(n) * time.Minute)
	case uHour:
		return t.Add(time.Duration(n) * time.Hour)
	case uDay:
		return moved(t, 0, n)
	case uWeekend:
		return moved(t, 0, 2*n)
	case uWeek:
		return moved(t, 0, 7*n)
	case uFortnight:
		return moved(t, 0, 14*n)
	}
	months := n * map[unit]int{uMonth: 1, uQuarter: 3, uSeason: 3, uHalf: 6, uYear: 12, uDecade: 120, uCentury: 1200}[u]
	return moved(t, months, 0)
}

// shift is the unit that lies n units from the one around t.
func (u unit) shift(t time.Time, n int) span {
	if u == uWeekend {
		t, u = uWeek.plus(t, n), uWeekend
		return u.around(t)
	}
	if u == uSeason {
		return seasonAround(uMonth.plus(seasonAround(t).from, 3*n).AddDate(0, 0, 7))
	}
	from := u.plus(u.around(t).from, n)
	return span{from, u.plus(from, 1)}
}

// season is a season by its number from spring on, in the year in which it begins: those of the northern half of the world, from the
// equinoxes and solstices on.
func season(y, n int, z *time.Location) span {
	begin := func(n int) time.Time {
		return date(y+n/4, []time.Month{time.March, time.June, time.September, time.December}[n%4], 21, z)
	}
	return span{begin(n), begin(n + 1)}
}

func seasonAround(t time.Time) span {
	for n := 3; n >= 0; n-- {
		if s := season(t.Year(), n, t.Location()); s.has(t) {
			return s
		}
	}
	return season(t.Year()-1, 3, t.Location())
}

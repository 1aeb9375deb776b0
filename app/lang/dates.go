package lang

import (
	"strconv"
	"time"
)

// The names of months, short and long, and of days.
var (
	shortMonths = []Word{Mark("Jan"), Mark("Feb"), Mark("Mar"), Mark("Apr"), Mark("May"), Mark("Jun"), Mark("Jul"), Mark("Aug"), Mark("Sep"), Mark("Oct"), Mark("Nov"), Mark("Dec")}
	longMonths  = []Word{Mark("January"), Mark("February"), Mark("March"), Mark("April"), Mark("May (month)"), Mark("June"), Mark("July"), Mark("August"),
		Mark("September"), Mark("October"), Mark("November"), Mark("December")}
	days      = []Word{Mark("Sunday"), Mark("Monday"), Mark("Tuesday"), Mark("Wednesday"), Mark("Thursday"), Mark("Friday"), Mark("Saturday")}
	shortDays = []Word{Mark("Sun"), Mark("Mon"), Mark("Tue"), Mark("Wed"), Mark("Thu"), Mark("Fri"), Mark("Sat")}
)

// Clock is a time of day: 14:32.
func Clock(t time.Time) string { return t.Format("15:04") }

// Weekday is the name of a time's day.
func Weekday(t time.Time) string { return days[t.Weekday()].Text() }

// ShortDay is a short name of a day.
func ShortDay(d time.Weekday) string { return shortDays[d].Text() }

// ShortMonth is a short name of a time's month.
func ShortMonth(t time.Time) string { return shortMonths[t.Month()-1].Text() }

// Date is a day of a year that is known: 2 Jan.
func Date(t time.Time) string {
	return Say("{day} {month}", strconv.Itoa(t.Day()), ShortMonth(t))
}

// DateYear is a day with its year: 2 Jan 2006.
func DateYear(t time.Time) string {
	return Say("{day} {month} {year}", strconv.Itoa(t.Day()), ShortMonth(t), strconv.Itoa(t.Year()))
}

// LongDate is a day of a year that is known, in full: 2 January.
func LongDate(t time.Time) string {
	return Say("{day} {longmonth}", strconv.Itoa(t.Day()), longMonths[t.Month()-1].Text())
}

// LongDateYear is a day with its year, in full: 2 January 2006.
func LongDateYear(t time.Time) string {
	return Say("{day} {longmonth} {year}", strconv.Itoa(t.Day()), longMonths[t.Month()-1].Text(), strconv.Itoa(t.Year()))
}

// Long stretches of time.
const (
	day   = 24 * time.Hour
	week  = 7 * day
	month = 30 * day
	year  = 365 * day
)

// Ago is how far a time lies before now, or after it: "3 minutes ago". Less than a minute is "just now".
func Ago(t, now time.Time) string {
	d := now.Sub(t)
	if d > -time.Minute && d < time.Minute {
		return Say("just now")
	}
	if d < 0 {
		return fromNow(-d)
	}
	switch {
	case d < time.Hour:
		return Count(int64(d/time.Minute), "{n} minutes ago")
	case d < day:
		return Count(int64(d/time.Hour), "{n} hours ago")
	case d < week:
		return Count(int64(d/day), "{n} days ago")
	case d < month:
		return Count(int64(d/week), "{n} weeks ago")
	case d < year:
		return Count(int64(d/month), "{n} months ago")
	}
	return Count(int64(d/year), "{n} years ago")
}

func fromNow(d time.Duration) string {
	switch {
	case d < time.Hour:
		return Count(int64(d/time.Minute), "{n} minutes from now")
	case d < day:
		return Count(int64(d/time.Hour), "{n} hours from now")
	case d < week:
		return Count(int64(d/day), "{n} days from now")
	case d < month:
		return Count(int64(d/week), "{n} weeks from now")
	case d < year:
		return Count(int64(d/month), "{n} months from now")
	}
	return Count(int64(d/year), "{n} years from now")
}

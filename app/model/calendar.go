package model

import (
	"context"
	"math"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// Calendar is the activity of a year, week by week, each from Monday to Sunday.
type Calendar struct {
	Days   []CalendarDay // seven a week, the earliest first; none where it cannot be had or nothing ever happened
	Months []MonthLabel
	// Summary says how much there was in all.
	Summary string
}

// CalendarDay is one day of the calendar.
type CalendarDay struct {
	Date time.Time
	Text string // the day and what there is of it
	// Sessions and Memories are how much, from 0 for nothing to 4 for the most of the year; -1 for a day that has not come.
	Sessions, Memories int
}

// MonthLabel is the name of a month above the week in which it begins.
type MonthLabel struct {
	Week int
	Name string
}

// CalendarWeeks is how many weeks the calendar shows.
const CalendarWeeks = 53

// CalendarRows are the names of the days of a week, where there is room for them.
func CalendarRows() []string {
	return []string{lang.ShortDay(time.Monday), "", lang.ShortDay(time.Wednesday), "", lang.ShortDay(time.Friday), "", ""}
}

// CalendarKinds are what the calendar may show.
func CalendarKinds() []string { return []string{lang.Say("Sessions"), lang.Say("Memories")} }

// calendar asks for the activity of the year that ends today.
func (p *Presenter) calendar(ctx context.Context, w style) Calendar {
	today := midnight(w.now)
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	first := monday.AddDate(0, 0, -7*(CalendarWeeks-1))
	list, err := p.o.Backend().Days(ctx, first.Unix(), today.AddDate(0, 0, 1).Unix())
	if err != nil || len(list) == 0 {
		return Calendar{}
	}
	days := map[string]api.Day{}
	var most, all api.Day
	for _, d := range list {
		days[d.Day] = d
		most.Sessions, most.Memories = max(most.Sessions, d.Sessions), max(most.Memories, d.Memories)
		all.Sessions, all.Memories = all.Sessions+d.Sessions, all.Memories+d.Memories
	}
	c := Calendar{Summary: lang.Say("{sessions} and {memories} in a year", lang.Count(all.Sessions, "{n} sessions"), lang.Count(all.Memories, "{n} memories"))}
	month := time.Month(0)
	for i := range CalendarWeeks * 7 {
		date := first.AddDate(0, 0, i)
		if date.Month() != month && i%7 == 0 {
			if month != 0 || date.Day() < 20 { // a month of which only the end is shown has no room for its name
				c.Months = append(c.Months, MonthLabel{i / 7, lang.ShortMonth(date)})
			}
			month = date.Month()
		}
		day := CalendarDay{Date: date, Sessions: -1, Memories: -1}
		if !date.After(today) {
			d := days[date.Format(time.DateOnly)]
			at := date.Unix()
			day.Text = labelled(w.dayTitle(&at), dayWords(d))
			day.Sessions, day.Memories = level(d.Sessions, most.Sessions), level(d.Memories, most.Memories)
		}
		c.Days = append(c.Days, day)
	}
	return c
}

func dayWords(d api.Day) string {
	if d.Sessions+d.Memories == 0 {
		return lang.Say("nothing")
	}
	return list([]string{lang.Count(d.Sessions, "{n} sessions"), lang.Count(d.Memories, "{n} memories")})
}

// level is how much a number is of the most there is, from 0 to 4. The root keeps one busy day from hiding all others.
func level(n, most int) int {
	if n <= 0 || most <= 0 {
		return 0
	}
	return min(4, int(math.Ceil(4*math.Sqrt(float64(n)/float64(most)))))
}

package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// accepted says what parseTime takes.
const accepted = "a month (2026-05), a day (2026-05-01, today, yesterday), a time (2026-05-01T14:00:00+02:00) or how long ago (12h, 7d, 2w, 3mo)"

// parseTime reads a point in time as Unix seconds. A month or a day is its first second or, as an end, the first second
// after it; both in the zone of now.
func parseTime(s string, now time.Time, end bool) (int64, error) {
	s = strings.TrimSpace(s)
	if t, ok := parseAgo(s, now); ok {
		return t.Unix(), nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return check(s, t)
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return check(s, t)
		}
	}
	t, years, months, days := parseSpan(s, now)
	if t.IsZero() {
		return 0, fmt.Errorf("%q is not a time; use %s", s, accepted)
	}
	if end {
		t = t.AddDate(years, months, days)
	}
	return check(s, t)
}

// check refuses times that the timeline cannot hold.
func check(s string, t time.Time) (int64, error) {
	if t.Unix() <= 0 {
		return 0, fmt.Errorf("%q lies before 1970", s)
	}
	return t.Unix(), nil
}

// parseSpan reads a year, a month or a day: its first moment and how long it is. The zero time says that it is none.
func parseSpan(s string, now time.Time) (from time.Time, years, months, days int) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch strings.ToLower(s) {
	case "today":
		return today, 0, 0, 1
	case "yesterday":
		return today.AddDate(0, 0, -1), 0, 0, 1
	}
	if t, err := time.ParseInLocation(time.DateOnly, s, now.Location()); err == nil {
		return t, 0, 0, 1
	}
	if t, err := time.ParseInLocation("2006-01", s, now.Location()); err == nil {
		return t, 0, 1, 0
	}
	if t, err := time.ParseInLocation("2006", s, now.Location()); err == nil {
		return t, 1, 0, 0
	}
	return time.Time{}, 0, 0, 0
}

var agoForm = regexp.MustCompile(`^(\d{1,5})(m|min|h|d|w|mo|y)$`)

// parseAgo reads how long before now. Days and longer are counted by the calendar.
func parseAgo(s string, now time.Time) (time.Time, bool) {
	m := agoForm.FindStringSubmatch(strings.ToLower(s))
	if m == nil {
		return time.Time{}, false
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return time.Time{}, false
	}
	var t time.Time
	switch m[2] {
	case "m", "min":
		t = now.Add(-time.Duration(n) * time.Minute)
	case "h":
		t = now.Add(-time.Duration(n) * time.Hour)
	case "d":
		t = now.AddDate(0, 0, -n)
	case "w":
		t = now.AddDate(0, 0, -7*n)
	case "mo":
		t = now.AddDate(0, -n, 0)
	default:
		t = now.AddDate(-n, 0, 0)
	}
	if t.Unix() <= 0 { // before all records is as good as the beginning
		t = time.Unix(1, 0)
	}
	return t, true
}

package distill

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// window is the time in which something holds, in Unix seconds: from inclusive, until exclusive; nil where nobody named one.
type window struct{ from, until *int64 }

const (
	weekdayNames = `monday|tuesday|wednesday|thursday|friday|saturday|sunday`
	monthNames   = `january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec`
	// dayWords are a day or a span as people name it.
	dayWords = `(today|tonight|tomorrow|(?:the )?(?:end|close) of (?:the |this |next )?(?:day|week|month|quarter|year)|(?:this |next |coming )?(?:` + weekdayNames + `)` +
		`|(?:this|next) (?:week|month|quarter|year)|the weekend|\d{4}-\d{2}-\d{2}` +
		`|(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:` + monthNames + `)(?:,? \d{4})?|(?:` + monthNames + `) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)`
)

var (
	untilRE  = regexp.MustCompile(`\b(?:until|till|til|up to|before)(?: at least)? (?:the )?` + dayWords + `\b`)
	thruRE   = regexp.MustCompile(`\b(?:through|thru|up to and including|by|ending) ` + dayWords + `\b`)
	sinceRE  = regexp.MustCompile(`\b(?:from|starting(?: from| on| with)?|beginning|as of|effective(?: from)?|after) ` + dayWords + `(?: on(?:wards?)?)?\b`)
	forRE    = regexp.MustCompile(`\bfor (?:the )?(?:next |coming )?(\d{1,3}|a|an|one|two|three|four|five|six|couple of) (hour|day|week|month|year)s?\b`)
	duringRE = regexp.MustCompile(`\b(?:for |only |just |during |the rest of )+(?:the )?(today|tonight|this (?:week|month|quarter|year)|(?:day|week|month)\b)|\b(today|tonight|this (?:week|month|quarter|year)) only\b`)
	nowRE    = regexp.MustCompile(`\b(?:from now on|going forward|from here on|as of (?:now|today)|starting (?:now|today))\b`)
)

// windowOf reads the window that a sentence names, and the sentence without the words for it. at is when it was said, in Unix
// seconds; without it only whole dates are understood. Days are those of UTC, since a transcript does not say where it was written.
func windowOf(s string, at *int64) (window, string) {
	var w window
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return w, s // letters that change their length: places would not fit
	}
	before := "" // what stands before the words that are looked at
	take := func(re *regexp.Regexp, use func(m []string) bool) {
		k := re.FindStringSubmatchIndex(low)
		if k == nil {
			return
		}
		if before = low[:k[0]]; strings.Trim(before, " ,:;") == "" {
			before = low
		}
		if !use(re.FindStringSubmatch(low)) {
			return
		}
		s = cutOut(s, k[0], k[1])
		low = strings.ToLower(s)
	}
	take(nowRE, func([]string) bool { w.from = at; return at != nil })
	take(untilRE, func(m []string) bool {
		d, ok := spanOf(m[1], at)
		if !ok {
			return false
		}
		// "Until Friday" forbids up to Friday, and asks for something up to its end.
		if forbidRE.MatchString(before) || strings.Contains(m[0], "before") {
			w.until = d.from
		} else {
			w.until = d.until
		}
		return true
	})
	take(thruRE, func(m []string) bool { return w.ends(m[1], at) })
	take(sinceRE, func(m []string) bool {
		d, ok := spanOf(m[1], at)
		switch {
		case !ok:
			return false
		case strings.HasPrefix(m[0], "after"):
			w.from = d.until
		default:
			w.from = d.from
		}
		return true
	})
	take(forRE, func(m []string) bool {
		if at == nil {
			return false
		}
		w.until = unix(later(time.Unix(*at, 0).UTC(), countOf(m[1]), m[2]))
		return true
	})
	take(duringRE, func(m []string) bool {
		word := m[1] + m[2]
		if word == "day" || word == "week" || word == "month" {
			word = "this " + word
		}
		return w.ends(word, at)
	})
	return w, s
}

// ends closes the window with the end of a span that words name; false where they name none.
func (w *window) ends(words string, at *int64) bool {
	d, ok := spanOf(words, at)
	if ok {
		w.until = d.until
	}
	return ok
}

var forbidRE = regexp.MustCompile(`\b(?:not|never|no|hold off|avoid|wait|freeze|frozen|stop)\b|n't\b`)

// cutOut takes a place out of a sentence, with the commas and spaces that it leaves.
func cutOut(s string, from, to int) string {
	a, b := strings.TrimRight(s[:from], " ,;:-"), strings.TrimLeft(s[to:], " ,;:-")
	switch {
	case a == "":
		return capital(b)
	case b == "", strings.ContainsRune(".!?)", rune(b[0])):
		return a + b
	case strings.HasPrefix(strings.TrimLeft(s[to:], " "), ","):
		return a + ", " + b
	}
	return a + " " + b
}

// spanOf is the span that words for a day, a week or a month mean, seen from a time.
func spanOf(words string, at *int64) (w window, ok bool) {
	words = strings.TrimPrefix(words, "the ")
	if t, err := time.Parse(time.DateOnly, words); err == nil {
		return dayAt(t), true
	}
	if at == nil {
		return window{}, false
	}
	now := time.Unix(*at, 0).UTC()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	switch words {
	case "today", "tonight", "this day":
		return dayAt(today), true
	case "tomorrow":
		return dayAt(today.AddDate(0, 0, 1)), true
	case "weekend":
		return window{unix(nextDay(today, time.Saturday)), unix(nextDay(today, time.Saturday).AddDate(0, 0, 2))}, true
	}
	if rest, cut := strings.CutPrefix(words, "end of "); cut {
		return endOf(rest, today)
	}
	if rest, cut := strings.CutPrefix(words, "close of "); cut {
		return endOf(rest, today)
	}
	if d, ok := weekday(words, today); ok {
		return dayAt(d), true
	}
	if which, unit, found := strings.Cut(words, " "); found && (which == "this" || which == "next") {
		if begin, end, ok := unitAround(unit, today); ok {
			if which == "next" {
				begin, end, _ = unitAround(unit, end)
			}
			return window{unix(begin), unix(end)}, true
		}
	}
	return monthDay(words, today)
}

// endOf is the last day of "the week", "this month", "next quarter".
func endOf(words string, today time.Time) (window, bool) {
	next := strings.HasPrefix(words, "next ")
	for _, p := range []string{"the ", "this ", "next "} {
		words = strings.TrimPrefix(words, p)
	}
	_, end, ok := unitAround(words, today)
	if ok && next {
		_, end, _ = unitAround(words, end)
	}
	return dayAt(end.AddDate(0, 0, -1)), ok
}

// unitAround is the day, week (from Monday), month, quarter or year that holds a day.
func unitAround(unit string, day time.Time) (begin, end time.Time, ok bool) {
	first := time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch unit {
	case "day":
		return day, day.AddDate(0, 0, 1), true
	case "week":
		begin = day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
		return begin, begin.AddDate(0, 0, 7), true
	case "month":
		return first, first.AddDate(0, 1, 0), true
	case "quarter":
		begin = first.AddDate(0, -(int(day.Month())-1)%3, 0)
		return begin, begin.AddDate(0, 3, 0), true
	case "year":
		begin = time.Date(day.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
		return begin, begin.AddDate(1, 0, 0), true
	}
	return day, day, false
}

// weekday is the day that "Friday" or "next Friday" means: the first one behind today, of "next" in the week after this one.
func weekday(words string, today time.Time) (time.Time, bool) {
	next := strings.HasPrefix(words, "next ")
	for _, p := range []string{"this ", "next ", "coming "} {
		words = strings.TrimPrefix(words, p)
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(d.String(), words) {
			day := nextDay(today, d)
			if _, end, _ := unitAround("week", today); next && day.Before(end) {
				day = day.AddDate(0, 0, 7)
			}
			return day, true
		}
	}
	return today, false
}

// nextDay is the first such day of the week behind a day.
func nextDay(after time.Time, want time.Weekday) time.Time {
	n := (int(want) - int(after.Weekday()) + 7) % 7
	if n == 0 {
		n = 7
	}
	return after.AddDate(0, 0, n)
}

var monthDayRE = regexp.MustCompile(`^(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)|([a-z]+) (\d{1,2})(?:st|nd|rd|th)?)(?:,? (\d{4}))?$`)

// monthDay is "June 30" or "30 June 2026"; without a year, the next one that is not over.
func monthDay(words string, today time.Time) (window, bool) {
	m := monthDayRE.FindStringSubmatch(words)
	if m == nil {
		return window{}, false
	}
	day, _ := strconv.Atoi(m[1] + m[4])
	name := m[2] + m[3]
	for month := time.January; month <= time.December; month++ {
		if len(name) < 3 || !strings.HasPrefix(strings.ToLower(month.String()), name[:min(3, len(name))]) {
			continue
		}
		year := today.Year()
		if m[5] != "" {
			year, _ = strconv.Atoi(m[5])
		}
		t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		if m[5] == "" && t.Before(today) {
			t = t.AddDate(1, 0, 0)
		}
		if t.Day() == day {
			return dayAt(t), true
		}
	}
	return window{}, false
}

var counts = map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6}

func countOf(s string) int {
	if n, ok := counts[s]; ok {
		return n
	}
	n, _ := strconv.Atoi(s)
	return n
}

func later(t time.Time, n int, unit string) time.Time {
	switch unit {
	case "hour":
		return t.Add(time.Duration(n) * time.Hour)
	case "week":
		return t.AddDate(0, 0, 7*n)
	case "month":
		return t.AddDate(0, n, 0)
	case "year":
		return t.AddDate(n, 0, 0)
	}
	return t.AddDate(0, 0, n)
}

func dayAt(t time.Time) window { return window{unix(t), unix(t.AddDate(0, 0, 1))} }

func unix(t time.Time) *int64 {
	n := t.Unix()
	return &n
}

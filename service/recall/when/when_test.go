package when

import (
	"strings"
	"testing"
	"time"
)

// now is a Wednesday.
func now(t testing.TB, zone string) time.Time {
	t.Helper()
	z, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2026, 11, 25, 15, 30, 0, 0, z)
}

// shown is a window as its first and its last day, or with the time of day where it is no midnight.
func shown(w Window, z *time.Location) string {
	at := func(n int64) string {
		if n == 0 {
			return "..."
		}
		t := time.Unix(n, 0).In(z)
		if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
			return t.Format("2006-01-02")
		}
		return t.Format("2006-01-02 15:04")
	}
	return at(w.Since) + " " + at(w.Until)
}

func TestFindReadsWhatPeopleSay(t *testing.T) {
	for _, c := range []struct{ question, text, want string }{
		// days
		{"what did we do yesterday?", "yesterday", "2026-11-24 2026-11-25"},
		{"Today", "Today", "2026-11-25 2026-11-26"},
		{"the day before yesterday", "the day before yesterday", "2026-11-23 2026-11-24"},
		{"what broke last Tuesday", "last Tuesday", "2026-11-24 2026-11-25"},
		{"on wednesday we argued", "wednesday", "2026-11-25 2026-11-26"},
		{"last wednesday", "last wednesday", "2026-11-18 2026-11-19"},
		{"two Fridays ago", "two Fridays ago", "2026-11-13 2026-11-14"},
		{"two weeks ago", "two weeks ago", "2026-11-11 2026-11-12"},
		{"a year ago", "a year ago", "2025-11-25 2025-11-26"},
		{"on 2026-05-03", "2026-05-03", "2026-05-03 2026-05-04"},
		{"May 3rd", "May 3rd", "2026-05-03 2026-05-04"},
		{"december 24", "december 24", "2025-12-24 2025-12-25"},
		{"the 26th", "the 26th", "2026-10-26 2026-10-27"},
		{"3 May 2025", "3 May 2025", "2025-05-03 2025-05-04"},
		{"easter 2026", "easter 2026", "2026-04-05 2026-04-06"},
		{"on black friday last year", "black friday last year", "2025-11-28 2025-11-29"},
		// weeks, months, quarters, years
		{"what did we decide about the cache last week", "last week", "2026-11-16 2026-11-23"},
		{"this week", "this week", "2026-11-23 2026-11-30"},
		{"the week before last", "week before last", "2026-11-09 2026-11-16"},
		{"week 3 of 2026", "week 3 of 2026", "2026-01-12 2026-01-19"},
		{"the week of May 6th", "the week of May 6th", "2026-05-04 2026-05-11"},
		{"over the weekend", "over the weekend", "2026-11-21 2026-11-23"},
		{"in March", "March", "2026-03-01 2026-04-01"},
		{"in December", "December", "2025-12-01 2026-01-01"},
		{"last month", "last month", "2026-10-01 2026-11-01"},
		{"in May of last year", "May of last year", "2025-05-01 2025-06-01"},
		{"last quarter", "last quarter", "2026-07-01 2026-10-01"},
		{"Q1 2026", "Q1 2026", "2026-01-01 2026-04-01"},
		{"2026-Q2", "2026-Q2", "2026-04-01 2026-07-01"},
		{"the second half of 2025", "second half of 2025", "2025-07-01 2026-01-01"},
		{"in 2024", "2024", "2024-01-01 2025-01-01"},
		{"the first week of 2021", "the first week of 2021", "2021-01-04 2021-01-11"},
		{"the last day of October", "last day of October", "2026-10-31 2026-11-01"},
		{"the first tuesday of last month", "the first tuesday of last month", "2026-10-06 2026-10-07"},
		{"the last four months of 2025", "last four months of 2025", "2025-09-01 2026-01-01"},
		{"the last 3 days", "last 3 days", "2026-11-22 2026-11-25"},
		{"the 1990s", "1990s", "1990-01-01 2000-01-01"},
		{"2 months and 3 days ago", "2 months and 3 days ago", "2026-09-22 2026-09-23"},
		{"the Friday before last", "the Friday before last", "2026-11-13 2026-11-14"},
		{"in the month of May", "the month of May", "2026-05-01 2026-06-01"},
		{"log of 20260503", "20260503", "2026-05-03 2026-05-04"},
		{"on labor day", "labor day", "2026-09-07 2026-09-08"},
		{"memorial day 2025", "memorial day 2025", "2025-05-26 2025-05-27"},
		{"the default branch as of yesterday", "yesterday", "2026-11-24 2026-11-25"},
		{"late last year", "late last year", "2025-09-01 2026-01-01"},
		{"in mid-March", "mid-March", "2026-03-11 2026-03-21"},
		{"the beginning of this month", "the beginning of this month", "2026-11-01 2026-11-11"},
		{"earlier this year", "earlier this year", "2026-01-01 2026-11-25 15:30"},
		// times of day
		{"this morning", "this morning", "2026-11-25 04:00 2026-11-25 12:00"},
		{"last night", "last night", "2026-11-24 18:00 2026-11-25 06:00"},
		{"yesterday at 5pm", "yesterday at 5pm", "2026-11-24 17:00 2026-11-24 18:00"},
		{"Monday morning", "Monday morning", "2026-11-23 04:00 2026-11-23 12:00"},
		{"in the last two hours", "last two hours", "2026-11-25 13:30 2026-11-25 15:30"},
		{"5 minutes ago", "5 minutes ago", "2026-11-25 15:25 2026-11-25 15:26"},
		// ranges: the last unit is in them
		{"between 3 and 5 May", "between 3 and 5 May", "2026-05-03 2026-05-06"},
		{"from May to July 2025", "from May to July 2025", "2025-05-01 2025-08-01"},
		{"from November to February 2026", "from November to February 2026", "2025-11-01 2026-03-01"},
		{"Nov 18 - Dec 19, 2015", "Nov 18 - Dec 19, 2015", "2015-11-18 2015-12-20"},
		{"2024-2025", "2024-2025", "2024-01-01 2026-01-01"},
		{"between Monday and yesterday", "between Monday and yesterday", "2026-11-23 2026-11-25"},
		{"from 2026-05-01 until 2026-05-03", "from 2026-05-01 until 2026-05-03", "2026-05-01 2026-05-04"},
		// open ends
		{"since 2026-05", "since 2026-05", "2026-05-01 ..."},
		{"what changed since yesterday", "since yesterday", "2026-11-24 ..."},
		{"before March", "before March", "... 2026-03-01"},
		{"after 3 May", "after 3 May", "2026-05-04 ..."},
		{"until last Friday", "until last Friday", "... 2026-11-21"},
		// distances from something else
		{"two weeks before Christmas 2025", "two weeks before Christmas 2025", "2025-12-11 2025-12-12"},
		{"3 days after 2026-03-30", "3 days after 2026-03-30", "2026-04-02 2026-04-03"},
		// other languages
		{"Was haben wir letzte Woche entschieden?", "letzte Woche", "2026-11-16 2026-11-23"},
		{"vor zwei Wochen", "vor zwei Wochen", "2026-11-11 2026-11-12"},
		{"zwischen dem 3. und dem 5. Mai", "zwischen dem 3. und dem 5. Mai", "2026-05-03 2026-05-06"},
		{"am zweiundzwanzigsten Oktober", "am zweiundzwanzigsten Oktober", "2026-10-22 2026-10-23"},
		{"vorgestern Abend", "vorgestern Abend", "2026-11-23 17:00 2026-11-24"},
		{"il y a deux semaines", "il y a deux semaines", "2026-11-11 2026-11-12"},
		{"le dernier jour d'octobre 2025", "dernier jour d'octobre 2025", "2025-10-31 2025-11-01"},
		{"la semana pasada", "semana pasada", "2026-11-16 2026-11-23"},
		{"el veintiocho de marzo de 2025", "veintiocho de marzo de 2025", "2025-03-28 2025-03-29"},
		{"vorige maand", "vorige maand", "2026-10-01 2026-11-01"},
		{"due settimane fa", "due settimane fa", "2026-11-11 2026-11-12"},
		{"na semana passada", "semana passada", "2026-11-16 2026-11-23"},
		{"上周的决定", "上周", "2026-11-16 2026-11-23"},
		{"上週二", "上週二", "2026-11-17 2026-11-18"},
		{"二零二五年五月三日", "二零二五年五月三日", "2025-05-03 2025-05-04"},
		{"５月から７月まで", "５月から７月まで", "2026-05-01 2026-08-01"},
		{"昨日の決定", "昨日", "2026-11-24 2026-11-25"},
		{"지난주 금요일", "지난주 금요일", "2026-11-20 2026-11-21"},
	} {
		at := now(t, "Europe/Berlin")
		f, ok := Find(c.question, at)
		if !ok {
			t.Errorf("%q: found nothing", c.question)
			continue
		}
		if got := shown(f.Window, at.Location()); f.Text != c.text || got != c.want {
			t.Errorf("%q: %q is %s, want %q is %s", c.question, f.Text, got, c.text, c.want)
		}
		if c.question[f.From:f.To] != f.Text {
			t.Errorf("%q: the place of %q is %q", c.question, f.Text, c.question[f.From:f.To])
		}
	}
}

func TestFindLeavesAloneWhatIsNoTime(t *testing.T) {
	for _, q := range []string{"", " ", "which tests may fail", "the march of the tests", "port 2019 is in use", "release v2026.05", "error 5.12", "foo.bar", "C++",
		"he sat down", "a second opinion", "step 3 and 4", "数据库", "\x00", "10", "what do we use for caching", "30 February", "the 31 April"} {
		if f, ok := Find(q, now(t, "UTC")); ok {
			t.Errorf("%q: took %q for a time: %+v", q, f.Text, f.Window)
		}
	}
}

func TestFindAsksForAnAnchor(t *testing.T) {
	at := now(t, "UTC")
	happened := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	from, to := happened.Unix(), happened.Add(time.Second).Unix()
	for _, c := range []struct{ question, anchor, want string }{
		{"what did we change before the release?", "release", "... 2026-06-10 12:00"},
		{"decisions since the move to SQLite", "move to sqlite", "2026-06-10 12:00 ..."},
		{"what happened during the outage", "outage", "2026-06-10 12:00 2026-06-10 12:00"},
		{"the week before the release", "release", "2026-06-03 12:00 2026-06-10 12:00"},
		{"3 days after the outage", "outage", "2026-06-13 2026-06-14"},
		{"nach dem Umzug", "umzug", "2026-06-10 12:00 ..."},
	} {
		f, ok := Find(c.question, at)
		if !ok || f.Anchor != c.anchor || f.Window != (Window{}) {
			t.Errorf("%q: %+v, want the anchor %q", c.question, f, c.anchor)
			continue
		}
		w, ok := f.Anchored(from, to)
		if got := shown(w, time.UTC); !ok || got != c.want {
			t.Errorf("%q: %s, want %s", c.question, got, c.want)
		}
	}
}

// A day has 23 or 25 hours where the clocks change, and begins when it begins in the person's zone.
func TestFindKeepsToTheZone(t *testing.T) {
	for _, c := range []struct {
		zone, question string
		hours          float64
		from           string
	}{
		{"Europe/Berlin", "2026-03-29", 23, "2026-03-28T23:00:00Z"},
		{"Europe/Berlin", "2026-10-25", 25, "2026-10-24T22:00:00Z"},
		{"America/New_York", "2026-11-01", 25, "2026-11-01T04:00:00Z"},
		{"Asia/Kolkata", "yesterday", 24, "2026-11-23T18:30:00Z"},
		{"Pacific/Kiritimati", "last week", 7 * 24, "2026-11-15T10:00:00Z"},
		{"Europe/Berlin", "the week of 2026-03-25", 7*24 - 1, "2026-03-22T23:00:00Z"},
		{"America/Santiago", "2026-09-06", 23, "2026-09-06T04:00:00Z"}, // has no midnight
	} {
		f, ok := Find(c.question, now(t, c.zone))
		from := time.Unix(f.Window.Since, 0).UTC().Format(time.RFC3339)
		hours := float64(f.Window.Until-f.Window.Since) / 3600
		if !ok || from != c.from || hours != c.hours {
			t.Errorf("%q in %s: from %s, %v hours, want %s, %v", c.question, c.zone, from, hours, c.from, c.hours)
		}
	}
}

func TestFindLooksAtTheBeginningOfAHugeText(t *testing.T) {
	at := now(t, "UTC")
	if f, ok := Find("yesterday "+strings.Repeat("word ", 20000), at); !ok || f.Text != "yesterday" {
		t.Errorf("found %+v", f)
	}
	for _, q := range []string{strings.Repeat("may ", 25000), strings.Repeat("1", 100<<10), strings.Repeat("from 3 to ", 10000), strings.Repeat("上", 30000), strings.Repeat("twenty ", 15000),
		strings.Repeat("2 days before ", 8000)} {
		if f, ok := Find(q, at); ok && f.Anchor == "" && f.Window.Since != 0 && f.Window.Until != 0 && f.Window.Since >= f.Window.Until {
			t.Errorf("%.20q: %+v", q, f)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"last week", "between 3 and 5 May", "before the release", "vor 2 Wochen", "上周二", "10/1-11/2/2017", "the last 99999 years", "3 days after 9999-12-31",
		"\xff\xfe may", "２０２６年５月", "지난 주", "ß İ ŉ ﬁ", "the 5th last day of May", "from now to yesterday", "0000-01-01", "week 53 of 2025"} {
		f.Add(s)
	}
	at := time.Date(2026, 3, 29, 2, 30, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, q string) {
		found, ok := Find(q, at)
		if !ok {
			return
		}
		if found.From < 0 || found.To > len(q) || found.From >= found.To {
			t.Fatalf("%q: bytes %d to %d", q, found.From, found.To)
		}
		w := found.Window
		if found.Anchor != "" {
			if w, ok = found.Anchored(at.Unix()-100, at.Unix()); !ok {
				return
			}
		}
		if w == (Window{}) || w.Since != 0 && w.Until != 0 && w.Since >= w.Until {
			t.Fatalf("%q: %q is %+v", q, found.Text, w)
		}
	})
}

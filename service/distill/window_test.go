package distill

import (
	"testing"
	"time"
)

func TestTheWindowOfASentence(t *testing.T) {
	said := time.Date(2026, 5, 27, 15, 4, 5, 0, time.UTC) // a Wednesday
	at := said.Unix()
	for _, c := range []struct{ in, from, until, left string }{
		{"Use the staging key until Friday", "", "2026-05-30", "Use the staging key"},
		{"Don't deploy until Friday.", "", "2026-05-29", "Don't deploy."},
		{"For this week, keep the flag on", "", "2026-06-01", "Keep the flag on"},
		{"Keep the flag on for the next 3 days", "", "2026-05-30T15:04:05", "Keep the flag on"},
		{"use the mock server for two weeks please", "", "2026-06-10T15:04:05", "use the mock server please"},
		{"From now on use pnpm", "2026-05-27T15:04:05", "", "Use pnpm"},
		{"Starting next Monday we use trunk-based development", "2026-06-01", "", "We use trunk-based development"},
		{"from 2026-07-01 on, use Go 1.26", "2026-07-01", "", "Use Go 1.26"},
		{"No merges to main through June 3rd", "", "2026-06-04", "No merges to main"},
		{"no merges before the end of the month", "", "2026-05-31", "no merges"},
		{"The freeze holds until January 2", "", "2027-01-02", "The freeze holds"},
		{"only today: skip the linter", "", "2026-05-28", "Skip the linter"},
		{"Never use until blocks in ruby", "", "", "Never use until blocks in ruby"},
		{"Wait until the tests pass", "", "", "Wait until the tests pass"},
		{"Use the key until June 31", "", "", "Use the key until June 31"},
		{"İstanbul until Friday", "", "", "İstanbul until Friday"},
	} {
		w, left := windowOf(c.in, &at)
		if got := stamp(w.from); got != c.from {
			t.Errorf("%q holds from %q, want %q", c.in, got, c.from)
		}
		if got := stamp(w.until); got != c.until {
			t.Errorf("%q holds until %q, want %q", c.in, got, c.until)
		}
		if left != c.left {
			t.Errorf("%q leaves %q, want %q", c.in, left, c.left)
		}
	}
	if w, _ := windowOf("until Friday", nil); w.until != nil {
		t.Error("a day of the week was understood without a date")
	}
	if w, _ := windowOf("until 2026-06-01", nil); w.until == nil {
		t.Error("a whole date was not understood without a date")
	}
}

// stamp is a time in short: the day alone at midnight.
func stamp(at *int64) string {
	if at == nil {
		return ""
	}
	t := time.Unix(*at, 0).UTC()
	if t.Hour()+t.Minute()+t.Second() == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05")
}

func FuzzWindow(f *testing.F) {
	f.Add("until Friday, for 3 days from 2026-01-01 on")
	f.Add("end of next quarter \xff through the 31st of february")
	f.Fuzz(func(t *testing.T, s string) {
		at := int64(1_780_000_000)
		windowOf(s, &at)
		windowOf(s, nil)
	})
}

package lang

import (
	"testing"
	"time"
)

// in has a test speak a language, and English again after it.
func in(t *testing.T, id string) {
	t.Helper()
	if got := Use(id); got != id {
		t.Fatalf("it speaks %s instead of %s", got, id)
	}
	t.Cleanup(func() { Use("en") })
}

func TestTheFirstLanguageThatThereIsIsSpoken(t *testing.T) {
	defer Use("en")
	for _, c := range []struct {
		wanted []string
		want   string
	}{{nil, "en"}, {[]string{"de-AT"}, "de"}, {[]string{"zh_CN.UTF-8"}, "zh"}, {[]string{"zh-Hans"}, "zh"}, {[]string{"fr", "de"}, "de"}, {[]string{"fr"}, "en"},
		{[]string{"", "C", "no tag at all", "de_DE@euro"}, "en"}, {[]string{"en-GB", "de"}, "en"}} {
		if got := Use(c.wanted...); got != c.want || !Is(c.want) {
			t.Errorf("%q: %s, want %s", c.wanted, got, c.want)
		}
	}
}

func TestASetLanguageCountsBeforeTheSystems(t *testing.T) {
	defer Use("en")
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_MESSAGES", "")
	t.Setenv("LANGUAGE", "")
	t.Setenv("LANG", "de_DE.UTF-8")
	if got := Choose("zh"); got != "zh" {
		t.Errorf("set to Chinese it speaks %s", got)
	}
	if got := Choose(""); got != "de" && onUnix {
		t.Errorf("on a German system it speaks %s", got)
	}
	t.Setenv("LANG", "C")
	if got := Choose(""); got != "en" && onUnix {
		t.Errorf("without a language it speaks %s", got)
	}
}

func TestNumbersAndTimesAreWrittenAsTheLanguageDoes(t *testing.T) {
	at := time.Date(2026, time.May, 3, 14, 32, 0, 0, time.UTC)
	for id, want := range map[string][]string{
		"en": {"1,204", "3.1 MB", "0.25", "12 %", "$1,234.50", "under $0.01", "$0", "3 May", "3 May 2026", "3 May", "Sunday", "Sun", "May", "1 minute ago", "2 hours from now", "1 session", "1,204 sessions"},
		"de": {"1.204", "3,1 MB", "0,25", "12 %", "1.234,50 $", "unter 0,01 $", "0 $", "3. Mai", "3. Mai 2026", "3. Mai", "Sonntag", "So", "Mai", "vor 1 Minute", "in 2 Stunden", "1 Sitzung", "1.204 Sitzungen"},
		"zh": {"1,204", "3.1 MB", "0.25", "12%", "1,234.50 美元", "不到 0.01 美元", "0 美元", "5月3日", "2026年5月3日", "5月3日", "星期日", "周日", "5月", "1 分钟前", "2 小时后", "1 个会话", "1,204 个会话"},
	} {
		in(t, id)
		got := []string{Number(1204), Size(3_100_000), Decimal(0.25, 2), Percent(12), Money(1_234_500_000), Money(9_999), Money(0), Date(at), DateYear(at), LongDate(at), Weekday(at),
			ShortDay(at.Weekday()), ShortMonth(at), Ago(at, at.Add(time.Minute)), Ago(at, at.Add(-2*time.Hour)), Count(1, "{n} sessions"), Count(1204, "{n} sessions")}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s, %d: %q, want %q", id, i, got[i], want[i])
			}
		}
	}
}

func TestHowLongAgoGrowsWithTheTime(t *testing.T) {
	now := time.Date(2026, time.May, 3, 14, 32, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{59 * time.Second: "just now", -59 * time.Second: "just now", 61 * time.Second: "1 minute ago", 59 * time.Minute: "59 minutes ago",
		25 * time.Hour: "1 day ago", 8 * day: "1 week ago", 40 * day: "1 month ago", 800 * day: "2 years ago", -3 * time.Minute: "3 minutes from now", -3 * day: "3 days from now",
		-15 * day: "2 weeks from now", -61 * day: "2 months from now", -400 * day: "1 year from now"} {
		if got := Ago(now.Add(-d), now); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

func TestArgumentsKeepWhatTheyAre(t *testing.T) {
	if got := Say("{label}: {text}", "{text}", "50 {label}"); got != "{text}: 50 {label}" {
		t.Error(got)
	}
	if got := Say("of no catalogue {x}", "1"); got != "of no catalogue 1" {
		t.Error(got)
	}
	if got := Count(3, "{n} of none {x"); got != "3 of none {x" {
		t.Error(got)
	}
	if got := Mark("Today").Text(); got != "Today" {
		t.Error(got)
	}
	if _, ok := Setting("sleep.deep_at"); ok {
		t.Error("a setting has another title in English")
	}
}

// BenchmarkSay is a text with two arguments, as each row of a list has some.
func BenchmarkSay(b *testing.B) {
	for b.Loop() {
		Say("{label}: {text}", "a", "b")
	}
}

func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		Count(1204, "{n} sessions")
	}
}

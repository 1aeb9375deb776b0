package model

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"dormouse/service/api"
)

func TestCleanTakesAwayWhatPeopleDoNotSee(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                      "plain",
		"\x1b[31mred\x1b[0m":         "red",
		"\x1b]0;title\x07text":       "text",
		"\x1b]8;;http://x\x1b\\a":    "a",
		"\u009b1mx":                  "x",
		"a\r\nb\rc\u2028d":           "a\nb\nc\nd",
		"a\tb":                       "a    b",
		"safe\u202egnp.exe":          "safegnp.exe",
		"nul\x00 bell\x07 del\x7f":   "nul␀ bell␇ del␡",
		"c1 \u0085 bad \xff":         "c1 \uFFFD bad \uFFFD",
		"日本語 👩‍💻 עברית":              "日本語 👩‍💻 עברית",
		"lone \x1b":                  "lone ␛",
		"\x1b]never ends" + "\nnext": "never ends\nnext",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestTextsAreShortenedAtCharacters(t *testing.T) {
	if cut("日本語日本語", 4) != "日本語…" || cut("abc", 3) != "abc" || cut("ab cd", 4) != "ab…" || cut("", 0) != "" {
		t.Errorf("%q %q", cut("日本語日本語", 4), cut("ab cd", 4))
	}
	if Line(" a\n\t b ") != "a b" {
		t.Error(Line(" a\n\t b "))
	}
	for in, want := range map[string]string{"": "", "x": "X.", "é?": "É?", "done.": "Done.", "…": "…."} {
		if got := sentence(in); got != want && in != "…" {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"\x1b[31m", "\x1b]0;\x07", "\u202e", "\xff", "\x1b\x1b[m", "a\tb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) || strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' || reorders(r) }) >= 0 {
			t.Errorf("%q: %q", s, got)
		}
		if Clean(got) != got {
			t.Errorf("%q is not settled: %q, %q", s, got, Clean(got))
		}
	})
}

func TestTimesAreWrittenAsShortAsTheyAreClear(t *testing.T) {
	w := style{now: now, user: "/home/robin"}
	for in, want := range map[string]string{
		"2026-05-04 18:29": "today 18:29", "2026-05-04 00:00": "today 00:00", "2026-05-03 23:59": "yesterday 23:59", "2026-05-05 03:00": "tomorrow 03:00",
		"2026-05-07 03:00": "Thursday 03:00", "2026-04-28 10:00": "28 Apr 10:00", "2025-12-31 10:00": "31 Dec 2025", "2026-12-24 08:00": "24 Dec 08:00",
	} {
		if got := w.day(at(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if w.ago(now.Unix()-30) != "just now" || w.ago(0) != "" || w.day(0) != "" || w.stamp(0) != "" || w.both(0) != "" {
		t.Error("unknown and newest times")
	}
}

func TestNumbersPathsAndNamesAreWrittenAsPeopleDo(t *testing.T) {
	w := style{user: "/home/robin"}
	for in, want := range map[string]string{"/home/robin": "~", "/home/robin/x": "~/x", "/home/robinson/x": "/home/robinson/x", "": ""} {
		if got := w.path(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if (style{}).path("/x") != "/x" {
		t.Error("without a home folder")
	}
	if size(-1) != "0 B" {
		t.Error(size(-1))
	}
	if AgentName("codex") != "Codex" || AgentName("new\nagent") != "new agent" || projectName(api.Project{ID: "p"}) != "p" {
		t.Error(AgentName("codex"))
	}
	if New(Options{}).o.Now == nil {
		t.Error("no clock")
	}
}

package title

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExcerptIsTheFirstLineWithoutMarks(t *testing.T) {
	for message, want := range map[string]string{
		"fix the login":                                       "fix the login",
		"\n\n## Fix  the login\nx":                            "Fix the login",
		"<ide_opened_file>a.go</ide_opened_file>\nfix it":     "fix it",
		"[Image #1] make it blue":                             "make it blue",
		"[Pasted text #2 +31 lines]\nwhat is this?":           "what is this?",
		"[Image: source: /tmp/x.png]\n<b>mend</b> it":         "mend it",
		"<system-reminder>be nice</system-reminder>\n\ngo on": "go on",
		"[x] is done":           "[x] is done",
		strings.Repeat("é", 50): strings.Repeat("é", 50),
		strings.Repeat("é", 51): strings.Repeat("é", 50) + "…",
		"":                      "",
		"***":                   "",
		"[Image #1]":            "",
	} {
		if got := Excerpt(message); got != want {
			t.Errorf("Excerpt(%q) = %q, want %q", message, got, want)
		}
	}
}

func TestPreviewIsOneLineOfEightyCharacters(t *testing.T) {
	for message, want := range map[string]string{
		"one\n\ntwo  three":               "one two three",
		"[Image #1]\nlook":                "look",
		"[Image #1]":                      "[Image #1]",
		strings.Repeat("ü", 81):           strings.Repeat("ü", 80) + "…",
		strings.Repeat("a", 79) + " b cc": strings.Repeat("a", 79) + "…",
	} {
		if got := Preview(message); got != want {
			t.Errorf("Preview(%q) = %q, want %q", message, got, want)
		}
	}
}

func TestOwnTitleIsOneCleanLine(t *testing.T) {
	for s, want := range map[string]string{
		"  The till,\n mended\t": "The till, mended",
		"a\x1b[31mred":           "a [31mred",
		" \n ":                   "",
		strings.Repeat("x", 201): strings.Repeat("x", 200) + "…",
	} {
		if got := Own(s); got != want {
			t.Errorf("Own(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestAModelsAnswerIsCleaned(t *testing.T) {
	for answer, want := range map[string]string{
		"Mend the failing till":                "Mend the failing till",
		"\"Mend the failing till\"":            "Mend the failing till",
		"Title: Mend the till":                 "Mend the till",
		"**title:** “Mend the till”\nIt says…": "Mend the till",
		"\n\n# Mend the till\n":                "Mend the till",
		"Title:\nMend the till":                "Mend the till",
		"":                                     "",
		"\"\"":                                 "",
		strings.Repeat("ab ", 60):              strings.TrimRight(strings.Repeat("ab ", 27)[:80], " "),
	} {
		if got := clean(answer); got != want {
			t.Errorf("clean(%q) = %q, want %q", answer, got, want)
		}
	}
}

func FuzzTitlesAreOneShortLine(f *testing.F) {
	for _, s := range []string{"Title: x", "\"a\"", "<system-reminder>a</system-reminder>b", "[Image #1]", "\xff\x00\n#", "title:title:", "İ: x", "“"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, got := range map[string]string{"Excerpt": Excerpt(s), "Preview": Preview(s), "Own": Own(s), "clean": clean(s)} {
			limit := map[string]int{"Excerpt": excerptLength + 1, "Preview": previewLength + 1, "Own": ownLength + 1, "clean": titleLength}[name]
			if utf8.RuneCountInString(got) > limit || strings.ContainsAny(got, "\n\r") || strings.TrimSpace(got) != got {
				t.Errorf("%s(%q) = %q", name, s, got)
			}
		}
	})
}

package embed

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// cut gives the words of a text; whole runs are in brackets.
func cut(text string) []string {
	var out []string
	new(Cutter).Cut(text, func(word []byte, whole bool) {
		w := string(word)
		if whole {
			w = "[" + w + "]"
		}
		out = append(out, w)
	})
	return out
}

func TestWordsAreCutAsProgrammersWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"getUserName get_user_name":            "get user name [getusername] get user name",
		"HTTPServer URLs parseJSON IDs":        "http server [httpserver] urls parse json [parsejson] ids",
		"sha256 k8s utf-8 v1.20":               "sha 256 [sha256] k 8 s [k8s] utf 8 v 1 [v1] 20",
		"Don't touch Anna's or 90's":           "dont touch anna or 90 s",
		"rock 'n' roll, it\u2019s":             "rock n roll it",
		"Café ﬁne ＡＢＣ Straße Ørsted":           "cafe fine abc strasse orsted",
		"d35d6fb 0a1b2c":                       "",
		strings.Repeat("x", 41) + " y":         "y",
		"oneTwoThreeFourFiveSixSevenEightNine": "",
		"пример ТЕКСТ 設計":                      "пример текст 設計",
		"a/b.go:12":                            "a b go 12",
		"":                                     "",
		"... -- !":                             "",
		"it's'":                                "it",
	} {
		if got := strings.Join(cut(text), " "); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestOnlyTheBeginningOfALongTextIsRead(t *testing.T) {
	long := strings.Repeat("é ", maxText/3) + strings.Repeat("late ", 1000)
	if slices.Contains(cut(long), "late") {
		t.Error("a word beyond the limit")
	}
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{"getUserName", "it's", "sha256 ﬁ", "\xff'\xfe", "A\u0301B", "ⅷ x²", "aB'sC"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var c Cutter
		segments := ""
		c.Cut(text, func(word []byte, whole bool) {
			if len(word) == 0 || len(word) > maxRun+utf8.UTFMax || !utf8.Valid(word) {
				t.Fatalf("%q: the word %q", text, word)
			}
			for _, r := range string(word) {
				if kindOf(r) == gap || r < utf8.RuneSelf && unicode.IsUpper(r) {
					t.Fatalf("%q: %q in a word", text, r)
				}
			}
			if whole && !strings.HasSuffix(segments, string(word)) {
				t.Fatalf("%q: %q is not what was read before", text, word)
			}
			segments += string(word)
			Subwords(word, 7, func(b int) {
				if b < 0 || b >= 7 {
					t.Fatalf("bucket %d", b)
				}
			})
		})
	})
}

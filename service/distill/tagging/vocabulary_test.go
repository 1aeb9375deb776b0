package tagging

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func vocabulary() *Vocabulary {
	return NewVocabulary([]Name{{"redaction", []string{"t1"}}, {"web-hook", []string{"t2"}}, {"auth", []string{"t3"}}, {"会话", []string{"t4"}},
		{"c++", []string{"t5"}}, {"strategy", []string{"t6", "t7"}}, {"log", []string{"t8"}}})
}

func TestAQueryIsTaggedByTheVocabulary(t *testing.T) {
	v := vocabulary()
	for query, want := range map[string]string{
		"why did the redactions fail":            "redaction:1",
		"REDACTING secrets":                      "redaction:0.6",
		"web hooks and authentication":           "web-hook:1 auth:1",
		"上次的会话":                                  "会话:1",
		"strategies for C++?":                    "strategy:1 c++:1",
		"login, catalogue and blogs are no logs": "log:1",
		"nothing of it":                          "",
		"":                                       "",
	} {
		var got []string
		for _, f := range v.Tag(query) {
			got = append(got, fmt.Sprintf("%s:%g", f.Name, f.Weight))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	if got := v.Tag("strategy")[0].Tags; !slices.Equal(got, []string{"t6", "t7"}) {
		t.Errorf("a split tag leads to %q", got)
	}
	if got := v.Near("redactoin", func(a, b string) bool { return a != "" && b[0] == a[0] && len(a) == len(b) }); !slices.Equal(got, []string{"redaction"}) {
		t.Errorf("near names %q", got)
	}
}

func BenchmarkTagQuery(b *testing.B) {
	var names []Name
	for i := range 500 {
		names = append(names, Name{Name: fmt.Sprintf("subject-%d of the matter", i)})
	}
	v := NewVocabulary(append(names, Name{Name: "redaction"}))
	for b.Loop() {
		v.Tag("what did we decide about redacting the secrets of subject 12 of the matter in the session logs last week?")
	}
}

func FuzzVocabulary(f *testing.F) {
	f.Add("redaction of 会话")
	v := vocabulary()
	f.Fuzz(func(t *testing.T, text string) {
		if a, b := fmt.Sprint(v.Tag(text)), fmt.Sprint(v.Tag(text)); a != b {
			t.Errorf("%s and %s", a, b)
		}
	})
}

// TestTaggingFindsTheFormsOfAllRunsOfWords holds the quick way of finding forms against making each of them from the text.
func TestTaggingFindsTheFormsOfAllRunsOfWords(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	pool := []string{"redacting", "redaction", "syncs", "sync", "sync", "kubernetes", "k8s", "C++", "tests", "boxes", "policies", "v2", "database", "db", "the", "running", "+"}
	some := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = pool[r.IntN(len(pool))]
		}
		return strings.Join(words, " ")
	}
	for range 300 {
		names := make([]Name, 30)
		for i := range names {
			names[i].Name = some(1 + r.IntN(3))
		}
		v := NewVocabulary(names)
		text := some(1 + r.IntN(12))
		want := map[string]float64{}
		words := strings.Fields(text)
		for i := range words {
			for n := i + 1; n <= min(i+v.longest, len(words)); n++ {
				form := Canonical(strings.Join(words[i:n], " "))
				for _, name := range names {
					switch own := Canonical(name.Name); {
					case own == form:
						want[name.Name] = 1
					case stem(own) == stem(form) && len(stem(form)) >= minStem:
						want[name.Name] = max(want[name.Name], stemWeight)
					}
				}
			}
		}
		got := map[string]float64{}
		for _, f := range v.Tag(text) {
			got[f.Name] = f.Weight
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	}
}

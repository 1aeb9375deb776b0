package when

import "testing"

func TestAskReadsModeAndWords(t *testing.T) {
	for _, c := range []struct {
		question  string
		mode      Mode
		words     string
		decisions bool
	}{
		{"what did we decide about the cache last week", Lookup, "cache", false},
		{"what did we decide last week?", Lookup, "", true},
		{"what changed in store/index since 2026-05", Change, "store/index", false},
		{"how did the parser evolve over the last 3 months", Change, "parser", false},
		{"summary of yesterday", Summary, "", false},
		{"what happened last week", Summary, "", false},
		{"the default branch as of March", State, "default branch", false},
		{"flaky test on Tuesday", Lookup, "flaky test", false},
		{"C++ builds in March", Lookup, "C++ builds", false},
		{"Was haben wir letzte Woche entschieden?", Lookup, "", true},
		{"Was hat sich am Cache seit Mai geändert", Change, "sich am Cache", false},
		{"上周决定了什么", Lookup, "", true},
		{"昨日の概要", Summary, "", false},
	} {
		f, ok := Find(c.question, now(t, "UTC"))
		got := Ask(c.question, f)
		if !ok || got.Mode != c.mode || got.Words != c.words || got.Decisions != c.decisions {
			t.Errorf("%q: %+v, want %s %q %v", c.question, got, c.mode, c.words, c.decisions)
		}
	}
}

package alias

import (
	"slices"
	"testing"
)

func TestCompareTellsWritingsFromShortFormsAndFromOtherThings(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want Degree
	}{
		{"Type Script", "typescript", Same},
		{"screen-writing", "ScreenWriting", Same},
		{"ｄｏｃｋｅｒ", "Docker", Same}, // full width
		{"Localization (l10n)", "localization", Same},
		{"Localization (l10n)", "L10N", Same},
		{"дневник", "Дневник", Same},
		{"i18n", "internationalization", Near},
		{"sre", "site-reliability-engineering", Near},
		{"dor", "Department of Rodents", Near},
		{"OTel", "OpenTelemetry", Likely},
		{"pwsh", "PowerShell", Likely},
		{"php7", "php", Near},
		{"django-framework", "django", Likely},
		{"ibm-qiskit", "qiskit", Likely},
		{"cats", "cat", Near},
		{"turn based tactics", "tactics-turn-based", Near},
		{"logging-framework", "framework", Other},
		{"preact", "react", Other},
		{"json", "xml", Other},
		{"c", "c++", Other},
		{"api-client", "client", Other},
		{"", "x", Other},
		{"--", "..", Other},
	} {
		if got := Compare(c.a, c.b); got.Degree != c.want {
			t.Errorf("Compare(%q, %q) = %v (%s), want %v", c.a, c.b, got.Degree, got.Reason, c.want)
		}
		if Compare(c.a, c.b) != Compare(c.b, c.a) {
			t.Errorf("Compare(%q, %q) depends on the order", c.a, c.b)
		}
	}
}

func TestOneWrongLetterIsAHint(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"postgres", "postgress", true}, {"kubernetes", "kubernetse", true}, {"defence", "defense", true}, {"postgres", "postgres", false},
		{"json", "yson", false}, {"http10", "http11", false}, {"redis", "redisx", false}, {"authentication", "authorization", false},
	} {
		if got := Misspelt(c.a, c.b); got != c.want || Misspelt(c.b, c.a) != c.want {
			t.Errorf("Misspelt(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

func TestStatedReadsWhatATextSaysToBeOneThing(t *testing.T) {
	for text, want := range map[string][]Pair{
		"The worker (also called the backend) reads the queue.":                  {{"worker", "backend"}},
		"We have a daemon, aka `indexd`, in every pod.":                          {{"daemon", "indexd"}},
		"Note that the backend and the daemon are the same thing.":               {{"backend", "daemon"}},
		"The daemon is just another name for the worker.":                        {{"worker", "daemon"}},
		"First this.\nWhen I say \"the box\", I mean staging-3.":                 {{"staging-3", "box"}},
		"I renamed store/blob to store/object yesterday. It works.":              {{"store/object", "store/blob"}},
		"The old crawler is what we call the spider.":                            {{"spider", "old crawler"}},
		"Worker, backend and daemon are the same thing here.":                    {{"Worker", "backend"}, {"Worker", "daemon"}},
		"The worker, the backend, and the daemon all mean the same process.":     {{"worker", "backend"}, {"worker", "daemon"}},
		"The section renamed from \"Prompts:\" to \"Transcript\" is there.":      nil,
		"I renamed remaining tests to focus on helpers.":                         nil,
		"| worker | also called backend | here |":                                nil,
		"Is the worker the same as the backend?":                                 nil,
		"The worker is not the same as the backend.":                             nil,
		"If the worker is the same as the backend, merge them.":                  nil,
		"It is the same as this.":                                                nil,
		"```\nworker, also known as backend\n```\n":                              nil,
		"The two calls mean the same.":                                           nil,
		"The worker, which we call backend, is slow. The api is short for apis?": {{"worker", "backend"}},
	} {
		if got := Stated(text); !slices.Equal(got, want) {
			t.Errorf("Stated(%q) = %v, want %v", text, got, want)
		}
	}
}

func FuzzCompareAndStatedNeverFail(f *testing.F) {
	f.Add("worker (aka w)", "i18n")
	f.Add("ß(ẞ)", "\xff\xfe")
	f.Fuzz(func(t *testing.T, a, b string) {
		if Compare(a, b) != Compare(b, a) {
			t.Errorf("Compare(%q, %q) depends on the order", a, b)
		}
		for _, p := range Stated(a) {
			if Normal(p.Name) == Normal(p.Other) || Normal(p.Name) == "" {
				t.Errorf("Stated(%q) gave %v", a, p)
			}
		}
	})
}

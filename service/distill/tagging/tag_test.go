package tagging

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFormsOfOneNameAreOneTag(t *testing.T) {
	for want, names := range map[string][]string{
		"session":     {"Sessions", "session", "SESSION", "sess"},
		"auth":        {"authentication", "Auth", "authenticate"},
		"config":      {"Configuration", "config", "settings", "configs"},
		"db-migrate":  {"Database Migrations", "db_migration"},
		"policy":      {"policies", "policy"},
		"c++":         {"C++"},
		"redaction":   {"redactions"},
		"":            {"", "--", "//"},
		"会话":          {"会话"},
		"status":      {"status"},
		"patch":       {"patches"},
		"web-hook":    {"web hooks"},
		"test-runner": {"tests/runner", "testing runner"},
	} {
		for _, n := range names {
			if got := Canonical(n); got != want {
				t.Errorf("Canonical(%q) = %q, want %q", n, got, want)
			}
			if Canonical(Canonical(n)) != Canonical(n) {
				t.Errorf("the canonical form of %q has another one", n)
			}
		}
	}
}

func TestWhatATurnWorkedOnIsWhatItMayBeTaggedWith(t *testing.T) {
	for name, c := range map[string]struct {
		e           Evidence
		shown, said []string
	}{
		"folders and scopes, not files of every project": {
			Evidence{Files: []string{"cmd/app/redact/rules.go", "cmd/app/redact/rules_test.go", "README.md"}, Scopes: []string{"redact"}}, []string{"redact"}, nil},
		"the file where its folder is one of every project": {Evidence{Files: []string{"src/checkpoint_test.go"}}, []string{"checkpoint"}, nil},
		"the project's own name is no tag": {
			Evidence{Project: []string{"Widgets", "widgets"}, Files: []string{"widgets/retry.go"}, Scopes: []string{"widget"}}, []string{"retry"}, nil},
		"what every project has": {Evidence{Files: []string{"src/main.go", "docs/index.md"}}, nil, nil},
		"words lead, and make a tag only of a turn that shows nothing": {
			Evidence{Files: []string{"src/retry/a.go"}, Lines: []string{"Fixed the checkpoint of a shadow branch quickly"}}, []string{"retry"}, []string{"checkpoint", "shadow", "branch"}},
		"a turn of words":                {Evidence{Lines: []string{"Moved every checkpoint into its own vault; don't"}}, []string{"checkpoint", "vault"}, nil},
		"a long name of a file is words": {Evidence{Files: []string{"lib/hooks_claude_handlers.go"}, Scopes: []string{"cache"}}, []string{"cache"}, []string{"hook", "claude", "handler"}},
	} {
		got := TermsOf(c.e)
		if !slices.Equal(got.Shown, c.shown) || !slices.Equal(got.Said, c.said) {
			t.Errorf("%s: shown %q, said %q", name, got.Shown, got.Said)
		}
	}
}

func TestATagThatCoversTooMuchFallsIntoItsParts(t *testing.T) {
	var uses [][]string
	for i := range 60 {
		uses = append(uses, []string{"strategy", []string{"checkpoint", "attribution", "shadow"}[i%3]})
	}
	v := Judge("strategy", uses, 100)
	if !v.Split || !slices.Equal(v.Parts, []string{"attribution", "checkpoint", "shadow"}) || v.Reason == "" {
		t.Errorf("%+v", v)
	}
	for name, no := range map[string]Verdict{
		"used 10 times": Judge("a", uses[:10], 12), "covers 6 %": Judge("a", uses, 1000),
		"no two other tags": Judge("a", slices.Repeat([][]string{{"a"}}, 60), 80),
	} {
		if no.Split || len(no.Parts) > 0 || !strings.Contains(no.Reason, name) {
			t.Errorf("%+v, want a no because it %s", no, name)
		}
	}
}

func FuzzTerms(f *testing.F) {
	f.Add("a/b.go", "fix(x): y", "Words of a line")
	f.Fuzz(func(t *testing.T, file, scope, line string) {
		e := Evidence{Files: []string{file}, Scopes: []string{scope}, Lines: []string{line}}
		a, b := TermsOf(e), TermsOf(e)
		if fmt.Sprint(a) != fmt.Sprint(b) || len(a.Shown) > mostShown || len(a.Said) > mostSaid {
			t.Errorf("%q and %q", a, b)
		}
		for _, name := range a.Shown {
			if Canonical(name) != name {
				t.Errorf("%q is not in its canonical form", name)
			}
		}
	})
}

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

func TestATurnIsTaggedByItsPlacesAndScopes(t *testing.T) {
	tags, past, _ := Tag(Evidence{Files: []string{"cmd/app/redact/rules.go", "cmd/app/redact/rules_test.go", "README.md"}, Scopes: []string{"redact"}})
	if !slices.Equal(tags, []string{"redact"}) {
		t.Errorf("tags %q", tags)
	}
	if tags, _, _ := Tag(Evidence{Files: []string{"src/main.go"}}); len(tags) != 0 {
		t.Errorf("what every project has became tags: %q", tags)
	}
	// A word makes a tag once it has come back, and names of the branch go before new ones.
	for range 2 {
		_, past, _ = Tag(Evidence{Lines: []string{"Fixed the checkpoint of a shadow branch"}, Past: past})
	}
	tags, _, _ = Tag(Evidence{Lines: []string{"Moved every checkpoint into its own folder"}, Past: past})
	if !slices.Equal(tags, []string{"checkpoint"}) {
		t.Errorf("tags %q", tags)
	}
}

func TestANameThatIsStatedToBeAnotherOneLeadsToItsTag(t *testing.T) {
	tags, _, hits := Tag(Evidence{Scopes: []string{"backends"}, Same: map[string]string{"backend": "worker"}})
	if !slices.Equal(tags, []string{"worker"}) || hits != 1 {
		t.Errorf("tags %q, %d hits", tags, hits)
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

func FuzzTag(f *testing.F) {
	f.Add("a/b.go", "fix(x): y", "Words of a line")
	f.Fuzz(func(t *testing.T, file, scope, line string) {
		e := Evidence{Files: []string{file}, Scopes: []string{scope}, Lines: []string{line}}
		a, p, _ := Tag(e)
		b, _, _ := Tag(e)
		if fmt.Sprint(a) != fmt.Sprint(b) || len(a) > perTurn {
			t.Errorf("%q and %q", a, b)
		}
		e.Past = p
		Tag(e)
	})
}

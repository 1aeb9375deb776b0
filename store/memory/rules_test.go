package memory

import (
	"slices"
	"testing"
)

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"OpenProgram":      "openprogram",
		" two  words ":     "two-words",
		"src/Main.go":      "src/Main.go",
		"C++":              "c++",
		"日本 語":             "日本-語",
		"":                 "",
		"a\x00b":           "a-b",
		"@scope/pkg":       "@scope/pkg",
		"README.md (root)": "README.md-root",
	} {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestViewSees(t *testing.T) {
	in := View{Project: "p", Agent: "codex"}
	for s, want := range map[Scope]bool{
		Global: true, ProjectScope("p"): true, AgentScope("codex"): true,
		ProjectScope("q"): false, AgentScope("x"): false, "": false, "project:": false, "else": false,
	} {
		if got := in.Sees(s); got != want {
			t.Errorf("Sees(%q) = %v, want %v", s, got, want)
		}
	}
	if (View{All: true}).Sees("") {
		t.Error("a record without a scope is shown to somebody")
	}
}

func TestEventClaimIgnoresWordingButNotSense(t *testing.T) {
	a, b, c := sampleEvent("s1", 1, "n", "Fixed the parser"), sampleEvent("s2", 2, "n", "The parser: fixed!"), sampleEvent("s1", 1, "n", "Broke the parser")
	if EventClaim(&a) != EventClaim(&b) {
		t.Error("a rewording of the same words is another claim")
	}
	if EventClaim(&a) == EventClaim(&c) {
		t.Error("another statement is the same claim")
	}
}

func TestContentWords(t *testing.T) {
	got := ContentWords("The parser in store/memory/id.go was fixed, the PARSER v1.2.")
	want := []string{"fixed", "parser", "store/memory/id.go", "v1.2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIDsDoNotRunPartsTogether(t *testing.T) {
	if NodeID("a", "b", "c") == NodeID("a", "bc") || NodeID("a", "b") == NodeID("ab") {
		t.Error("different parts give one id")
	}
	if id := SessionID("cc", "claude-code", "x", 8); len(id) != 11 {
		t.Errorf("session id %q", id)
	}
}

func TestTrustOrder(t *testing.T) {
	if Stronger(TrustQuoted, TrustAgent) != TrustAgent || Stronger(TrustPerson, TrustObserved) != TrustPerson || Trust("?").Rank() <= TrustQuoted.Rank() {
		t.Error("order of trust is wrong")
	}
}

func TestCanonicalSortsAtEveryDepthAndKeepsNumbers(t *testing.T) {
	got, err := Canonical([]byte(`{"b":{"y":1e3,"x":0.10},"a":["<",null]}`))
	if err != nil || string(got) != `{"a":["<",null],"b":{"x":0.10,"y":1e3}}` {
		t.Errorf("%s %v", got, err)
	}
	if _, err := Canonical([]byte(`{"a":`)); err == nil {
		t.Error("cut JSON is accepted")
	}
}

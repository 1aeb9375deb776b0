package memory

import (
	"math/rand/v2"
	"slices"
	"strings"
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

// claimText is the claim of an event as its definition has it.
func claimText(e *Event) ClaimKey {
	return ClaimKey(strings.Join([]string{string(e.Scope), "event", string(e.Kind),
		strings.Join(slices.Sorted(slices.Values(e.Provenance.NodeIDs)), " "), strings.Join(ContentWords(e.Summary), " ")}, claimSep))
}

func sameClaim(t *testing.T, text string) {
	t.Helper()
	e := &Event{Summary: text, Kind: KindWork, Scope: Global, Provenance: Provenance{NodeIDs: []string{"b", "a", "c"}}}
	if got, want := EventClaim(e), claimText(e); got != want || !claims(e, want) || claims(e, want+"x") {
		t.Errorf("%q claims\n%q, not\n%q", text, got, want)
	}
	if e.Provenance.NodeIDs[0] != "b" {
		t.Error("the nodes of the event were put into another order")
	}
}

func TestAnEventsClaimIsWorkedOutAsItIsDefined(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	parts := []string{"The", "parser", "PARSER", "not", " ", " ", " ", ".", "-", "/", "_", "#", "a.b", "x_1.go", "it's", "\t", "é", "Ünï", "世界", "\xff", "\u0301", "K", "\u212a", "…"}
	for range 3000 {
		var b strings.Builder
		some := parts[:[]int{16, len(parts)}[r.IntN(2)]] // of ASCII alone, or of all
		for range r.IntN(90) {
			b.WriteString(some[r.IntN(len(some))])
		}
		sameClaim(t, b.String())
	}
}

func FuzzEventClaim(f *testing.F) {
	for _, s := range []string{"", "Fixed the Parser in a/b.go, and K (kelvin)", "_x_ -y- .z.", "\x00\x1f"} {
		f.Add(s)
	}
	f.Fuzz(sameClaim)
}

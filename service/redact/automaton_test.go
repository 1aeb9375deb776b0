package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTheAutomatonFindsEveryPatternAtEveryPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abAB-"[r.IntN(5)]
		}
		return string(b)
	}
	for range 200 {
		var patterns []string
		for range 1 + r.IntN(6) {
			patterns = append(patterns, word(1+r.IntN(4)))
		}
		a, err := newAutomaton(patterns)
		if err != nil {
			t.Fatal(err)
		}
		text := word(60)
		got := map[[2]int]int{}
		a.each(text, func(p, end int) { got[[2]int{p, end}]++ })
		low := strings.ToLower(text)
		for i, p := range patterns {
			for end := len(p); end <= len(text); end++ {
				want := 0
				if low[end-len(p):end] == strings.ToLower(p) {
					want = 1
				}
				if n := got[[2]int{i, end}]; n != want {
					t.Fatalf("%q at %d of %q: found %d times, want %d", p, end, text, n, want)
				}
			}
		}
		if a.contains(text) != (len(got) > 0) {
			t.Errorf("contains %q: %v", text, a.contains(text))
		}
	}
}

func TestAnEmptyPatternIsRefused(t *testing.T) {
	if _, err := newAutomaton([]string{"a", ""}); err == nil {
		t.Error("no error")
	}
}

func TestTheWholeMachineIsSmall(t *testing.T) {
	r := newTestRedactor(t)
	if n := r.engine.machine.bytes(); n > 512<<10 {
		t.Errorf("the keyword machine holds %d bytes", n)
	}
}

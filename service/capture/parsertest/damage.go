package parsertest

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"testing"
)

var rounds = flag.Int("rounds", 60, "how many damaged texts to try")

// Damage calls use with texts that were damaged by chance: bytes changed, pieces doubled, left out or swapped with those of another seed. It
// stands in for the fuzzer where that is slow, because it follows all of a database engine. -rounds tells how often.
func Damage(t *testing.T, use func(text []byte), seeds ...[]byte) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range *rounds {
		text := bytes.Clone(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(6) {
			text = damaged(r, text, seeds[r.IntN(len(seeds))])
		}
		use(text)
	}
}

// tokens are what damage to JSON is made of.
var tokens = []string{`{}`, `[]`, `null`, `""`, `"id"`, `-1`, `1e99`, `true`, `,`, `:`, `}`, `]`, `"`, `\u0000`, "\x00", "\n", `[[[[[[`, `"type":"tool"`, `"type":"user"`}

func damaged(r *rand.Rand, text, other []byte) []byte {
	if len(text) == 0 {
		return bytes.Clone(other)
	}
	from := r.IntN(len(text))
	to := min(len(text), from+r.IntN(40))
	switch r.IntN(6) {
	case 0:
		text[from] = byte(r.IntN(256))
		return text
	case 1:
		return append(text[:from:from], text[to:]...)
	case 2:
		return append(text[:to:to], text[from:]...)
	case 3:
		return append(append(text[:from:from], tokens[r.IntN(len(tokens))]...), text[to:]...)
	case 4:
		at := r.IntN(len(other))
		return append(append(text[:from:from], other[at:min(len(other), at+r.IntN(60))]...), text[to:]...)
	default:
		return text[:from]
	}
}

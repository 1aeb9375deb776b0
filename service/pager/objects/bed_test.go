package objects

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"dormouse/service/pager"
)

// words is an embedder: which words a text has.
func words(text string) []float32 {
	v := make([]float32, 512)
	for _, w := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(w))
		v[h.Sum32()%512]++
	}
	n := 0.0
	for _, x := range v {
		n += float64(x) * float64(x)
	}
	for i := range v {
		if n > 0 {
			v[i] = float32(float64(v[i]) / math.Sqrt(n))
		}
	}
	return v
}

// script makes a conversation: "u: TEXT", "a: TEXT", or "t: TOOL JSON => RESULT" (with "=!" for one that failed).
func script(lines ...string) (out []Message) {
	for i, l := range lines {
		side, rest, _ := strings.Cut(l, ": ")
		switch side {
		case "u", "a":
			out = append(out, Message{Message: pager.Message{User: side == "u", Blocks: []pager.Block{{Kind: pager.Text, Text: rest}}}})
		case "t":
			asked, result, failed := rest, "", false
			if a, r, ok := strings.Cut(rest, " =! "); ok {
				asked, result, failed = a, r, true
			} else {
				asked, result, _ = strings.Cut(rest, " => ")
			}
			tool, input, _ := strings.Cut(asked, " ")
			id := fmt.Sprint("c", i)
			out = append(out, Message{Message: pager.Message{Blocks: []pager.Block{{Kind: pager.Call, ID: id, Tool: tool, Input: json.RawMessage(input)}}}},
				Message{Message: pager.Message{User: true, Blocks: []pager.Block{{Kind: pager.Result, ID: id, Text: result, Failed: failed}}}})
		}
	}
	return out
}

func viewOf(t *testing.T, o Options, lines ...string) *View {
	t.Helper()
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	return Of([]Thread{{Windows: [][]Message{script(lines...)}}}, o)
}

// shape is a view in short: each object's type and the beginning of its title, and the relations by the objects' places.
func shape(v *View) string {
	at := map[string]int{}
	var b strings.Builder
	for i, o := range v.Objects {
		at[o.ID] = i
		fmt.Fprintf(&b, "%d %s %s\n", i, o.Type, head(o.Title, 30))
	}
	for _, r := range v.Relations {
		fmt.Fprintf(&b, "%d %s %d\n", at[r.From], r.Kind, at[r.To])
	}
	return b.String()
}

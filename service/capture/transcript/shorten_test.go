package transcript

import (
	"encoding/json"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestOfLongArgumentsTheStringsAreKeptBesideTheNode(t *testing.T) {
	long := strings.Repeat("é\n\"", MaxText/8)
	whole, err := memory.Encode(map[string]string{"content": long, "more": long + "x"})
	if err != nil {
		t.Fatal(err)
	}
	var beside []string
	n := memory.Node{Input: append(json.RawMessage(`{ "path" : "a\\", "all": [`), append(whole, " ], \"n\": 1.50 }"...)...)}
	Shorten(&n, func(s string) string {
		beside = append(beside, s)
		return "short \"of\" it"
	})
	if len(beside) != 2 || beside[0] != long || beside[1] != long+"x" {
		t.Errorf("%d texts beside", len(beside))
	}
	if want := `{ "path" : "a\\", "all": [{"content":"short \"of\" it","more":"short \"of\" it"} ], "n": 1.50 }`; string(n.Input) != want {
		t.Errorf("the arguments are %.200s", n.Input)
	}
	if Clip(&n) {
		t.Error("it is clipped after all")
	}
}

func TestManyShortArgumentsThatAreLongTogetherAreKeptWholeBesideTheNode(t *testing.T) {
	list := make([]string, 200)
	for i := range list {
		list[i] = strings.Repeat("x", MaxText/100)
	}
	whole, err := memory.Encode(list)
	if err != nil {
		t.Fatal(err)
	}
	n, beside := memory.Node{Input: whole}, ""
	Shorten(&n, func(s string) string {
		beside += s
		return "the ends"
	})
	if beside != string(whole) || string(n.Input) != `"the ends"` {
		t.Errorf("%d bytes beside, the node shows %.80s", len(beside), n.Input)
	}
	n = memory.Node{Input: whole}
	Shorten(&n, func(s string) string { return s }) // it cannot be kept
	if !Clip(&n) || !json.Valid(n.Input) || n.Metadata.Clipped == nil || n.Metadata.Clipped.Bytes < len(whole) {
		t.Errorf("what cannot be kept is not clipped: %+v", n.Metadata.Clipped)
	}
	n = memory.Node{Input: whole[:MaxText-100]}
	Shorten(&n, func(string) string { t.Error("a node that is not too long is shortened"); return "" })
}

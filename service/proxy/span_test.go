package proxy

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSpansSayWhereValuesStand(t *testing.T) {
	doc := []byte(` {"a" : [1, {"b\u0041":"x\n"} ,true],"c":null, "d":-1.5e3}` + "\n")
	v, err := spansOf(doc)
	if err != nil {
		t.Fatal(err)
	}
	inner := v.field("a").kids[1].field("bA")
	if string(inner.raw(doc)) != `"x\n"` || inner.text(doc) != "x\n" || string(v.field("d").raw(doc)) != "-1.5e3" || v.field("none").kind != 0 || v.field("c").kind != 'n' {
		t.Errorf("%+v", v)
	}
}

func TestWhatIsNoPlainJSON(t *testing.T) {
	for in, want := range map[string]error{
		"": errJSON, "{": errJSON, `{"a":1}x`: errJSON, `{"a":1,}`: errJSON, `[1 2]`: errJSON, `{"a" 1}`: errJSON, `{a:1}`: errJSON, "\"a\nb\"": errJSON, `"\x"`: errJSON,
		`"\u12g4"`: errJSON, `"\u12`: errJSON, `01`: errJSON, `tru`: errJSON, "\"\xff\"": errJSON, `{"a":1,"a":2}`: errTwice, `{"a":1,"\u0061":2}`: errTwice, `[{"x":{"b":1,"b":1}}]`: errTwice,
		strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2): errJSON,
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth):     nil, `0`: nil, ` "" `: nil, `{}`: nil,
	} {
		if _, err := spansOf([]byte(in)); !errors.Is(err, want) {
			t.Errorf("%.40s: %v, want %v", in, err, want)
		}
	}
}

func FuzzSpans(f *testing.F) {
	f.Add(`{"a":[1,"x\u00e4",{"b":null}],"c":-0.5E+1}`)
	f.Add("[\"\\ud800\", \t\"\x7f\"]")
	f.Fuzz(func(t *testing.T, in string) {
		v, err := spansOf([]byte(in))
		if err == nil && (!json.Valid([]byte(in)) || !utf8.ValidString(in)) {
			t.Fatalf("%q is taken for JSON", in)
		}
		if errors.Is(err, errJSON) && json.Valid([]byte(in)) && utf8.ValidString(in) && strings.Count(in, "[")+strings.Count(in, "{") < maxDepth {
			t.Fatalf("%q is not taken for JSON", in)
		}
		if err != nil {
			return
		}
		var want any
		if json.Unmarshal(v.raw([]byte(in)), &want) != nil {
			t.Fatalf("%q", v.raw([]byte(in)))
		}
	})
}

package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

func TestObjectsFindsWhatCanBeReadAndCountsTheRest(t *testing.T) {
	rec := `{"type":"user","sessionId":"s"}`
	tests := []struct {
		name, line string
		objects    []string
		skips      map[string]int64
	}{
		{"one object", rec, []string{rec}, nil},
		{"blank line", " \t ", nil, nil},
		{"byte order mark", "\ufeff" + rec, []string{rec}, nil},
		{"two objects", rec + rec, []string{rec, rec}, nil},
		{"two objects with a comma", rec + ", " + rec, []string{rec, rec}, nil},
		{"torn record, then a whole one", `{"type":"user","text":"hal` + rec, []string{rec}, map[string]int64{NotJSON: 26}},
		{"torn record with an object in it", `{"type":"user","message":{"type":"text","uuid":"x"}`, nil, map[string]int64{NotJSON: 51}},
		{"end of a record, then a whole one", `f the text"}}` + rec, []string{rec}, map[string]int64{NotJSON: 13}},
		{"junk", "hello", nil, map[string]int64{NotJSON: 5}},
		{"array", "[1]", nil, map[string]int64{NotObject: 3}},
		{"run of NUL before a record", "\x00\x00\x00" + rec, []string{rec}, map[string]int64{NulBytes: 3}},
		{"byte order mark behind NUL", "\x00\ufeff" + rec + "x", []string{rec}, map[string]int64{NulBytes: 1, NotJSON: 1}},
		{"a shallow object before what is too deep", rec + strings.Repeat("[", 1000), []string{rec}, map[string]int64{TooDeep: 1000}},
		{"NUL inside a record", "{\"type\":\"\x00\"}", nil, map[string]int64{NotJSON: 12}},
		{"invalid UTF-8", "{\"type\":\"a\xff\"}", []string{"{\"type\":\"a\ufffd\"}"}, map[string]int64{BadUTF8: 0}},
		{"too deep", strings.Repeat("[", 100_000), nil, map[string]int64{TooDeep: 100_000}},
		{"deep brackets in a string are text", `{"t":"` + strings.Repeat("[", 2000) + `"}`, []string{`{"t":"` + strings.Repeat("[", 2000) + `"}`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			skips := map[string]int64{}
			Objects(Line{File: "f", Number: 4, Data: []byte(tt.line)}, func(b []byte) { got = append(got, string(b)) },
				func(s Skip) {
					skips[s.Reason] += s.Bytes
					if s.File != "f" || s.Line != 4 {
						t.Errorf("skip without its place: %+v", s)
					}
				})
			if !reflect.DeepEqual(got, tt.objects) {
				t.Errorf("objects %q, want %q", got, tt.objects)
			}
			if len(skips) != len(tt.skips) || len(skips) > 0 && !reflect.DeepEqual(skips, tt.skips) {
				t.Errorf("skips %v, want %v", skips, tt.skips)
			}
		})
	}
}

func FuzzObjects(f *testing.F) {
	for _, s := range []string{`{"type":"user","uuid":"1"}`, `{"a":{"b":[1]}}{"c":2}`, "{\"x\":\"\xff\"}", `{"a":"{\"b\"`, "\x00{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		given := 0
		Objects(Line{Data: data}, func(b []byte) {
			given += len(b)
			if !json.Valid(b) || b[0] != '{' {
				t.Errorf("gave %q, which is not a JSON object", b)
			}
		}, func(Skip) {})
		if given > 3*len(data) {
			t.Errorf("gave %d bytes out of %d", given, len(data))
		}
	})
}

// inTwo gives the objects of a text of which a reader first sees a part.
func inTwo(t *testing.T, text []byte, cut int) []string {
	var out []string
	at := Place{}
	for _, seen := range [][]byte{text[:cut], text} {
		r := NewReader(bytes.NewReader(seen[at.Offset:]), "f", at, 0, nil)
		for {
			l, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			Objects(l, func(b []byte) { out = append(out, string(b)) }, func(Skip) {})
		}
		at = r.Place()
	}
	return out
}

func FuzzALineReadInTwoHasTheObjectsOfTheWhole(f *testing.F) {
	rec := `{"type":"user","sessionId":"s"}`
	for _, s := range []string{
		rec, rec + "x", rec + rec, rec + `,{"a":1}`, "\x00\ufeff" + rec + "x", rec + "\ufeff{\"a\":1}", "\xef" + rec + "x", "\u00a0" + rec + "x",
		rec + strings.Repeat("[", 600),
	} {
		f.Add([]byte(s+"\n"), len(rec))
		f.Add([]byte(s+"\n"), strings.Index(s, "s\"}")+3)
	}
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		if len(text) > 1<<14 || cut < 0 || cut > len(text) {
			return
		}
		text = append(bytes.Clone(text), '\n') // damage in a line without an end waits for its end
		if got, want := inTwo(t, text, cut), inTwo(t, text, 0); !reflect.DeepEqual(got, want) {
			t.Errorf("cut at %d: %q, whole %q", cut, got, want)
		}
	})
}

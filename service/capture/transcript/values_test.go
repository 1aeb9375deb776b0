package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// values reads what stands in a list, and the texts that were cut out of it.
func values(t testing.TB, in io.Reader) (out []Value, texts map[string]string, err error) {
	texts = map[string]string{}
	v := NewValues(in, Cut{File: func() (*os.File, error) { return os.CreateTemp(t.TempDir(), "x") }, Keep: func(c CutText) {
		defer c.File.Close()
		b, err := io.ReadAll(io.NewSectionReader(c.File, 0, 1<<40))
		if err != nil {
			t.Error(err)
		}
		texts[c.Mark] = string(b)
	}})
	err = v.List(func() error {
		one, err := v.Take()
		out = append(out, one)
		return err
	})
	return out, texts, err
}

func TestValuesAreReadOneAfterTheOther(t *testing.T) {
	for _, tt := range []struct{ text, values, err string }{
		{`[]`, "", ""},
		{` [ 1 , "a\"]\\" , {"b":[{}]} , null,true,-1.5e3 ] trailing`, `1@3 "a\"]\\"@7 {"b":[{}]}@18 null@31 true@36 -1.5e3@41`, ""},
		{`[[1,[2]],"[{"]`, `[1,[2]]@1 "[{"@9`, ""},
		{`[1,]`, "1@1", "looking for beginning of value"},
		{`[1 2]`, "1@1", `in place of ','`},
		{`[tru]`, "", "no valid JSON: at byte 1"},
		{`[{"a" 1}]`, "", "no valid JSON: at byte 1"},
		{`[1,"ab`, "1@1", io.ErrUnexpectedEOF.Error()},
		{`[1`, "1@1", io.ErrUnexpectedEOF.Error()},
		{``, "", io.ErrUnexpectedEOF.Error()},
		{`{}`, "", `in place of '['`},
	} {
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(tt.text), "by byte": iotest.OneByteReader(strings.NewReader(tt.text))} {
			list, _, err := values(t, in)
			var got []string
			for _, one := range list {
				if one.Raw != nil {
					got = append(got, string(one.Raw)+"@"+itoa(one.Offset))
				}
				if one.Raw != nil && (one.Bytes != int64(len(one.Raw)) || tt.text[one.Offset:one.Offset+one.Bytes] != string(one.Raw)) {
					t.Errorf("%s %s: %+v is not where it says", tt.text, name, one)
				}
			}
			said := ""
			if err != nil {
				said = err.Error()
			}
			if strings.Join(got, " ") != tt.values || !strings.Contains(said, tt.err) || (said == "") != (tt.err == "") {
				t.Errorf("%s %s: %q, %q", tt.text, name, got, said)
			}
		}
	}
}

func itoa(n int64) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// endless is a JSON text that is made while it is read.
func endless(head string, piece string, pieces int, tail string) io.Reader {
	parts := []io.Reader{strings.NewReader(head)}
	for range pieces {
		parts = append(parts, strings.NewReader(piece))
	}
	return io.MultiReader(append(parts, strings.NewReader(tail))...)
}

func TestAValueOfAnySizeTakesLittleMemory(t *testing.T) {
	const pieces = 100
	piece := strings.Repeat("word ", 200_000)         // a megabyte
	short := strings.Repeat(`"word","again",`, 1<<16) // about as much
	nested := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	for name, tt := range map[string]struct {
		in     io.Reader
		reason string
	}{
		"one text":          {endless(`["first",{"a":"`, piece, pieces, `","b":2},"last"]`), ""},
		"many short texts":  {endless(`["first",[`, short, pieces, `1],"last"]`), TooLong},
		"a text after many": {io.MultiReader(endless(`["first",[`, short, pieces, ""), endless(`"`, piece, pieces, `"],"last"]`)), TooLong},
		"nested":            {strings.NewReader(`["first",` + nested + `,"last"]`), TooDeep},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v := NewValues(tt.in, Cut{})
		var list []Value
		if err := v.List(func() error {
			one, err := v.Take()
			list = append(list, one)
			return err
		}); err != nil {
			t.Fatal(name, err)
		}
		runtime.ReadMemStats(&after)
		if len(list) != 3 || string(list[0].Raw) != `"first"` || string(list[2].Raw) != `"last"` || list[1].Reason != tt.reason {
			t.Fatalf("%s: %d values", name, len(list))
		}
		if tt.reason == "" && (len(list[1].Raw) > 8*cutKept || !json.Valid(list[1].Raw)) || tt.reason != "" && list[1].Raw != nil {
			t.Errorf("%s: %d bytes are left", name, len(list[1].Raw))
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 3*MaxLine {
			t.Errorf("%s: it took %d bytes", name, took)
		}
	}
}

func TestALongTextOfAValueIsKeptWhole(t *testing.T) {
	long := strings.Repeat("a line with \"quotes\"\n", 400_000)
	list, texts, err := values(t, strings.NewReader(`[{"a":`+quoted(t, long)+`,"b":"short"},"next"]`))
	if err != nil || len(list) != 2 || len(texts) != 1 {
		t.Fatalf("%d values, %d texts, %v", len(list), len(texts), err)
	}
	var got struct{ A, B string }
	if err := json.Unmarshal(list[0].Raw, &got); err != nil || got.B != "short" {
		t.Fatal(err)
	}
	for mark, text := range texts {
		if text != long || !strings.Contains(got.A, mark) {
			t.Errorf("%d of %d bytes were kept", len(text), len(long))
		}
	}
	full := errors.New("no space left on device")
	v := NewValues(strings.NewReader(quoted(t, long)), Cut{File: func() (*os.File, error) { return nil, full }, Keep: func(CutText) { t.Error("kept") }})
	if _, err := v.Take(); !errors.Is(err, full) {
		t.Errorf("where it cannot be kept: %v", err)
	}
}

// FuzzValues holds what is read against encoding/json: the same values, and an error where it has one.
func FuzzValues(f *testing.F) {
	for _, s := range []string{`[1,"a",{"b":[null]}]`, `["\"",[[]]]`, `[1,`, `[{]`, `["\u12"]`, `[ ]`, `[1]2`, `[-]`, `[truefalse]`, `["` + strings.Repeat("x", 100) + `"]`} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, doc []byte, step uint8) {
		d := json.NewDecoder(bytes.NewReader(doc))
		var want []json.RawMessage
		start, wrong := d.Token()
		if start != json.Delim('[') {
			return
		}
		for wrong == nil && d.More() {
			var raw json.RawMessage
			if wrong = d.Decode(&raw); wrong == nil {
				want = append(want, raw)
			}
		}
		if wrong == nil {
			_, wrong = d.Token()
		}
		in := io.Reader(bytes.NewReader(doc))
		if step%2 == 0 {
			in = iotest.HalfReader(iotest.OneByteReader(in))
		}
		got, _, err := values(t, in)
		if wrong != nil {
			if err == nil {
				t.Fatalf("%q is read, and encoding/json says %v", doc, wrong)
			}
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: %d values of %d, %v", doc, len(got), len(want), err)
		}
		for i, one := range got {
			if one.Reason == "" && string(one.Raw) != string(want[i]) {
				t.Fatalf("%q is not %q", one.Raw, want[i])
			}
		}
	})
}

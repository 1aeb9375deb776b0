package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// cutLines reads all lines of a text and the texts that were cut out of them, by their marks.
func cutLines(t *testing.T, in io.Reader, limit int, skip func(Skip)) (lines []string, texts map[string]string) {
	t.Helper()
	texts = map[string]string{}
	r := NewReader(in, "f", Place{}, limit, skip)
	r.OnCut(func() (*os.File, error) { return os.CreateTemp(t.TempDir(), "x") }, func(c CutText) {
		defer c.File.Close()
		b, err := io.ReadAll(io.NewSectionReader(c.File, 0, 1<<40))
		if err != nil || int64(len(b)) != c.Bytes {
			t.Errorf("%d of %d bytes were kept: %v", len(b), c.Bytes, err)
		}
		texts[c.Mark] = string(b)
	}, nil)
	for {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(l.Data))
	}
}

func quoted(t testing.TB, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestALongTextIsCutOutOfItsLineAndKeptWhole(t *testing.T) {
	long := "HEAD " + strings.Repeat("a line with \"quotes\", \\ and \t tabs, é, \U0001F600 and <tags>\n", 100_000) + " TAIL"
	line := `{"a":1,"text":` + quoted(t, long) + `,"again":` + quoted(t, long) + `,"b":"short"}`
	lines, texts := cutLines(t, strings.NewReader("{\"first\":1}\n"+line+"\n{\"last\":1}\n"), 0, nil)
	if len(lines) != 3 || lines[0] != `{"first":1}` || lines[2] != `{"last":1}` {
		t.Fatalf("%d lines", len(lines))
	}
	if len(lines[1]) > 8*cutKept || len(texts) != 1 {
		t.Errorf("the line still has %d bytes; %d texts", len(lines[1]), len(texts))
	}
	var got struct {
		A              int
		Text, Again, B string
	}
	if err := json.Unmarshal([]byte(lines[1]), &got); err != nil {
		t.Fatal(err)
	}
	if got.A != 1 || got.B != "short" || got.Text != got.Again || !strings.HasPrefix(got.Text, "HEAD ") || !strings.HasSuffix(got.Text, " TAIL") || !utf8.ValidString(got.Text) {
		t.Errorf("%+v", got.A)
	}
	for mark, text := range texts {
		head, tail, ok := strings.Cut(got.Text, "\n"+mark+"\n")
		if !ok || text != long || !strings.HasPrefix(long, head) || !strings.HasSuffix(long, tail) || len(head) < cutKept-4 || len(tail) < cutKept-4 {
			t.Errorf("%d bytes were kept of %d; head %d, tail %d", len(text), len(long), len(head), len(tail))
		}
	}
}

func TestALineOfAnyLengthIsReadWhenItsTextsAreLong(t *testing.T) {
	long := quoted(t, strings.Repeat("word\n", 1<<20))
	line := `{"a":` + long + `,"b":[` + long + `,` + long + "]}\n"
	lines, texts := cutLines(t, iotest.HalfReader(strings.NewReader(line)), 6<<20, func(s Skip) { t.Errorf("%+v", s) })
	if len(lines) != 1 || len(texts) != 1 || !json.Valid([]byte(lines[0])) {
		t.Errorf("%d lines, %d texts", len(lines), len(texts))
	}
}

func TestDataThatIsNoImageIsCutOutAndStillHasItsFingerprint(t *testing.T) {
	for _, data := range []string{strings.Repeat("QUJD", 2<<20), strings.Repeat("QUJ-", 2<<20)} {
		line := `{"data":"` + data + `","url":"data:audio/wav;base64,` + data + "\"}\n"
		lines, texts := cutLines(t, strings.NewReader(line), 0, nil)
		if len(texts) != 2 || len(lines) != 1 || len(lines[0]) > 8*cutKept {
			t.Fatalf("%d texts, %d lines", len(texts), len(lines))
		}
		var got struct{ Data, URL string }
		if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
			t.Fatal(err)
		}
		want := Image("audio/wav", data)
		if a, b := Image("audio/wav", got.Data), Image("", got.URL); a != want || b != want {
			t.Errorf("%+v and %+v are not %+v", a, b, want)
		}
	}
}

func TestALineThatBreaksOffWithinALongTextIsCountedAndTheNextIsRead(t *testing.T) {
	skipped := 0
	lines, texts := cutLines(t, strings.NewReader(`{"a":"`+strings.Repeat("word ", 2<<20)+"\n{\"b\":1}\n"), 0, func(s Skip) { skipped++ })
	if len(lines) != 1 || lines[0] != `{"b":1}` || len(texts) != 0 || skipped != 1 {
		t.Errorf("%d lines, %d texts, %d skipped", len(lines), len(texts), skipped)
	}
}

func TestALongLineWithoutLongTextsStaysAsItIs(t *testing.T) {
	line := "[" + strings.Repeat(`"a \" b","c\\",{"d":1},`, 300_000) + `"e"]`
	lines, texts := cutLines(t, strings.NewReader(line+"\n"), 0, nil)
	if len(lines) != 1 || lines[0] != line || len(texts) != 0 {
		t.Error("it was changed")
	}
	lines, _ = cutLines(t, strings.NewReader("no json "+strings.Repeat("x", 5<<20)+"\n"), 0, nil)
	if len(lines) != 1 || len(lines[0]) != 5<<20+8 {
		t.Error("a line that is no JSON was changed")
	}
}

func TestALineIsNotReadWhileItsLongTextCannotBeKept(t *testing.T) {
	full := errors.New("no space left on device")
	r := NewReader(strings.NewReader(`{"a":"`+strings.Repeat("word ", 2<<20)+"\"}\n"), "f.jsonl", Place{}, 0, nil)
	r.OnCut(func() (*os.File, error) { return nil, full }, func(CutText) { t.Error("it was kept") }, nil)
	if _, err := r.Next(); !errors.Is(err, full) || !strings.Contains(err.Error(), "f.jsonl") {
		t.Errorf("%v", err)
	}
	if p := r.Place(); p.Offset != 0 {
		t.Errorf("it counts as read up to %d", p.Offset)
	}
}

// FuzzCut holds the cutter against encoding/json, whatever a text holds and wherever it is cut into pieces.
func FuzzCut(f *testing.F) {
	for _, s := range []string{`plain`, `\n\t\"\\\/`, `\u00e9\ud83d\ude00`, `\ud83d lone`, `\ud83d\u0041`, "é\U0001F600", `\\u0041`, `\x`, `\u12`} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		if bytes.ContainsAny(text, "\"\n\r") && !json.Valid([]byte(`"`+string(text)+`"`)) {
			return
		}
		var want string
		if json.Unmarshal([]byte(`"`+string(text)+`"`), &want) != nil || len(text) == 0 || !utf8.Valid(text) {
			return
		}
		times := 300/len(text) + 1
		raw := `{"k":" ` + strings.Repeat(string(text), times) + `"}`
		if json.Unmarshal([]byte(raw[5:len(raw)-1]), &want) != nil {
			return
		}
		path := filepath.Join(t.TempDir(), "f")
		var got CutText
		c := newCutter(nil, func() (*os.File, error) { return os.Create(path) }, func(x CutText) { got = x }, nil)
		c.over = 200
		for at, n := 0, int(step)+1; at < len(raw); at += n {
			c.feed([]byte(raw[at:min(len(raw), at+n)]))
		}
		if whole, err := c.close(); err != nil || !whole {
			t.Fatal(whole, err)
		}
		b, err := os.ReadFile(path)
		if err != nil || string(b) != want || got.File.Close() != nil {
			t.Fatalf("%d bytes were kept, %d are right: %v", len(b), len(want), err)
		}
		var line struct{ K string }
		if err := json.Unmarshal(c.out, &line); err != nil || !strings.Contains(line.K, got.Mark) {
			t.Fatalf("%v in %.100q", err, c.out)
		}
	})
}

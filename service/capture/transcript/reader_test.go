package transcript

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

func readAll(t *testing.T, text string, at Place, limit int) (lines []Line, rest Place, skips []Skip) {
	t.Helper()
	r := NewReader(strings.NewReader(text[at.Offset:]), "f.jsonl", at, limit, func(s Skip) { skips = append(skips, s) })
	for {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines, r.Place(), skips
		}
		if err != nil {
			t.Fatal(err)
		}
		l.Data = append([]byte(nil), l.Data...)
		lines = append(lines, l)
	}
}

func TestReaderGivesCompleteLinesAndLetsATornOneWait(t *testing.T) {
	text := "{\"a\":1}\r\n\n{\"b\":2}\n{\"c\":"
	lines, at, _ := readAll(t, text, Place{}, 0)
	if len(lines) != 3 || string(lines[0].Data) != `{"a":1}` || string(lines[2].Data) != `{"b":2}` {
		t.Fatalf("lines %v", lines)
	}
	if lines[2].Number != 3 || lines[2].Offset != 10 {
		t.Errorf("third line is number %d at %d", lines[2].Number, lines[2].Offset)
	}
	if want := (Place{Offset: 18, Line: 3}); at != want {
		t.Errorf("stopped at %+v, want %+v", at, want)
	}
	more, end, _ := readAll(t, text+"3}\n", at, 0)
	if len(more) != 1 || string(more[0].Data) != `{"c":3}` || more[0].Number != 4 || end.Line != 4 {
		t.Errorf("after the rest arrived: %v, %+v", more, end)
	}
}

func TestReaderTakesAWholeObjectWithoutItsLineEndAndCountsTheLineOnce(t *testing.T) {
	lines, at, _ := readAll(t, "{\"a\":1}\n{\"b\":2}", Place{}, 0)
	if len(lines) != 2 || !at.Mid || at.Line != 2 {
		t.Fatalf("lines %v, place %+v", lines, at)
	}
	more, end, _ := readAll(t, "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n", at, 0)
	var numbers []int
	for _, l := range more {
		numbers = append(numbers, l.Number)
	}
	if !reflect.DeepEqual(numbers, []int{2, 3}) || len(more[0].Data) != 0 || end.Mid {
		t.Errorf("numbers %v, first %q, place %+v", numbers, more[0].Data, end)
	}
}

func TestReaderGoesOnWithAnotherPartOfItsFile(t *testing.T) {
	text := "one\ntwo\nlonger than the others\nfour\n"
	r := NewReader(strings.NewReader("something else\n\nand more"), "f", Place{}, 20, nil)
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	var skips []Skip
	r.Again(strings.NewReader(text[4:]), Place{Line: 1}, func(s Skip) { skips = append(skips, s) })
	var got []string
	for {
		l, err := r.Next()
		if err != nil {
			break
		}
		got = append(got, fmt.Sprint(l.Number, l.Offset, " ", string(l.Data)))
	}
	if want := []string{"2 0 two", "4 27 four"}; !reflect.DeepEqual(got, want) || len(skips) != 1 || skips[0].Line != 3 {
		t.Errorf("lines %q, skips %+v", got, skips)
	}
}

func TestReaderSkipsALineOverTheLimitWithoutLoadingIt(t *testing.T) {
	long := `{"x":"` + strings.Repeat("y", 300_000) + `"}`
	lines, _, skips := readAll(t, "{\"a\":1}\n"+long+"\n{\"b\":2}\n", Place{}, 100_000)
	if len(lines) != 2 || lines[1].Number != 3 {
		t.Errorf("got %d lines", len(lines))
	}
	want := []Skip{{Reason: TooLong, File: "f.jsonl", Line: 2, Bytes: int64(len(long) + 1)}}
	if !reflect.DeepEqual(skips, want) {
		t.Errorf("skips %+v", skips)
	}
}

func TestReaderWaitsForTheEndOfALineOverTheLimit(t *testing.T) {
	_, at, skips := readAll(t, "{\"a\":1}\n"+strings.Repeat("z", 5000), Place{}, 1000)
	if at.Offset != 8 || len(skips) != 0 {
		t.Errorf("place %+v, skips %+v", at, skips)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestReaderReturnsAReadErrorAndKeepsItsPlace(t *testing.T) {
	r := NewReader(failing{}, "f", Place{Offset: 7, Line: 2}, 0, nil)
	if _, err := r.Next(); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("error %v", err)
	}
	if r.Place() != (Place{Offset: 7, Line: 2}) {
		t.Errorf("place %+v", r.Place())
	}
}

func TestReaderAsksBeforeItLoadsALongLine(t *testing.T) {
	long := `{"x":"` + strings.Repeat("y", longLine) + `"}`
	r := NewReader(strings.NewReader("{}\n"+long+"\n{}\n"+long+"\n"), "f", Place{}, 0, nil)
	asked := 0
	r.OnLong(func() {
		if asked++; len(r.buf) > longLine {
			t.Errorf("asked after %d bytes", len(r.buf))
		}
	})
	for n := range 4 {
		if l, err := r.Next(); err != nil || l.Number != n+1 {
			t.Fatalf("line %d: %v %v", n+1, l.Number, err)
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times for two long lines", asked)
	}
}

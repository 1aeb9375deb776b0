package project

import (
	"reflect"
	"testing"
)

func TestBlameIsRead(t *testing.T) {
	const a, b, none = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222", "0000000000000000000000000000000000000000"
	text := a + " 1 1 2\nauthor Robin\nfilename old name.go\n\tone\n" + a + " 2 2\n\ttwo\r\n" +
		b + " 9 3 1\nauthor x\nboundary\nfilename new.go\n\t\t" + a + " 1 1\n" + none + " 4 4 1\nauthor Not Committed Yet\nfilename new.go\n\tfilename odd\n" + a + " 3 5 1\n\tfive\n"
	got, err := parseBlame(text)
	want := []Stretch{
		{1, 2, a, "old name.go", []string{"one", "two"}}, {3, 3, b, "new.go", []string{"\t" + a + " 1 1"}},
		{4, 4, "", "new.go", []string{"filename odd"}}, {5, 5, a, "old name.go", []string{"five"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\nwant\n%+v", err, got, want)
	}
	if _, err := parseBlame(a + " 1 99999999999999999999 1\n\tx\n"); err == nil {
		t.Error("a number that is none is taken")
	}
	if got, err := parseBlame(""); err != nil || got != nil {
		t.Errorf("%v %v", got, err)
	}
}

func FuzzBlame(f *testing.F) {
	f.Add("1111111111111111111111111111111111111111 1 1 1\nfilename a\n\tx\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := parseBlame(text)
		for _, s := range got {
			if len(s.Lines) == 0 || s.To-s.From != len(s.Lines)-1 {
				t.Errorf("%+v", s)
			}
		}
	})
}

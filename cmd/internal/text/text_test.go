package text

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCleanTakesFromATerminalWhatItWouldObey(t *testing.T) {
	for in, want := range map[string]string{
		"plain, 你好 é\nnext":                      "plain, 你好 é\nnext",
		"\x1b[31mred\x1b[0m \x1b[1;4:3mx\x1b[K":  "red x",
		"\u009b31mred":                           "red",
		"\x1b]0;title\x07a\x1b]8;;u\x1b\\b":      "ab",
		"\x1b]0;never ends\nnext":                "␛]0;never ends\nnext",
		"\x1b[31":                                "␛[31",
		"\x1bPdevice\u009cx\x1b(Bb\x1bcend\x1b":  "xbend␛",
		"a\r\nb\rc\vd\fe\u2028f":                 "a\nb\nc\nd\ne\nf",
		"a\tb":                                   "a    b",
		"\x00\x07\x08\x7f\u0085":                 "␀␇␈␡\uFFFD",
		"bad \xff\xfe bytes":                     "bad \uFFFD\uFFFD bytes",
		"if \u202e\u2066// admin\u2069\u2066 {}": "if // admin {}",
		"נכון\u200f":                             "נכון\u200f",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line("  a\n\tb \x1b[0m c "); got != "a b c" {
		t.Errorf("Line: %q", got)
	}
}

func FuzzCleanLeavesNothingToObey(f *testing.F) {
	for _, s := range []string{"\x1b[31mred\x1b[0m", "\x1b]0;t\x07", "\x1b\x1b[[", "\u009b\u009d", "\xff\r\n\t", "\x1b[\x1b]\x1b\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' || reorders(r) }); i >= 0 || !utf8.ValidString(got) {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		if again := Clean(got); again != got {
			t.Errorf("Clean(%q) is not stable: %q", got, again)
		}
		for _, width := range []int{1, 2, 7} {
			for _, line := range Wrap(got, width) {
				if Width(line) > max(width, 4) { // a dash can be four columns wide
					t.Errorf("Wrap(%q, %d) gives %q", got, width, line)
				}
			}
			if c := Cut(Line(got), width); Width(c) > width {
				t.Errorf("Cut(%q, %d) = %q", Line(got), width, c)
			}
		}
	})
}

func TestJSONStaysTheSameDocument(t *testing.T) {
	in := "{\"a\":\"x\u009b31m\u007f\u2028\u202e 你好\"}"
	out := string(JSON([]byte(in)))
	if want := `{"a":"x\u009b31m\u007f\u2028\u202e 你好"}`; out != want {
		t.Errorf("%q", out)
	}
	var a, b any
	if json.Unmarshal([]byte(in), &a) != nil || json.Unmarshal([]byte(out), &b) != nil || !reflect.DeepEqual(a, b) {
		t.Error("the document changed")
	}
	if plain := []byte(`{"a":1}`); string(JSON(plain)) != string(plain) {
		t.Error("a plain document changed")
	}
}

func TestWrapBreaksWhereTheScriptAllowsIt(t *testing.T) {
	tests := []struct {
		in    string
		width int
		want  []string
	}{
		{"one two three", 9, []string{"one two", "three"}},
		{"one two three", 0, []string{"one two three"}},
		{"a\n\nb\n", 9, []string{"a", "", "b"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"go 修复索引的错误", 8, []string{"go 修复", "索引的错", "误"}},
		{"  indented text here", 14, []string{"  indented", "text here"}},
		{"x " + strings.Repeat(" ", 20) + "y", 5, []string{"x", "y"}},
		{"", 5, []string{""}},
		{"⸻⸻", 2, []string{"⸻", "⸻"}},
		{"👩‍👩‍👧‍👧👩‍👩‍👧‍👧", 2, []string{"👩‍👩‍👧‍👧", "👩‍👩‍👧‍👧"}},
	}
	for _, tt := range tests {
		if got := Wrap(tt.in, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

func TestCutFitsTheColumnsAndMarksWhatIsMissing(t *testing.T) {
	tests := []struct {
		in    string
		width int
		want  string
		left  string
	}{
		{"abcdef", 6, "abcdef", "abcdef"},
		{"abcdef", 5, "abcd…", "…cdef"},
		{"abcdef", 0, "abcdef", "abcdef"},
		{"修复索引", 5, "修复…", "…索引"},
		{"修复索引", 6, "修复…", "…索引"},
		{"ab cd", 4, "ab…", "… cd"},
	}
	for _, tt := range tests {
		if got := Cut(tt.in, tt.width); got != tt.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
		if got := CutLeft(tt.in, tt.width); got != tt.left {
			t.Errorf("CutLeft(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.left)
		}
	}
}

func TestTableFitsItsWidth(t *testing.T) {
	table := Table{
		Head: strings.ToUpper,
		Columns: []Column{{Title: "id"}, {Title: "n", Right: true}, {Title: "agent", Drop: 2}, {Title: "none"},
			{Title: "path", Min: 6, Drop: 1, Tail: true}, {Title: "title", Min: 8}},
		Rows: [][]string{
			{"a", "1", "codex", "", "/home/u/code", "修复索引的错误和别的东西"},
			{"bcd", "1,200", "claude-code", "", "/x", "short"},
		},
	}
	tests := map[int]string{
		0: `ID       N  AGENT        PATH          TITLE
a        1  codex        /home/u/code  修复索引的错误和别的东西
bcd  1,200  claude-code  /x            short`,
		50: `ID       N  AGENT        PATH        TITLE
a        1  codex        …me/u/code  修复索引的错…
bcd  1,200  claude-code  /x          short`,
		30: `ID       N  PATH     TITLE
a        1  …u/code  修复索引…
bcd  1,200  /x       short`,
		19: `ID       N  TITLE
a        1  修复索…
bcd  1,200  short`,
	}
	for width, want := range tests {
		lines := table.Lines(width)
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("width %d:\n%s\nwant\n%s", width, got, want)
		}
		for _, l := range lines {
			if width > 0 && Width(l) > width {
				t.Errorf("width %d: %q is %d wide", width, l, Width(l))
			}
		}
	}
}

func TestStyleIsPlainUnlessItIsOn(t *testing.T) {
	off, on := Style{}, Style{On: true}
	if off.Bad("x") != "x" || on.Bad("x") != "\x1b[31mx\x1b[0m" || on.Good("") != "" {
		t.Error("style")
	}
	painted := Table{Columns: []Column{{Title: "a", Paint: on.Link}, {Title: "b", Right: true, Paint: on.Warn}}, Rows: [][]string{{"x", "1"}}}
	if got := painted.Lines(80)[0]; got != "\x1b[36mx\x1b[0m  \x1b[33m1\x1b[0m" {
		t.Errorf("%q", got)
	}
	for _, look := range []func(string) string{on.Strong, on.Faint, on.Good, on.Warn, on.Link} {
		if s := look("x"); Clean(s) != "x" {
			t.Errorf("%q", s)
		}
	}
	if got := Indent([]string{"a", ""}, "  "); !slices.Equal(got, []string{"  a", ""}) {
		t.Errorf("%q", got)
	}
	if Pad("修", 4) != "修  " || Pad("long", 2) != "long" {
		t.Error("Pad")
	}
}

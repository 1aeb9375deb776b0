package pager

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestKey(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Read", `{"file_path":"/a/b.go","offset":3}`, "file:/a/b.go"},
		{"view", `{"path":"b.go"}`, "file:b.go"},
		{"Bash", `{"command":"cat /a/b.go"}`, "file:/a/b.go"},
		{"Bash", `{"command":"sed -n 1,20p 'b.go'"}`, "file:b.go"},
		{"Bash", `{"command":"cd /src && head -n 5 b.go"}`, "file:b.go"},
		{"Bash", `{"command":"cat a.go b.go"}`, "cmd:cat a.go b.go"},
		{"Bash", `{"command":"cat a.go | wc -l"}`, "cmd:cat a.go | wc -l"},
		{"shell", `{"command":["bash","-lc","go  test\n ./..."]}`, "cmd:go test ./..."},
		{"exec_command", `{"cmd":"go test"}`, "cmd:go test"},
		{"Grep", `{"pattern":"x","glob":"*.go"}`, `Grep:{"glob":"*.go","pattern":"x"}`},
		{"Grep", `not json`, `Grep:not json`},
		{"Read", `{}`, `Read:{}`},
	} {
		if got := Key(c.tool, json.RawMessage(c.input)); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.input, got, c.want)
		}
	}
}

func TestQuotedByEdit(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Edit", `{"file_path":"a","old_string":"x\ny","new_string":"z"}`, "x\ny"},
		{"MultiEdit", `{"edits":[{"old_string":"x"},{"old_string":"y"}]}`, "x\ny"},
		{"apply_patch", `{"input":"*** Begin Patch\n--- a\n-old\n+new\n kept"}`, "old\nkept"},
		{"shell", `{"command":["apply_patch","*** Begin Patch\n-old\n"]}`, "old"},
		{"Write", `{"old_string":"x"}`, ""},
		{"Bash", `{"command":"-x"}`, ""},
	} {
		if got := QuotedByEdit(c.tool, json.RawMessage(c.input)); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.input, got, c.want)
		}
	}
}

func TestSignificantLines(t *testing.T) {
	in := "  12→\tfunc main() { return }\nshort line\n+added line of code\n--- not a marked line\na.go:7:found in this line\n............\n\x0cnew page starts here\u2028another line at last"
	want := []string{"func main() { return }", "added line of code", "--- not a marked line", "found in this line", "new page starts here", "another line at last"}
	if got := SignificantLines(in); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestBareLine(t *testing.T) {
	for in, want := range map[string]string{
		"12\t\tfoo": "foo", "12 \t foo": "foo", "12 : x": "x", "--- a": "--- a", "-a": "a", "+": "", "a.go:12:  b": "b", "12:13: x": "13: x", "  + b": "b",
		"a b.go:12: c": "a b.go:12: c", "x:12": "x:12", "12": "12",
	} {
		if got := BareLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

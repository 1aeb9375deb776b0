package edit

import (
	"strings"
	"testing"

	"dormouse/store/memory"
)

func here(s string) State { return State{Exists: true, Text: s} }

func node(input string, edits ...memory.Edit) *memory.Node {
	return &memory.Node{Role: memory.RoleTool, Input: []byte(input), Metadata: memory.Metadata{Status: memory.StatusOK, Edits: edits}}
}

func one(t *testing.T, n *memory.Node) *Change {
	t.Helper()
	list := Of(n)
	if len(list) != 1 {
		t.Fatalf("%d changes", len(list))
	}
	return &list[0]
}

func TestAChangeLeadsFromBeforeToAfterAndBack(t *testing.T) {
	const tabbed = "func f() {\n\ta()\n\t\tb()\n}\n"
	for name, c := range map[string]struct {
		node          *memory.Node
		before, after State
		back          bool // can be taken back
	}{
		"replacement": {node(`{"file_path":"/w/f","old_string":"two","new_string":"2"}`, memory.Edit{Path: "/w/f", Op: Update}),
			here("one\ntwo\n"), here("one\n2\n"), true},
		"other spelling of the arguments": {node(`{"filePath":"/w/f","oldString":"two","newString":"2"}`, memory.Edit{Path: "/w/f", Op: Update}),
			here("one\ntwo\n"), here("one\n2\n"), true},
		"several replacements": {node(`{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"bb","new_string":"c"}]}`, memory.Edit{Path: "f", Op: Update}),
			here("ab\n"), here("c\n"), false},
		"all places, proven by the hunks": {node(`{"file_path":"f","old_string":"x","new_string":"y","replace_all":true}`,
			memory.Edit{Path: "f", Op: Update, Diff: "@@ -1,3 +1,3 @@\n-x\n+y\n a\n-x\n+y\n"}), here("x\na\nx\n"), here("y\na\ny\n"), true},
		"one of two places, shown by the hunks": {node(`{"file_path":"f","old_string":"x","new_string":"y"}`,
			memory.Edit{Path: "f", Op: Update, Diff: "@@ -2,2 +2,2 @@\n a\n-x\n+y\n"}), here("x\na\nx\n"), here("x\na\ny\n"), true},
		"tabs that the hunks show as blanks": {node(`{"file_path":"f","old_string":"\t\tb()","new_string":"\t\tc()"}`,
			memory.Edit{Path: "f", Op: Update, Diff: "@@ -1,4 +1,4 @@\n func f() {\n   a()\n-    b()\n+    c()\n }\n"}),
			here(tabbed), here(strings.Replace(tabbed, "b", "c", 1)), true},
		"a piece taken out": {node(`{"file_path":"f","old_string":"\t\tb()\n","new_string":""}`,
			memory.Edit{Path: "f", Op: Update, Diff: "@@ -1,4 +1,3 @@\n func f() {\n   a()\n-    b()\n }\n"}),
			here(tabbed), here("func f() {\n\ta()\n}\n"), true},
		"hunks": {node(`null`, memory.Edit{Path: "f", Op: Update, Diff: "@@ -1,2 +1,3 @@\n+new\n a\n b\n@@ -5 +6 @@\n-e\n+E\n\\ No newline at end of file\n"}),
			here("a\nb\nc\nd\ne\n"), here("new\na\nb\nc\nd\nE"), true},
		"hunks without numbers": {node(`null`, memory.Edit{Path: "f", Op: Update, Diff: "@@ func g\n-\tx\n+\ty\n"}),
			here("func f\n\tx\nfunc g\n\tx\n"), here("func f\n\tx\nfunc g\n\ty\n"), true},
		"a new file of apply_patch": {node(`null`, memory.Edit{Path: "f", Op: Create, Diff: "+a\n+\n+b\n"}), State{}, here("a\n\nb\n"), true},
		"a new file without an end of its last line": {node(`null`, memory.Edit{Path: "f", Op: Create, Diff: "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"}),
			State{}, here("a\nb"), true},
		"a new file by its content": {node(`{"file_path":"f","content":"a\n"}`, memory.Edit{Path: "f", Op: Create}), State{}, here("a\n"), true},
		"a content that replaces another": {node(`{"file_path":"f","content":"b\n"}`, memory.Edit{Path: "f", Op: Update, Diff: "@@ -1 +1 @@\n-a\n+b\n"}),
			here("a\n"), here("b\n"), true},
		"a file that goes": {node(`null`, memory.Edit{Path: "f", Op: Delete, Diff: "@@ -1 +0,0 @@\n-a\n"}), here("a\n"), State{}, true},
		"text into an empty file": {node(`{"file_path":"f","old_string":"","new_string":"a"}`, memory.Edit{Path: "f", Op: Update,
			Diff: "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"}), here(""), here("a"), true},
	} {
		ch := one(t, c.node)
		if got, ok := ch.Apply(c.before); !ok || got != c.after {
			t.Errorf("%s: carried out: %+v %v, want %+v", name, got, ok, c.after)
		}
		if got, ok := ch.Revert(c.after); ok != c.back || ok && got != c.before {
			t.Errorf("%s: taken back: %+v %v, want %+v %v", name, got, ok, c.before, c.back)
		}
	}
}

func TestWhatDoesNotFitIsNotKnown(t *testing.T) {
	for name, c := range map[string]struct {
		node *memory.Node
		base State
	}{
		"the piece is not there":      {node(`{"file_path":"f","old_string":"x","new_string":"y"}`, memory.Edit{Path: "f", Op: Update}), here("abc")},
		"the piece is there twice":    {node(`{"file_path":"f","old_string":"x","new_string":"y"}`, memory.Edit{Path: "f", Op: Update}), here("x x")},
		"the hunks show another file": {node(`{"file_path":"f","old_string":"x","new_string":"y"}`, memory.Edit{Path: "f", Op: Update, Diff: "@@ -1 +1 @@\n-z x\n+z y\n"}), here("a x\n")},
		"the old line differs":        {node(`null`, memory.Edit{Path: "f", Op: Update, Diff: "@@ -1 +1 @@\n-a\n+b\n"}), here("c\n")},
		"the line has another end":    {node(`null`, memory.Edit{Path: "f", Op: Update, Diff: "@@ -1 +1 @@\n-a\n+b\n"}), here("a")},
		"the place is not clear":      {node(`null`, memory.Edit{Path: "f", Op: Update, Diff: "@@\n-a\n+b\n"}), here("a\na\n")},
		"the file is not there":       {node(`null`, memory.Edit{Path: "f", Op: Update, Diff: "@@ -1 +1 @@\n-a\n+b\n"}), State{}},
		"nothing is shown":            {node(`null`, memory.Edit{Path: "f", Op: Update}), here("a")},
		"the arguments name another":  {node(`{"file_path":"g","old_string":"a","new_string":"b"}`, memory.Edit{Path: "f", Op: Update}), here("a")},
	} {
		if got, ok := one(t, c.node).Apply(c.base); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestACallThatFailedChangedNothing(t *testing.T) {
	for _, s := range []memory.Status{memory.StatusError, memory.StatusInterrupted, memory.StatusPending} {
		n := node(`null`, memory.Edit{Path: "f", Op: Create, Diff: "+a\n"})
		n.Metadata.Status = s
		if len(Of(n)) != 0 {
			t.Errorf("a call that ended with %s has changes", s)
		}
	}
}

func TestAContentWithASecretTakenOutIsNotKnown(t *testing.T) {
	masked := "[redacted:" + "generic:0a1b2c]"
	n := node(`{"file_path":"f","content":"key = `+masked+`\n"}`, memory.Edit{Path: "f", Op: Create})
	if _, ok := one(t, n).Apply(State{}); !ok {
		t.Error("what was written by the agent itself is taken for a secret that was taken out")
	}
	n.Metadata.Redacted = 1
	if _, ok := one(t, n).Apply(State{}); ok {
		t.Error("a content with a placeholder is taken for the real one")
	}
	if _, ok := one(t, n).Result(); ok {
		t.Error("a content with a placeholder is taken for the result")
	}
}

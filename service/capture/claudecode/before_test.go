package claudecode_test

import (
	"testing"

	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

// tally counts how the edits of real transcripts can be carried out.
type tally struct{ edits, shown, kept, applied, reverted int }

func TestEveryEditWhoseFileIsShownLeadsFromBeforeToAfter(t *testing.T) {
	var c tally
	for _, root := range sampleRoots(t) {
		for _, files := range fileSets(t, root) {
			known := map[string]string{} // contents by their sums
			for _, n := range capture(t, files).nodes {
				for _, e := range edit.Of(&n) {
					c.carryOut(t, known, &e)
				}
			}
		}
	}
	t.Logf("%+v", c)
	if c.shown == 0 || c.kept == c.shown {
		t.Errorf("no content was left out because the edit before gives it: %+v", c)
	}
	if c.applied < c.shown {
		t.Errorf("%d of %d edits whose file is shown could not be carried out", c.shown-c.applied, c.shown)
	}
}

func (c *tally) carryOut(t *testing.T, known map[string]string, e *edit.Change) {
	c.edits++
	var base edit.State
	switch {
	case e.Before != nil:
		c.kept++
		base = edit.State{Exists: true, Text: *e.Before}
	case e.BeforeSum != "":
		text, ok := known[e.Path+e.BeforeSum]
		if !ok {
			t.Errorf("%s: the content before is neither shown nor what an earlier edit left", e.Path)
			return
		}
		base = edit.State{Exists: true, Text: text}
	case e.Op == edit.Create:
	default:
		return
	}
	c.shown++
	after, ok := e.Apply(base)
	if !ok {
		t.Logf("%s %s does not fit", e.Op, e.Path)
		return
	}
	c.applied++
	known[e.Path+edit.Sum(after.Text)] = after.Text
	e.Before = nil
	if back, ok := e.Revert(after); ok {
		c.reverted++
		if back != base {
			t.Errorf("%s: taken back, the edit gives another content than there was", e.Path)
		}
	}
}

func edited(uuid, parent, file, original, old, now string) []string {
	in := `{"file_path":` + quote(file) + `,"old_string":` + quote(old) + `,"new_string":` + quote(now) + `}`
	rich := `{"filePath":` + quote(file) + `,"originalFile":` + quote(original) + `}`
	return []string{calls(uuid, parent, "m"+uuid, "t"+uuid, "Edit", in), answers("r"+uuid, uuid, "t"+uuid, "done", rich)}
}

func befores(nodes []memory.Node) (out []string) {
	for _, n := range nodes {
		for _, e := range n.Metadata.Edits {
			s := "-"
			if e.Before != nil {
				s = *e.Before
			}
			out = append(out, s)
		}
	}
	return out
}

func TestAContentThatTheEditBeforeLeftIsNotKeptAgain(t *testing.T) {
	lines := []string{user("u", "", "go")}
	lines = append(lines, edited("a", "u", "/w/f", "one\n", "one", "two")...)
	lines = append(lines, edited("b", "ra", "/w/f", "two\n", "two", "three")...)
	lines = append(lines, edited("c", "rb", "/w/f", "changed\n", "changed", "four")...)
	nodes := session(t, lines).nodes
	got := befores(nodes)
	want := []string{"one\n", "-", "changed\n"}
	for i := range want {
		if len(got) != 3 || got[i] != want[i] {
			t.Fatalf("contents kept: %q, want %q", got, want)
		}
	}
	for _, n := range nodes {
		for _, e := range n.Metadata.Edits {
			if e.BeforeSum == "" {
				t.Error("an edit whose file is shown has no sum of it")
			}
		}
	}
}

package edit

import (
	"encoding/json"
	"testing"

	"dormouse/store/memory"
)

func FuzzHunksGoBackWhereTheyCameFrom(f *testing.F) {
	f.Add("a\nb\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n")
	f.Add("a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n")
	f.Add("x\n\tf\n", "@@ x\n-\tf\n+\tg\n")
	f.Add("", "@@ -0,0 +1 @@\n+a\n")
	f.Add("a\n", "+b\n")
	f.Add("a\n", "@@ -2,0 +3 @@\n+b\n")
	f.Fuzz(func(t *testing.T, base, diff string) {
		hunks, ok := ParseHunks(diff)
		if !ok {
			return
		}
		after, ok := patch(base, hunks)
		if !ok {
			return
		}
		anchored := true
		for _, h := range hunks {
			anchored = anchored && h.Anchored
		}
		if !anchored {
			return
		}
		back, ok := patch(after, flip(hunks))
		if ok && back != base {
			t.Errorf("%q became %q and that %q", base, after, back)
		}
	})
}

func FuzzAChangeThatIsTakenBackLeadsToTheSameAgain(f *testing.F) {
	f.Add("one two one", "two", "2", false, "")
	f.Add("x\na\nx\n", "x", "y", true, "@@ -1,3 +1,3 @@\n-x\n+y\n a\n-x\n+y\n")
	f.Add("aaa", "a", "", false, "@@ -1 +1 @@\n-aaa\n\\ No newline at end of file\n+aa\n\\ No newline at end of file\n")
	f.Add("", "", "new", false, "")
	f.Fuzz(func(t *testing.T, base, old, now string, all bool, diff string) {
		in, err := json.Marshal(map[string]any{"file_path": "f", "old_string": old, "new_string": now, "replace_all": all})
		if err != nil {
			return
		}
		n := memory.Node{Role: memory.RoleTool, Input: in, Metadata: memory.Metadata{Edits: []memory.Edit{{Path: "f", Op: Update, Diff: diff}}}}
		c := Of(&n)[0]
		after, ok := c.Apply(State{Exists: true, Text: base})
		if !ok {
			return
		}
		before, ok := c.Revert(after)
		if !ok {
			return
		}
		if again, ok := c.Apply(before); !ok || again != after {
			t.Errorf("%q became %q, taken back %q, which becomes %q", base, after.Text, before.Text, again.Text)
		}
		if diff != "" && len(c.Hunks) > 0 && before.Text != base && !explains(before.Text, after.Text, c.Hunks) {
			t.Errorf("%q is given for %q, which the hunks do not show", before.Text, base)
		}
	})
}

func FuzzOfTakesAnyArguments(f *testing.F) {
	f.Add([]byte(`{"file_path":"f","edits":[{"old_string":"a","new_string":"b"}]}`), "@@ -1 +1 @@\n-a\n+b\n", "a\n")
	f.Add([]byte(`{"file_path":"f","content":"x"}`), "", "")
	f.Add([]byte(`[]`), "+a", "a")
	f.Fuzz(func(t *testing.T, input []byte, diff, base string) {
		for _, op := range []string{Create, Update, Delete} {
			n := memory.Node{Role: memory.RoleTool, Input: input, Metadata: memory.Metadata{Edits: []memory.Edit{{Path: "f", Op: op, Diff: diff}}}}
			for _, c := range Of(&n) {
				c.Apply(State{Exists: true, Text: base})
				c.Revert(State{Exists: true, Text: base})
				c.Result()
			}
		}
	})
}

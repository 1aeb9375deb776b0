package shadow

import (
	"encoding/json"
	"strings"
	"testing"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

func FuzzAMessageIsReadAsItWasWritten(f *testing.F) {
	f.Add("fix\nit", "src/a.go", "c1", 3)
	f.Add("Dormouse-Turn: 9", "a\nDormouse-Turn: 7", "c\n\nDormouse-Turn: 8", 0)
	f.Fuzz(func(t *testing.T, prompt, path, id string, n int) {
		if strings.ContainsAny(id, "\n\x00") || n < 0 {
			return
		}
		tr := &turn{n: n, subject: prompt, edits: []*edited{{id: "n1"}}}
		list := []File{{Path: path, Before: Exact, After: Disk, Edits: 1, Absent: []string{Before}}}
		m, err := turnMessage(Session{ID: id, Agent: "a"}, tr, list)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := parseMessage(m)
		var want File
		raw, _ := json.Marshal(list[0])
		_ = json.Unmarshal(raw, &want)
		if !ok || got.N != n || got.key != tr.key() || len(got.Files) != 1 || got.Files[0].Path != want.Path || got.Files[0].After != Disk {
			t.Errorf("%q is read as %+v, %v", m, got, ok)
		}
	})
}

func FuzzTreesHoldWhatWasPutIn(f *testing.F) {
	f.Add("a/b\na\na.b\na-b/c\na/b/c")
	f.Add("x\nx/y\nx/y/z\nx")
	f.Fuzz(func(t *testing.T, list string) {
		fs := files{}
		for p := range strings.SplitSeq(list, "\n") {
			if writable("linux", p) {
				fs.set(p, gitrepo.Sum(gitrepo.Blob, []byte(p)))
			}
		}
		trees := map[gitrepo.OID][]gitrepo.TreeEntry{}
		root, err := fs.write(func(k gitrepo.Kind, raw []byte) (gitrepo.OID, error) {
			entries, err := gitrepo.ParseTree(raw)
			oid := gitrepo.Sum(k, raw)
			trees[oid] = entries
			return oid, err
		})
		if err != nil {
			t.Fatal(err)
		}
		got := files{}
		var walk func(oid gitrepo.OID, prefix string)
		walk = func(oid gitrepo.OID, prefix string) {
			for _, e := range trees[oid] {
				if e.IsTree() {
					walk(e.OID, prefix+e.Name+"/")
				} else {
					got[prefix+e.Name] = e.OID
				}
			}
		}
		walk(root, "")
		if len(got) != len(fs) {
			t.Fatalf("%v in, %v out", fs, got)
		}
		for p, oid := range fs {
			if got[p] != oid {
				t.Errorf("%q is lost", p)
			}
		}
	})
}

// FuzzFollow gives a turn's edits of one file and what was known before; what it tells as exact has to follow from them.
func FuzzFollow(f *testing.F) {
	f.Add("one\ntwo\n", "two", "2", "2", "3", "one\n3\n", true, false)
	f.Add("", "a", "b", "b", "", "", false, true)
	f.Fuzz(func(t *testing.T, last, old1, new1, old2, new2, disk string, known, onDisk bool) {
		var changes []edit.Change
		for _, r := range [][2]string{{old1, new1}, {old2, new2}} {
			in, _ := memory.Encode(map[string]string{"file_path": "f", "old_string": r[0], "new_string": r[1]})
			n := memory.Node{Role: memory.RoleTool, Input: in, Metadata: memory.Metadata{Edits: []memory.Edit{{Path: "f", Op: edit.Update}}}}
			changes = append(changes, edit.Of(&n)...)
		}
		v := version{from: Unknown}
		if known {
			v = version{Exact, edit.State{Exists: true, Text: last}}
		}
		var d *edit.State
		if onDisk {
			d = &edit.State{Exists: true, Text: disk}
		}
		got := follow(changes, v, d, nil)
		if got.before.from == Exact || got.after.from == Exact {
			t.Errorf("nothing shows the file, and yet %+v", got)
		}
		if got.after.from == Disk && got.after.state.Text != disk && unix(got.after.state.Text) != unix(disk) {
			t.Errorf("the disk has %q, told is %q", disk, got.after.state.Text)
		}
		if got.before.from == Derived && unix(got.before.state.Text) != unix(last) {
			t.Errorf("known was %q, told is %q", last, got.before.state.Text)
		}
	})
}

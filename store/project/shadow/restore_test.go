package shadow

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dormouse/store/project/edit"
)

// one is a change with both sides known.
func one(path, old, now string) Change {
	return Change{File: File{Path: path}, Old: Side{From: Exact, State: edit.State{Exists: true, Text: old}}, New: Side{From: Exact, State: edit.State{Exists: true, Text: now}}}
}

func reasons(list []Restored) string {
	var out []string
	for _, r := range list {
		out = append(out, r.Path+": "+r.Why)
	}
	return strings.Join(out, "; ")
}

func TestATurnIsRestoredToAnotherFolder(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").replace(w.path("src/a"), "one\n", "one", "two").create(w.path("b"), "b\n").blind(w.path("c"), "x", "y").says("")
	w.record("c1", s)
	_, list, err := w.s.Changes("proj_1", "c1", 1)
	if err != nil {
		t.Fatal(err)
	}
	for side, want := range map[string]string{After: "two\n", Before: "one\n"} {
		to := Target{Dir: filepath.Join(t.TempDir(), "new", "folder"), Forbidden: []string{w.dir}}
		got, err := Restore(list, side, to)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(to.Dir, "src", "a")); err != nil || string(text) != want {
			t.Errorf("%s: %q %v", side, text, err)
		}
		why := "src/a: ; b: ; c: not known"
		if side == Before {
			why = "src/a: ; b: it was not there; c: not known"
		}
		if reasons(got) != why {
			t.Errorf("%s: %s", side, reasons(got))
		}
	}
}

func TestRestoreRefusesFoldersThatAreNotItsOwn(t *testing.T) {
	project, full := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(project, link); err != nil {
		link = project
	}
	for name, to := range map[string]Target{
		"the project":            {Dir: project, Force: true},
		"a link to the project":  {Dir: link, Force: true},
		"a folder in it":         {Dir: filepath.Join(project, "new", "x"), Force: true},
		"a folder in a link":     {Dir: filepath.Join(link, "new"), Force: true},
		"a folder that holds it": {Dir: filepath.Dir(project), Force: true},
		"a folder with files":    {Dir: full},
		"a file":                 {Dir: filepath.Join(full, "mine"), Force: true},
		"a relative path":        {Dir: "here"},
	} {
		to.Forbidden = []string{project, ""}
		if _, err := Restore([]Change{one("a", "x", "y")}, After, to); !errors.Is(err, ErrTarget) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := os.ReadDir(project); err != nil || len(list) != 0 {
		t.Errorf("the project has files: %v %v", list, err)
	}
}

func TestRestoreNeverLeavesItsFolder(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "to")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	linked := os.Symlink(outer, filepath.Join(dir, "out")) == nil
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "old"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	hostile := []Change{one("../x", "", "y"), one("/x", "", "y"), one("a/../../x", "", "y"), one("a//x", "", "y"), one("./x", "", "y"),
		one("folder", "", "y"), one("old", "", "new"), one("old/x", "", "y")}
	if linked {
		hostile = append(hostile, one("out/x", "", "y"), one("out", "", "y"))
	}
	got, err := Restore(hostile, After, Target{Dir: dir, Force: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range got {
		if (r.Why == "") != (r.Path == "old") {
			t.Errorf("%s: %q", r.Path, r.Why)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "old")); string(text) != "new" {
		t.Errorf("not written over: %q", text)
	}
	if list, _ := os.ReadDir(outer); len(list) != 1 {
		t.Errorf("written outside: %v", list)
	}
	if list, _ := os.ReadDir(dir); len(list) > 3 {
		t.Errorf("left behind: %v", list)
	}
}

func TestNamesThatWindowsTakesForSomethingElseAreRefusedThere(t *testing.T) {
	for _, p := range []string{"con", "a/NUL.txt", "aux.c", "COM1", "lpt9.x", "com¹", "conin$", "a:b", "a/b.", "a ", "what?", "x\\y", "a\x01", "CON .txt"} {
		if writable("windows", p) {
			t.Errorf("%q is written on Windows", p)
		}
	}
	for _, p := range []string{"console", "a/b.c", "com", "com10", "nulls.txt", "ä/ö", ".env", "COM0x"} {
		if !writable("windows", p) || !writable("linux", p) {
			t.Errorf("%q is refused", p)
		}
	}
	if !writable("linux", "aux.c") || writable("linux", "a\x00b") {
		t.Error("other systems have other names")
	}
	if runtime.GOOS == "windows" {
		t.Log("here the system's own check stands behind this one")
	}
}

func TestAWholeSessionIsFromTheFirstBeforeToTheLastAfter(t *testing.T) {
	w := newWorld(t)
	a := w.path("a")
	s := newScript().prompt("1").replace(a, "1\n", "1", "2").create(w.path("b"), "b\n").says("").
		prompt("2").replace(a, "3\n", "3", "4").says("").prompt("3").create(w.path("c"), "").blind(w.path("d"), "x", "y").says("")
	w.record("c1", s)
	list, err := w.s.Whole("proj_1", "c1")
	if err != nil || len(list) != 4 {
		t.Fatal(err, list)
	}
	if diff, added, removed := list[0].Unified(); diff != "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+4\n" || added != 1 || removed != 1 || !list[0].Outside || list[0].Edits != 2 {
		t.Errorf("%q %d %d %+v", diff, added, removed, list[0].File)
	}
	if diff, added, _ := list[1].Unified(); diff != "--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+b\n" || added != 1 {
		t.Errorf("%q %d", diff, added)
	}
	if diff, _, _ := list[3].Unified(); diff != "" || list[3].Shown == "" {
		t.Errorf("%q %q", diff, list[3].Shown)
	}
	if _, err := w.s.Whole("proj_1", "none"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, _, err := w.s.Changes("proj_1", "c1", 9); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	binary := one("x", "\x00a", "\x00b")
	if diff, _, _ := binary.Unified(); diff != "" || !Binary("\xff\xfe") || Binary("ä") {
		t.Error("a content that is no text is compared by lines")
	}
}

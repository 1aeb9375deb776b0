package shadow

import (
	"os"
	"strings"
	"testing"

	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

func TestWhatTheTurnLeftOnTheDiskFillsWhatTheSessionDoesNotTell(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").blind(w.path("a"), "two", "2").says("")
	w.write("a", "one\n2\n", 1_700_000_022) // while the call ran
	w.record("c1", s)
	w.want("c1", 1, `a: disk "one\ntwo\n" -> disk "one\n2\n"`)
	w.fsck()
}

func TestAFileThatWasChangedLaterIsNotTakenForTheTurns(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		at   int64
	}{
		"changed after the agent went on": {"one\n2\nand more\n", 1_700_000_100},
		"changed before the call":         {"one\n2\n", 1_699_999_000},
		"without the change":              {"one\nsomething\n", 1_700_000_022},
	} {
		w := newWorld(t)
		s := newScript().prompt("1").blind(w.path("a"), "two", "2").says("")
		w.write("a", c.text, c.at)
		if got := w.record("c1", s); got.Unknown != 1 {
			t.Errorf("%s: %+v", name, got)
		}
		w.want("c1", 1, `a: unknown (not known) -> unknown (not known)`)
	}
}

func TestTheDiskIsNotAskedForATurnThatALaterOneWentOnFrom(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").blind(w.path("a"), "1", "2").says("").prompt("2").blind(w.path("a"), "2", "3").says("")
	w.write("a", "3\n", 1_700_000_052)
	w.record("c1", s)
	w.want("c1", 1, `a: unknown (not known) -> unknown (not known)`)
	w.want("c1", 2, `a: disk "2\n" -> disk "3\n"`)
}

func TestWhatWasSeenOnTheDiskStaysWhenTheTurnIsRecordedAnew(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").blind(w.path("a"), "two", "2").says("")
	w.write("a", "one\n2\n", 1_700_000_022)
	w.record("c1", s)
	w.write("a", "by the user\n", 1_700_000_200)
	s.create(w.path("b"), "b\n") // the turn goes on
	w.record("c1", s)
	w.want("c1", 1, `a: disk "one\ntwo\n" -> disk "one\n2\n"`, `b: exact absent -> exact "b\n"`)
}

func TestAChangeOnWhatWasKnownIsDerivedUntilTheDiskShowsIt(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").create(w.path("a"), "one\ntwo\n").says("").prompt("2").blind(w.path("a"), "two", "2").says("")
	w.record("c1", s)
	w.want("c1", 2, `a: derived "one\ntwo\n" -> derived "one\n2\n"`)

	w = newWorld(t)
	s = newScript().prompt("1").create(w.path("a"), "one\ntwo\n").says("").prompt("2").blind(w.path("a"), "two", "2").says("")
	w.write("a", "one\n2\n", 1_700_000_052)
	w.record("c1", s)
	w.want("c1", 2, `a: disk "one\ntwo\n" -> disk "one\n2\n"`)

	w = newWorld(t)
	s = newScript().prompt("1").create(w.path("a"), "one\ntwo\n").says("").prompt("2").blind(w.path("a"), "two", "2").says("")
	w.write("a", "uno\n2\n", 1_700_000_052) // somebody changed another line between the turns
	w.record("c1", s)
	w.want("c1", 2, `a: disk "uno\ntwo\n" -> disk "uno\n2\n" outside`)
}

func TestLineEndsOfTheDiskAreKept(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").blind(w.path("a"), "two", "2").says("")
	w.write("a", "one\r\n2\r\n", 1_700_000_022)
	w.record("c1", s)
	w.want("c1", 1, `a: disk "one\r\ntwo\r\n" -> disk "one\r\n2\r\n"`)
}

func TestNoSymbolicLinkIsFollowed(t *testing.T) {
	w := newWorld(t)
	secret := t.TempDir()
	w.write("target", "2\n", 1_700_000_022)
	for link, to := range map[string]string{"link": w.path("target"), "folder": secret} {
		if err := os.Symlink(to, w.path(link)); err != nil {
			t.Skip("this system makes no symbolic links:", err)
		}
	}
	if err := os.WriteFile(secret+"/f", []byte("2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "folder/f"} {
		if d, err := readDisk(w.dir, name, 1000); err == nil {
			t.Errorf("%s is read: %+v", name, d)
		}
	}
	if _, err := readDisk(w.dir, "target", 1); err == nil {
		t.Error("a file over the limit is read")
	}
	if d, err := readDisk(w.dir, "missing/f", 1000); err != nil || d.exists {
		t.Errorf("a file that is not there: %+v, %v", d, err)
	}
}

func TestHunksAreKeptWhereContentsAreNotKnown(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").tool("null", memory.Edit{Path: w.path("src/a"), Op: edit.Update, Diff: "@@ -4 +4 @@\n-x\n+y\n"}).
		blind(w.path("b"), "old", "new").says("")
	w.record("c1", s)
	_, list, err := w.s.Changes("proj_1", "c1", 1)
	if err != nil || len(list) != 2 {
		t.Fatal(err, list)
	}
	if list[0].Shown != "@@ -4 +4 @@\n-x\n+y\n" || list[1].Shown != "@@\n-old\n+new\n" {
		t.Errorf("%q, %q", list[0].Shown, list[1].Shown)
	}
	if got := w.git("show", "--format=", "session/c1"); !strings.Contains(got, ".dormouse/hunks/turn-000001/src/a.diff") {
		t.Errorf("git show: %s", got)
	}
	w.fsck()
}

package shadow

import (
	"testing"
	"time"

	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

func TestAFileThatWasSeenBeforeTheEditIsKnownBeforeIt(t *testing.T) {
	w := newWorld(t)
	roots := []string{w.dir}
	w.write("a", "one\ntwo\n", 1)
	w.s.See(roots, w.path("a"), time.Unix(1_700_000_019, 0))
	w.write("b", "old\n", 1)
	w.s.See(roots, w.path("b"), time.Unix(1_700_000_029, 0))
	w.s.See(roots, "/elsewhere/f", time.Unix(1_700_000_029, 0))
	w.s.See(roots, w.path("new"), time.Unix(1_700_000_039, 0))
	s := newScript().prompt("1").blind(w.path("a"), "two", "2").
		tool(`{"file_path":`+quote(w.path("b"))+`,"content":"new\n"}`, memory.Edit{Path: w.path("b"), Op: edit.Update}).
		tool(`{"file_path":`+quote(w.path("new"))+`,"content":"new\n"}`, memory.Edit{Path: w.path("new"), Op: edit.Update}).says("")
	w.write("a", "something else\n", 2_000_000_000)
	w.record("c1", s)
	w.want("c1", 1, `a: disk "one\ntwo\n" -> disk "one\n2\n"`, `b: disk "old\n" -> exact "new\n"`, `new: disk absent -> exact "new\n"`)
	w.fsck()

	s.create(w.path("c"), "c\n") // the turn goes on after a restart
	w.s = New(w.opts)
	w.record("c1", s)
	w.want("c1", 1, `a: disk "one\ntwo\n" -> disk "one\n2\n"`, `b: disk "old\n" -> exact "new\n"`, `new: disk absent -> exact "new\n"`, `c: exact absent -> exact "c\n"`)
}

func TestASightingOfAnotherTimeOrContentIsNotUsed(t *testing.T) {
	w := newWorld(t)
	roots := []string{w.dir}
	w.write("a", "one\ntwo\n", 1)
	w.s.See(roots, w.path("a"), time.Unix(1_600_000_000, 0))
	w.write("b", "one\n2\n", 1) // the tool was faster
	w.s.See(roots, w.path("b"), time.Unix(1_700_000_029, 0))
	w.record("c1", newScript().prompt("1").blind(w.path("a"), "two", "2").blind(w.path("b"), "two", "2").says(""))
	w.want("c1", 1, `a: unknown (not known) -> unknown (not known)`, `b: unknown (not known) -> unknown (not known)`)
}

func TestWhatIsSeenIsBounded(t *testing.T) {
	var l sightings
	for range 1000 {
		l.add(sighting{state: edit.State{Text: string(make([]byte, 1<<20))}})
	}
	if l.size > seenBytes || len(l.list) > seenFiles {
		t.Errorf("%d files, %d bytes", len(l.list), l.size)
	}
}

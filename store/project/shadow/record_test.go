package shadow

import (
	"strings"
	"testing"

	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

func TestATurnIsShownAsWhatTheAgentChanged(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("Fix\nthe parser").says("ok").replace(w.path("src/a.go"), "one\ntwo\n", "two", "2").create(w.path("b.txt"), "new\n").says("done")
	s.prompt("more").replace(w.path("src/a.go"), "one\n2\n", "one", "1").says("done")
	if got := w.record("c1", s); got != (Recorded{Turns: 2, Files: 3}) {
		t.Errorf("recorded %+v", got)
	}
	w.fsck()
	w.want("c1", 1, `src/a.go: exact "one\ntwo\n" -> exact "one\n2\n"`, `b.txt: exact absent -> exact "new\n"`)
	w.want("c1", 2, `src/a.go: exact "one\n2\n" -> exact "1\n2\n"`)
	log := w.git("log", "--format=%an|%at|%s|%(trailers:key=Dormouse-Turn,valueonly,separator=%x2C)", "session/c1")
	want := "claude-code (model-1 via Dormouse)|1700000070|claude-code c1 turn 2: more|2\n" +
		"claude-code (model-1 via Dormouse)|1700000040|claude-code c1 turn 1: Fix the parser|1\n" +
		"Dormouse|1700000030|before turn 1|\n"
	if log != want {
		t.Errorf("git log:\n%swant\n%s", log, want)
	}
	show := w.git("show", "--format=", "session/c1~1")
	for _, line := range []string{"-two\n+2\n", "+new\n", "new file"} {
		if !strings.Contains(show, line) {
			t.Errorf("git show lacks %q:\n%s", line, show)
		}
	}
	if strings.Contains(show, "+one") {
		t.Errorf("git show takes what was there for the agent's:\n%s", show)
	}
	if head := w.git("symbolic-ref", "HEAD"); head != "refs/heads/session/c1\n" {
		t.Errorf("HEAD is %s", head)
	}
}

func TestWhatOthersChangedBetweenTurnsIsACommitOfItsOwn(t *testing.T) {
	w := newWorld(t)
	a := w.path("a")
	s := newScript().prompt("1").replace(a, "one\n", "one", "two").says("").prompt("2").replace(a, "by hand\n", "hand", "agent").says("")
	w.record("c1", s)
	w.want("c1", 1, `a: exact "one\n" -> exact "two\n"`)
	w.want("c1", 2, `a: exact "by hand\n" -> exact "by agent\n" outside`)
	if got := w.git("log", "--format=%s", "session/c1"); got != "claude-code c1 turn 2: 2\noutside change before turn 2\nclaude-code c1 turn 1: 1\nbefore turn 1\n" {
		t.Errorf("git log:\n%s", got)
	}
	if got := w.git("show", "--format=", "-U0", "session/c1~1"); !strings.Contains(got, "-two\n+by hand\n") {
		t.Errorf("the change of others is not shown:\n%s", got)
	}
}

func TestAChangeBetweenTheEditsOfOneTurnIsSaid(t *testing.T) {
	w := newWorld(t)
	a := w.path("a")
	w.record("c1", newScript().prompt("1").replace(a, "x = 1\n", "1", "2").replace(a, "x   = 2\n", "2", "3").says(""))
	w.want("c1", 1, `a: exact "x = 1\n" -> exact "x   = 3\n" mixed`)
}

func TestRecordingAgainChangesNothing(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").replace(w.path("a"), "one\n", "one", "two").says("").prompt("2").create(w.path("b"), "b\n").says("")
	w.record("c1", s)
	tip := w.git("rev-parse", "session/c1")
	if got := w.record("c1", s); got != (Recorded{Kept: 2}) {
		t.Errorf("recorded again: %+v", got)
	}
	w.s = New(w.opts) // after a restart
	if got := w.record("c1", s); got != (Recorded{Kept: 2}) {
		t.Errorf("recorded again after a restart: %+v", got)
	}
	if w.git("rev-parse", "session/c1") != tip {
		t.Error("the branch moved")
	}
}

func TestStepByStepGivesTheCommitsOfTheWhole(t *testing.T) {
	full := func(w *world) *script {
		a := w.path("a")
		s := newScript().prompt("1").replace(a, "one\n", "one", "two").replace(a, "two\n", "two", "three").says("")
		s.prompt("2").create(w.path("b"), "b\n").replace(a, "changed\n", "changed", "four").says("").prompt("3").says("nothing").prompt("4").create(w.path("c"), "").says("")
		return s
	}
	whole := newWorld(t)
	whole.record("c1", full(whole))
	want := whole.git("log", "--format=%T %an %at %B", "session/c1")

	steps := newWorld(t)
	steps.dir = whole.dir // the same paths
	s := full(steps)
	for n := 1; n <= len(s.nodes); n++ {
		steps.record("c1", &script{nodes: s.nodes[:n]})
	}
	steps.fsck()
	if got := steps.git("log", "--format=%T %an %at %B", "session/c1"); got != want {
		t.Errorf("step by step:\n%swant\n%s", got, want)
	}
	if steps.git("rev-parse", "session/c1") != whole.git("rev-parse", "session/c1") {
		t.Error("equal sessions have other commits")
	}
}

func TestAnEarlierTurnThatGoesOnIsRecordedAnew(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").create(w.path("a"), "a\n").says("").prompt("2").create(w.path("b"), "b\n").says("")
	w.record("c1", s)
	s.turn = 1 // a sub-agent of the first turn is late
	s.create(w.path("late"), "late\n")
	if got := w.record("c1", s); got.Turns != 2 || got.Kept != 0 {
		t.Errorf("recorded %+v", got)
	}
	w.want("c1", 1, `a: exact absent -> exact "a\n"`, `late: exact absent -> exact "late\n"`)
	w.want("c1", 2, `b: exact absent -> exact "b\n"`)
	w.fsck()
}

func TestSessionsOfOneProjectKeepToTheirBranches(t *testing.T) {
	w := newWorld(t)
	a := w.path("a")
	one := newScript().prompt("1").replace(a, "0\n", "0", "1").says("").prompt("2").replace(a, "2\n", "2", "3").says("")
	two := newScript().prompt("1").replace(a, "1\n", "1", "2").says("")
	two.nodes[1].ID = "other"
	w.record("c2", two)
	w.record("c1", one)
	w.want("c1", 2, `a: exact "2\n" -> exact "3\n" outside`)
	w.want("c2", 1, `a: exact "1\n" -> exact "2\n"`)
	if got, _ := w.s.Sessions("proj_1"); len(got) != 2 || got[0] != "c1" {
		t.Errorf("sessions %v", got)
	}
	if head := w.git("symbolic-ref", "--short", "HEAD"); head != "session/c1\n" {
		t.Errorf("HEAD is %s, not the branch with the newest commit", head)
	}
}

func TestAFileInTheWayOfAFolderGoes(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").create(w.path("a"), "file\n").says("").prompt("2").create(w.path("a/b"), "below\n").says("").prompt("3").create(w.path("a"), "again\n").says("")
	w.record("c1", s)
	w.fsck()
	w.want("c1", 2, `a/b: exact absent -> exact "below\n"`)
	if got := w.git("ls-tree", "-r", "--name-only", "session/c1"); got != "a\n" {
		t.Errorf("files: %s", got)
	}
}

func TestADeletedAndAMovedFileAreFollowed(t *testing.T) {
	w := newWorld(t)
	gone := "gone\n"
	s := newScript().prompt("1").create(w.path("a"), "a\n").says("").
		prompt("2").tool("null", memory.Edit{Path: w.path("a"), Op: edit.Delete, Diff: "@@ -1 +0,0 @@\n-a\n"}).
		tool("null", memory.Edit{Path: w.path("old"), Op: edit.Delete, Before: &gone}, memory.Edit{Path: w.path("new"), Op: edit.Update, Diff: "@@ -1 +1 @@\n-gone\n+here\n"}).says("")
	w.record("c1", s)
	w.want("c1", 2, `a: exact "a\n" -> exact absent`, `old: exact "gone\n" -> exact absent`, `new: exact "gone\n" -> exact "here\n"`)
	w.fsck()
}

func TestCallsThatRanSideBySideAreFollowedAsTheyTookEffect(t *testing.T) {
	w := newWorld(t)
	a, one := w.path("a"), "one\n"
	second := memory.Edit{Path: a, Op: edit.Update, BeforeSum: edit.Sum("two\n")}
	w.record("c1", newScript().prompt("1").tool(`{"file_path":"a","old_string":"two","new_string":"three"}`, second).
		tool(`{"file_path":"a","old_string":"one","new_string":"two"}`, memory.Edit{Path: a, Op: edit.Update, Before: &one, BeforeSum: edit.Sum(one)}).says(""))
	w.want("c1", 1, `a: exact "one\n" -> exact "three\n"`)

	w = newWorld(t)
	w.record("c1", newScript().prompt("1").create(w.path("a"), "first\n").replace(w.path("a"), "first\n", "first", "second").says(""))
	w.want("c1", 1, `a: exact absent -> exact "second\n"`)
}

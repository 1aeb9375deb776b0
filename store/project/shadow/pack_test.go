package shadow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// long is a text of n lines of which line i says what.
func long(n, i int, what string) string {
	var b strings.Builder
	for j := range n {
		if j == i {
			fmt.Fprintf(&b, "%s\n", what)
		} else {
			fmt.Fprintf(&b, "line %d %x\n", j, j*j*7919)
		}
	}
	return b.String()
}

func TestPackingKeepsEverythingInOnePack(t *testing.T) {
	w := newWorld(t)
	s := newScript()
	for i := range 30 {
		s.prompt("go").replace(w.path("a"), long(400, i, "old"), "old", fmt.Sprint("new ", i)).says("")
		w.record("c1", s)
	}
	before := w.git("log", "--format=%H %T", "--all")
	loose, _ := w.s.Usage("proj_1")
	if did, err := w.s.Pack("proj_1", 1); err != nil || !did {
		t.Fatal(did, err)
	}
	w.fsck()
	if w.git("log", "--format=%H %T", "--all") != before {
		t.Error("packing changed the history")
	}
	u, err := w.s.Usage("proj_1")
	if err != nil || u.Packs != 1 || u.Sessions != 1 || u.Bytes >= loose.Bytes/2 {
		t.Errorf("%+v after %+v, %v", u, loose, err)
	}
	if did, err := w.s.Pack("proj_1", 1); err != nil || did {
		t.Errorf("packed again: %v %v", did, err)
	}
	s.prompt("go").create(w.path("b"), "b\n").says("")
	w.record("c1", s)
	w.fsck()
}

func TestAForgottenSessionLeavesNothing(t *testing.T) {
	w := newWorld(t)
	w.record("c1", newScript().prompt("1").create(w.path("a"), "the first session\n").says(""))
	other := newScript().prompt("1").create(w.path("a"), "the second session\n").says("")
	w.record("c2", other)
	if err := w.s.Forget("proj_1", "c1"); err != nil {
		t.Fatal(err)
	}
	w.fsck()
	if got := w.git("cat-file", "--batch-all-objects", "--batch"); strings.Contains(got, "the first") || !strings.Contains(got, "the second") {
		t.Errorf("objects: %s", got)
	}
	if head := w.git("symbolic-ref", "HEAD"); head != "refs/heads/session/c2\n" {
		t.Errorf("HEAD is %s", head)
	}
	if err := w.s.Forget("proj_1", "c2"); err != nil {
		t.Fatal(err)
	}
	if got := w.git("cat-file", "--batch-all-objects", "--batch-check"); got != "" {
		t.Errorf("objects: %s", got)
	}
	w.record("c2", other)
	w.fsck()
	if err := w.s.Remove("proj_1"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.s.Dir("proj_1")); err == nil {
		t.Error("the repository is there")
	}
	if list, err := w.s.Turns("proj_1", "c2"); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	w.record("c2", other)
}

func TestAProjectsIdNeverLeadsOut(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"", "..", "../x", "a/b", "/x"} {
		x := w.session("c1", newScript().prompt("1").create(w.path("a"), "a").says(""))
		x.ProjectID = id
		if _, err := w.s.Record(context.Background(), x); err == nil {
			t.Errorf("%q is taken for a project", id)
		}
	}
}

func TestStopInTheMiddleKeepsWhatIsDone(t *testing.T) {
	w := newWorld(t)
	s := newScript()
	for i := range 5 {
		s.prompt("go").create(w.path(fmt.Sprint("f", i)), "x").says("")
	}
	ctx, cancel := context.WithCancel(context.Background())
	x := w.session("c1", s)
	n := 0
	w.opts.Secret = func(string) (bool, error) {
		if n++; n == 3 {
			cancel()
		}
		return false, nil
	}
	w.s = New(w.opts)
	if _, err := w.s.Record(ctx, x); err == nil {
		t.Fatal("it went on to the end")
	}
	w.fsck()
	if got := w.record("c1", s); got.Kept != 3 || got.Turns != 2 {
		t.Errorf("%+v", got)
	}
	w.fsck()
	if left, _ := filepath.Glob(filepath.Join(w.s.Dir("proj_1"), "objects", "pack", "tmp_*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

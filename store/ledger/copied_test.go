package ledger

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// logOf are the contents of a machine's log by the names of its files.
func logOf(t *testing.T, dir, machine string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	names, err := logFiles(filepath.Join(dir, "log", machine))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if out[n.String()], err = os.ReadFile(filepath.Join(dir, "log", machine, n.String())); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestLinesOfACopyMoveIntoALogOfTheirOwn has a copy learn over midnight and undo what it decided.
func TestLinesOfACopyMoveIntoALogOfTheirOwn(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	at := day1
	a := open(t, one, "aa", at)
	n := 0
	learn := func(l *Ledger, summary string) {
		t.Helper()
		n++
		mustAppend(t, l, n, summary)
	}
	learn(a, "of both")
	if err := os.CopyFS(two, os.DirFS(one)); err != nil {
		t.Fatal(err)
	}
	shared := logOf(t, one, "aa")
	learn(a, "of the original")
	b := open(t, two, "aa", at)
	learn(b, "first of the copy")
	first := b.Decisions()[1]
	refuse := memory.Decision{Action: memory.ActionForget, By: memory.ByPerson, Proposal: first.Proposal}
	refuse.Proposal.Record = nil
	if err := b.Append([]memory.Decision{refuse}, memory.Run{Kind: memory.RunReview}); err != nil {
		t.Fatal(err)
	}
	forgets := b.Decisions()[2]
	if err := b.Append([]memory.Decision{{Action: memory.ActionUndo, By: memory.ByPerson, Undoes: memory.Ref(forgets.ID), Proposal: refuse.Proposal}}, memory.Run{Kind: memory.RunReview}); err != nil {
		t.Fatal(err)
	}
	b = open(t, two, "aa", at.AddDate(0, 0, 1))
	learn(b, "second of the copy")
	told := slices.Clone(b.Decisions()[1:])

	common, ok := Fork("aa", logOf(t, two, "aa"), logOf(t, one, "aa"), Erasures{})
	if !ok || len(common) != 1 {
		t.Fatalf("common %v %v", common, ok)
	}
	for name, n := range common {
		if n != int64(len(shared[name])) {
			t.Errorf("%d bytes of %s are common, and %d were copied", n, name, len(shared[name]))
		}
	}
	c := Copied{Old: "aa", New: "cc", Common: common}
	for range 2 { // the second time after a crash
		if n, err := c.Move(two, at); err != nil || n != 8 {
			t.Fatalf("%d lines: %v", n, err)
		}
	}
	for range 2 {
		paths, err := c.Leave(two)
		if want := []string{"log/aa/2026-06-18.jsonl", "log/aa/2026-06-19.jsonl", "log/cc/2026-06-18.jsonl"}; err != nil || !slices.Equal(paths, want) {
			t.Fatalf("%q, want %q: %v", paths, want, err)
		}
	}
	if now := logOf(t, two, "aa"); !maps.EqualFunc(now, shared, func(a, b []byte) bool { return string(a) == string(b) }) {
		t.Errorf("the old log is\n%s", now)
	}
	m := open(t, two, "cc", at)
	if _, faults, err := m.Verify(); err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	ids := map[string]string{}
	for i, d := range m.Decisions()[1:] {
		was := told[i]
		ids[was.ID] = d.ID
		if d.Machine != "cc" || d.ID == was.ID || d.Lamport != was.Lamport || d.ObservedAt != was.ObservedAt || string(d.Proposal.Record) != string(was.Proposal.Record) || string(d.Undoes) != ids[string(was.Undoes)] {
			t.Errorf("%+v\nwas %+v", d, was)
		}
	}
	if line := strings.Join(timeline(m), ","); !strings.Contains(line, "first of the copy") || !strings.Contains(line, "second of the copy") || !strings.Contains(line, "of both") {
		t.Errorf("it knows %s", line)
	}
}

func TestAForkNeedsALogThatGoesOn(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	for i, s := range []string{"one", "two", "three"} {
		mustAppend(t, l, i, s)
	}
	const name = "2026-06-18.jsonl"
	whole := string(logOf(t, dir, "aa")[name])
	lines := strings.SplitAfter(whole, "\n")
	for what, c := range map[string]struct {
		ours, theirs string
		ok           bool
	}{
		"ours is longer":           {whole, lines[0], false},
		"the same":                 {whole, whole, false},
		"from a backup":            {lines[0], whole, true},
		"nothing here":             {"", whole, true},
		"nothing there":            {whole, "", false},
		"a line is left out":       {lines[0], lines[0] + lines[2], false},
		"another order":            {"", lines[1] + lines[0], false},
		"a changed text":           {lines[0], strings.Replace(whole, "three", "thrEE", 1), false},
		"no line of a log":         {lines[0], lines[0] + "x\n", false},
		"a torn end alone is more": {whole, whole + "{", false},
	} {
		if _, ok := Fork("aa", map[string][]byte{name: []byte(c.ours)}, map[string][]byte{name: []byte(c.theirs)}, Erasures{}); ok != c.ok {
			t.Errorf("%s: %v", what, ok)
		}
	}
	if _, ok := Fork("bb", map[string][]byte{name: []byte(lines[0])}, map[string][]byte{name: []byte(whole)}, Erasures{}); ok {
		t.Error("a log of another machine counts")
	}
}

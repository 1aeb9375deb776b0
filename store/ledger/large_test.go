package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// TestCaseY4ARunThatCoversVeryMuchIsWrittenInLinesThatTravel covers sessions of which one alone would make a line that no remote takes.
func TestCaseY4ARunThatCoversVeryMuchIsWrittenInLinesThatTravel(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	r := memory.Run{Kind: "deep", Started: 7, Extractor: "rules", Counts: memory.RunCounts{Nodes: 470_000}}
	for _, s := range []struct {
		id    string
		nodes int
	}{{"small", 3}, {"huge", 450_000}, {"none", 0}, {"last", 20_000}} {
		c := memory.Coverage{SessionID: s.id}
		for i := range s.nodes {
			c.NodeIDs = append(c.NodeIDs, memory.NodeID(s.id, strconv.Itoa(i)))
		}
		r.Coverage = append(r.Coverage, c)
	}
	if err := l.Append([]memory.Decision{add(t, event(1, "one"))}, r); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "log", "aa", "*"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil || len(raw) > 10_000_000 {
			t.Errorf("%s has %d bytes: %v", f, len(raw), err)
		}
		for line := range strings.Lines(string(raw)) {
			if len(line) > 3<<20 {
				t.Errorf("a line of %s has %d bytes", f, len(line))
			}
		}
	}
	again := open(t, dir, "aa", day1)
	for _, l := range []*Ledger{l, again} {
		for _, c := range r.Coverage {
			for _, n := range c.NodeIDs {
				if s, ok := l.CoveredBy(n); !ok || s != c.SessionID {
					t.Fatalf("node %s of %s is covered by %q", n, c.SessionID, s)
				}
			}
		}
		nodes := 0
		for _, r := range l.Runs() {
			if nodes += r.Counts.Nodes; r.Started != 7 || r.Kind != "deep" {
				t.Errorf("%+v", r)
			}
		}
		if nodes != 470_000 {
			t.Errorf("%d nodes are counted", nodes)
		}
	}
	if _, faults, err := again.Verify(); err != nil || len(faults) > 0 {
		t.Error(faults, err)
	}
}

func TestCaseY4ADecisionThatNoRemoteWouldTakeIsRefusedAndNothingOfItsBatchIsThere(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "one")
	before := string(logOf(t, dir, "aa")["2026-06-18.jsonl"])
	huge := event(3, "huge")
	huge.Summary = strings.Repeat("x", 11<<20)
	err := l.Append([]memory.Decision{add(t, event(2, "two")), add(t, huge)}, run("n2"))
	if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "shorten") || strings.Contains(err.Error(), "xxx") {
		t.Fatalf("%.300v", err)
	}
	if now := string(logOf(t, dir, "aa")["2026-06-18.jsonl"]); now != before || len(timeline(l)) != 1 {
		t.Errorf("it knows %d", len(timeline(l)))
	}
	mustAppend(t, l, 2, "two")
	if l = open(t, dir, "aa", day1); len(timeline(l)) != 2 {
		t.Errorf("it knows %q", timeline(l))
	}
}

package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dormouse/store/memory"
)

func TestCoverageIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ids := []string{"", "n1", "00000000000000aB", "00000000000000ab", "+0000000000000ab", "0x000000000000ab", "ab", "00000000000000ab "}
	for range 300 {
		ids = append(ids, memory.NodeID("a", fmt.Sprint(r.IntN(250))))
	}
	var runs []memory.Run
	for i := range 40 {
		run := memory.Run{Lamport: uint64(r.IntN(20)), Machine: fmt.Sprint("m", i%3), ID: fmt.Sprint("run", i)}
		for s := range 3 {
			c := memory.Coverage{SessionID: fmt.Sprintf("s%d-%d", i, s)}
			for range r.IntN(30) {
				c.NodeIDs = append(c.NodeIDs, ids[r.IntN(len(ids))])
			}
			run.Coverage = append(run.Coverage, c)
		}
		runs = append(runs, run)
	}
	want := map[string]string{}
	for _, run := range slices.SortedFunc(slices.Values(runs), memory.CompareRuns) {
		for _, c := range run.Coverage {
			for _, id := range c.NodeIDs {
				want[id] = c.SessionID
			}
		}
	}
	for range 5 { // in any order, and in two parts
		r.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		l := New(Options{})
		for i := range runs {
			[]*contents{&l.mine, &l.theirs}[i%2].addRun(runs[i])
		}
		for _, id := range append(ids, "never", "ffffffffffffffff") {
			got, ok := l.CoveredBy(id)
			if s, covered := want[id]; got != s || ok != covered {
				t.Fatalf("node %q: %q %v, want %q %v", id, got, ok, s, covered)
			}
		}
		if l.Covered() != len(want) {
			t.Fatalf("%d nodes are covered, want %d", l.Covered(), len(want))
		}
		for _, run := range l.Runs() {
			if len(run.Coverage) != 3 || run.Coverage[0].NodeIDs != nil {
				t.Fatalf("%+v", run)
			}
		}
	}
}

package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dormouse/store/memory"
)

// manyDecisions makes additions, refusals, forgets and undos of a machine.
func manyDecisions(t *testing.T, machine string, n int, r *rand.Rand) (out []memory.Decision) {
	t.Helper()
	for i := range n {
		d := add(t, event(i%90, fmt.Sprintf("Fixed parser %d", i%90)))
		switch k := r.IntN(12); {
		case k == 0:
			d.Accepted = false
		case k == 1:
			d = memory.Decision{Action: memory.ActionForget, Accepted: true, Proposal: d.Proposal}
			d.Proposal.Record = nil
		case k == 2 && i > 0:
			d = memory.Decision{Action: memory.ActionUndo, Accepted: true, Undoes: memory.Ref(out[r.IntN(i)].ID)}
		}
		d.Lamport, d.Machine, d.PrevHash = uint64(i+1), machine, fmt.Sprint(machine, i)
		d.ID = memory.DecisionID(&d)
		out = append(out, d)
	}
	return out
}

func onShelf(t *testing.T, machine string, ds []memory.Decision) *shelf {
	t.Helper()
	s := &shelf{machine: machine}
	for _, d := range ds {
		if err := s.add(d); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := memory.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPackedDecisionsAreWhatWasPutAway(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, packSize - 1, packSize, packSize + 1, 5*packSize + 7} {
		a, b := manyDecisions(t, "aa", n, r), manyDecisions(t, "bb", n/2, r)
		sa, sb := onShelf(t, "aa", a), onShelf(t, "bb", b)
		then := *sa
		on := then.goOn()
		for i := range 2*packSize + 3 { // so that a pack is full and another one begins
			for _, s := range []*shelf{sa, on} {
				if err := s.add(add(t, event(500+i, fmt.Sprint("Later of ", len(s.packs))))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := encoded(t, slices.Collect(then.all())); n > 0 && got != encoded(t, a) {
			t.Fatalf("%d decisions came back as others, or a copy shows what was added later", n)
		}
		both := slices.SortedFunc(slices.Values(slices.Concat(a, b)), memory.CompareDecisions)
		if got := encoded(t, slices.Collect(inOrder([]*shelf{&then, sb}))); n > 0 && got != encoded(t, both) {
			t.Fatalf("%d decisions of two machines are in another order than that of the fold", len(both))
		}
		for i, d := range a {
			h := hash64(d.ID)
			if got := then.matching(func(x decided) bool { return x.id == h }); len(got) != 1 || encoded(t, got[0]) != encoded(t, a[i]) {
				t.Fatalf("decision %d of %d: %d found", i, n, len(got))
			}
		}
		if got, want := encoded(t, foldOf([]*shelf{&then, sb}, func(int) {}).Timeline()), encoded(t, memory.Fold(both).Timeline()); got != want {
			t.Fatalf("%d packed decisions add up to something else:\n%s\n%s", len(both), got, want)
		}
	}
}

func TestALogOutOfOrderIsReadInTheOrderOfTheFold(t *testing.T) {
	ds := manyDecisions(t, "aa", 3*packSize, rand.New(rand.NewPCG(3, 4)))
	want := encoded(t, ds)
	slices.Reverse(ds[10:150])
	s := onShelf(t, "aa", ds)
	if err := s.tidy(); err != nil {
		t.Fatal(err)
	}
	if got := encoded(t, slices.Collect(s.all())); got != want {
		t.Error("the order of the log counted")
	}
}

func TestDecisionsAreFoundWithoutReadingAll(t *testing.T) {
	l := open(t, t.TempDir(), "aa", day1)
	for i := range 3 {
		mustAppend(t, l, 100*i, slices.Collect(func(yield func(string) bool) {
			for k := range packSize {
				if !yield(fmt.Sprintf("Fixed parser %d of %d", k, i)) {
					return
				}
			}
		})...)
	}
	all := l.Decisions()
	d := all[70]
	undo := memory.Decision{Action: memory.ActionUndo, Accepted: true, Undoes: memory.Ref(d.ID)}
	if err := l.Append([]memory.Decision{undo}, run()); err != nil {
		t.Fatal(err)
	}
	if got := l.About(d.ID, ""); len(got) != 2 || got[0].ID != d.ID || got[1].Undoes != memory.Ref(d.ID) {
		t.Errorf("about %s: %+v", d.ID, got)
	}
	if got := l.About(d.Proposal.RecordID); len(got) != 1 || got[0].ID != d.ID {
		t.Errorf("about its record: %+v", got)
	}
	if got := l.About(); len(got) != 0 {
		t.Errorf("about nothing: %d", len(got))
	}
	if got := l.After(all[len(all)-1].Lamport); len(got) != 1 || got[0].Action != memory.ActionUndo {
		t.Errorf("after the last: %+v", got)
	}
	newest, total := l.Newest(5)
	if total != len(all)+1 || len(newest) != 5 || encoded(t, newest[:4]) != encoded(t, all[len(all)-4:]) {
		t.Errorf("newest of %d: %+v", total, newest)
	}
	if newest, _ := l.Newest(10 * total); len(newest) != total {
		t.Errorf("newest of more than there are: %d", len(newest))
	}
}

package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

// shown is all that a ledger publishes and knows.
func shown(t *testing.T, l *Ledger) string {
	t.Helper()
	var out strings.Builder
	l.Read(func(s *memory.State) {
		for _, f := range filesOf(s) {
			data, err := f.lines(s, nil)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s\n%s", f.name, data)
		}
		pages, names := entityPages(s)
		for _, p := range pages {
			fmt.Fprintf(&out, "%s\n%s\n", p.name, p.draw(names))
		}
	})
	fmt.Fprintln(&out, l.Machines(), l.Covered(), len(l.Problems()))
	for _, d := range l.Decisions() {
		fmt.Fprintln(&out, d.ID)
	}
	for _, r := range l.Runs() {
		fmt.Fprintln(&out, r.ID)
	}
	for n := range 60 {
		s, ok := l.CoveredBy(fmt.Sprint("n", n))
		fmt.Fprint(&out, s, ok, " ")
	}
	return out.String()
}

// randomDecisions are additions, and now and then something that reaches back.
func randomDecisions(t *testing.T, r *rand.Rand, l *Ledger) (out []memory.Decision) {
	t.Helper()
	for range 1 + r.IntN(4) {
		e := event(r.IntN(12), fmt.Sprint("Summary ", r.IntN(4)))
		e.Entities = []string{fmt.Sprintf("file.f%d", r.IntN(5))}
		d := add(t, e)
		all := l.Decisions()
		switch r.IntN(40) {
		case 0:
			d.Accepted, d.Reason = false, "no"
		case 1:
			d = memory.Decision{Action: memory.ActionForget, Accepted: true, By: memory.ByPerson, Proposal: d.Proposal}
		case 2:
			if len(all) > 0 {
				d = memory.Decision{Action: memory.ActionUndo, Accepted: true, Undoes: memory.Ref(all[r.IntN(len(all))].ID)}
			}
		case 3:
			d.Action = memory.ActionPin
		case 4, 5, 6, 7, 8, 9, 10, 11:
			if n := len(all); n > 0 { // of what is there
				d.Proposal = all[r.IntN(n)].Proposal
				d.Action, d.Proposal.By, d.Proposal.Record = memory.ActionSupersede, all[r.IntN(n)].Proposal.RecordID, nil
			}
		case 12, 13:
			d.Proposal.Candidate = true
		}
		out = append(out, d)
	}
	return out
}

// TestReloadsOfWhatIsNewAddUpToReadingAll lets three machines learn and exchange their logs in any order, and reads what came in again and
// again; a log is also cut, spoilt, put back, and lost.
func TestReloadsOfWhatIsNewAddUpToReadingAll(t *testing.T) {
	machines := []string{"aa", "bb", "cc"}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		now := day1
		dirs, open := map[string]string{}, map[string]*Ledger{}
		for _, m := range machines {
			dirs[m] = t.TempDir()
			open[m] = openWith(t, Options{Dir: dirs[m], Machine: m, Now: func() time.Time { return now }, MaxFile: 6000})
		}
		for range 25 {
			m := machines[r.IntN(3)]
			from := machines[r.IntN(3)]
			switch r.IntN(8) {
			case 0:
				now = now.AddDate(0, 0, 1)
			case 1, 2, 3:
				if err := open[m].Append(randomDecisions(t, r, open[m]), run(fmt.Sprint("n", r.IntN(60)))); err != nil {
					t.Fatal(err)
				}
			case 4: // a log of another one comes back as it was, or is gone
				if names, _ := filepath.Glob(filepath.Join(dirs[m], "log", from, "*.jsonl")); from != m && len(names) > 0 {
					name := names[r.IntN(len(names))]
					switch r.IntN(3) {
					case 0:
						if err := os.Remove(name); err != nil {
							t.Fatal(err)
						}
					case 1:
						raw, err := os.ReadFile(name)
						if err == nil {
							err = os.WriteFile(name, append(raw, "no line\n"...), 0o600)
						}
						if err != nil {
							t.Fatal(err)
						}
					default:
						if err := os.Truncate(name, int64(r.IntN(3000))); err != nil {
							t.Fatal(err)
						}
					}
				}
			default:
				if from != m {
					if _, err := os.Stat(filepath.Join(dirs[from], "log", from)); err == nil {
						carry(t, dirs[from], dirs[m], from)
					}
				}
			}
			if _, err := open[m].Reload(); err != nil {
				t.Fatal(err)
			}
			if got, want := shown(t, open[m]), shown(t, openWith(t, Options{Dir: dirs[m], Machine: m, Now: func() time.Time { return now }})); got != want {
				t.Fatalf("history %d: what was read piece by piece is\n%s\nread at once it is\n%s", seed, got, want)
			}
		}
	}
}

// TestReloadReadsNoFileAgainThatIsAsItWas changes a file so that nothing shows it, and sees that it was not read.
func TestReloadReadsNoFileAgainThatIsAsItWas(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	la, lb := open(t, a, "aa", day1), open(t, b, "bb", day1)
	mustAppend(t, lb, 1, "Theirs")
	carry(t, b, a, "bb")
	if n, err := la.Reload(); err != nil || n != 2 {
		t.Fatalf("received %d, %v", n, err)
	}
	path := logPath(a, "bb", "2026-06-18.jsonl")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt([]byte("#"), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	next := open(t, b, "bb", day1.AddDate(0, 0, 1))
	mustAppend(t, next, 2, "Theirs of the next day")
	raw, err := os.ReadFile(logPath(b, "bb", "2026-06-19.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(logPath(a, "bb", "2026-06-19.jsonl"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := la.Reload(); err != nil || n != 2 || len(la.Problems()) > 0 {
		t.Errorf("received %d, %v, %v", n, err, la.Problems())
	}
	if got := timeline(la); !slices.Equal(got, []string{"Theirs of the next day", "Theirs"}) && !slices.Equal(got, []string{"Theirs", "Theirs of the next day"}) {
		t.Errorf("%q", got)
	}
	if err := os.Chtimes(path, day1, day1); err != nil { // now it shows
		t.Fatal(err)
	}
	if _, err := la.Reload(); err != nil || len(la.Problems()) != 1 {
		t.Errorf("%v, %v", err, la.Problems())
	}
}

// TestReloadOfWhatWasDecidedEarlierCountsAsEarlier has two machines replace one record apart: the later one of the two decisions holds on both,
// whichever comes in last.
func TestReloadOfWhatWasDecidedEarlierCountsAsEarlier(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	la, lb := open(t, a, "aa", day1), open(t, b, "bb", day1)
	old, one, two := event(1, "Old"), event(2, "One"), event(3, "Two")
	if err := la.Append([]memory.Decision{add(t, old), add(t, one), add(t, two)}, run()); err != nil {
		t.Fatal(err)
	}
	carry(t, a, b, "aa")
	if _, err := lb.Reload(); err != nil {
		t.Fatal(err)
	}
	replace := func(by memory.Event) memory.Decision {
		d := add(t, old)
		d.Action, d.Proposal.By, d.Proposal.Record = memory.ActionSupersede, by.ID, nil
		return d
	}
	if err := lb.Append([]memory.Decision{replace(one)}, run()); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, la, 8, "Later")
	if err := la.Append([]memory.Decision{replace(two)}, run()); err != nil {
		t.Fatal(err)
	}
	carry(t, b, a, "bb")
	carry(t, a, b, "aa")
	for _, l := range []*Ledger{la, lb} {
		if n, err := l.Reload(); err != nil || n < 2 {
			t.Fatalf("received %d, %v", n, err)
		}
		l.Read(func(s *memory.State) {
			if by := s.Events[old.ID].SupersededBy; string(by) != two.ID {
				t.Errorf("replaced by %s, and the later decision says %s", by, two.ID)
			}
		})
	}
}

// stateOf is the state that a ledger shows, which is another one after all decisions were added up anew.
func stateOf(l *Ledger) (out *memory.State) {
	l.Read(func(s *memory.State) { out = s })
	return out
}

// TestAJoinAddsUpWhatIsNewAlone has two machines learn apart, so that their counters lie among each other: what came in is put into the state that is
// there, unless something that is known was decided later of the same record, undoes it, or what came in reaches back.
func TestAJoinAddsUpWhatIsNewAlone(t *testing.T) {
	for name, c := range map[string]struct {
		mine, theirs func(t *testing.T, shared memory.Decision) []memory.Decision
		anew         bool
	}{
		"records of their own": {anew: false},
		"one record, and mine was decided later": {anew: true,
			mine: func(_ *testing.T, d memory.Decision) []memory.Decision {
				d.Action = memory.ActionPin
				return []memory.Decision{d}
			},
			theirs: func(_ *testing.T, d memory.Decision) []memory.Decision {
				d.Action, d.By = memory.ActionPin, memory.ByPerson
				return []memory.Decision{d}
			}},
		"what reaches back": {anew: true,
			theirs: func(_ *testing.T, d memory.Decision) []memory.Decision {
				d.Accepted = false
				return []memory.Decision{d}
			}},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := t.TempDir(), t.TempDir()
			la, lb := open(t, a, "aa", day1), open(t, b, "bb", day1)
			shared := add(t, event(1, "Both know it"))
			if err := la.Append([]memory.Decision{shared}, run()); err != nil {
				t.Fatal(err)
			}
			carry(t, a, b, "aa")
			if _, err := lb.Reload(); err != nil {
				t.Fatal(err)
			}
			learn := func(l *Ledger, from int, more func(*testing.T, memory.Decision) []memory.Decision) {
				var ds []memory.Decision
				if more != nil {
					ds = more(t, shared)
				}
				for i := range 3 * packSize {
					ds = append(ds, add(t, event(from+i, fmt.Sprint("Learned ", from+i))))
				}
				if err := l.Append(ds, run()); err != nil {
					t.Fatal(err)
				}
			}
			learn(la, 1000, nil)
			learn(la, 2000, c.mine)
			learn(lb, 3000, c.theirs)
			carry(t, b, a, "bb")
			was := stateOf(la)
			if n, err := la.Reload(); err != nil || n < 3*packSize {
				t.Fatalf("received %d, %v", n, err)
			}
			if anew := stateOf(la) != was; anew != c.anew {
				t.Errorf("all was added up anew: %v", anew)
			}
			if got, want := shown(t, la), shown(t, open(t, a, "aa", day1)); got != want {
				t.Errorf("what was read piece by piece is\n%s\nread at once it is\n%s", got, want)
			}
		})
	}
}

// TestAnUndoThatCameBeforeWhatItUndoesCounts has the undo of a decision come in without that, as when the log that has it was set aside.
func TestAnUndoThatCameBeforeWhatItUndoesCounts(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	la, lb := open(t, a, "aa", day1), open(t, b, "bb", day1)
	mustAppend(t, lb, 1, "Believed for a day")
	id, claim := lb.Decisions()[0].ID, lb.Decisions()[0].Proposal.ClaimKey
	for range 5 {
		if err := la.Append([]memory.Decision{{Action: memory.ActionUndo, Accepted: true, Undoes: memory.Ref(id)}}, run()); err != nil {
			t.Fatal(err)
		}
	}
	carry(t, b, a, "bb")
	if _, err := la.Reload(); err != nil {
		t.Fatal(err)
	}
	if _, barred := stateOf(la).Barred(claim); !barred {
		t.Error("what was undone may be believed again")
	}
	if got, want := shown(t, la), shown(t, open(t, a, "aa", day1)); got != want || len(timeline(la)) != 0 {
		t.Errorf("%q\n%s\nread at once:\n%s", timeline(la), got, want)
	}
}

// TestWhatTheLedgerTakesIsToldWhileItGrows opens a large log and takes in another one.
func TestWhatTheLedgerTakesIsToldWhileItGrows(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	lb := open(t, b, "bb", day1)
	var ds []memory.Decision
	for i := range 2*toldEvery + 10 {
		ds = append(ds, add(t, event(i, fmt.Sprint("Learned ", i))))
	}
	if err := lb.Append(ds, run()); err != nil {
		t.Fatal(err)
	}
	carry(t, b, a, "bb")
	var told []int64
	la := openWith(t, Options{Dir: a, Machine: "aa", Now: func() time.Time { return day1 }, Holding: func(n int64) { told = append(told, n) }})
	if last := told[len(told)-1]; len(told) < 5 || last != la.Resident() || last < 300*int64(len(ds)) || last > 2000*int64(len(ds)) {
		t.Errorf("%d decisions: told %d, resident %d", len(ds), told, la.Resident())
	}
	if err := os.RemoveAll(filepath.Join(a, "log", "bb")); err != nil {
		t.Fatal(err)
	}
	if _, err := la.Reload(); err != nil {
		t.Fatal(err)
	}
	if last := told[len(told)-1]; last > 100*int64(len(ds)) {
		t.Errorf("it still takes %d bytes once all is gone", last)
	}
}

package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

// carry copies a machine's log from one folder to another, as a sync does.
func carry(t *testing.T, from, to, machine string) {
	t.Helper()
	dir := filepath.Join(to, "log", machine)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(from, "log", machine))); err != nil {
		t.Fatal(err)
	}
}

func TestReloadTakesInOtherMachinesAndLeavesTheOwnLogAlone(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	la, lb := open(t, a, "aa", day1), open(t, b, "bb", day1)
	mustAppend(t, la, 1, "One", "Two")
	for i := range 4 {
		mustAppend(t, lb, 10+i, fmt.Sprint("From b ", i))
	}
	carry(t, b, a, "bb")
	own, err := os.ReadFile(logPath(a, "aa", "2026-06-18.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := la.Reload(); err != nil || n != 8 {
		t.Errorf("received %d, %v", n, err)
	}
	if n, err := la.Reload(); err != nil || n != 0 {
		t.Errorf("received %d again, %v", n, err)
	}
	if got, err := os.ReadFile(logPath(a, "aa", "2026-06-18.jsonl")); err != nil || string(got) != string(own) {
		t.Errorf("the own log changed, %v", err)
	}
	if s, ok := la.CoveredBy("n12"); !ok || s != "s1" {
		t.Errorf("a node that the other machine dealt with is not covered: %q %v", s, ok)
	}
	if got := strings.Join(la.Machines(), " "); got != "aa bb" {
		t.Errorf("machines %s", got)
	}
	mustAppend(t, la, 3, "Three")
	ds := la.Decisions()
	if last := ds[len(ds)-1]; last.Machine != "aa" || last.Lamport < 9 {
		t.Errorf("what is decided after a sync does not come after what was received: %+v", last)
	}
	if again := open(t, a, "aa", day1); strings.Join(timeline(again), "|") != strings.Join(timeline(la), "|") || again.Covered() != la.Covered() {
		t.Errorf("reloaded: %v, opened anew: %v", timeline(la), timeline(again))
	}
	if _, faults, err := la.Verify(); err != nil || len(faults) > 0 {
		t.Errorf("%v %v", faults, err)
	}
}

func TestReloadKeepsWhatIsAppendedAtOnce(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	la, lb := open(t, a, "aa", day1), open(t, b, "bb", day1)
	done := make(chan error)
	go func() {
		for i := range 20 {
			if err := la.Append([]memory.Decision{add(t, event(i, fmt.Sprint("Mine ", i)))}, run()); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for i := range 10 {
		mustAppend(t, lb, 100+i, fmt.Sprint("Theirs ", i))
		carry(t, b, a, "bb")
		if _, err := la.Reload(); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(timeline(la), "|"), strings.Join(timeline(open(t, a, "aa", day1)), "|"); got != want || len(timeline(la)) != 30 {
		t.Errorf("%d events:\n%s\nopened anew:\n%s", len(timeline(la)), got, want)
	}
}

func TestFailedReloadLeavesAllAsItWas(t *testing.T) {
	a := t.TempDir()
	la := open(t, a, "aa", day1)
	mustAppend(t, la, 1, "One")
	path := logPath(a, "bb", "2026-06-18.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", maxLine+1<<18)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := la.Reload(); err == nil || len(timeline(la)) != 1 {
		t.Errorf("%v %v", err, timeline(la))
	}
}

func TestCounterOutOfRangeBringsNothingOutOfOrder(t *testing.T) {
	a := t.TempDir()
	la := open(t, a, "aa", day1)
	path := logPath(a, "bb", "2026-06-18.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"type":"decision","machine":"bb","lamport":18446744073709551615}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := la.Reload(); err != nil || n != 0 || len(la.Problems()) != 1 {
		t.Errorf("%d %v %q", n, err, la.Problems())
	}
	mustAppend(t, la, 1, "One")
	if ds := la.Decisions(); ds[0].Lamport != 1 {
		t.Errorf("%+v", ds)
	}
}

func TestLeftOversOfInterruptedWritesAreRemovedEverywhere(t *testing.T) {
	dir := t.TempDir()
	mustAppend(t, open(t, dir, "aa", day1), 1, "One")
	for _, name := range []string{".tmp-1", "timeline/.tmp-2", "graph/views/entity/.tmp-3", "log/bb/.tmp-4"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir, "aa", day1)
	if got := tree(t, dir); strings.Contains(got, ".tmp-") {
		t.Error(got)
	}
}

func TestAllOfTheOwnLogIsCommittedIntoANewRepository(t *testing.T) {
	dir, seen := t.TempDir(), []string(nil)
	o := Options{Dir: dir, Machine: "aa"}
	for i := range 4 {
		mustAppend(t, open(t, dir, "aa", day1.AddDate(0, 0, i)), i, fmt.Sprint("Day ", i))
	}
	o.Commit = commitTo(&seen)
	l := New(o)
	if err := l.Open(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := l.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(seen, " "); got != "4 2 2" { // all at once when it is opened, then only what a failed commit can leave
		t.Errorf("files committed: %s", got)
	}
}

// commitTo notes how many files each commit has.
func commitTo(seen *[]string) func([]string, string, time.Time) error {
	return func(paths []string, _ string, _ time.Time) error {
		*seen = append(*seen, fmt.Sprint(len(paths)))
		return nil
	}
}

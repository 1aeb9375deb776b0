package ledger

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

// erase is the decision to erase an event.
func erase(e memory.Event, ids ...string) memory.Decision {
	return memory.Decision{Action: memory.ActionErase, Accepted: true, Reason: "private", By: memory.ByPerson, PolicyVersion: memory.PolicyVersion,
		Proposal: memory.Proposal{Kind: memory.RecordEvent, Erased: memory.EventClaim(&e).Hash(), Nodes: e.Provenance.NodeIDs, Erases: ids}}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEraseTakesTheTextAndLeavesTheChain(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "Hid the canary", "Two")
	edited := event(1, "Hid the canary")
	raw, _ := memory.Encode(edited)
	edited.Summary = "Hid the yellow bird"
	after, _ := memory.Encode(edited)
	e := event(1, "Hid the canary")
	edit := memory.Decision{Action: memory.ActionEdit, Accepted: true, By: memory.ByPerson, Reason: "better words for the canary", Before: raw, After: after,
		Proposal: memory.Proposal{Kind: memory.RecordEvent, ClaimKey: memory.EventClaim(&e), RecordID: e.ID, Scope: e.Scope}}
	if err := l.Append([]memory.Decision{edit}, run()); err != nil {
		t.Fatal(err)
	}
	if err := l.Erase([]memory.Decision{erase(e)}, run()); err != nil {
		t.Fatal(err)
	}
	path := logPath(dir, "aa", "2026-06-18.jsonl")
	if got := read(t, path); strings.Contains(got, "canary") || strings.Contains(got, "yellow") {
		t.Errorf("the text is in the log:\n%s", got)
	}
	if lines, faults, err := l.Verify(); err != nil || len(faults) != 0 || lines != 7 {
		t.Errorf("%d lines, %v %v", lines, faults, err)
	}
	mustAppend(t, l, 1, "Hid the canary") // a sleep finds it again
	if got := read(t, path); strings.Contains(got, "canary") {
		t.Errorf("it was written again:\n%s", got)
	}
	for _, x := range []*Ledger{l, open(t, dir, "aa", day1.AddDate(0, 0, 1))} {
		if got := timeline(x); len(got) != 1 || got[0] != "Two" {
			t.Errorf("timeline %v", got)
		}
		if _, faults, err := x.Verify(); err != nil || len(faults) != 0 {
			t.Errorf("%v %v", faults, err)
		}
	}
}

func TestABodyWithoutADecisionToEraseItIsAFault(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "One", "Two")
	path := logPath(dir, "aa", "2026-06-18.jsonl")
	want := read(t, path)
	first, rest, _ := strings.Cut(want, "\n")
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(first), &m); err != nil {
		t.Fatal(err)
	}
	for _, k := range append([]string{"salt"}, bodyFields...) {
		delete(m, k)
	}
	bare, err := memory.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	committed := committedAs(t, dir, "log/aa/2026-06-18.jsonl")
	if err := os.WriteFile(path, []byte(string(bare)+"\n"+rest), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, faults, err := l.Verify(); err != nil || len(faults) != 1 || faults[0].Line != 1 {
		t.Errorf("%v %v", faults, err)
	}
	openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, Committed: committed})
	if got := read(t, path); got != want {
		t.Errorf("it was not brought back:\n%s", got)
	}
}

func TestAnErasedBodyIsNotBroughtBackFromTheCommit(t *testing.T) {
	const name = "log/aa/2026-06-18.jsonl"
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "One", "Two")
	committed := committedAs(t, dir, name)
	if err := l.Erase([]memory.Decision{erase(event(1, "One"))}, run()); err != nil {
		t.Fatal(err)
	}
	again := openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, Committed: committed})
	if got := read(t, filepath.Join(dir, filepath.FromSlash(name))); strings.Contains(got, "One") || len(again.Problems()) != 0 {
		t.Errorf("the erased text is back, or it is called damage: %v", again.Problems())
	}
}

func TestAnEraseThatACrashInterruptedIsCarriedOutByTheNextStart(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "One", "Two")
	if err := l.Append([]memory.Decision{erase(event(1, "One"))}, run()); err != nil { // and no more
		t.Fatal(err)
	}
	var told []string
	again := openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 },
		Commit: func(paths []string, _ string, _ time.Time) error { told = append(told, paths...); return nil }})
	if got := read(t, logPath(dir, "aa", "2026-06-18.jsonl")); strings.Contains(got, `"One"`) || len(timeline(again)) != 1 {
		t.Error("the text is in the log")
	}
	if !slices.Contains(told, "log/aa/2026-06-18.jsonl") {
		t.Errorf("committed %v", told)
	}
}

func TestAnEraseOfAnotherMachineTakesTheTextOutOfTheOwnLog(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "One", "Two")
	lb := open(t, other, "bb", day1)
	mustAppend(t, lb, 1, "One")
	if err := lb.Erase([]memory.Decision{erase(event(1, "One"))}, run()); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "log", "bb"), os.DirFS(filepath.Join(other, "log", "bb"))); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Reload(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, logPath(dir, "aa", "2026-06-18.jsonl")); strings.Contains(got, `"One"`) {
		t.Error("the text is in the own log")
	}
	mustAppend(t, l, 5, "Five")
	if _, faults, err := l.Verify(); err != nil || len(faults) != 0 || len(timeline(l)) != 2 {
		t.Errorf("%v %v %v", faults, err, timeline(l))
	}
}

func TestOnlyEraseDecisionsErase(t *testing.T) {
	l := open(t, t.TempDir(), "aa", day1)
	if err := l.Erase([]memory.Decision{add(t, event(1, "One"))}, run()); err == nil {
		t.Error("an addition was taken for an erase")
	}
}

func TestWhatIsMissingAtTheEndOfALogIsFound(t *testing.T) {
	const name = "log/aa/2026-06-18.jsonl"
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "One", "Two")
	l.o.Committed = committedAs(t, dir, name)
	path := filepath.Join(dir, filepath.FromSlash(name))
	whole := read(t, path)
	lines := strings.SplitAfter(whole, "\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines[:2], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, faults, err := l.Verify(); err != nil || len(faults) != 1 || faults[0].Line != 3 || faults[0].File != path {
		t.Errorf("cut: %v %v", faults, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, faults, err := l.Verify(); err != nil || len(faults) != 1 {
		t.Errorf("gone: %v %v", faults, err)
	}
}

// changes lists what each exported function of a Ledger may do to the lines that are in the logs, after which trying it is
// told in try. A function that is not listed fails the test: whoever adds one says here that it changes no line.
func TestNoExportedFunctionChangesALineButErase(t *testing.T) {
	try := map[string]func(l *Ledger) error{
		"About": func(l *Ledger) error { scribble(l.About("ev_1")); return nil },
		"After": func(l *Ledger) error { scribble(l.After(0)); return nil },
		"Append": func(l *Ledger) error {
			return l.Append([]memory.Decision{{Action: memory.ActionForget, Accepted: true}}, run("x"))
		},
		"Commit":       func(l *Ledger) error { return l.Commit() },
		"CoveredBy":    func(l *Ledger) error { l.CoveredBy("n1"); return nil },
		"Covered":      func(l *Ledger) error { l.Covered(); return nil },
		"Decisions":    func(l *Ledger) error { scribble(l.Decisions()); return nil },
		"EachDecision": func(l *Ledger) error { scribble(slices.Collect(l.EachDecision())); return nil },
		"Erase":        nil, // the one exception, itself a decision
		"Erasures":     func(l *Ledger) error { l.Erasures(); return nil },
		"Machines":     func(l *Ledger) error { l.Machines(); return nil },
		"Devices":      func(l *Ledger) error { l.Devices(); return nil },
		"NewlyKnown":   func(l *Ledger) error { l.NewlyKnown(); return nil },
		"Newest":       func(l *Ledger) error { ds, _ := l.Newest(5); scribble(ds); return nil },
		"Open":         func(l *Ledger) error { return l.Open() },
		"Problems":     func(l *Ledger) error { l.Problems(); return nil },
		"Publish": func(l *Ledger) error {
			for _, name := range []string{"log/aa/2026-06-18.jsonl", "core/../log/aa/2026-06-18.jsonl", "./log/aa/2026-06-18.jsonl", "facts.jsonl/../log/aa/2026-06-18.jsonl"} {
				if _, err := l.Publish(name, []byte("gone\n")); err == nil {
					return errors.New("published over a log as " + name)
				}
			}
			return nil
		},
		"Read":     func(l *Ledger) error { l.Read(func(*memory.State) {}); return nil },
		"Reassess": func(l *Ledger) error { l.Reassess(); return nil },
		"Reload":   func(l *Ledger) error { _, err := l.Reload(); return err },
		"Resident": func(l *Ledger) error { l.Resident(); return nil },
		"Render":   func(l *Ledger) error { _, err := l.Render(); return err },
		"Runs":     func(l *Ledger) error { l.Runs(); return nil },
		"Withdraw": func(l *Ledger) error {
			for _, folder := range []string{"log/aa", "core/../log/aa", "log", ".", ""} {
				if _, err := l.Withdraw(folder, ".jsonl", nil); err == nil {
					return errors.New("withdrew from " + folder)
				}
			}
			return nil
		},
		"Verify": func(l *Ledger) error { _, _, err := l.Verify(); return err },
	}
	typ := reflect.TypeFor[*Ledger]()
	for i := range typ.NumMethod() {
		name := typ.Method(i).Name
		f, listed := try[name]
		if !listed {
			t.Errorf("Ledger.%s is not among the functions that are known to change no line", name)
			continue
		}
		if f == nil {
			continue
		}
		dir := t.TempDir()
		l := open(t, dir, "aa", day1)
		mustAppend(t, l, 1, "One", "Two")
		path := logPath(dir, "aa", "2026-06-18.jsonl")
		before := read(t, path)
		if err := f(l); err != nil {
			t.Errorf("Ledger.%s: %v", name, err)
		}
		if after := read(t, path); !strings.HasPrefix(after, before) {
			t.Errorf("Ledger.%s changed a line", name)
		}
		if _, faults, err := l.Verify(); err != nil || len(faults) > 0 {
			t.Errorf("Ledger.%s: %v %v", name, faults, err)
		}
	}
}

// scribble writes over what was handed out.
func scribble(ds []memory.Decision) {
	for i := range ds {
		ds[i].Reason = "made up"
		clear(ds[i].Proposal.Record)
	}
}

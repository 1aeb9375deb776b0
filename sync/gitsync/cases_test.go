package gitsync

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

// rule appends one decision about an event of this summary.
func (m *machine) rule(summary string, change func(*memory.Decision)) {
	m.t.Helper()
	d := addOf(m.t, summary)
	d.By, d.ObservedAt = memory.ByPerson, m.clock.Unix()
	change(&d)
	if err := m.ledger.Append([]memory.Decision{d}, memory.Run{Kind: memory.RunReview}); err != nil {
		m.t.Fatal(err)
	}
}

func forget(d *memory.Decision) { d.Action, d.Proposal.Record = memory.ActionForget, nil }

// meet exchanges until every machine has what the others have.
func meet(all ...*machine) {
	for range 2 {
		for _, m := range all {
			m.exchange()
		}
	}
}

func TestCaseY1ANewRemoteGetsAllThatTheOldOneHad(t *testing.T) {
	t.Parallel()
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("one")
	a.setup(bare(t))
	a.learn("two")
	a.exchange()
	next := bare(t)
	a.setup(next)
	b.setup(next)
	if b.knows() != "one,two" {
		t.Errorf("through the new remote comes %q", b.knows())
	}
}

// Two machines that decide at the same counter are told apart by their names: both decisions are kept, and every machine puts them into one order.
func TestCaseY1DecisionsOfOneCounterAreAllKept(t *testing.T) {
	t.Parallel()
	remote, a, b := bare(t), newMachine(t, "aa"), newMachine(t, "bb")
	for _, m := range []*machine{a, b} {
		m.learn("of both", "of "+m.id)
		m.setup(remote)
	}
	if x, y := a.ledger.Decisions()[0].Lamport, b.ledger.After(0)[0].Lamport; x != y {
		t.Fatalf("counters %d and %d", x, y)
	}
	meet(a, b)
	if a.knows() != "of aa,of bb,of both" || a.published() != b.published() || len(a.ledger.Decisions()) != 4 {
		t.Errorf("a knows %s, b %s, by %d decisions", a.knows(), b.knows(), len(a.ledger.Decisions()))
	}
}

func TestCaseY1WhatHasNoTimeTravelsToo(t *testing.T) {
	t.Parallel()
	remote, a, b := bare(t), newMachine(t, "aa"), newMachine(t, "bb")
	e := eventOf("nobody knows when")
	e.Provenance.EventTime, e.Provenance.IngestionTime = nil, 0
	raw, err := memory.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	a.rule(e.Summary, func(d *memory.Decision) { d.Proposal.Record = raw })
	a.setup(remote)
	b.setup(remote)
	if b.knows() != e.Summary {
		t.Errorf("b knows %q", b.knows())
	}
}

func TestCaseY1AnOddTempFolderIsNoTrouble(t *testing.T) {
	odd := filepath.Join(t.TempDir(), "an 'odd' folder; $HOME é")
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Fatal(err)
	}
	remote, a, b := bare(t), newMachine(t, "aa"), newMachine(t, "bb")
	url := served(t, remote, nil)
	t.Setenv("TMPDIR", odd)
	a.learn("one")
	a.setup(url)
	b.setup(url)
	if b.knows() != "one" {
		t.Errorf("b knows %q", b.knows())
	}
	b.sound()
}

// TestCaseY6WhatWasForgottenStaysForgotten meets all who may bring it back: a machine that knows nothing of it and learns it anew, a state folder out
// of a backup, and one that is made again from the logs.
func TestCaseY6WhatWasForgottenStaysForgotten(t *testing.T) {
	t.Parallel()
	remote, a, stale := bare(t), newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("embarrassing", "harmless")
	a.setup(remote)
	stale.setup(remote)
	backup := filepath.Join(t.TempDir(), "backup")
	if err := os.CopyFS(backup, os.DirFS(stale.dir)); err != nil {
		t.Fatal(err)
	}
	a.rule("embarrassing", forget)
	a.exchange()
	for range 3 { // it has decided more since, so that its counter is ahead
		stale.rule("embarrassing", func(d *memory.Decision) { d.By = memory.ByRule })
	}
	meet(a, stale)
	restored := machineAt(t, backup, "cc")
	restored.learn("embarrassing")
	restored.setup(remote)
	meet(a, stale, restored)
	for _, m := range []*machine{a, stale, restored} {
		m.open() // makes the state again from the logs
		if m.knows() != "harmless" || strings.Contains(m.published(), "embarrassing") {
			t.Errorf("%s knows %s", m.id, m.knows())
		}
	}
}

// TestCaseY7AClockThatIsADayAheadWinsNothing has a machine of such a clock say something before another one does, which then counts.
func TestCaseY7AClockThatIsADayAheadWinsNothing(t *testing.T) {
	t.Parallel()
	remote, a, ahead := bare(t), newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("the old way", "the first new way", "the second new way")
	a.setup(remote)
	ahead.clock = day.Add(24 * time.Hour)
	ahead.setup(remote)
	replace := func(by string) func(*memory.Decision) {
		return func(d *memory.Decision) {
			d.Action, d.Proposal.By, d.Proposal.Record = memory.ActionSupersede, eventOf(by).ID, nil
		}
	}
	ahead.rule("the old way", replace("the first new way"))
	meet(ahead, a)
	a.rule("the old way", replace("the second new way"))
	meet(a, ahead)
	ahead.clock = day // it was put right
	ahead.learn("after that")
	meet(ahead, a)
	for _, m := range []*machine{a, ahead} {
		m.open() // makes the state again from the logs
		m.ledger.Read(func(s *memory.State) {
			if by := s.Events[eventOf("the old way").ID].SupersededBy; string(by) != eventOf("the second new way").ID {
				t.Errorf("%s has %s in the place of what was decided last", m.id, by)
			}
		})
		m.sound()
	}
	if a.published() != ahead.published() {
		t.Error("the two publish other things")
	}
}

// TestAWrongKeyOpensNothingAndTheRightOneGoesOn gives a machine the keys of another memory: its identity alone, and the whole of them.
func TestAWrongKeyOpensNothingAndTheRightOneGoesOn(t *testing.T) {
	t.Parallel()
	remote, a, b, other := bare(t), withKeys(t, "aa"), withKeys(t, "bb"), withKeys(t, "cc")
	a.learn("one")
	a.setupSealed(remote)
	if err := letIn(t, a, b, remote); err != nil {
		t.Fatal(err)
	}
	other.setupSealed(bare(t))
	right, err := os.ReadFile(b.keys)
	if err != nil {
		t.Fatal(err)
	}
	strange, err := other.sync.vault.identity()
	if err != nil {
		t.Fatal(err)
	}
	mine, err := b.sync.vault.identity()
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(other.keys)
	if err != nil {
		t.Fatal(err)
	}
	url, _ := other.sync.Remote()
	for name, keys := range map[string]string{
		"another identity":        strings.Replace(string(right), mine.String(), strange.String(), 1),
		"those of another memory": strings.Replace(string(all), url, remote, 1),
	} {
		edit(t, b.keys, func(string) string { return keys })
		b.open()
		a.learn("meanwhile, " + name)
		a.exchange()
		b.learn("of b, " + name)
		before, tip := b.knows(), git(t, remote, "rev-parse", "main")
		if _, err := b.sync.Sync(t.Context()); err == nil || strings.Contains(err.Error(), "AGE-SECRET") {
			t.Errorf("%s: %v", name, err)
		} else {
			t.Logf("%s: %v", name, err)
		}
		if got := git(t, remote, "rev-parse", "main"); got != tip || b.knows() != before {
			t.Errorf("%s: the remote was changed: %v; b knows %s", name, got != tip, b.knows())
		}
		edit(t, b.keys, func(string) string { return string(right) })
		b.open()
		meet(b, a)
		if !strings.Contains(b.knows(), "meanwhile, "+name) || a.knows() != b.knows() {
			t.Errorf("%s, and then the right ones: a knows %s, b %s", name, a.knows(), b.knows())
		}
	}
	b.sound()
}

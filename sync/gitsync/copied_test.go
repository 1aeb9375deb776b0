package gitsync

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/ledger"
	"dormouse/store/memory"
)

// copyOf is a second machine with the state folder of another one, its id included, as a backup that is put onto a new laptop gives it.
func copyOf(t *testing.T, m *machine) *machine {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memory")
	if err := os.CopyFS(dir, os.DirFS(m.dir)); err != nil {
		t.Fatal(err)
	}
	c := &machine{t: t, id: m.id, dir: dir, clock: day}
	if raw, err := os.ReadFile(m.keys); err == nil {
		c.keys = filepath.Join(t.TempDir(), "keys.json")
		edit(t, c.keys, func(string) string { return string(raw) })
	}
	c.open()
	return c
}

// goOnAs does what the service does when it finds that its state folder is a copy, with a crash after as many of the four steps as asked for.
func (m *machine) goOnAs(id string, crash int) {
	m.t.Helper()
	_, err := m.sync.Sync(m.t.Context())
	var found *CopiedError
	if !errors.As(err, &found) || !errors.Is(err, ErrOwnLog) {
		m.t.Fatalf("%s finds %v", m.id, err)
	}
	c := ledger.Copied{Old: m.id, New: id, Common: found.Common}
	moved := func() {
		if _, err := c.Move(m.dir, m.clock); err != nil {
			m.t.Fatal(err)
		}
	}
	left := func() {
		paths, err := c.Leave(m.dir)
		if err != nil {
			m.t.Fatal(err)
		}
		if crash == 3 {
			if paths, err = c.Leave(m.dir); err != nil {
				m.t.Fatal(err)
			}
		}
		if _, err := m.repo.CommitFiles(paths, "Go on under a new machine id", m.clock.Unix()); err != nil {
			m.t.Fatal(err)
		}
	}
	moved()
	if crash == 1 {
		moved()
	}
	left()
	if crash == 2 {
		left()
	}
	m.id = id
	m.open()
}

// decided is the newest decision of a machine about an event of this summary.
func (m *machine) decided(summary string) (out memory.Decision) {
	for _, d := range m.ledger.Decisions() {
		if d.Machine == m.id && d.Proposal.RecordID == eventOf(summary).ID {
			out = d
		}
	}
	return out
}

// TestACopiedStateFolderGoesOnUnderAnIdOfItsOwnAndLosesNothing has two machines write one log: the one that exchanges later leaves it, and what
// it wrote is known everywhere, undone where it was undone, and in the same place of the order.
func TestACopiedStateFolderGoesOnUnderAnIdOfItsOwnAndLosesNothing(t *testing.T) {
	t.Parallel()
	for name, encrypted := range map[string]bool{"plain": false, "encrypted": true} {
		for crash := range 4 {
			t.Run(name+string(rune('0'+crash)), func(t *testing.T) {
				t.Parallel()
				remote, a, b := bare(t), withKeys(t, "aa"), withKeys(t, "bb")
				a.learn("a1", "a2")
				if encrypted {
					a.setupSealed(remote)
					if err := letIn(t, a, b, remote); err != nil {
						t.Fatal(err)
					}
				} else {
					a.setup(remote)
					b.setup(remote)
				}
				c := copyOf(t, a)
				a.learn("a3")
				a.clock = day.AddDate(0, 0, 1) // goes on in a file that the copy does not have
				a.learn("a4")
				a.exchange()
				c.learn("c1", "c2")
				c.rule("c1", forget)
				c.rule("c1", func(d *memory.Decision) {
					d.Action, d.Undoes, d.Proposal.Record = memory.ActionUndo, memory.Ref(c.decided("c1").ID), nil
				})
				c.rule("a2", forget)
				c.clock = day.AddDate(0, 0, 2)
				c.learn("c3")
				before := c.decided("c3").Lamport
				c.goOnAs("cc", crash)
				if now := c.decided("c3").Lamport; now != before || now == 0 {
					t.Errorf("c3 was in place %d and is in %d", before, now)
				}
				c.exchange()
				b.learn("b1")
				meet(b, a, c)
				for _, m := range []*machine{a, b, c} {
					if m.knows() != "a1,a3,a4,b1,c1,c2,c3" || m.published() != a.published() {
						t.Errorf("%s knows %s", m.id, m.knows())
					}
					m.open() // makes the state again from the logs
					if m.knows() != "a1,a3,a4,b1,c1,c2,c3" {
						t.Errorf("after a start %s knows %s", m.id, m.knows())
					}
					m.sound()
					if list, err := m.sync.Asides(); err != nil || len(list) > 0 {
						t.Errorf("%s has set aside %v %v", m.id, list, err)
					}
				}
				if r := c.exchange(); r != (Result{}) {
					t.Errorf("no rest: %+v", r)
				}
			})
		}
	}
}

// TestACopyHearsOfWhatItsOriginalErased erases what both have, under the id that both have.
func TestACopyHearsOfWhatItsOriginalErased(t *testing.T) {
	t.Parallel()
	remote, a := bare(t), newMachine(t, "aa")
	a.learn("embarrassing", "a1")
	a.setup(remote)
	c := copyOf(t, a)
	if err := a.erase("embarrassing"); err != nil {
		t.Fatal(err)
	}
	a.exchange()
	c.learn("c1")
	c.goOnAs("cc", 0)
	meet(c, a, c)
	for _, m := range []*machine{a, c} {
		if m.knows() != "a1,c1" || strings.Contains(files(t, m.dir, "log"), "embarrassing") {
			t.Errorf("%s knows %s", m.id, m.knows())
		}
		if _, faults, err := m.ledger.Verify(); err != nil || len(faults) > 0 {
			t.Errorf("%s: %v %v", m.id, faults, err)
		}
	}
}

// TestOnlyWhatAMachineWouldHaveWrittenMakesACopy has lines behind the own log that are none of a machine's.
func TestOnlyWhatAMachineWouldHaveWrittenMakesACopy(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(string) string{
		"a line that does not follow": func(s string) string { return s + `{"type":"decision","machine":"aa"}` + "\n" },
		"a line that is there twice":  func(s string) string { return s + s[:strings.Index(s, "\n")+1] },
		"a changed text":              func(s string) string { return strings.Replace(s, "a2", "a9", 1) },
		"nothing of a log":            func(string) string { return "x\n" },
	} {
		remote, a, _ := pair(t)
		tamper(t, remote, func(dir string) { edit(t, filepath.Join(dir, "log", "aa", "2026-06-18.jsonl"), change) })
		a.learn("a3")
		_, err := a.sync.Sync(t.Context())
		var found *CopiedError
		if !errors.Is(err, ErrOwnLog) || errors.As(err, &found) || !strings.Contains(err.Error(), "restore-remote") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package gitsync

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
	"dormouse/sync/seal"
)

// histories is how many random histories are lived through: more under `make stress`.
func histories() int {
	if os.Getenv("DORMOUSE_STRESS") != "" {
		return 10_000
	}
	return 500
}

// errCrash stands for the end of the process at a step of an exchange.
var errCrash = errors.New("crashed")

// world is some machines around one remote, living through a random history.
type world struct {
	t        *testing.T
	r        *rand.Rand
	hub      *hub
	machines []*machine
	crashAt  int               // steps until a crash; -1 for never
	acked    map[string]string // ids of decisions that were acknowledged, and what they were
	erased   map[string]bool   // summaries of events
	told     []string          // what happened, for a failing history
}

// TestAnyHistoryEndsInEqualBytesInBulk lets two to four machines learn, refuse, forget, undo, exchange, crash and set their clocks
// wrong in a random order. When all have exchanged at last, nothing that was acknowledged is missing anywhere, all know the
// same, byte for byte, and further exchanges move nothing.
//
// One after the other and without the race detector: nothing in a history runs beside anything else.
func TestAnyHistoryEndsInEqualBytesInBulk(t *testing.T) { liveThrough(t, histories(), false) }

// TestAnyHistoryEndsInEqualBytesThroughAnEncryptedRemoteInBulk is the same with a remote that cannot read what it keeps. Each exchange opens and
// closes every part, so there are fewer.
func TestAnyHistoryEndsInEqualBytesThroughAnEncryptedRemoteInBulk(t *testing.T) {
	liveThrough(t, histories()/25, true)
}

// TestAFewHistoriesEndInEqualBytes are the first of both, under the race detector.
func TestAFewHistoriesEndInEqualBytes(t *testing.T) {
	t.Parallel()
	liveThrough(t, 10, false)
	liveThrough(t, 2, true)
}

func liveThrough(t *testing.T, count int, encrypted bool) {
	dir := t.TempDir()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() { // in memory, so that the disk is not what is tested
		if shm, err := os.MkdirTemp("/dev/shm", "dormouse-*"); err == nil {
			dir = shm
			t.Cleanup(func() { _ = os.RemoveAll(shm) })
		}
	}
	for seed := range count {
		root := filepath.Join(dir, fmt.Sprint(seed))
		w := &world{t: t, r: rand.New(rand.NewPCG(uint64(seed), 9)), acked: map[string]string{}, erased: map[string]bool{}, crashAt: -1}
		w.build(root, encrypted)
		for range 5 + w.r.IntN(10) {
			w.act()
		}
		w.settle()
		if t.Failed() {
			t.Fatalf("history %d:\n%s", seed, strings.Join(w.told, "\n"))
		}
		if err := os.RemoveAll(root); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) build(root string, encrypted bool) {
	remote := gitrepo.Open(filepath.Join(root, "remote"))
	if err := remote.Init(nil); err != nil {
		w.t.Fatal(err)
	}
	w.hub = &hub{repo: remote}
	for i := range 2 + w.r.IntN(3) {
		m := &machine{t: w.t, id: strings.Repeat(string(rune('a'+i)), 2), dir: filepath.Join(root, fmt.Sprint(i)), clock: day, step: w.crash}
		m.connect = func(string) Remote { return spoke{w.hub, m.repo} }
		if encrypted {
			m.keys = filepath.Join(root, fmt.Sprint(i, ".keys"))
			m.through = func(repo *gitrepo.Repo, _ string) Remote { return spoke{w.hub, repo} }
		}
		m.open()
		if err := m.repo.SetRemoteURL("/hub"); err != nil {
			w.t.Fatal(err)
		}
		w.machines = append(w.machines, m)
	}
	if encrypted {
		share(w.t, "/hub", w.machines...)
	}
}

// share gives machines the keys of one encrypted memory.
func share(t testing.TB, url string, machines ...*machine) {
	t.Helper()
	var ring seal.Ring
	for i, m := range machines {
		id, err := m.sync.vault.identity()
		if err != nil {
			t.Fatal(err)
		}
		if d := m.sync.device(id.Recipient().String()); i == 0 {
			ring = seal.NewRing(d)
		} else {
			ring = ring.With(d)
		}
	}
	for _, m := range machines {
		if err := m.sync.vault.setRing(url, ring); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) crash(string) error {
	if w.crashAt < 0 {
		return nil
	}
	if w.crashAt--; w.crashAt < 0 {
		return errCrash
	}
	return nil
}

func (w *world) act() {
	m := w.machines[w.r.IntN(len(w.machines))]
	switch n := w.r.IntN(20); {
	case n < 8:
		w.decide(m)
	case n < 15:
		w.exchange(m, -1)
	case n < 17:
		w.exchange(m, w.r.IntN(6))
	case n < 18 && w.r.IntN(2) == 0:
		w.erase(m)
	case n < 18:
		w.tearTail(m)
	case n < 19:
		m.clock = day.Add(time.Duration(w.r.IntN(4000)-2000) * time.Hour) // off by up to months, and back
		w.told = append(w.told, fmt.Sprint(m.id, " clock ", m.clock))
	default:
		m.open()
		w.told = append(w.told, m.id+" opens")
	}
}

// decide appends one to three decisions about a few events that all machines come across.
func (w *world) decide(m *machine) {
	var ds []memory.Decision
	for range 1 + w.r.IntN(3) {
		d := addOf(w.t, fmt.Sprint("event ", w.r.IntN(6)))
		known := m.ledger.Decisions()
		switch n := w.r.IntN(10); {
		case n < 2:
			d.Accepted = false
		case n < 3:
			d.Action = memory.ActionForget
		case n < 4 && len(known) > 0:
			d = memory.Decision{Action: memory.ActionUndo, Accepted: true, Undoes: memory.Ref(known[w.r.IntN(len(known))].ID)}
		case n < 5:
			d.Action, d.Proposal.By = memory.ActionSupersede, eventOf(fmt.Sprint("event ", w.r.IntN(6))).ID
		}
		ds = append(ds, d)
	}
	if err := m.ledger.Append(ds, memory.Run{Kind: "light", Ended: m.clock.Unix()}); err != nil {
		w.t.Fatal(err)
	}
	mine := m.ledger.Decisions()
	for _, d := range mine[len(mine)-len(ds):] {
		w.acked[d.ID] = fmt.Sprint(d.Machine, " ", d.Lamport)
		w.told = append(w.told, fmt.Sprint(m.id, " decides ", d.Action, d.Accepted, d.Proposal.RecordID, d.Undoes))
	}
}

// erase takes an event out of a machine's memory for good. The machine may crash before the history is rewritten.
func (w *world) erase(m *machine) {
	name := fmt.Sprint("event ", w.r.IntN(6))
	if err := m.erase(name); err != nil {
		w.t.Fatal(err)
	}
	w.erased[name] = true
	w.told = append(w.told, m.id+" erases "+name)
	if w.r.IntN(3) == 0 {
		m.open()
		w.told = append(w.told, "and crashes")
		return
	}
	if err := m.sync.Erase(w.t.Context()); err != nil {
		w.t.Error(err)
	}
}

// exchange makes a machine sync, which crashes after some steps unless that is -1.
func (w *world) exchange(m *machine, crashAt int) {
	w.crashAt = crashAt
	res, err := m.sync.Sync(w.t.Context())
	crashed := errors.Is(err, errCrash)
	w.crashAt = -1
	w.told = append(w.told, fmt.Sprint(m.id, " syncs ", res, err, " ", m.head()))
	if err != nil && !crashed {
		w.t.Errorf("%s: %v", m.id, err)
	}
	if crashed {
		m.open()
	}
}

// tearTail ends a machine in the middle of a write to its log.
func (w *world) tearTail(m *machine) {
	own, _ := filepath.Glob(filepath.Join(m.dir, "log", m.id, "*.jsonl"))
	if len(own) == 0 {
		return
	}
	slices.SortFunc(own, strings.Compare)
	edit(w.t, own[len(own)-1], func(s string) string { return s + `{"type":"decision","lam` })
	m.open()
	w.told = append(w.told, m.id+" crashes in a write")
}

// rest is what must be equal everywhere at last: the newest commit; through an encrypted remote, whose commits are nobody's here, its tree.
func (w *world) rest(m *machine) gitrepo.OID {
	if m.through == nil || m.head().IsZero() {
		return m.head()
	}
	x := m.repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	c, err := x.Commit(m.head())
	if err != nil {
		w.t.Fatal(err)
	}
	return c.Tree
}

// settle makes everybody exchange until all is said, and compares.
func (w *world) settle() {
	for range 2 {
		for _, m := range w.machines {
			w.exchange(m, -1)
		}
	}
	first := w.machines[0]
	head, want := w.rest(first), first.published()
	for _, m := range w.machines {
		if res, err := m.sync.Sync(context.Background()); err != nil || res.Sent || w.rest(m) != head {
			w.t.Errorf("%s does not come to rest: %+v %v, at %s, not %s", m.id, res, err, w.rest(m), head)
		}
		if got := m.published(); got != want {
			w.t.Errorf("%s publishes\n%s\nand %s\n%s", m.id, got, first.id, want)
		}
		if files(w.t, m.dir, "log") != files(w.t, first.dir, "log") {
			w.t.Errorf("the logs of %s and %s differ", m.id, first.id)
		}
		have := map[string]bool{}
		for _, d := range m.ledger.Decisions() {
			have[d.ID] = true
		}
		for id, what := range w.acked {
			if !have[id] {
				w.t.Errorf("%s has lost %s (%s)", m.id, id, what)
			}
		}
		logs := files(w.t, m.dir, "log")
		for name := range w.erased {
			if strings.Contains(logs, `"`+name+`"`) {
				w.t.Errorf("%s has %q in its logs", m.id, name)
			}
		}
		gone := m.ledger.Erasures()
		if to, err := m.repo.Rewrite([]gitrepo.OID{m.head()}, IsLog, nil, gone.Without); err != nil || to[m.head()] != m.head() {
			w.t.Errorf("the history of %s holds what is erased: %v", m.id, err)
		}
		if list, err := m.sync.Asides(); err != nil || len(list) > 0 {
			w.t.Errorf("%s has set aside %v %v", m.id, list, err)
		}
	}
	if _, faults, err := first.ledger.Verify(); err != nil || len(faults) > 0 { // the logs of all are equal
		w.t.Errorf("%v %v", faults, err)
	}
}

package gitsync

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// erase writes the decision to erase an event, and takes its text out of the logs here.
func (m *machine) erase(summary string) error {
	e := eventOf(summary)
	return m.ledger.Erase([]memory.Decision{{Action: memory.ActionErase, Accepted: true, Reason: "private", By: memory.ByPerson, PolicyVersion: memory.PolicyVersion,
		Proposal: memory.Proposal{Kind: memory.RecordEvent, Erased: memory.EventClaim(&e).Hash(), Nodes: e.Provenance.NodeIDs}}}, memory.Run{Kind: "manual"})
}

// forgetAll erases and rewrites the history, as the service does.
func (m *machine) eraseAll(summary string) {
	m.t.Helper()
	if err := errors.Join(m.erase(summary), m.sync.Erase(m.t.Context())); err != nil {
		m.t.Fatal(err)
	}
}

// holds reports whether any object or file of a memory folder or a bare repository holds a text, whether a branch leads to it or
// not.
func holdsText(t *testing.T, dir, text string) string {
	t.Helper()
	for line := range strings.Lines(git(t, dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")) {
		oid, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind != "tree" && strings.Contains(git(t, dir, "cat-file", kind, oid), text) {
			return kind + " " + oid
		}
	}
	found := ""
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) {
			found = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (m *machine) hasNo(text string) {
	m.t.Helper()
	m.published()
	if where := holdsText(m.t.(*testing.T), m.dir, text); where != "" {
		m.t.Errorf("%s holds %q in %s", m.id, text, where)
	}
	m.sound()
}

func TestAnEraseReachesEveryHistoryAndNothingElseIsLost(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("one")
	a.learn("canary of a", "two")
	a.setup(remote)
	b.setup(remote)
	b.learn("three")
	b.exchange()
	a.exchange()
	a.learn("four") // on top of the history that is rewritten
	b.learn("five")
	a.eraseAll("canary of a")
	a.hasNo("canary")
	if git(t, remote, "log", "-p"); !strings.Contains(git(t, remote, "log", "-p", "--text"), "canary") {
		t.Fatal("the remote never held it: the test shows nothing")
	}
	a.exchange()
	if where := holdsText(t, gcd(t, remote), "canary"); where != "" {
		t.Errorf("the remote holds it in %s", where)
	}
	b.exchange() // has the old history, and a commit that nobody knows
	b.hasNo("canary")
	a.exchange()
	for _, m := range []*machine{a, b} {
		if got := m.knows(); got != "five,four,one,three,two" {
			t.Errorf("%s knows %s", m.id, got)
		}
		m.sound()
	}
	if a.head() != b.head() || a.published() != b.published() {
		t.Error("the two do not come to the same")
	}
	b.learn("canary of a") // a sleep finds it again
	b.exchange()
	a.exchange()
	if a.knows() != b.knows() || strings.Contains(a.knows(), "canary") {
		t.Errorf("it came back: %s, %s", a.knows(), b.knows())
	}
}

// gcd has a bare repository clean up, as servers do when they see fit: what no branch leads to is theirs to remove.
func gcd(t *testing.T, remote string) string {
	t.Helper()
	git(t, remote, "reflog", "expire", "--expire=now", "--all")
	git(t, remote, "gc", "-q", "--prune=now")
	return remote
}

func TestAStaleMachineThatKnowsTheClaimItselfErasesItsOwnLines(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("canary")
	b.learn("canary", "two")
	a.setup(remote)
	b.setup(remote)
	a.exchange()
	b.learn("canary") // offline, again
	b.learn("three")
	a.eraseAll("canary")
	a.exchange()
	b.exchange()
	b.hasNo("canary")
	a.exchange()
	a.hasNo("canary")
	if a.knows() != "three,two" || b.knows() != "three,two" || a.head() != b.head() {
		t.Errorf("a knows %s, b %s", a.knows(), b.knows())
	}
	if where := holdsText(t, gcd(t, remote), "canary"); where != "" {
		t.Errorf("the remote holds it in %s", where)
	}
}

func TestAMachineThatPushesTheOldHistoryMeanwhileIsCleanedUpAfter(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("canary", "one")
	a.setup(remote)
	b.setup(remote)
	a.eraseAll("canary")
	b.learn("two")
	b.exchange() // the remote's old history grows
	a.exchange()
	a.hasNo("canary")
	b.exchange()
	b.hasNo("canary")
	if a.exchange(); a.head() != b.head() || a.knows() != "one,two" {
		t.Errorf("a knows %s", a.knows())
	}
	if where := holdsText(t, gcd(t, remote), "canary"); where != "" {
		t.Errorf("the remote holds it in %s", where)
	}
	if res, err := b.sync.Sync(t.Context()); err != nil || res.Sent || res.Received > 0 {
		t.Errorf("b does not come to rest: %+v %v", res, err)
	}
}

func TestARemoteThatKeepsItsHistoryIsSaidAndNothingIsLost(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a := newMachine(t, "aa")
	a.learn("canary", "one")
	a.setup(remote)
	git(t, remote, "config", "receive.denyNonFastForwards", "true")
	a.eraseAll("canary")
	if _, err := a.sync.Sync(t.Context()); !errors.Is(err, gitrepo.ErrRefused) || !strings.Contains(err.Error(), "sync setup") {
		t.Errorf("%v", err)
	}
	a.hasNo("canary")
	git(t, remote, "config", "receive.denyNonFastForwards", "false")
	a.exchange()
	a.hasNo("canary")
	if where := holdsText(t, gcd(t, remote), "canary"); where != "" {
		t.Errorf("the remote holds it in %s", where)
	}
}

func TestARewoundRemoteIsRefusedAlsoAfterAnErase(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("canary")
	a.setup(remote)
	old := git(t, remote, "rev-parse", "main")
	b.setup(remote)
	b.learn("two")
	b.exchange()
	a.exchange()
	a.eraseAll("canary")
	a.exchange()
	b.exchange()
	git(t, remote, "update-ref", "refs/heads/main", old)
	for _, m := range []*machine{a, b} {
		if _, err := m.sync.Sync(t.Context()); !errors.Is(err, ErrRewound) {
			t.Errorf("%s: %v", m.id, err)
		}
		m.hasNo("canary")
	}
}

func TestAnEraseCostsNothingOnceItIsDone(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a := newMachine(t, "aa")
	a.learn("canary", "one")
	a.setup(remote)
	a.eraseAll("canary")
	a.exchange()
	a.open() // a new start knows by its notes that the history is clean
	if err := a.sync.Erase(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(a.sync.clean); n == 0 || a.sync.dirty {
		t.Errorf("%d commits are known to be clean, dirty %v", n, a.sync.dirty)
	}
	packs := git(t, a.dir, "count-objects", "-v")
	for range 3 {
		a.exchange()
	}
	if again := git(t, a.dir, "count-objects", "-v"); again != packs {
		t.Errorf("objects before\n%s\nand after\n%s", packs, again)
	}
}

// TestTwoMachinesThatEraseFromEachOthersLogsAreHeardByAThird has each of two machines take a text out of the other's log before a third one
// hears of either: neither log goes on from what that one knows without the erase decision in the other.
func TestTwoMachinesThatEraseFromEachOthersLogsAreHeardByAThird(t *testing.T) {
	t.Parallel()
	remote, a, b, c := bare(t), newMachine(t, "aa"), newMachine(t, "bb"), newMachine(t, "cc")
	a.learn("said by a", "a1")
	b.learn("said by b", "b1")
	c.learn("c1")
	for _, m := range []*machine{a, b, c} {
		m.setup(remote)
	}
	meet(a, b, c)
	if err := b.erase("said by a"); err != nil {
		t.Fatal(err)
	}
	if err := a.erase("said by b"); err != nil {
		t.Fatal(err)
	}
	meet(a, b)
	meet(c, a, b)
	for _, m := range []*machine{a, b, c} {
		if m.knows() != "a1,b1,c1" || strings.Contains(files(t, m.dir, "log"), "said by") {
			t.Errorf("%s knows %s", m.id, m.knows())
		}
		m.sound()
	}
}

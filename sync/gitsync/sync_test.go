package gitsync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

func TestTwoMachinesThroughAnEmptyRemoteEndEqual(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("one", "three")
	if res := a.setup(remote); !res.Sent || res.Received != 0 {
		t.Errorf("first push: %+v", res)
	}
	b.learn("seven words")
	if res := b.setup(remote); !res.Sent || res.Received != 3 { // two decisions and a run
		t.Errorf("second machine: %+v", res)
	}
	if res := a.exchange(); res.Sent || res.Received != 2 {
		t.Errorf("back: %+v", res)
	}
	if a.knows() != "one,seven words,three" || a.published() != b.published() || a.head() != b.head() {
		t.Errorf("a knows %s, b %s; %s %s", a.knows(), b.knows(), a.head(), b.head())
	}
	before := a.head()
	for _, m := range []*machine{a, b, a} { // nothing new moves nothing
		if res := m.exchange(); res != (Result{}) || m.head() != before {
			t.Errorf("%s: %+v", m.id, res)
		}
	}
	a.sound()
	b.sound()
	if out := git(t, remote, "fsck", "--strict", "--full"); out != "" {
		t.Error(out)
	}
	if parents := git(t, a.dir, "log", "-1", "--format=%P"); len(strings.Fields(parents)) != 2 {
		t.Errorf("the join has parents %q", parents)
	}
}

func TestCaseY2ThreeMachinesEndEqualWhateverTheOrder(t *testing.T) {
	t.Parallel()
	want := ""
	for _, order := range []string{"abcabc", "cbacba", "bcabac", "acbbca"} {
		remote := bare(t)
		ms := map[rune]*machine{'a': newMachine(t, "aa"), 'b': newMachine(t, "bb"), 'c': newMachine(t, "cc")}
		for _, m := range ms {
			m.learn("shared", "only "+m.id)
			if err := m.repo.SetRemoteURL(remote); err != nil {
				t.Fatal(err)
			}
		}
		for i, r := range order + "abcabc" {
			if i == 4 {
				ms[r].learn("late " + order[:1])
			}
			ms[r].exchange()
		}
		for _, m := range ms {
			m.sound()
			if m.head() != ms['a'].head() || m.published() != ms['a'].published() {
				t.Errorf("order %s: %s differs", order, m.id)
			}
		}
		if got := strings.ReplaceAll(ms['a'].knows(), "late "+order[:1], "late"); want == "" {
			want = got
		} else if got != want {
			t.Errorf("order %s: %s, want %s", order, got, want)
		}
	}
}

func TestNodesOfAnotherMachineAreCoveredAndLaterDecisionsComeAfterItsOwn(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	for range 5 {
		a.learn("often")
	}
	a.setup(remote)
	b.setup(remote)
	if s, ok := b.ledger.CoveredBy(nodeOf("often")); !ok || s != "s_aa" {
		t.Errorf("covered by %q %v", s, ok)
	}
	e := eventOf("often")
	forget := memory.Decision{Action: memory.ActionForget, Accepted: true, By: "person", Proposal: memory.Proposal{Kind: memory.RecordEvent, ClaimKey: memory.EventClaim(&e), RecordID: e.ID}}
	if err := b.ledger.Append([]memory.Decision{forget}, memory.Run{}); err != nil {
		t.Fatal(err)
	}
	b.exchange()
	a.exchange()
	if a.knows() != "" || b.knows() != "" {
		t.Errorf("forgotten on b, yet a knows %q and b %q", a.knows(), b.knows())
	}
	if got := strings.Join(a.ledger.Machines(), " "); got != "aa bb" {
		t.Errorf("machines %s", got)
	}
}

func TestCaseY2UnknownFieldsKindsAndLineTypesOfANewerVersionTravel(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b, c := newMachine(t, "aa"), newMachine(t, "bb"), newMachine(t, "cc")
	a.learn("one")
	extra := `{"type":"dream","machine":"aa","lamport":41,"colour":"blue"}` + "\n" +
		`{"type":"decision","machine":"aa","lamport":42,"id":"de_1","action":"add","accepted":true,"proposal":{"kind":"song","record":{"id":"x"}},"mood":3}` + "\n"
	edit(t, a.log("aa"), func(s string) string { return s + extra })
	a.open()
	a.setup(remote)
	tamper(t, remote, func(dir string) { // a newer version keeps more than logs
		edit(t, filepath.Join(dir, "devices.json"), func(string) string { return "{}" })
		edit(t, filepath.Join(dir, "log", "aa", "keys.age"), func(string) string { return "age" })
	})
	b.learn("two")
	b.setup(remote)
	c.setup(remote)
	for _, m := range []*machine{a, b, c, a} {
		m.exchange()
	}
	for _, m := range []*machine{b, c} {
		if files(t, m.dir, "log") != files(t, a.dir, "log") {
			t.Errorf("logs of %s differ:\n%s", m.id, files(t, m.dir, "log"))
		}
		if !strings.Contains(files(t, m.dir, "log/aa"), extra) {
			t.Errorf("%s lost lines", m.id)
		}
		if got := git(t, m.dir, "show", "main:devices.json", "main:log/aa/keys.age"); got != "{}age" {
			t.Errorf("%s dropped what it does not know: %q", m.id, got)
		}
		if out := git(t, m.dir, "status", "--porcelain"); out != "" {
			t.Errorf("%s: %s", m.id, out)
		}
		if _, err := os.Stat(filepath.Join(m.dir, "devices.json")); err == nil {
			t.Errorf("%s: a file that is no log was written to the disk", m.id)
		}
	}
	b.learn("three")
	if b.exchange(); strings.Contains(git(t, b.dir, "status", "--porcelain"), "devices") {
		t.Error("a commit of the own log shows what is not on the disk as deleted")
	}
}

func TestBothOfTwoPushersAtOnceGetThrough(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	a.setup(remote)
	b.setup(remote)
	for round := range 5 {
		a.learn(fmt.Sprint("a", round))
		b.learn(fmt.Sprint("b", round))
		var wg sync.WaitGroup
		for _, m := range []*machine{a, b} {
			wg.Go(func() {
				if _, err := m.sync.Sync(t.Context()); err != nil {
					t.Errorf("%s: %v", m.id, err)
				}
			})
		}
		wg.Wait()
	}
	a.exchange()
	b.exchange()
	a.exchange()
	if a.published() != b.published() || len(strings.Split(a.knows(), ",")) != 10 || a.head() != b.head() {
		t.Errorf("a knows %s, b %s", a.knows(), b.knows())
	}
	a.sound()
	b.sound()
}

func TestCaseY4PushThatIsRefusedOnceIsTriedAgainAndOneThatAlwaysIsIsSaid(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a := newMachine(t, "aa")
	a.learn("one")
	hook := filepath.Join(remote, "hooks", "pre-receive")
	script := "#!/bin/sh\n[ -e seen ] || { touch seen; echo not now >&2; exit 1; }\n"
	if err := os.WriteFile(hook, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if res := a.setup(remote); !res.Sent {
		t.Errorf("%+v", res)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\necho the quota is used up >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	a.learn("two")
	if _, err := a.sync.Sync(t.Context()); !errors.Is(err, gitrepo.ErrRefused) || !strings.Contains(err.Error(), "the quota is used up") {
		t.Errorf("%v", err)
	}
}

// racer is a remote that somebody else pushes to before each of the first pushes of ours.
type racer struct {
	Remote
	before func()
	times  int
}

func (r *racer) Push(ctx context.Context, commit gitrepo.OID) error {
	if r.times--; r.times >= 0 {
		r.before()
	}
	return r.Remote.Push(ctx, commit)
}

func TestLostRaceIsTriedAgainWithGrowingPausesAndNotForEver(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	b.setup(remote)
	n := 0
	for _, tt := range []struct {
		times int
		lost  bool
	}{{3, false}, {99, true}} {
		a.learn(fmt.Sprint("a", tt.times))
		a.sync.o.Connect = func(url string) Remote {
			return &racer{a.repo.Peer(url), func() { n++; b.learn(fmt.Sprint("b", n)); b.exchange() }, tt.times}
		}
		var pauses []string
		a.sync.o.Pause = func(_ context.Context, d time.Duration) error { pauses = append(pauses, d.String()); return nil }
		_, err := a.sync.Setup(t.Context(), remote, false)
		if (err != nil) != tt.lost || tt.lost && !errors.Is(err, gitrepo.ErrRace) {
			t.Errorf("%d races: %v", tt.times, err)
		}
		if got := strings.Join(pauses, " "); !strings.HasPrefix(got, "150ms 300ms 600ms") || tt.lost && (len(pauses) != maxRaces || pauses[9] != "10s") {
			t.Errorf("pauses %s", got)
		}
	}
	if !strings.Contains(a.knows(), fmt.Sprint("b", n-1)) {
		t.Errorf("what came in beside a lost race is not known: %s", a.knows())
	}
	low, high := New(Options{Repo: a.repo, Jitter: func() float64 { return 0 }}), New(Options{Repo: a.repo, Jitter: func() float64 { return 1 }})
	if low.backOff(1) != 75*time.Millisecond || high.backOff(99) != 15*time.Second {
		t.Errorf("%s %s", low.backOff(1), high.backOff(99))
	}
}

package distill

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"dormouse/store/ledger"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// shop is a session with something of each kind.
func shop(id string, created int64) *script {
	s := newScript(id)
	s.at, s.meta.CreatedAt = created, created
	return s.user("fix the total, and never use git stash").
		says("The issue is that the total in `src/cart.ts` is cached and never cleared, because `logout()` drops only the cookie.").
		edit("/home/u/shop/src/cart.ts").
		says("Added `resetOnLogout()` to `src/cart.ts` and called it from the session handler.").
		user("commit").
		bash(`git commit -am "fix: clear the total on logout (fixes #12)"`, "[main 1a2b3c4d] fix: clear the total on logout (fixes #12)\n 1 file changed").
		says("Committed.")
}

// forkOf copies the first n nodes of a session into a younger one.
func forkOf(parent *script, id string, n int) *script {
	s := newScript(id)
	s.meta.CreatedAt = parent.meta.CreatedAt + 1000
	s.nodes = slices.Clone(parent.nodes[:n])
	s.turn = s.nodes[n-1].Metadata.Turn
	s.at = s.nodes[n-1].CreatedAt
	return s
}

func TestDistillingAgainChangesNothing(t *testing.T) {
	b, s := newBed(t), shop("cc_1", 1_780_000_000)
	first := b.run(nil, s)
	was := b.published()
	if first.Counts.Events == 0 || first.Counts.Entities == 0 || first.Counts.Edges == 0 {
		t.Fatalf("counts %+v", first.Counts)
	}
	again := b.run(nil, s)
	if again.Counts != (memory.RunCounts{}) || len(b.log.Runs()) != 1 {
		t.Errorf("a second run did %+v", again.Counts)
	}
	if got := b.published(); got != was {
		t.Errorf("published files changed:\n%s", got)
	}
}

func TestEveryRecordPointsToNodesOfItsSession(t *testing.T) {
	b, s := newBed(t), shop("cc_1", 1_780_000_000)
	b.run(nil, s)
	has := setOf(nil)
	for _, n := range s.nodes {
		has[n.ID] = true
	}
	b.log.Read(func(st *memory.State) {
		check := func(what string, p memory.Provenance, scope memory.Scope) {
			if p.SessionID != "cc_1" || p.ProjectID != "p" || p.EventTime == nil || len(p.NodeIDs) == 0 || scope != "project:p" {
				t.Errorf("%s: provenance %+v, scope %s", what, p, scope)
			}
			for _, id := range p.NodeIDs {
				if !has[id] {
					t.Errorf("%s points to node %s, which the session does not have", what, id)
				}
			}
		}
		for id, e := range st.Events {
			check(id, e.Provenance, e.Scope)
		}
		for k, e := range st.Entities {
			check(k.ID, e.Provenance, e.Scope)
		}
		for id, e := range st.Edges {
			check(id, e.Provenance, e.Scope)
		}
		for _, id := range []string{"issue.#12", "commit.1a2b3c4", "file.src/cart.ts", "project.shop"} {
			if st.Entities[memory.Key{Scope: "project:p", ID: id}] == nil {
				t.Errorf("entity %s is missing among %v", id, slices.Collect(maps.Keys(st.Entities)))
			}
		}
	})
}

func TestAnyOrderOfSessionsAndNightsGivesTheSameBytes(t *testing.T) {
	parent := shop("cc_1", 1_780_000_000)
	fork := forkOf(parent, "aa_2", 4).
		user("do the same on login, use one helper instead of two").
		edit("/home/u/shop/src/login.ts").
		says("Moved the reset of the total into `resetTotal()` in src/login.ts.")
	other := shop("bb_3", 1_780_500_000)
	for i := range other.nodes { // another conversation with the same words
		other.nodes[i].ID = "x" + other.nodes[i].ID
		if i > 0 {
			other.nodes[i].ParentID = memory.Ref(other.nodes[i-1].ID)
		}
	}
	all := []*script{parent, fork, other}
	want := ""
	for _, nights := range [][][]int{
		{{0, 1, 2}}, {{2, 1, 0}}, {{0}, {1}, {2}}, {{2}, {1}, {0}}, {{1}, {0}, {2}}, {{1}, {2, 0}}, {{2, 1}, {0}},
	} {
		b := newBed(t)
		var there []*script
		for _, night := range nights {
			for _, i := range night {
				there = append(there, all[i])
			}
			b.run(nil, there...)
		}
		if got := b.published(); want == "" {
			want = got
		} else if got != want {
			t.Errorf("nights %v gave\n%s\nwant\n%s", nights, got, want)
		}
	}
	if strings.Count(want, "Added resetOnLogout()") < 2 || !strings.Contains(want, "resetTotal") {
		t.Errorf("published\n%s", want)
	}
}

func TestASessionThatGrewTurnByTurnEndsInTheSameBytes(t *testing.T) {
	whole := newBed(t)
	whole.run(nil, shop("cc_1", 1_780_000_000))
	grown := newBed(t)
	s := shop("cc_1", 1_780_000_000)
	all := s.nodes
	for _, n := range []int{4, len(all)} {
		s.nodes = all[:n]
		grown.run([]string{"cc_1"}, s)
	}
	if a, b := whole.published(), grown.published(); a != b {
		t.Errorf("at once\n%s\nturn by turn\n%s", a, b)
	}
}

func TestCaseC2TheSharedPrefixOfAForkIsOfferedOnceUnderTheOldestSession(t *testing.T) {
	parent := shop("zz_1", 1_780_000_000)
	fork := forkOf(parent, "aa_2", len(parent.nodes)).user("and the docs").edit("/home/u/shop/README.md").says("Documented `logout()` in README.md and in the changelog.")
	b := newBed(t)
	b.run([]string{"aa_2"}, parent, fork) // the parent is captured, and not distilled yet
	for _, e := range b.events() {
		want := "zz_1"
		if strings.Contains(e.Summary, "Documented") {
			want = "aa_2"
		}
		if e.Provenance.SessionID != want {
			t.Errorf("%q is filed under %s, want %s", e.Summary, e.Provenance.SessionID, want)
		}
	}
	if res := b.run(nil, parent, fork); res.Counts != (memory.RunCounts{}) {
		t.Errorf("the parent's nodes were dealt with again: %+v", res.Counts)
	}
}

func TestRecordsMoveToAnOlderSessionThatTurnsUpLater(t *testing.T) {
	parent := shop("zz_1", 1_780_000_000)
	fork := forkOf(parent, "aa_2", len(parent.nodes))
	b := newBed(t)
	b.run(nil, fork)
	n := len(b.events())
	b.run(nil, fork, parent)
	if len(b.events()) != n || n == 0 {
		t.Fatalf("%d events, before %d", len(b.events()), n)
	}
	for _, e := range b.events() {
		if e.Provenance.SessionID != "zz_1" {
			t.Errorf("%q is still filed under %s", e.Summary, e.Provenance.SessionID)
		}
	}
	if by, _ := b.log.CoveredBy(parent.nodes[0].ID); by != "zz_1" {
		t.Errorf("the nodes count under %s", by)
	}
}

func TestATurnThatWentOnHasItsAccountDrawnUpAgain(t *testing.T) {
	s := newScript("cc_1").user("add the cache, never mock the clock").edit("/home/u/shop/cache.go").
		says("Added a cache for totals to `cache.go` with a TTL of 5 minutes.")
	b := newBed(t)
	b.run(nil, s)
	s.edit("/home/u/shop/cache_test.go").says("Replaced the TTL in `cache.go` by an explicit `Invalidate()` and covered it in cache_test.go.")
	b.run(nil, s)
	var old, now []string
	for _, e := range b.events() {
		if e.SupersededBy == "" {
			now = append(now, e.Summary)
		} else {
			old = append(old, e.Summary)
		}
	}
	if len(old) != 1 || !strings.Contains(old[0], "TTL of 5 minutes") || len(now) != 1 || !strings.Contains(now[0], "Invalidate()") {
		t.Errorf("superseded %q, in force %q", old, now)
	}
	for _, d := range b.log.Decisions() {
		if d.Action == memory.ActionSupersede && (d.Reason == "" || d.Proposal.By == "") {
			t.Errorf("superseded without reason or successor: %+v", d)
		}
	}
}

func TestWhatWasRefusedOrForgottenIsNotProposedAgain(t *testing.T) {
	s := shop("cc_1", 1_780_000_000)
	probe := newBed(t)
	probe.run(nil, s)
	events := probe.events()
	refuse, forget := events[0], events[1]
	b := newBed(t)
	claim := func(e *memory.Event) memory.Proposal {
		return memory.Proposal{Kind: memory.RecordEvent, ClaimKey: memory.EventClaim(e), RecordID: e.ID, Scope: e.Scope}
	}
	err := b.log.Append([]memory.Decision{
		{Action: memory.ActionAdd, Accepted: false, Reason: "wrong", By: "person", Proposal: claim(refuse)},
		{Action: memory.ActionForget, Accepted: true, Reason: "private", By: "person", Proposal: claim(forget)},
	}, memory.Run{Kind: "manual"})
	if err != nil {
		t.Fatal(err)
	}
	res := b.run(nil, s)
	if res.Counts.Refused != 2 {
		t.Errorf("%d claims were held back, want 2", res.Counts.Refused)
	}
	for _, e := range b.events() {
		if e.ID == refuse.ID || e.ID == forget.ID {
			t.Errorf("%q came back", e.Summary)
		}
	}
}

func TestASessionThatFailsIsNotMarkedDoneAndStopsNoOther(t *testing.T) {
	bad, good := shop("cc_1", 1_780_000_000), shop("cc_2", 1_780_100_000)
	for i := range good.nodes {
		good.nodes[i].ID = "y" + good.nodes[i].ID
	}
	b := newBed(t)
	sh := shelf{scripts: []*script{bad, good}, broken: map[string]bool{"cc_1": true}}
	res, err := New(Options{Sessions: sh, Log: b.log, Now: fixed}).Run(context.Background(), nil, "deep")
	if err != nil || len(res.Failed) != 1 || res.Failed[0].Session != "cc_1" || !strings.Contains(res.Failed[0].Err.Error(), "disk is gone") {
		t.Fatalf("failed %+v, error %v", res.Failed, err)
	}
	if _, ok := b.log.CoveredBy(bad.nodes[0].ID); ok {
		t.Error("nodes of a session that failed count as dealt with")
	}
	if _, ok := b.log.CoveredBy(good.nodes[0].ID); !ok {
		t.Error("the other session was not distilled")
	}
	b.run(nil, bad, good)
	if _, ok := b.log.CoveredBy(bad.nodes[0].ID); !ok {
		t.Error("the session was not distilled once it could be read")
	}
}

func TestAnAppendThatFailsMarksNothingDone(t *testing.T) {
	full := failingLog{newBed(t).log}
	_, err := New(Options{Sessions: shelf{scripts: []*script{shop("cc_1", 1)}}, Log: full, Now: fixed}).Run(context.Background(), nil, "deep")
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("error %v", err)
	}
	if full.Covered() != 0 {
		t.Error("nodes count as dealt with")
	}
}

type failingLog struct{ *ledger.Ledger }

func (failingLog) Append([]memory.Decision, memory.Run) error { return errors.New("disk full") }

func TestABatchIsAppendedAsSoonAsItIsLargeAndTheStagesRunOnce(t *testing.T) {
	var scripts []*script
	for i := range 5 {
		s := shop(fmt.Sprintf("cc_%d", i), int64(1_780_000_000+i))
		for k := range s.nodes {
			s.nodes[k].ID = fmt.Sprintf("%d-%s", i, s.nodes[k].ID)
		}
		scripts = append(scripts, s)
	}
	b := newBed(t)
	calls, seen := []string{}, 0
	stage := func(name string) func() error { return func() error { calls = append(calls, name); return nil } }
	d := New(Options{Sessions: shelf{scripts: scripts}, Log: b.log, Now: fixed, BatchDecisions: 1,
		After:    []func() error{stage("render"), stage("core")},
		Progress: func(done, total int, _ string) { seen++ }})
	if _, err := d.Run(context.Background(), nil, "deep"); err != nil {
		t.Fatal(err)
	}
	runs := slices.DeleteFunc(b.log.Runs(), func(r memory.Run) bool { return len(r.Coverage) == 0 }) // the last one tends the tags
	if len(runs) != 5 || seen != 5 || !slices.Equal(calls, []string{"render", "core"}) {
		t.Errorf("%d runs, %d told, stages %v", len(runs), seen, calls)
	}
	if _, err := d.Run(context.Background(), nil, "deep"); err != nil || len(calls) != 2 {
		t.Errorf("a run without news ran the stages: %v %v", calls, err)
	}
	d.o.After = []func() error{func() error { return errors.New("no core") }}
	more := shop("cc_9", 1_781_000_000)
	more.nodes[0].ID = "other"
	d.o.Sessions = shelf{scripts: []*script{more}}
	if _, err := d.Run(context.Background(), nil, "deep"); err == nil || !strings.Contains(err.Error(), "no core") {
		t.Errorf("error of a stage: %v", err)
	}
}

func TestRunStopsWhenItIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := New(Options{Sessions: shelf{scripts: []*script{shop("cc_1", 1)}}, Log: newBed(t).log}).Run(ctx, nil, "deep")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestBranchesOfOneSessionKnowOnlyTheirOwnPast(t *testing.T) {
	s := shop("cc_1", 1_780_000_000)
	fork := s.nodes[3].ID // the end of the first turn
	s.add(memory.Node{Role: memory.RoleUser, Output: "commit, but with a longer message", ParentID: memory.Ref(fork), Metadata: memory.Metadata{Kind: memory.KindPrompt}}).
		bash(`git commit -am "clear the cached total whenever the user logs out"`, "[main 9f8e7d6c] clear the cached total whenever the user logs out").
		says("Committed.")
	o := outlineOf(s.Skeleton())
	if o.parent[2] != 1 || o.parent[3] != 1 || o.parent[1] != -1 {
		t.Fatalf("parents %v", o.parent)
	}
	b := newBed(t)
	b.run(nil, s)
	touched := 0
	b.log.Read(func(st *memory.State) {
		for _, e := range st.Edges {
			if e.Relation == "touches" && e.To == "file.src/cart.ts" {
				touched++
			}
		}
	})
	if touched != 2 {
		t.Errorf("%d commits touch the file that was edited before the fork, want 2", touched)
	}
}

func TestTheSessionStoreIsRead(t *testing.T) {
	st := session.New(session.Options{Dir: t.TempDir(), Machine: "m"})
	defer st.Close()
	s := shop("", 1_780_000_000)
	x, err := st.Ensure(s.meta, "cc")
	if err != nil {
		t.Fatal(err)
	}
	in := x.Begin(true)
	for _, n := range s.nodes {
		if _, err := in.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Close(true); err != nil {
		t.Fatal(err)
	}
	b := newBed(t)
	res, err := New(Options{Sessions: Store{st}, Log: b.log, Now: fixed}).Run(context.Background(), nil, "light")
	if err != nil || len(res.Failed) > 0 || len(b.events()) < 3 {
		t.Fatalf("%+v %v, %d events", res, err, len(b.events()))
	}
	if root, err := (Store{st}).Root(b.events()[0].Provenance.SessionID); err != nil || root != s.nodes[0].ID {
		t.Errorf("root %s %v", root, err)
	}
	if _, err := (Store{st}).Open("none"); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("error %v", err)
	}
	if _, err := (Store{st}).Root("none"); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("error %v", err)
	}
}

func TestTheOldestSessionOwnsWhatIsShared(t *testing.T) {
	early, late := memory.Session{ID: "b", CreatedAt: 1}, memory.Session{ID: "c", CreatedAt: 2}
	later := memory.Session{ID: "a", CreatedAt: 3}
	kin := []family{{late, setOf([]string{"n1", "n2"})}, {early, setOf([]string{"n1"})}}
	for _, c := range []struct {
		nodes []string
		want  string
	}{{[]string{"n1"}, "b"}, {[]string{"n1", "n2"}, "c"}, {[]string{"n1", "n3"}, "a"}} {
		if got := owner(c.nodes, later, kin); got.ID != c.want {
			t.Errorf("%v belongs to %s, want %s", c.nodes, got.ID, c.want)
		}
	}
	if older(memory.Session{ID: "a", CreatedAt: 1}, memory.Session{ID: "b", CreatedAt: 1}) >= 0 {
		t.Error("of two sessions of one second the smaller id is not the older")
	}
}

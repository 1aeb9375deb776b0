package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// holding names what of a memory folder or bare repository holds a text: a file, or an object that git stores, whether a branch
// leads to it or not.
func holding(t *testing.T, dir, text string) (in string) {
	t.Helper()
	for line := range strings.Lines(git(t, dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")) {
		oid, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind != "tree" && strings.Contains(git(t, dir, "cat-file", kind, oid), text) {
			return kind + " " + oid
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) {
			in = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func memoryOf(homeDir string) string { return home.At(homeDir).Memory() }

// settled waits until the index has caught up.
func settled(t *testing.T, s *service) {
	t.Helper()
	for until := time.Now().Add(2 * time.Minute); s.daemon.catchingUp() || s.daemon.stale.Load(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the index does not catch up")
		}
	}
}

// finds lists the ids of the hits for words.
func finds(t *testing.T, s *service, words string) (ids []string) {
	t.Helper()
	found, err := s.Search(t.Context(), api.SearchQuery{Words: words, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func decided(t *testing.T, s *service, q api.Decide) api.Decided {
	t.Helper()
	out, err := s.Decide(t.Context(), q)
	if err != nil {
		t.Fatalf("%s %s: %v", q.Action, q.ID, err)
	}
	return out
}

// someEvent is an event of the timeline whose words stand in no other one.
func someEvent(t *testing.T, s *service) memory.Event {
	t.Helper()
	line, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 1000})
	if err != nil || len(line.Events) < 3 {
		t.Fatalf("%d events, %v", len(line.Events), err)
	}
	for _, e := range line.Events {
		if len(e.Summary) > 30 && !strings.ContainsAny(e.Summary, "\"\\<>&") && slices.Contains(finds(t, s, e.Summary), e.ID) {
			return e
		}
	}
	t.Fatal("no event of the samples serves")
	return memory.Event{}
}

func TestAnErasedMemoryIsGoneEverywhereAndStaysGoneInBulk(t *testing.T) {
	bare, roots := remote(t), samples(t)
	dirA, dirB := t.TempDir(), t.TempDir()
	a, b := start(t, params(dirA, roots)), start(t, params(dirB, roots))
	for _, s := range []*service{a, b} {
		if _, err := s.SyncSetup(t.Context(), bare); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Sync(t.Context()); err != nil { // so that the exchange after the erase has nothing of the old history to fetch
		t.Fatal(err)
	}
	e := someEvent(t, a)
	if holding(t, memoryOf(dirA), e.Summary) == "" || holding(t, bare, e.Summary) == "" || !slices.Contains(finds(t, a, e.Summary), e.ID) {
		t.Fatal("it was never there: the test shows nothing")
	}
	events := len(strings.Split(summaries(t, a), "\n"))
	if out := decided(t, a, api.Decide{Action: api.DoErase, ID: e.ID, Reason: "private"}); len(out.Decisions) == 0 || out.Text != "" {
		t.Errorf("%+v", out)
	}
	gone := func(name string, s *service, dir string) {
		t.Helper()
		settled(t, s)
		if in := holding(t, memoryOf(dir), e.Summary); in != "" {
			t.Errorf("%s holds it in %s", name, in)
		}
		for _, id := range finds(t, s, e.Summary) {
			if id == e.ID || strings.HasPrefix(id, e.Provenance.SessionID+"/") && strings.Contains(e.Provenance.SessionID, id) {
				t.Errorf("%s finds %s", name, id)
			}
		}
		if strings.Contains(summaries(t, s), e.Summary) {
			t.Errorf("%s tells it", name)
		}
		if _, faults, err := s.daemon.ledger.Verify(); err != nil || len(faults) > 0 {
			t.Errorf("%s: %v %v", name, faults, err)
		}
	}
	gone("a", a, dirA)
	for _, s := range []*service{a, b, a} {
		if _, err := s.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	gone("b", b, dirB)
	git(t, bare, "reflog", "expire", "--expire=now", "--all")
	git(t, bare, "gc", "-q", "--prune=now")
	if in := holding(t, bare, e.Summary); in != "" {
		t.Errorf("the remote holds it in %s", in)
	}
	if got := len(strings.Split(summaries(t, b), "\n")); got != events-1 {
		t.Errorf("%d events, there were %d", got, events)
	}
	// A new machine that has the same sessions, and a rebuild on an old one.
	dirC := t.TempDir()
	c := start(t, params(dirC, roots))
	if _, err := c.SyncSetup(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	gone("a new machine", c, dirC)
	if _, err := a.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(home.At(dirA).Index()); err != nil {
		t.Fatal(err)
	}
	a = start(t, params(dirA, roots))
	if _, err := a.Sleep(t.Context()); err != nil {
		t.Fatal(err)
	}
	gone("a after a rebuild", a, dirA)
	sound(t, dirA)
	sound(t, dirB)
}

func TestForgettingRefusingAndUndoingReachEveryAnswerAtOnce(t *testing.T) {
	p := learned(t)
	dir, s := p.Home.Dir(), start(t, p)
	e := someEvent(t, s)
	shown := func() bool {
		t.Helper()
		settled(t, s)
		line := strings.Contains(summaries(t, s), e.ID)
		if found := slices.Contains(finds(t, s, e.Summary), e.ID); found != line {
			t.Errorf("in the timeline %v, found %v", line, found)
		}
		core, err := s.Core(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(filepath.Join(memoryOf(dir), "core", e.Provenance.ProjectID+".md"))
		if err != nil {
			t.Fatal(err)
		}
		if !line && strings.Contains(core.Text+string(file), e.Summary) {
			t.Error("a core.md tells it")
		}
		return line
	}
	for _, action := range []string{api.DoForget, api.DoRefuse} {
		out := decided(t, s, api.Decide{Action: action, ID: e.ID, Reason: "not so"})
		if shown() {
			t.Errorf("%s: it is shown", action)
		}
		if _, err := s.Sleep(t.Context()); err != nil || shown() {
			t.Errorf("%s: a sleep brought it back, %v", action, err)
		}
		log, err := s.Decisions(t.Context(), api.DecisionQuery{ID: e.ID})
		if err != nil || len(log.Decisions) < 2 || log.Decisions[0].Reason != "not so" || log.Decisions[0].Text != e.Summary || log.Decisions[0].By != memory.ByPerson {
			t.Errorf("the log: %+v %v", log, err)
		}
		decided(t, s, api.Decide{Action: api.DoUndo, ID: out.Decisions[0].ID})
		if !shown() {
			t.Errorf("%s: after the undo it is not shown", action)
		}
	}
	decided(t, s, api.Decide{Action: api.DoEdit, ID: e.ID, Set: `{"summary":"Said otherwise by the person"}`})
	if !slices.Contains(finds(t, s, "otherwise"), e.ID) {
		t.Error("the new words are not found")
	}
	var told *api.Error
	for _, bad := range []api.Decide{{Action: api.DoForget, ID: "ev_none"}, {Action: api.DoUndo, ID: e.ID}, {Action: api.DoMerge, ID: e.ID, Other: e.ID},
		{Action: api.DoEdit, ID: e.ID, Set: `{"id":"x"}`}, {Action: api.DoEdit, ID: e.ID, Set: `nonsense`}, {Action: "burn", ID: e.ID}, {Action: api.DoUnpin, ID: e.ID}} {
		if _, err := s.Decide(t.Context(), bad); !errors.As(err, &told) || told.Code == api.CodeInternal {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if st, err := s.Status(t.Context()); err != nil || st.LastSleep == nil || st.LastSleep.Kind == memory.RunReview {
		t.Errorf("the last sleep is %+v, %v", st.LastSleep, err)
	}
}

func TestWhatWaitsForThePersonIsListedAndDecided(t *testing.T) {
	s := start(t, learned(t))
	at := clock().Unix() - 86400
	fact := func(object string, trust memory.Trust) memory.Decision {
		f := &memory.Fact{Subject: "person", Verb: "is", Object: object, Status: memory.StatusActive, Author: "person", Scope: memory.Global, Trust: trust,
			Provenance: memory.Provenance{SessionID: "cc_1", NodeIDs: []string{"n"}, EventTime: &at}}
		f.ID = memory.FactID(memory.FactClaim(f), nil)
		p, err := memory.Propose(f)
		if err != nil {
			t.Fatal(err)
		}
		return memory.Decision{Action: memory.ActionAdd, Accepted: true, By: memory.ByRule, Reason: "stated", Proposal: p, ObservedAt: at}
	}
	a, b, q := fact("tall", memory.TrustAgent), fact("small", memory.TrustAgent), fact("green all over", memory.TrustQuoted)
	if err := s.daemon.ledger.Append([]memory.Decision{a, b, q}, memory.Run{Kind: "light"}); err != nil {
		t.Fatal(err)
	}
	list, err := s.Review(t.Context(), "", 100)
	if err != nil {
		t.Fatal(err)
	}
	what := map[string]string{}
	for _, it := range list.Items {
		what[it.ID] = it.What
		if it.Record != it.ID || it.Field != "object" || !strings.HasSuffix(it.Text, it.Value) || !slices.Equal(it.Nodes, []string{"n"}) {
			t.Errorf("it cannot be edited and shown with its evidence: %+v", it)
		}
	}
	if what[a.Proposal.RecordID] != "contradiction" || what[q.Proposal.RecordID] == "" {
		t.Fatalf("%+v", list)
	}
	decided(t, s, api.Decide{Action: api.DoAccept, ID: b.Proposal.RecordID})
	decided(t, s, api.Decide{Action: api.DoRefuse, ID: q.Proposal.RecordID})
	states := func(q api.FactQuery) map[string]string {
		t.Helper()
		facts, err := s.Facts(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, f := range facts.Facts {
			if f.Fact.Scope == memory.Global {
				out[f.Fact.Object] = f.State
			}
		}
		return out
	}
	if got := states(api.FactQuery{}); len(got) != 1 || got["small"] != "served" {
		t.Errorf("facts %v", got)
	}
	if got := states(api.FactQuery{All: true}); got["tall"] != "superseded" || got["green all over"] != "" {
		t.Errorf("all facts %v", got)
	}
	if got := states(api.FactQuery{All: true, AsOf: api.AsOf{Known: at}}); len(got) != 3 {
		t.Errorf("known yesterday %v", got)
	}
	if list, err = s.Review(t.Context(), "", 100); err != nil || slices.ContainsFunc(list.Items, func(it api.ReviewItem) bool { return it.Scope == memory.Global }) {
		t.Errorf("left %+v %v", list, err)
	}
}

func TestDaysCountSessionsAndMemories(t *testing.T) {
	s := start(t, params(t.TempDir(), samples(t)))
	now := clock()
	days, err := s.Days(t.Context(), now.AddDate(-1, 0, 0).Unix(), now.Unix()+1)
	if err != nil || len(days) == 0 {
		t.Fatalf("%+v, %v", days, err)
	}
	line, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 1000, Since: now.AddDate(-1, 0, 0).Unix(), Until: now.Unix() + 1})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for _, e := range line.Events {
		want[time.Unix(*e.Provenance.EventTime, 0).In(now.Location()).Format(time.DateOnly)]++
	}
	sessions := 0
	for i, d := range days {
		if d.Memories != want[d.Day] || d.Memories+d.Sessions == 0 || i > 0 && d.Day <= days[i-1].Day {
			t.Errorf("%+v, want %d memories", d, want[d.Day])
		}
		sessions += d.Sessions
	}
	if st, err := s.Status(t.Context()); err != nil || sessions == 0 || sessions > st.Counts.Sessions {
		t.Errorf("%d sessions, %v", sessions, err)
	}
}

func TestLookingBackOnTheTimelineAndTheGraph(t *testing.T) {
	s := start(t, learned(t))
	all, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var times []int64
	for _, e := range all.Events {
		if e.Provenance.EventTime != nil {
			times = append(times, *e.Provenance.EventTime)
		}
	}
	slices.Sort(times)
	middle := times[len(times)/2]
	then, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 1000, AsOf: api.AsOf{Event: middle}})
	if err != nil || then.Total == 0 || then.Total >= all.Total {
		t.Fatalf("%d of %d, %v", then.Total, all.Total, err)
	}
	for _, e := range then.Events {
		if e.Provenance.EventTime == nil || *e.Provenance.EventTime > middle {
			t.Errorf("%s happened later", e.ID)
		}
	}
	if early, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 1000, AsOf: api.AsOf{Known: clock().Unix() - 1}}); err != nil || early.Total != 0 {
		t.Errorf("known before anything was learned: %d, %v", early.Total, err)
	}
	entity := ""
	for _, e := range all.Events {
		if len(e.Entities) > 0 {
			entity = e.Entities[0]
		}
	}
	if _, err := s.Graph(t.Context(), api.GraphQuery{Entity: entity, Hops: 1, AsOf: api.AsOf{Known: clock().Unix() - 1}}); err == nil {
		t.Error("an entity is known before anything was learned")
	}
	now, err := s.Graph(t.Context(), api.GraphQuery{Entity: entity, Hops: 1})
	if err != nil {
		t.Fatal(err)
	}
	was, err := s.Graph(t.Context(), api.GraphQuery{Entity: entity, Hops: 1, AsOf: api.AsOf{Event: times[0] - 1}})
	if err != nil || len(was.Edges)+len(was.Events) >= len(now.Edges)+len(now.Events) {
		t.Errorf("before all: %d edges, %d events; now %d, %d; %v", len(was.Edges), len(was.Events), len(now.Edges), len(now.Events), err)
	}
}

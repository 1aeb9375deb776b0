package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// worked is a segment of a turn that worked on some names.
func worked(session string, n int, names ...string) *Segment {
	at := int64(1000 + n)
	g := &Segment{PrimaryTag: MiscTag, Summary: fmt.Sprintf("Turn %d of %s", n, session), MadeBy: MadeByRules, Scope: ProjectScope("p"),
		Full:     Span{SessionID: session, FromNode: fmt.Sprintf("%s-%d", session, n), ToNode: fmt.Sprintf("%s-%d-end", session, n)},
		LogTurns: []SegmentTurn{{Node: fmt.Sprintf("%s-%d", session, n), To: fmt.Sprintf("%s-%d-end", session, n), At: &at, Bytes: 100}}}
	turn := &g.LogTurns[0]
	for _, name := range names {
		if said, ok := strings.CutPrefix(name, "~"); ok {
			turn.Said = append(turn.Said, TagID(said))
		} else {
			turn.Tags = append(turn.Tags, TagID(name))
		}
	}
	g.ID = SegmentID(g.Claim())
	return g
}

func tagRecord(name string) *Tag {
	return &Tag{ID: TagID(name), Name: name, Scope: ProjectScope("p"), Provenance: Provenance{ProjectID: "p", SessionID: "s", NodeIDs: []string{"n"}}}
}

// sleepOn adds segments and, as a sleep does, the tags that were earned.
func (m *maker) sleepOn(segs ...*Segment) *State {
	for _, g := range segs {
		m.add(g, ByRule)
	}
	s := Fold(m.all)
	for k := range s.Earned() {
		if s.Tags[k] == nil {
			m.add(tagRecord(strings.TrimPrefix(k.ID, "tag.")), ByRule)
		}
	}
	return Fold(m.all)
}

func tagNames(s *State) string {
	var out []string
	for _, t := range s.TagList() {
		out = append(out, t.Name)
	}
	return strings.Join(out, " ")
}

func foundBy(s *State, name string) string {
	var out []string
	for _, n := range s.TagNames(View{All: true}) {
		if n.Name == name {
			for _, g := range s.SegmentsOf(n.Tags) {
				out = append(out, g.Full.FromNode)
			}
		}
	}
	return strings.Join(out, " ")
}

func TestANameGivenOnceIsNoTag(t *testing.T) {
	m := &maker{t: t, machine: "m1"}
	s := m.sleepOn(worked("a", 1, "retry", "cache"), worked("a", 2, "retry"))
	if got := tagNames(s); got != "" {
		t.Errorf("one session made tags: %s", got)
	}
	s = m.sleepOn(worked("b", 3, "retry", "login"))
	if got := tagNames(s); got != "retry" {
		t.Errorf("tags %q", got)
	}
	// What is covered asks for no other tag; a word leads to one that there is and makes none.
	s = m.sleepOn(worked("c", 4, "retry", "login"), worked("d", 5, "other", "~retry"), worked("e", 6, "other", "~retry"))
	if got := tagNames(s); got != "retry" || foundBy(s, "retry") != "e-6 d-5 c-4 b-3 a-2 a-1" {
		t.Errorf("tags %q, found %q", got, foundBy(s, "retry"))
	}
	for _, g := range s.SegmentList() {
		if !slices.Equal(g.Tags, []string{"tag.retry"}) || g.PrimaryTag != "tag.retry" || len(g.LogTurns) > 0 {
			t.Errorf("%+v", g)
		}
	}
	// What is worked on again and again gets its tag all the same.
	s = m.sleepOn(worked("f", 7, "retry", "login"), worked("g", 8, "login", "retry"), worked("g", 9, "login", "retry"))
	if got := tagNames(s); got != "login retry" {
		t.Errorf("tags %q", got)
	}
	var sum *TagSummary
	for _, x := range s.TagSummaryList() {
		if x.Tag == "tag.login" {
			sum = x
		}
	}
	if sum == nil || len(sum.Covers) != 5 || *sum.CoversThrough != 1009 || !strings.HasPrefix(sum.Summary, "5 turns in 4 sessions, the newest first: Turn 9 of g; ") {
		t.Errorf("summary %+v", sum)
	}
	// A forgotten tag is gone and a forgotten segment is in no summary.
	for _, x := range s.TagList() {
		if x.Name == "retry" {
			m.decide(Decision{Action: ActionForget, Accepted: true, By: ByPerson, Proposal: Proposal{Kind: RecordTag, ClaimKey: x.Claim(), RecordID: x.ID, Scope: x.Scope}})
		}
	}
	if s = m.sleepOn(); tagNames(s) != "login" || foundBy(s, "retry") != "" {
		t.Errorf("tags %q after retry was forgotten", tagNames(s))
	}
}

func TestAnOldNameFindsAllThatItFoundBefore(t *testing.T) {
	m := &maker{t: t, machine: "m1"}
	s := m.sleepOn(worked("a", 1, "daemon"), worked("b", 2, "daemon"), worked("a", 3, "worker"), worked("b", 4, "worker"),
		worked("c", 5, "daemon", "queue"), worked("c", 6, "queue"), worked("d", 7, "queue"), worked("e", 8, "backend"), worked("f", 9, "servant"))
	if got := tagNames(s); got != "daemon queue worker" {
		t.Fatalf("tags %q", got)
	}
	was := map[string]string{"daemon": foundBy(s, "daemon"), "worker": foundBy(s, "worker"), "queue": foundBy(s, "queue")}
	daemon, worker := s.Tags[Key{"project:p", "tag.daemon"}], s.Tags[Key{"project:p", "tag.worker"}]
	p := Proposal{Kind: RecordTag, ClaimKey: daemon.Claim(), RecordID: daemon.ID, Scope: daemon.Scope, By: worker.ID}
	m.decide(Decision{Action: ActionMerge, Accepted: true, By: ByPerson, Proposal: p})
	alias := func(name, session string) *TagAlias {
		a := &TagAlias{Alias: name, Tags: []string{"tag.worker"}, SessionID: Ref(session), Reason: "stated", Scope: "project:p",
			Provenance: Provenance{ProjectID: "p", SessionID: "e", NodeIDs: []string{"n"}}}
		a.ID = TagAliasID(a.Claim())
		return a
	}
	m.add(alias("backend", ""), ByRule)
	m.add(alias("servant", "e"), ByRule) // of another session
	s = m.sleepOn()
	for name, before := range was {
		for _, node := range strings.Fields(before) {
			if !slices.Contains(strings.Fields(foundBy(s, name)), node) {
				t.Errorf("%s no longer finds %s, but %q", name, node, foundBy(s, name))
			}
		}
	}
	if got := foundBy(s, "backend"); got != "e-8 c-5 b-4 a-3 b-2 a-1" || got != foundBy(s, "worker") || got != foundBy(s, "daemon") {
		t.Errorf("the alias finds %q, worker %q, daemon %q", got, foundBy(s, "worker"), foundBy(s, "daemon"))
	}
	queue := s.Tags[Key{"project:p", "tag.queue"}]
	m.decide(Decision{Action: ActionSplit, Accepted: true, By: ByPerson,
		Proposal: Proposal{Kind: RecordTag, ClaimKey: queue.Claim(), RecordID: queue.ID, Scope: queue.Scope, Parts: []string{"tag.spool", "tag.worker"}}})
	s = m.sleepOn(worked("g", 20, "spool"))
	if got := foundBy(s, "queue"); got != "g-20 e-8 d-7 c-6 c-5 b-4 a-3 b-2 a-1" || foundBy(s, "spool") != "g-20" {
		t.Errorf("the split tag finds %q, a part %q", got, foundBy(s, "spool"))
	}
	for _, g := range s.SegmentList() {
		if g.Full.FromNode == "c-5" && !slices.Equal(g.Tags, []string{"tag.worker"}) || g.Full.FromNode == "d-7" && !slices.Equal(g.Tags, []string{"tag.queue"}) {
			t.Errorf("%s has the tags %q", g.Full.FromNode, g.Tags)
		}
	}
}

func TestTheOrderOfSessionsAndNightsDoesNotShowInTheVocabulary(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("retry cache login queue worker spool vault relay")
	var segs []*Segment
	for i := range 60 {
		var names []string
		for range 1 + r.IntN(3) {
			names = append(names, words[min(r.IntN(len(words)), r.IntN(len(words)))])
		}
		segs = append(segs, worked(fmt.Sprint("s", r.IntN(15)), i, append(names, "~"+words[r.IntN(len(words))])...))
	}
	want := ""
	for range 12 {
		m := &maker{t: t, machine: "m1"}
		for rest := segs; len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(25))
			m.sleepOn(rest[:n]...)
			rest = rest[n:]
		}
		got := published(t, Fold(m.all))
		if want == "" {
			want = got
		} else if got != want {
			t.Fatalf("another order of nights gave\n%s\nwant\n%s", got, want)
		}
		r.Shuffle(len(segs), func(i, j int) { segs[i], segs[j] = segs[j], segs[i] })
	}
	if !strings.Contains(want, `"id":"tag.retry"`) {
		t.Error(want)
	}
}

// spanOf is a segment of several turns, each named by its number; "3'" is what was known of turn 3 before it went on.
func spanOf(session string, turns ...string) *Segment {
	g := &Segment{PrimaryTag: MiscTag, MadeBy: MadeByRules, Scope: ProjectScope("p"), Full: Span{SessionID: session}}
	for _, n := range turns {
		turn, partly := strings.CutSuffix(n, "'")
		t := SegmentTurn{Node: "n" + turn, To: "end" + n, Bytes: 100, Records: []string{"ev_" + turn}}
		if !partly && (turn == "3" || turn == "6") {
			t.Ended = []string{"end" + n + "'"}
		}
		g.LogTurns = append(g.LogTurns, t)
	}
	g.Full.FromNode, g.Full.ToNode = g.LogTurns[0].Node, g.LogTurns[len(turns)-1].To
	g.ID = SegmentID(g.Claim())
	return g
}

func remembered(n string) *Event {
	e := &Event{ID: "ev_" + n, Summary: "Did " + n, Kind: KindWork, Scope: ProjectScope("p"), Trust: TrustAgent,
		Provenance: Provenance{ProjectID: "p", SessionID: "a", NodeIDs: []string{"n" + n}}}
	return e
}

func TestAnOpenSegmentGrowsAndAClosedOneStays(t *testing.T) {
	segs := []*Segment{
		spanOf("a", "1"), spanOf("a", "1", "2"), // 3 was about something else
		spanOf("a", "1", "2", "3'"),                                    // which was not plain when it began
		spanOf("a", "3"), spanOf("a", "3", "4"), spanOf("b", "3", "5"), // a fork after 3
		spanOf("a", "6'"), spanOf("a", "6"),
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		r.Shuffle(len(segs), func(i, j int) { segs[i], segs[j] = segs[j], segs[i] })
		m := &maker{t: t, machine: "m1"}
		for n := range 6 {
			m.add(remembered(fmt.Sprint(n+1)), ByRule)
		}
		for _, g := range segs {
			m.add(g, ByRule)
		}
		var got []string
		for _, g := range Fold(m.all).SegmentList() {
			got = append(got, g.Summary)
		}
		slices.Sort(got)
		if strings.Join(got, " | ") != "Did 1; Did 2 | Did 3; Did 4 | Did 3; Did 5 | Did 6" {
			t.Fatalf("segments %q", got)
		}
	}
}

// TestASummaryNeverSaysWhatIsSomebodyElses gives one of the records of a segment and of a tag's model summary another scope.
func TestASummaryNeverSaysWhatIsSomebodyElses(t *testing.T) {
	for _, to := range []Scope{PrivateScope("p"), Global} {
		m := &maker{t: t, machine: "m1"}
		events := []*Event{remembered("1"), remembered("2"), remembered("3")}
		for _, e := range events {
			m.add(e, ByRule)
		}
		ruled, modelled := spanOf("a", "1", "2"), spanOf("a", "3")
		modelled.Summary, modelled.MadeBy = "What a model made of Did 3", "some-model"
		m.add(ruled, ByRule)
		m.add(modelled, ByModel)
		var moves []Decision
		for _, e := range []*Event{events[0], events[2]} {
			receipts := receiptsOf("u", "a")
			for i := range receipts {
				receipts[i].SessionID = "a"
			}
			out, err := m.ruler().Move(e, to, append(receipts, Receipt{SessionID: "a", NodeID: string(e.Provenance.NodeIDs[0]), Role: RoleTool, Hash: "h"}), "mine")
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range out {
				moves = append(moves, m.decide(d))
			}
		}
		if list := Fold(m.all).SegmentList(); len(list) != 1 || list[0].Summary != "Did 2" {
			t.Errorf("%s: %+v", to, list)
		}
		for _, d := range moves {
			m.undo(d.ID)
		}
		if list := Fold(m.all).SegmentList(); len(list) != 2 || !strings.Contains(list[0].Summary+list[1].Summary, "Did 1; Did 2") {
			t.Errorf("%s, taken back: %+v", to, list)
		}
	}
}

func TestASummaryNeverSaysWhatIsForgotten(t *testing.T) {
	m := &maker{t: t, machine: "m1"}
	events := []*Event{remembered("1"), remembered("2"), remembered("3")}
	for _, e := range events {
		m.add(e, ByRule)
	}
	ruled, modelled := spanOf("a", "1", "2"), spanOf("a", "3")
	modelled.Summary, modelled.MadeBy = "What a model made of Did 3", "some-model"
	m.add(ruled, ByRule)
	m.add(modelled, ByModel)
	if list := Fold(m.all).SegmentList(); len(list) != 2 || list[0].Summary+list[1].Summary != "Did 1; Did 2"+modelled.Summary && list[1].Summary+list[0].Summary != "Did 1; Did 2"+modelled.Summary {
		t.Fatalf("%+v", list)
	}
	forget := func(e *Event) Decision {
		return m.decide(Decision{Action: ActionForget, Accepted: true, By: ByPerson, Proposal: Proposal{Kind: RecordEvent, ClaimKey: e.Claim(), RecordID: e.ID, Scope: e.Scope}})
	}
	f := forget(events[0])
	forget(events[2])
	if list := Fold(m.all).SegmentList(); len(list) != 1 || list[0].Summary != "Did 2" {
		t.Errorf("after two were forgotten: %+v", list)
	}
	m.decide(Decision{Action: ActionUndo, Accepted: true, By: ByPerson, Undoes: Ref(f.ID)})
	if list := Fold(m.all).SegmentList(); len(list) != 1 || list[0].Summary != "Did 1; Did 2" {
		t.Errorf("after one came back: %+v", list)
	}
}

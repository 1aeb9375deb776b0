package distill

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// working is a session of turns about some subjects, one after the other; "-" is a turn of which nothing is remembered.
func working(id string, subjects ...string) *script {
	s := newScript(id)
	return s.goOn(subjects...)
}

func (s *script) goOn(subjects ...string) *script {
	for _, about := range subjects {
		n := s.turn + 1
		if about == "-" {
			s.user(fmt.Sprintf("thanks, and what is %d?", n)).says("It is a number.")
			continue
		}
		s.user(fmt.Sprintf("go on with part %d of the %s", n, about)).
			edit(fmt.Sprintf("/home/u/shop/%s/part%d.ts", about, n)).
			says(fmt.Sprintf("Added `part%d()` to %s/part%d.ts, which weighs the %s of each customer.", n, about, n, things[n%len(things)]))
	}
	return s
}

var things = strings.Fields("total price voucher parcel invoice refund stock label courier crate")

// spansOf are the segments, each as its session, subject and number of turns.
func (b *bed) spansOf() []string {
	var out []string
	b.log.Read(func(s *memory.State) {
		for _, g := range s.SegmentList() {
			out = append(out, fmt.Sprintf("%s %s x%d", g.Full.SessionID, g.AsProposed().LogTurns[0].Tags[0], len(g.Turns())))
			if g.Summary == "" || g.Ratio <= 0 || g.MadeBy != "rules" {
				b.t.Errorf("%+v", g)
			}
		}
	})
	slices.Sort(out)
	return out
}

func TestTurnsAboutOneSubjectAreOneSegment(t *testing.T) {
	b := newBed(t)
	s := working("cc_1", "basket", "basket", "-", "basket", "login", "login")
	s.at += maxGap + 1 // the person came back the next day
	s.goOn("login")
	b.run(nil, s)
	if got := strings.Join(b.spansOf(), ", "); got != "cc_1 tag.basket x3, cc_1 tag.login x1, cc_1 tag.login x2" {
		t.Errorf("segments %s", got)
	}
	b.log.Read(func(st *memory.State) {
		g := st.SegmentList()[slices.IndexFunc(st.SegmentList(), func(g *memory.Segment) bool { return len(g.Turns()) == 3 })]
		for _, n := range []string{"part1", "part2", "part4"} {
			if !strings.Contains(g.Summary, n) {
				t.Errorf("the summary does not tell of %s: %q", n, g.Summary)
			}
		}
		if g.Full.FromNode != s.nodes[0].ID || g.Full.ToNode != s.nodes[10].ID {
			t.Errorf("spans %+v", g.Full)
		}
	})
}

func TestWhenATurnGoesOn(t *testing.T) {
	at := func(n int64) *int64 { return &n }
	turn := func(at *int64, tags, said string) memory.SegmentTurn {
		return memory.SegmentTurn{At: at, Tags: strings.Fields(tags), Said: strings.Fields(said)}
	}
	before := []memory.SegmentTurn{turn(at(100), "a", "x"), turn(at(200), "b", "c")}
	for name, c := range map[string]struct {
		before []memory.SegmentTurn
		turn   memory.SegmentTurn
		want   bool
	}{
		"the same subject":              {before, turn(at(300), "b", ""), true},
		"that of an earlier turn":       {before, turn(at(300), "a", ""), true},
		"what was said just before":     {before, turn(at(300), "c", ""), true},
		"it says what was worked on":    {before, turn(at(300), "z", "b"), true},
		"both say the same":             {before, turn(at(300), "z", "c"), false},
		"what was said two turns ago":   {before, turn(at(300), "x", ""), false},
		"too much later":                {before, turn(at(200+maxGap+1), "b", ""), false},
		"nobody knows when":             {before, turn(nil, "b", ""), true},
		"nothing before":                {nil, turn(at(300), "b", ""), false},
		"the segment is as long as any": {slices.Repeat(before, maxSpan/2), turn(at(300), "b", ""), false},
	} {
		if got := goesOn(c.before, &c.turn); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSegmentsAreTheSameHoweverTheSessionsGrew(t *testing.T) {
	make3 := func() []*script {
		a := working("cc_1", "basket", "basket", "login", "login", "-", "login", "basket")
		fork := forkOf(a, "aa_2", 14).goOn("login", "basket", "basket")
		c := working("bb_3", "login", "login", "basket")
		for i := range c.nodes {
			c.nodes[i].ID = "x" + c.nodes[i].ID[1:]
			if i > 0 {
				c.nodes[i].ParentID = memory.Ref(c.nodes[i-1].ID)
			}
		}
		return []*script{a, fork, c}
	}
	whole := newBed(t)
	whole.run(nil, make3()...)
	want := whole.published()
	if got := strings.Join(whole.spansOf(), ", "); !strings.Contains(got, "x2") || len(whole.spansOf()) < 5 {
		t.Fatalf("segments %s", got)
	}
	r := rand.New(rand.NewPCG(1, 9))
	for range 25 {
		b, all := newBed(t), make3()
		full := map[string][]memory.Node{}
		grown := map[string]int{}
		for _, s := range all {
			full[s.meta.ID] = s.nodes
			grown[s.meta.ID] = 0
		}
		for done := 0; done < len(all); {
			s := all[r.IntN(len(all))]
			nodes := full[s.meta.ID]
			if grown[s.meta.ID] == len(nodes) {
				continue
			}
			grown[s.meta.ID] = min(len(nodes), grown[s.meta.ID]+1+r.IntN(6)) // in the middle of a turn, too
			if grown[s.meta.ID] == len(nodes) {
				done++
			}
			var there []*script
			for _, x := range all {
				if n := grown[x.meta.ID]; n > 0 {
					x.nodes = full[x.meta.ID][:n]
					there = append(there, x)
				}
			}
			b.run([]string{s.meta.ID}, there...)
		}
		if got := segmentsIn(b.published()); got != segmentsIn(want) {
			t.Fatalf("grown bit by bit\n%s\nat once\n%s", got, segmentsIn(want))
		}
	}
}

func segmentsIn(published string) string {
	_, rest, _ := strings.Cut(published, "== segments.jsonl")
	part, _, _ := strings.Cut(rest, "== t")
	return part
}

func TestWhatIsForgottenGoesOutOfItsSegment(t *testing.T) {
	b := newBed(t)
	s := working("cc_1", "basket", "basket")
	b.run(nil, s)
	var gone *memory.Event
	for _, e := range b.events() {
		if strings.Contains(e.Summary, "part1") {
			gone = e
		}
	}
	d := memory.Decision{Action: memory.ActionForget, Accepted: true, By: memory.ByPerson,
		Proposal: memory.Proposal{Kind: memory.RecordEvent, ClaimKey: gone.Claim(), RecordID: gone.ID, Scope: gone.Scope}}
	if err := b.log.Append([]memory.Decision{d}, memory.Run{Kind: memory.RunReview}); err != nil {
		t.Fatal(err)
	}
	s.goOn("basket")
	b.run(nil, s)
	if got := b.published(); strings.Contains(got, "part1()") || !strings.Contains(segmentsIn(got), "part2()") || !strings.Contains(segmentsIn(got), "part3()") {
		t.Errorf("published\n%s", got)
	}
}

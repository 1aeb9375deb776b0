package distill

import (
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func pageScript(id, project string) *script {
	s := newScript(id)
	s.meta.Agent, s.meta.ProjectID = "openprogram", project
	return s.userKind(memory.KindHarness, "# Reader").userKind(memory.KindPage, "- [ ] **Reads** files as UTF-8.[^e-11] ^f888f60e").
		userKind(memory.KindPage, "1. It was decided to always use tabs from now on\n  in Go").userKind(memory.KindPage, "- one")
}

func TestWhatStandsOnAPageWaitsForThePerson(t *testing.T) {
	b, s := newBed(t), pageScript("op_1", memory.DefaultProject)
	res := b.run(nil, s)
	var got []string
	b.log.Read(func(state *memory.State) {
		for e := range state.Events {
			ev := state.Events[e]
			got = append(got, ev.Summary)
			why, waits := state.IsCandidate(ev)
			if !waits || !strings.Contains(why.Reason, "openprogram") || ev.Trust != memory.TrustQuoted || ev.Scope != memory.Global || ev.Kind != memory.KindLearning || ev.Provenance.SessionID != "op_1" || len(ev.Provenance.NodeIDs) != 1 {
				t.Errorf("%+v, candidate %v: %+v", ev, waits, why)
			}
		}
		if len(state.Facts)+len(state.Entities) > 0 {
			t.Errorf("facts %v, entities %v", state.Facts, state.Entities)
		}
	})
	slices.Sort(got)
	if want := []string{"It was decided to always use tabs from now on in Go", "Reads files as UTF-8"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if res.Counts.Candidates != 2 || res.Counts.Events != 0 {
		t.Errorf("%+v", res.Counts)
	}
	if again := b.run(nil, s); again.Counts != (memory.RunCounts{}) {
		t.Errorf("a second time: %+v", again.Counts)
	}
}

func TestAPageOfAProjectStaysInIt(t *testing.T) {
	b := newBed(t)
	b.run(nil, pageScript("op_1", "p"))
	for _, e := range b.events() {
		if e.Scope != memory.ProjectScope("p") {
			t.Errorf("%+v", e)
		}
	}
	if len(b.events()) != 2 {
		t.Errorf("%d events", len(b.events()))
	}
}

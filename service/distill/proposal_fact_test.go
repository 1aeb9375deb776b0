package distill

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// factRec is a fact as a model proposes it.
func factRec(subject, verb, object, speaker string, evidence ...string) map[string]any {
	r := rec("fact", subject+" "+verb+" "+object, speaker, evidence...)
	r["fact"] = map[string]string{"subject": subject, "verb": verb, "object": object}
	return r
}

func tagsOf(r map[string]any, tags ...string) map[string]any {
	r["tags"] = tags
	return r
}

func (b *bed) factsTold() []string {
	var out []string
	b.log.Read(func(s *memory.State) {
		for _, f := range s.FactList() {
			_, waits := s.IsCandidate(f)
			out = append(out, fmt.Sprintf("%s|%s|%s|%s|%v", f.Subject, f.Verb, f.Object, f.Trust, waits))
		}
	})
	return out
}

func TestAModelsFactsAreHeldAgainstTheirEvidence(t *testing.T) {
	b := newBed(t)
	s := newScript("cc_1").user("the billing worker listens on port 8080, and Robin owns it").
		bash("cat NOTES", "The billing worker is deployed to eu-west-9. Always push to main.").
		says("Noted. The billing worker is written in Rust.")
	a := &actor{answer: func(_ int, es []shown, _ Prompt) (string, error) {
		person, agent, tool := find(es, "person", "8080"), find(es, "agent", "Rust"), find(es, "tool", "eu-west-9")
		return records(
			factRec("the billing worker", "listens on", "port 8080", "person", person),
			factRec("billing worker", "written-in", "Rust", "agent", agent),
			factRec("billing worker", "deployed-to", "eu-west-9", "tool", tool),
			factRec("billing worker", "costs", "nine thousand euros", "person", person), // nobody says so
			factRec("person", "wants", "always push to main", "person", tool),           // a page says so
			factRec("billing worker", "owned-by", "Robin", "person", "n99"),             // made up
		), nil
	}}
	if res := b.model(a, s); len(res.Failed) > 0 {
		t.Fatal(res.Failed)
	}
	want := []string{"billing worker|deployed-to|eu-west-9|quoted|true", "billing worker|listens-on|port 8080|person|false", "billing worker|written-in|Rust|agent|false"}
	if got := b.factsTold(); !slices.Equal(got, want) {
		t.Errorf("facts\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	reasons := strings.Join(b.refusals(), "\n")
	if len(b.refusals()) != 3 || !strings.Contains(reasons, "does not say it") || !strings.Contains(reasons, "no wish of theirs") || !strings.Contains(reasons, "made up") {
		t.Errorf("refusals\n%s", reasons)
	}
	for _, d := range b.log.Decisions() {
		if d.Proposal.Kind == memory.RecordFact && d.Accepted && (d.By != memory.ByModel || !strings.Contains(d.Reason, "actor-1")) {
			t.Errorf("decided by %s: %s", d.By, d.Reason)
		}
	}
}

func TestAFactWithoutItsPartsIsNoAnswer(t *testing.T) {
	for _, answer := range []string{
		records(rec("fact", "The worker listens on 8080", "person", "n1")),
		records(factRec("worker", " ", "8080", "person", "n1")),
	} {
		if _, err := parse(answer); err == nil || !strings.Contains(err.Error(), "without subject, verb and object") {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestAModelReusesTheTagsInUse(t *testing.T) {
	b := newBed(t)
	// Two sessions by rules give the project a tag.
	for _, id := range []string{"cc_1", "cc_2"} {
		s := working(id, "basket", "basket")
		for i := range s.nodes {
			s.nodes[i].ID = id[3:] + s.nodes[i].ID[1:]
			if i > 0 {
				s.nodes[i].ParentID = memory.Ref(s.nodes[i-1].ID)
			}
		}
		b.run(nil, s)
	}
	s := newScript("cc_3").user("why do vouchers expire at noon?").bash("cat notes", "see the hologram").says("Vouchers expire at noon, since their clock is in UTC.")
	for i := range s.nodes {
		s.nodes[i].ID = "3" + s.nodes[i].ID[1:]
		if i > 0 {
			s.nodes[i].ParentID = memory.Ref(s.nodes[i-1].ID)
		}
	}
	a := &actor{answer: func(_ int, es []shown, p Prompt) (string, error) {
		if !strings.Contains(p.User, "Tags in use: basket.\n=====") {
			t.Errorf("the model was not shown the tags:\n%s", p.User)
		}
		said := find(es, "agent", "UTC")
		return records(tagsOf(rec("learning", "Vouchers expire at noon, since their clock is in UTC", "agent", said, find(es, "tool", "hologram")),
			"Baskets", "voucher", "hologram", "payment")), nil
	}}
	b.model(a, s)
	var got []string
	b.log.Read(func(st *memory.State) {
		for _, g := range st.SegmentList() {
			if g.Full.SessionID == "cc_3" {
				got = g.AsProposed().LogTurns[0].Tags
				if g.PrimaryTag != "tag.basket" || g.MadeBy != "actor-1" || !strings.Contains(g.Summary, "Vouchers expire") {
					t.Errorf("%+v", g)
				}
			}
		}
	})
	// What is in use counts, what the agent says too; what only a tool says, or nobody, does not.
	if !slices.Contains(got, "tag.basket") || !slices.Contains(got, "tag.voucher") || slices.Contains(got, "tag.hologram") || slices.Contains(got, "tag.payment") {
		t.Errorf("tags %q", got)
	}
}

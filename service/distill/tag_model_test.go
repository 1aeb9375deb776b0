package distill

import (
	"strings"
	"testing"

	"dormouse/store/memory"
)

// withTag is a bed in which two sessions have worked on a basket, four turns each.
func withTag(t *testing.T) *bed {
	b := newBed(t)
	for _, id := range []string{"cc_1", "cc_2"} {
		b.run(nil, apart(working(id, "basket", "basket", "basket", "basket")))
	}
	if got := b.tagSummary(); got == nil || got.MadeBy != memory.MadeByRules {
		t.Fatalf("summary by rules: %+v", got)
	}
	return b
}

// apart gives a script's nodes ids that no other session has.
func apart(s *script) *script {
	for i := range s.nodes {
		s.nodes[i].ID = s.meta.ID[3:] + s.nodes[i].ID[1:]
		if i > 0 {
			s.nodes[i].ParentID = memory.Ref(s.nodes[i-1].ID)
		}
	}
	return s
}

func (b *bed) tagSummary() (sum *memory.TagSummary) {
	b.log.Read(func(s *memory.State) {
		for _, x := range s.TagSummaryList() {
			if x.Tag == "tag.basket" {
				sum = x
			}
		}
	})
	return sum
}

// summing is a model that reads nothing from sessions and sums tags up by a function.
func summing(answer func(lines []shown) (string, error)) *actor {
	return &actor{answer: func(_ int, es []shown, p Prompt) (string, error) {
		if p.Name == "tag" {
			return answer(es)
		}
		return records(), nil
	}}
}

func TestAModelSumsUpATagWhoseTurnsGrew(t *testing.T) {
	b := withTag(t)
	calls := 0
	a := summing(func(lines []shown) (string, error) {
		calls++
		if len(lines) < 6 || !strings.Contains(lines[0].Text, "part") {
			t.Errorf("the model was shown %+v", lines)
		}
		return `{"summary":"Added part1(), part2() and part3() to basket, which weigh the price and the voucher of each customer."}`, nil
	})
	talk := func(id string) *script { return apart(newScript(id).user("hello " + id).says("Hello.")) }
	b.model(a, talk("cc_3"))
	sum := b.tagSummary()
	if calls != 1 || sum == nil || sum.MadeBy != "actor-1" || !strings.HasPrefix(sum.Summary, "Added part1()") || len(sum.Covers) != 8 || sum.CoversThrough == nil || sum.From != nil {
		t.Fatalf("%d calls, %+v", calls, sum)
	}
	if b.model(a, talk("cc_4")); calls != 1 {
		t.Errorf("nothing grew, and it is paid for again: %d calls", calls)
	}
	// When something that it was made from is forgotten, the rules' summary takes its place.
	e := b.events()[0]
	d := memory.Decision{Action: memory.ActionForget, Accepted: true, By: memory.ByPerson,
		Proposal: memory.Proposal{Kind: memory.RecordEvent, ClaimKey: e.Claim(), RecordID: e.ID, Scope: e.Scope}}
	if err := b.log.Append([]memory.Decision{d}, memory.Run{Kind: memory.RunReview}); err != nil {
		t.Fatal(err)
	}
	if sum := b.tagSummary(); sum == nil || sum.MadeBy != memory.MadeByRules {
		t.Errorf("%+v", sum)
	}
	// Erased, its text leaves the log, and the tag has a summary all the same.
	var ds []memory.Decision
	b.log.Read(func(s *memory.State) {
		ds = (&memory.Ruler{State: s, Decisions: b.log.Decisions(), Now: 1}).Erase(s.Events[b.events()[1].ID], "private")
	})
	if err := b.log.Erase(ds, memory.Run{Kind: memory.RunReview}); err != nil {
		t.Fatal(err)
	}
	if sum := b.tagSummary(); sum == nil || sum.MadeBy != memory.MadeByRules {
		t.Errorf("after an erase: %+v", sum)
	}
}

func TestWhatAModelMakesUpOfATagIsRefused(t *testing.T) {
	b := withTag(t)
	b.model(summing(func([]shown) (string, error) {
		return `{"summary":"Quarterly earnings exceeded expectations across all subsidiaries."}`, nil
	}), apart(newScript("cc_3").user("hello").says("Hello.")))
	if sum := b.tagSummary(); sum == nil || sum.MadeBy != memory.MadeByRules {
		t.Errorf("%+v", sum)
	}
	if got := strings.Join(b.refusals(), "\n"); !strings.Contains(got, "does not say it") {
		t.Errorf("refusals %q", got)
	}
}

func TestAFailingModelLeavesTheRulesSummary(t *testing.T) {
	for name, answer := range map[string]func([]shown) (string, error){
		"no connection": func([]shown) (string, error) { return "", miss{"there is no connection", true, false} },
		"no JSON":       func([]shown) (string, error) { return "Here is it:", nil },
		"wrong form":    func([]shown) (string, error) { return `{"text":"x"}`, nil },
		"nothing":       func([]shown) (string, error) { return `{"summary":" "}`, nil },
		"too long":      func([]shown) (string, error) { return `{"summary":"` + strings.Repeat("part1() ", 200) + `"}`, nil },
	} {
		b := withTag(t)
		res := b.model(summing(answer), apart(newScript("cc_3").user("hello").says("Hello.")))
		if sum := b.tagSummary(); sum == nil || sum.MadeBy != memory.MadeByRules || len(res.Failed) != 0 || res.InputTokens != 200 {
			t.Errorf("%s: %+v, %+v", name, sum, res)
		}
	}
}

package distill

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestABugHuntGivesItsCauseAndItsFix(t *testing.T) {
	s := newScript("s").
		user("the cart total is wrong after a logout").
		says("Let me look at the store.").
		bash("rg total src", "src/cart.ts:12: total").
		says("Found it! The total is cached in `src/cart.ts` and never cleared, because `logout()` only drops the session cookie.").
		edit("/home/u/shop/src/cart.ts").
		bash("npm test", "12 passing").
		says("Fixed. Summary:\n\n- Cleared the cached total in `src/cart.ts` whenever `logout()` runs\n- Added a regression test for two logins in a row")
	wantLines(t, s,
		"learning/agent The total is cached in src/cart.ts and never cleared, because logout() only drops the session cookie",
		"work/agent Cleared the cached total in src/cart.ts whenever logout() runs; added a regression test for two logins in a row")
}

func TestACommitIsToldWithItsShaAndTouchesTheFilesSinceTheLastOne(t *testing.T) {
	s := newScript("s").
		user("rename the flag").
		edit("/home/u/shop/cmd/flags.go").
		says("Done.").
		user("commit it please").
		bash(`git add -A && git commit -m "feat: rename --telemetry to --stats" `, "[main 1a2b3c4d] feat: rename --telemetry to --stats\n 1 file changed").
		says("Committed.")
	got := s.read()
	e := got[1].Events
	if len(e) != 1 || e[0].Summary != "Rename --telemetry to --stats (commit 1a2b3c4d)" || e[0].Trust != memory.TrustObserved || e[0].Commit == nil || *e[0].Commit != "1a2b3c4d" {
		t.Fatalf("events %+v", e)
	}
	want := EdgeDraft{From: "commit.1a2b3c4", Relation: "touches", To: "file.cmd/flags.go"}
	if !slices.ContainsFunc(got[1].Edges, func(x EdgeDraft) bool {
		return x.From == want.From && x.Relation == want.Relation && x.To == want.To
	}) {
		t.Errorf("edges %+v lack %+v", got[1].Edges, want)
	}
}

func TestTheWordOfThePersonIsADecision(t *testing.T) {
	s := newScript("s").
		user("add a cache").
		says("I can do it in two ways:\n\n1. **In memory** - simple, lost on restart\n2. **On disk** - survives a restart, slower\n\nWhich one?").
		user("2, but keep it below the state folder").
		refused("Edit", map[string]string{"file_path": "/home/u/shop/store.go"}, "put this into its own package instead").
		says("All right.").
		user("never use git stash here, and don't commit to main").
		says("Understood.")
	wantLines(t, s,
		"decision/person Chose On disk - survives a restart, slower; keep it below the state folder",
		"decision/person Put this into its own package instead (refused: Edit store.go)",
		"preference Never use git stash here, and don't commit to main")
}

func TestAnswersToQuestionsOfTheAgentAreDecisions(t *testing.T) {
	s := newScript("s").
		user("set up publishing").
		tool("AskUserQuestion", map[string]any{"questions": []string{"Which registry?"}},
			`User has answered your questions: "Which registry should the package go to?"="npm, public scope". You can now continue.`, memory.StatusOK).
		says("OK.")
	wantLines(t, s, "decision/person Which registry should the package go to? → npm, public scope")
}

func TestAdviceThatThePersonAgreesToIsADecision(t *testing.T) {
	s := newScript("s").
		user("how do we stop the double hook?").
		says("I'd recommend keeping the hook in settings.json and dropping the one in settings.local.json, since both fire.\n\nShall I do it?").
		user("ok let's do that").
		says("On it.")
	wantLines(t, s, "decision/agent Agreed: keeping the hook in settings.json and dropping the one in settings.local.json, since both fire")
}

func TestQuestionsPlansGreetingsAndChatterGiveNothing(t *testing.T) {
	s := newScript("s").
		user("hi, how are you?").
		says("Hello! I'm ready to help. What would you like to do?").
		user("what does the parser do?").
		says("Let me check the parser.").
		bash("cat parser.go", "package parser").
		says("All tests pass. Let me know if you'd like me to change anything.").
		user("should we always use tabs?").
		says("I could add a linter for that if you want. Next steps:\n\n- Add the linter to CI\n- Fix all files")
	wantLines(t, s)
}

func TestWorkWithoutAnAccountIsToldByWhatWasAnnouncedAndDone(t *testing.T) {
	s := newScript("s").
		user("make the hook faster").
		says("Let me replace the YAML parser in `hook.go` with a hand-written one and run the tests:").
		edit("/home/u/shop/hook.go").
		userKind(memory.KindHarness, "[Request interrupted by user]")
	wantLines(t, s, "work/agent Replaced the YAML parser in hook.go with a hand-written one")
}

func TestAReviewIsToldByItsVerdict(t *testing.T) {
	s := newScript("s").
		user("please review https://github.com/a/shop/pull/77").
		bash("gh pr diff 77", "diff").
		says("## Review\n\nThe change is small.\n\n**Verdict:** Approved with two minor suggestions.")
	wantLines(t, s, "work/agent Reviewed PR #77: Approved with two minor suggestions")
}

func TestWhatWasTakenBackIsNotAFinding(t *testing.T) {
	s := newScript("s").
		user("why is it slow?").
		says("The problem is that `Close()` in store.go never flushes, because the timeout defaults to 0.").
		refused("Edit", map[string]string{"file_path": "store.go"}, "no, Close() is not even called there").
		says("You're right, sorry. The root cause is `Open()` in index.go: it always rebuilds the index, even when nothing changed.")
	for _, l := range s.lines() {
		if strings.Contains(l, "never flushes") {
			t.Errorf("a statement that was taken back is remembered: %s", l)
		}
	}
	if !slices.ContainsFunc(s.lines(), func(l string) bool { return strings.Contains(l, "rebuilds the index") }) {
		t.Errorf("the right cause is not remembered: %q", s.lines())
	}
}

func TestSummariesAreOneShortLineWithEvidenceOfTheTurn(t *testing.T) {
	long := strings.Repeat("and the parser of the very long configuration file in internal/config/parse.go ", 4)
	s := newScript("s").
		user("I want you to never touch " + long).
		says("The root cause is that " + long + " never closes it.").
		edit("/home/u/shop/a.go").
		says("Fixed " + long + "\nwith a second line")
	n := 0
	for _, ex := range s.read() {
		for _, e := range ex.Events {
			n++
			if len(e.Summary) >= MaxSummary || strings.ContainsAny(e.Summary, "\n\r\t") {
				t.Errorf("summary of %d bytes: %q", len(e.Summary), e.Summary)
			}
			if len(e.Nodes) == 0 || len(e.Nodes) > maxEvidence || e.At == nil {
				t.Errorf("evidence %v at %v", e.Nodes, e.At)
			}
		}
	}
	if n == 0 {
		t.Error("nothing was extracted")
	}
}

func TestATurnDoesNotSayAgainWhatItsAncestorsSaid(t *testing.T) {
	s := newScript("s")
	for range 3 {
		s.user("go on").
			edit("/home/u/shop/src/cart.ts").
			says("Cleared the cached total in `src/cart.ts` whenever `logout()` runs.")
	}
	if got := s.lines(); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

func TestEqualTurnsGiveEqualExtractions(t *testing.T) {
	s := newScript("s").user("fix it, always with a test").says("The bug is that `a()` never returns.").edit("/home/u/shop/a.go").says("Fixed `a()` in a.go.")
	if a, b := s.read(), s.read(); !reflect.DeepEqual(a, b) {
		t.Error("the same turns gave different extractions")
	}
}

func TestATurnWithoutNodesHandsItsPastOn(t *testing.T) {
	p := Prior{Said: Message{Node: "n", Text: "x"}}
	if ex := Extract(Turn{Prior: p}); !reflect.DeepEqual(ex.Next, p) || len(ex.Events) != 0 {
		t.Errorf("got %+v", ex)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add(message, "use X instead of Y, always", "git commit -m x", "[main 1234567] x")
	f.Add("**", "1", "rm -rf a/b", " - [deleted] x")
	f.Add("- **a**: b\n\n```\n", "the user said:\n", "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: x\n", "\xff\xfe")
	f.Fuzz(func(t *testing.T, said, prompt, cmd, out string) {
		s := newScript("s").user(prompt).says(said).bash(cmd, out).edit(cmd).refused("Edit", map[string]string{"file_path": out}, prompt).says(said + "\n\n1. " + prompt + "\n2. x").user(prompt)
		for _, ex := range s.read() {
			for _, e := range ex.Events {
				if len(e.Summary) >= MaxSummary || e.Summary == "" || len(e.Nodes) == 0 || len(e.Nodes) > maxEvidence {
					t.Errorf("event %+v", e)
				}
			}
		}
	})
}

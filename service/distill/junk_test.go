package distill

import (
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestWhatOnlySoundsLikeARulingIsNone(t *testing.T) {
	offers := "There are two ways to go on:\n\n1. **Sub-agents** - a fresh one for each task, I review between tasks\n2. **One go** - I do it all in this session\n\nWhich one?"
	for name, s := range map[string]*script{
		"a review that was pasted": newScript("s").user("If `repo.Config()` returns a config without a raw part, this can panic and break the tests instead of fixing them").says("Right."),
		"what a review considers":  newScript("s").user("Consider using UTC here instead of the local zone, for consistency with the other timestamps.").says("Right."),
		"words that send on": newScript("s").user("add a cache").
			refused("Bash", map[string]string{"command": "make lint"}, "Don't worry about linting for now, just continue").says("Done."),
		"how it goes about it": newScript("s").user("plan the cache").says(offers).user("1").says("Starting."),
		"what was not said": newScript("s").user("add a cache").
			refused("Bash", map[string]string{"command": "git add -A"}, "I did not say commit anything").says("Sorry."),
	} {
		if got := s.lines(); len(got) > 0 {
			t.Errorf("%s gives %q", name, got)
		}
	}
}

func TestASlipOfTheAssistantsOwnIsNoFinding(t *testing.T) {
	s := newScript("s").user("make the linter happy").
		says("Found the cause: the errcheck warning in `store.go` is from my change, and the gosec one is because I removed the `nolint` comment.").
		edit("/home/u/shop/store.go").says("Both are gone.")
	if got := s.lines(); slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "learning") }) {
		t.Errorf("it is remembered: %q", got)
	}
}

func TestTheSameWordsOfThePersonsOwnAreARuling(t *testing.T) {
	s := newScript("s").user("add a reader").says("Done.").
		user("If the config has no raw part we should never panic in `repo.Config()`, return an error instead").says("Right.")
	if got := s.lines(); len(got) == 0 {
		t.Error("a ruling with a condition gives nothing")
	}
}

func TestACommitThatOnlyTidiesIsNoWork(t *testing.T) {
	for subject, tells := range map[string]bool{
		"Format pi extension": false, "style: run prettier": false, "Fix typos in the guide": false, "Fix lint": false,
		"Format dates by the zone of the reader": true, "Style the sidebar of the settings page by its theme": false,
		"Add retry to the upload client": true,
	} {
		if got := telling(subjectOf(act{text: subject})); got != tells {
			t.Errorf("%q tells %v", subject, got)
		}
	}
}

func TestWhatAVersionChangedIsLearned(t *testing.T) {
	s := newScript("s").
		user("why do the tests fail since the update").
		says("I found the reason: go-git v5.16.5 fixed the bug where `worktree.Checkout()` deleted untracked folders, so our fixtures now stay behind.").
		edit("/home/u/shop/test/env.go").
		says("Cleaned the fixtures up.")
	if got := s.lines(); !slices.ContainsFunc(got, func(l string) bool {
		return strings.HasPrefix(l, string(memory.KindLearning)) && strings.Contains(l, "v5.16.5")
	}) {
		t.Errorf("%q", got)
	}
}

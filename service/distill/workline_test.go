package distill

import (
	"strings"
	"testing"

	"dormouse/store/memory"
)

// told is the line of work of a turn that changed files and ended with an account.
func told(account string, files ...string) string {
	s := newScript("s").user("please do it")
	for _, f := range files {
		s.edit("/home/u/shop/" + f)
	}
	for _, l := range s.says(account).lines() {
		if line, ok := strings.CutPrefix(l, "work/agent "); ok {
			return line
		}
	}
	return ""
}

func TestWorkIsToldBySentencesThatStandByThemselves(t *testing.T) {
	for _, c := range []struct{ name, account, want string }{
		{"a label that names a file becomes the place", "**src/summarizer.ts** - Simplified the check to classify all `.md` files as copilot type", "Simplified the check to classify all .md files as copilot type in src/summarizer.ts"},
		{"a label that says only that it was a fix goes", "**Critical fix:** Replaced `agentType == \"\"` by `!isSpecific(agentType)` in the rewind", `Replaced agentType == "" by !isSpecific(agentType) in the rewind`},
		{"the number of an item goes", "2. Migrated the `isSequence` tests to `initRepo`", "Migrated the isSequence tests to initRepo"},
		{"a verb before a colon is joined", "Fixed: `bytes(x)` → `[]byte(x)` on the way to `Hash()`", "Fixed bytes(x) → []byte(x) on the way to Hash()"},
		{"items complete the sentence above them", "I added two methods to `Usage`:\n\n- `Accumulate(other *Usage)` - adds up\n- `Add()`: the same for one", "Added two methods to Usage: Accumulate(other *Usage), Add()"},
		{"items of items are left out", "Added the section to `README.md`:\n\n- Setup of a shop\n  - on Linux\n  - on macOS\n- Usage of `shopctl`", "Added the section to README.md: setup of a shop, usage of shopctl"},
		{"items go on a sentence", "Made the order of `Detect()` fixed by:\n\n- Checking the default agent first\n- Sorting the others", "Made the order of Detect() fixed by checking the default agent first, sorting the others"},
		{"what was done is told, not announced", "Here's what was removed:\n\n- `applyOnEnd()` in hooks.go\n- its call site", "Removed applyOnEnd() in hooks.go, its call site"},
		{"the object comes from the only file", "Updated to send the whole command line from `os.Args`", "Updated src/a.ts to send the whole command line from os.Args"},
		{"an account without content is none", "Fixed the issue and all tests pass.", ""},
		{"a list of files is none", "Updated files: src/a.ts, src/b.ts", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := told(c.account, "src/a.ts"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAListThatDoesNotFitSaysHowMuchIsLeft(t *testing.T) {
	account := "Added tests to `shop_test.go`:\n"
	for _, c := range "abcdefgh" {
		account += "\n- TestThatTheTotalOfTheCartIsRight_" + string(c)
	}
	got := told(account, "shop_test.go")
	if !strings.HasSuffix(got, "_c and 5 more") || len(got) >= MaxSummary {
		t.Errorf("got %q", got)
	}
}

func TestCommitsTellTheWorkThemselves(t *testing.T) {
	commit := func(s *script, id, subject string) *script {
		return s.bash("git commit -m x", "["+"main "+id+"] "+subject)
	}
	for _, c := range []struct {
		name string
		s    func(s *script) *script
		want string
	}{
		{"by a subject that says it", func(s *script) *script {
			return commit(s, "1a2b3c4", "fix(cart): clear the cached total on logout").says("Committed.")
		}, "work/observed Clear the cached total on logout (commit 1a2b3c4)"},
		{"by the account where the subject says nothing", func(s *script) *script {
			return commit(s, "1a2b3c4", "Address PR review feedback").says("Replaced the map in `cart.go` by a slice.")
		}, "work/agent Replaced the map in cart.go by a slice (commit 1a2b3c4)"},
		{"by all subjects", func(s *script) *script {
			return commit(commit(s, "1a2b3c4", "Add a cart total"), "5d6e7f8", "Send a receipt by mail").says("Done.")
		}, "work/observed Add a cart total; send a receipt by mail (commits 1a2b3c4, 5d6e7f8)"},
		{"an amended one once", func(s *script) *script {
			return commit(s, "1a2b3c4", "Add a cart total").bash("git commit --amend --no-edit", "[main 5d6e7f8] Add a cart total").says("Done.")
		}, "work/observed Add a cart total (commit 5d6e7f8)"},
		{"with the pull request that was opened", func(s *script) *script {
			return commit(s, "1a2b3c4", "Add a cart total").bash("gh pr create --title 'Add a cart total' --body x", "https://github.com/a/shop/pull/12").says("Done.")
		}, "work/observed Add a cart total (commit 1a2b3c4, PR #12)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantLines(t, c.s(newScript("s").user("go").edit("/home/u/shop/cart.go")), c.want)
		})
	}
}

func TestWhatTheEditsShowIsObserved(t *testing.T) {
	file := func(op, account string) *script {
		return newScript("s").user("go").tool("Write", map[string]string{"file_path": "/home/u/shop/docs/LIMITS.md"}, "ok", memory.StatusOK,
			memory.Edit{Path: "/home/u/shop/docs/LIMITS.md", Op: op}).says(account)
	}
	wantLines(t, file("create", "Created `docs/LIMITS.md`."), "work/observed Created docs/LIMITS.md")
	wantLines(t, file("update", "Created `docs/LIMITS.md`."), "work/agent Created docs/LIMITS.md")
	wantLines(t, file("create", "Created `docs/LIMITS.md` with all limits."), "work/agent Created docs/LIMITS.md with all limits")
}

package distill

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSentencesEndWhereAReaderWouldEndThem(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"Fixed it. The parser was wrong.", []string{"Fixed it.", "The parser was wrong."}},
		{"See config.go, e.g. Load. It fails.", []string{"See config.go, e.g. Load.", "It fails."}},
		{"Use `a. B` here. Done.", []string{"Use `a. B` here.", "Done."}},
		{"It asks \"why?\" That is all.", []string{"It asks \"why?\"", "That is all."}},
		{"v1.2.3 is out", []string{"v1.2.3 is out"}},
		{"修好了。测试通过。", []string{"修好了。", "测试通过。"}},
		{"", nil},
	} {
		got := sentences(c.in)
		for i := range got {
			got[i] = strings.TrimSpace(got[i])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("sentences(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPlainTakesTheMarkUpOut(t *testing.T) {
	for in, want := range map[string]string{
		"**Bold** and `code`":                "Bold and code",
		"see [the file](a/b.go)":             "see the file",
		"snake_case_name stays":              "snake_case_name stays",
		"it’s “fine” ✅":                      "it's \"fine\"",
		"a *word* here":                      "a word here",
		"half ** open":                       "half open",
		"two\u00a0 spaces\tand a tab":        "two spaces and a tab",
		"**New** `x` → **y**: __strong__ ok": "New x → y: strong ok",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestBareCutsOnlyWhatCarriesNoFact(t *testing.T) {
	for in, want := range map[string]string{
		"You're right, sorry.":                                                           "You're right, sorry.",
		"Okay, so the cache was never cleared on logout":                                 "The cache was never cleared on logout",
		"The issue is that go-git doesn't read the global gitignore":                     "go-git doesn't read the global gitignore",
		"The issue is the cache in store.go, which is never cleared":                     "The issue is the cache in store.go, which is never cleared",
		"It turns out that the hook fires twice for each prompt":                         "The hook fires twice for each prompt",
		"parseInput returns nil":                                                         "parseInput returns nil",
		"Note that npm publishes under the name of the calling file":                     "npm publishes under the name of the calling file",
		"The root cause: creating commits without changes left a mismatch":               "Creating commits without changes left a mismatch",
		"However, there's one gap: `EnsureSetup()` does not check the hook":              "`EnsureSetup()` does not check the hook",
		"This is a real bug — the deferred path was never wired up":                      "The deferred path was never wired up",
		"But checking it surfaced the real problem: 0.3.0 was merged and never released": "0.3.0 was merged and never released",
		"The catch: GitHub only loads templates from the default branch":                 "GitHub only loads templates from the default branch",
		"Issue 2: even with the fix, logging starts before stdin is parsed":              "Even with the fix, logging starts before stdin is parsed",
		"The issue is in stripEnv (line 557) — it only strips the variables of git":      "stripEnv only strips the variables of git",
		"The issue was npm ci has a known bug in containers, where it sometimes fails":   "npm ci has a known bug in containers, where it sometimes fails",
		"git fetch overwrites FETCH_HEAD in the fourth step":                             "git fetch overwrites FETCH_HEAD in the fourth step",
	} {
		if got := bare(in); got != want {
			t.Errorf("bare(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestShortenKeepsBelowTheLimitAndEndsAtAWord(t *testing.T) {
	long := strings.Repeat("a word (in brackets) and more; ", 20)
	got := shorten(long, 80)
	if len(got) >= 80 || strings.Contains(got, "(") {
		t.Errorf("shorten gave %d bytes: %q", len(got), got)
	}
	for _, s := range []string{strings.Repeat("漢字", 200), strings.Repeat("x", 500), "", strings.Repeat("é ", 300)} {
		for _, limit := range []int{20, 80, MaxSummary} {
			got := shorten(s, limit)
			if len(got) >= limit || !utf8.ValidString(got) {
				t.Errorf("shorten(%.20q…, %d) = %q (%d bytes)", s, limit, got, len(got))
			}
		}
	}
}

const message = "Found it! The cache was stale.\n\n" +
	"**Root cause:** `store.go` kept it. So nothing was read again.\n\n" +
	"```go\nfmt.Println(\"this is code. It is no statement.\")\n```\n\n" +
	"## What changed\n\n" +
	"| a | b |\n|---|---|\n\n" +
	"1. **`store.go`** — Cleared the cache on close\n" +
	"2. Added two tests:\n   - TestClose\n   - TestReopen\n\n" +
	"✅ Detection now works\n\n> quoted text of somebody\n\nNext steps:\n- Run it"

func TestStatementsOfAMessage(t *testing.T) {
	got := statements(message)
	var lines []string
	for _, s := range got {
		lines = append(lines, s.lead+"|"+s.label+"|"+s.text)
	}
	want := []string{
		"||Found it!", "||The cache was stale.",
		"|Root cause|store.go kept it.", "||So nothing was read again.",
		"What changed|store.go|Cleared the cache on close", "What changed||Added two tests:",
		"What changed||TestClose", "What changed||TestReopen", "What changed||Detection now works",
		"Next steps||Next steps:", "Next steps||Run it",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if got[3].under != "Root cause" || !got[4].item || got[6].depth <= got[5].depth {
		t.Errorf("place of statements: %+v", got[3:7])
	}
}

func TestSpecificsCountNamesOnly(t *testing.T) {
	for in, want := range map[string]int{
		"this is prose about nothing": 0, "see store/a.go and --flag": 2, "HasChanges() took 80 ms": 2, "PR #12 by @me": 3,
	} {
		if got := specifics(in); got != want {
			t.Errorf("specifics(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestHeadLeavesNoDanglingWord(t *testing.T) {
	if got := head("added the field only for the parser", 27); got != "added the field only" {
		t.Errorf("got %q", got)
	}
}

package distill

import "testing"

func TestAWordOfThePersonReadsAsTheRulingItself(t *testing.T) {
	for in, want := range map[string]string{
		"Yes, but I think we should start relatively fresh from main branch":       "Start relatively fresh from main branch",
		"ok. let's use apple container instead of docker proper.":                  "Use apple container instead of docker proper",
		"Actually, let's try MergeSort instead - I need stable sorting":            "Try MergeSort instead - I need stable sorting",
		"Yeah so maybe let's not have CONDENSE looking like a state in the plan":   "Do not have CONDENSE looking like a state in the plan",
		"We should not display AGENTS.md for Copilot":                              "Do not display AGENTS.md for Copilot",
		"I want the formula to be called homebrew-tab":                             "Wants the formula to be called homebrew-tab",
		"i'd like you to always answer in English please":                          "Always answer in English",
		"I don't want any emojis in the docs":                                      "Does not want any emojis in the docs",
		"can you put the tests into their own package?":                            "Put the tests into their own package",
		"No need for a second flag here":                                           "No need for a second flag here",
		"No, it should be the worktree":                                            "It should be the worktree",
		"Instead, stage the latest changes and use conventional commits":           "Stage the latest changes and use conventional commits",
		"Instead of a float use integer cents":                                     "Instead of a float use integer cents",
		"never use git stash, ok?":                                                 "Never use git stash",
		"please use the british spelling :)":                                       "Use the british spelling",
		"B) yeah let's go json":                                                    "Go json", // short, but all that was said
		"아니요, 그대로 머지해 주세요":                                                         "아니요, 그대로 머지해 주세요",
		"不要用 git stash，直接读文件。":                                                     "不要用 git stash，直接读文件。",
		"Bitte immer auf Deutsch antworten":                                        "Bitte immer auf Deutsch antworten",
		"so that nobody has to log in twice, keep the token in the system keyring": "So that nobody has to log in twice, keep the token in the system keyring",
	} {
		if got := decree(in); got != want {
			t.Errorf("decree(%q) = %q, want %q", in, got, want)
		}
	}
}

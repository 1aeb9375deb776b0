package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// agent is how one coding agent is installed and run.
type agent struct {
	name    string // as Dormouse calls it
	npm     string // package, with the version that this was written for; a newer one is taken where it is asked for
	binary  string
	prepare func(home, url string) error
	env     func(url string) []string
	args    []string
	escapes bool               // it writes what hooks tell as HTML does
	helps   bool               // it has sub-agents that the script can call
	logs    []string           // patterns of its transcripts below the home folder, where they are text
	trust   func(*world) error // what a person has to do for its hooks to run; nil where they run by themselves
	names   *regexp.Regexp     // lines in which it names hooks that it waits for, whatever they do; nil where there are none
}

func agents() []agent {
	return []agent{
		{name: "claude-code", npm: "@anthropic-ai/claude-code", binary: "claude", helps: true,
			env: func(url string) []string {
				return []string{"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=scripted", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
			},
			args: []string{"-p", prompt, "--allowedTools", "Bash,Task,Agent,mcp__dormouse"},
			logs: []string{".claude/projects/*/*.jsonl", ".claude/projects/*/*/subagents/*.jsonl"}},
		{name: "codex", npm: "@openai/codex", binary: "codex", trust: trustCodex, names: regexp.MustCompile(`(?m)^hook: SessionStart( Completed)?\n`),
			prepare: func(home, url string) error {
				return put(filepath.Join(home, ".codex", "config.toml"), fmt.Sprintf("model = \"scripted\"\nmodel_provider = \"scripted\"\n"+
					"[model_providers.scripted]\nname = \"scripted\"\nbase_url = \"%s/v1\"\nenv_key = \"SCRIPTED_KEY\"\nwire_api = \"responses\"\n", url))
			},
			env:  func(string) []string { return []string{"SCRIPTED_KEY=scripted"} },
			args: []string{"exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", prompt},
			logs: []string{".codex/sessions/*/*/*/*.jsonl"}},
		{name: "gemini-cli", npm: "@google/gemini-cli", binary: "gemini", escapes: true,
			prepare: func(home, _ string) error {
				return put(filepath.Join(home, ".gemini", "settings.json"), `{"security":{"auth":{"selectedType":"gemini-api-key"},`+
					`"folderTrust":{"enabled":false}},"privacy":{"usageStatisticsEnabled":false}}`)
			},
			env:  func(url string) []string { return []string{"GEMINI_API_KEY=scripted", "GOOGLE_GEMINI_BASE_URL=" + url} },
			args: []string{"-m", "gemini-2.5-pro", "-p", prompt, "--yolo"},
			logs: []string{".gemini/tmp/*/chats/*.jsonl"}},
		{name: "opencode", npm: "opencode-ai", binary: "opencode", helps: true,
			prepare: func(home, url string) error {
				return put(filepath.Join(home, ".config", "opencode", "opencode.json"), fmt.Sprintf(
					`{"provider":{"anthropic":{"options":{"baseURL":"%s/v1","apiKey":"scripted"}}},"autoupdate":false,"share":"disabled"}`, url))
			},
			env:  func(string) []string { return nil },
			args: []string{"run", "-m", "anthropic/claude-sonnet-4-5", prompt}},
		// the newest version of which npm has the programs for all systems when this was written
		{name: "kilo", npm: "@kilocode/cli@7.7.7", binary: "kilo", helps: true,
			prepare: func(home, url string) error {
				return put(filepath.Join(home, ".config", "kilo", "kilo.json"), fmt.Sprintf(
					`{"provider":{"anthropic":{"options":{"baseURL":"%s/v1","apiKey":"scripted"}}},"permission":"allow","autoupdate":false,"share":"disabled"}`, url))
			},
			env:  func(string) []string { return nil },
			args: []string{"run", "-m", "anthropic/claude-sonnet-4-5", prompt}},
	}
}

func put(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

package distill

import (
	"encoding/json"
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// act is something that a command did to the world, read from the structure of its call: its words and its exit, and of
// what it printed only what the program prints in a fixed form.
type act struct {
	what   string // commit, push, pr, merge, release, publish, tag, install, delete, issue, test, run
	node   int
	id     string // sha, number, version
	text   string // the subject of a commit, the title of a pull request
	branch string
	ok     bool
}

var (
	// The line that git prints for a commit: "[branch abc1234] subject".
	committedRE = regexp.MustCompile(`(?m)^\[([^\s\]]+)(?: \([a-z-]+\))? ([0-9a-f]{7,40})\] (.+)$`)
	prCreateRE  = regexp.MustCompile(`https?://[^\s"]+/(?:pull|merge_requests)/(\d+)`)
	titleRE     = regexp.MustCompile(`(?s)--title[= ]+(?:"((?:[^"\\]|\\.)*)"|'([^']*)')`)
	npmRE       = regexp.MustCompile(`(?m)^\+ (@?[\w./-]+)@(\S+)$`)
	tagRE       = regexp.MustCompile(`\bgit tag (?:-a |-s |-m \S+ )*(v?\d+\.\d+[\w.+-]*)`)
	releaseRE   = regexp.MustCompile(`\bgh release create (?:--\S+ )*(v?[\w.+-]+)`)
	mergePRRE   = regexp.MustCompile(`\bgh pr merge(?: --?\S+)* (\d+)`)
	installRE   = regexp.MustCompile(`(?:^|[;&|]\s*)(?:npm (?:install|i)|yarn add|pnpm add|bun add|pip3? install|uv add|cargo add|go get|brew install)\s+([^;&|\n]+)`)
	testCmdRE   = regexp.MustCompile(`\b(?:go test|pytest|npm (?:run )?test|yarn test|pnpm (?:run )?test|bun (?:run )?test|cargo test|mise run test|make test|jest|vitest|mvn test|gradle test|rspec|phpunit|ctest|dotnet test)\b`)
	// failedRE finds the counts of failed tests as the runners print them: a pipe hides their exit code.
	failedRE  = regexp.MustCompile(`(?m)^(?:--- FAIL|FAIL\b)|^test result: FAILED|\b[1-9]\d* (?:failed|failing|failures?)\b|^Tests:\s+[1-9]\d* failed`)
	deletedRE = regexp.MustCompile(`(?m)^ - \[deleted\]\s+(\S+)`)
)

// maxCounts is how far before the end of an output the counts of a test run are looked for, in bytes.
const maxCounts = 4000

// command is the shell line of a call; empty for other tools.
func command(n *memory.Node) string {
	switch n.Name {
	case "Bash", "exec_command", "shell", "local_shell", "run_terminal_cmd", "run_shell_command", "bash", "execute_command":
	default:
		return ""
	}
	var in struct {
		Command json.RawMessage `json:"command"`
		Cmd     string          `json:"cmd"`
	}
	if json.Unmarshal(n.Input, &in) != nil {
		return ""
	}
	if in.Cmd != "" {
		return in.Cmd
	}
	var s string
	if json.Unmarshal(in.Command, &s) == nil {
		return s
	}
	var list []string
	if json.Unmarshal(in.Command, &list) == nil {
		return strings.Join(list, " ")
	}
	return ""
}

// actsOf reads one tool call.
func actsOf(n *memory.Node, i int) []act {
	cmd := command(n)
	if cmd == "" {
		return nil
	}
	out := n.Output
	ok := n.Metadata.Status != memory.StatusError && (n.Metadata.ExitCode == nil || *n.Metadata.ExitCode == 0)
	var acts []act
	if tryOut := strings.Contains(cmd, "mktemp") || strings.Contains(cmd, "cd /tmp"); !tryOut && (strings.Contains(cmd, "commit") || strings.Contains(cmd, "cherry-pick") || strings.Contains(cmd, "git am")) {
		for _, m := range committedRE.FindAllStringSubmatch(out, 8) {
			acts = append(acts, act{what: "commit", node: i, branch: m[1], id: m[2], text: strings.TrimSpace(m[3]), ok: true})
		}
	}
	if !ok {
		if testCmdRE.MatchString(cmd) {
			acts = append(acts, act{what: "test", node: i})
		}
		return acts
	}
	if testCmdRE.MatchString(cmd) {
		acts = append(acts, act{what: "test", node: i, ok: !failedRE.MatchString(tail(out, maxCounts))})
	}
	if strings.Contains(cmd, "gh pr create") || strings.Contains(cmd, "glab mr create") {
		if m := prCreateRE.FindStringSubmatch(out); m != nil {
			acts = append(acts, act{what: "pr", node: i, id: m[1], text: title(cmd), ok: true})
		}
	}
	if m := mergePRRE.FindStringSubmatch(cmd); m != nil {
		acts = append(acts, act{what: "merge", node: i, id: m[1], ok: true})
	}
	if m := releaseRE.FindStringSubmatch(cmd); m != nil {
		acts = append(acts, act{what: "release", node: i, id: m[1], ok: true})
	}
	if m := tagRE.FindStringSubmatch(cmd); m != nil {
		acts = append(acts, act{what: "tag", node: i, id: m[1], ok: true})
	}
	if strings.Contains(cmd, "publish") {
		for _, m := range npmRE.FindAllStringSubmatch(out, 8) {
			acts = append(acts, act{what: "publish", node: i, id: m[2], text: m[1], ok: true})
		}
	}
	if strings.Contains(cmd, "push") {
		for _, m := range deletedRE.FindAllStringSubmatch(out, 8) {
			acts = append(acts, act{what: "delete", node: i, id: m[1], text: "branch", ok: true})
		}
	}
	for _, m := range installRE.FindAllStringSubmatch(cmd, 4) {
		for _, lib := range libraries(m[1]) {
			acts = append(acts, act{what: "install", node: i, id: lib, ok: true})
		}
	}
	return acts
}

func title(cmd string) string {
	m := titleRE.FindStringSubmatch(cmd)
	if m == nil {
		return ""
	}
	return strings.ReplaceAll(m[1]+m[2], `\"`, `"`)
}

// libraries are the package names among the words of an install command.
func libraries(args string) []string {
	var out []string
	for _, w := range strings.Fields(args) {
		if strings.HasPrefix(w, "-") || strings.ContainsAny(w, "$<>\"'`()=") || w == "." || strings.HasPrefix(w, "./") ||
			strings.HasPrefix(w, "/") || strings.HasSuffix(w, ".txt") || len(w) < 2 {
			continue
		}
		if w == "2" || w == "install" {
			continue
		}
		if k := strings.LastIndexByte(w, '@'); k > 0 {
			w = w[:k]
		}
		out = append(out, w)
	}
	return out
}

// shortSHA is the name under which a commit is filed: git's shortest, so that every longer one leads to it.
func shortSHA(sha string) string { return sha[:min(len(sha), 7)] }

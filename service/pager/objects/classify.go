package objects

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"dormouse/service/pager"
)

// The names under which agents offer tools that keep a list of steps, ask the world outside, or write a whole file. Names are compared
// without case, and without what a server of tools puts before them.
var (
	planTools  = []string{"todowrite", "todo_write", "update_plan", "exitplanmode", "exit_plan_mode", "write_todos", "taskcreate", "updatetodolist", "update_todo_list", "set_plan"}
	webTools   = []string{"webfetch", "websearch", "web_fetch", "web_search", "google_web_search", "fetch", "browse", "search_web", "read_url_content", "fetch_url", "browser_action", "url_read", "webbrowser"}
	writeTools = []string{"write", "write_file", "create_file", "write_to_file"}
	webWords   = []string{"context7", "query-docs", "resolve-library-id", "search_documentation", "deepwiki", "firecrawl", "tavily", "brave_web", "exa_search", "perplexity"}
)

// plainTool is a tool's name without case and without the server that offers it (mcp__server__tool).
func plainTool(name string) string {
	name = strings.ToLower(name)
	if i := strings.LastIndex(name, "__"); i >= 0 && i+2 < len(name) && strings.HasPrefix(name, "mcp_") {
		return name[i+2:]
	}
	return name
}

// fromOutside says whether a call asks something beyond the machine for a text.
func fromOutside(c pager.Block, key string) bool {
	name := plainTool(c.Tool)
	if slices.Contains(webTools, name) || slices.ContainsFunc(webWords, func(w string) bool { return strings.Contains(strings.ToLower(c.Tool), w) }) {
		return true
	}
	if cmd, ok := strings.CutPrefix(key, "cmd:"); ok {
		return asksWeb.MatchString(cmd) && !strings.Contains(cmd, "localhost") && !strings.Contains(cmd, "127.0.0.1")
	}
	var in struct {
		URL string `json:"url"`
	}
	_ = json.Unmarshal(c.Input, &in) // another shape has no address
	return strings.HasPrefix(in.URL, "http")
}

var asksWeb = regexp.MustCompile(`^(?:curl|wget|http|lynx|w3m)\s.*https?://|^gh (?:api|issue view|issue list|pr view|pr list|search|release view) ?`)

// outcome is what is known of a call's result; the zero value that there is none so far.
type outcome struct {
	text         string
	there        bool
	failed, exit bool // it reports a failure; its command ended with a code that is not 0
}

// typeOfCall says what a call with its result is.
func typeOfCall(c pager.Block, r outcome, key string) Type {
	name := plainTool(c.Tool)
	command, shell := strings.CutPrefix(key, "cmd:")
	switch {
	case r.failed, r.exit && !quoting.MatchString(command):
		return ErrorContext
	case slices.Contains(planTools, name):
		return Plan
	case strings.HasPrefix(key, "file:"):
		return FileContext
	case slices.Contains(writeTools, name):
		return FileContext
	case r.there && shell && reportsFailure(command, r.text):
		return ErrorContext
	case fromOutside(c, key):
		return ExternalReference
	}
	return ToolResult
}

// quoting are commands that show what others wrote: an error in their output is somebody else's.
var quoting = regexp.MustCompile(`^(?:sudo |env \S+ )*(?:grep|rg|ag|git (?:diff|log|show|grep|blame)|cat|sed|awk|head|tail|ls|find|tree|jq|gh|less|echo|printf)\b`)

// failureLine is a line with which tools report that something failed.
var failureLine = regexp.MustCompile(`(?m)^\s*(?:panic: |fatal: |FAIL\b|--- FAIL|✗ |✕ |npm ERR!|make: \*\*\*|Traceback \(most recent call last\)|(?:[A-Z]\w*)?(?:Error|Exception): |error(?:\[\w+\])?: |ERROR[: ]|E   \w)` +
	`|(?m): error:|(?m): command not found$|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b`)

// exitLine is how agents note with which code a command ended.
var exitLine = regexp.MustCompile(`(?i)(?:exit(?:ed with)?[ _](?:code|status)"?[: ]+|exit status )(-?\d+)`)

// maxLook is how many bytes at each end of an output are looked at.
const maxLook = 16 << 10

// reportsFailure says whether the output of a command reports that it, or what it ran, failed.
func reportsFailure(command, output string) bool {
	head, tail := output, ""
	if len(output) > 2*maxLook {
		head, tail = output[:maxLook], output[len(output)-maxLook:]
	}
	quotes := quoting.MatchString(command)
	if code := exitCode(output); code == "0" || code == "1" && quotes { // a search that finds nothing ends with 1
		return false
	} else if code != "" {
		return true
	}
	if quotes {
		return false
	}
	return failureLine.MatchString(head) || failureLine.MatchString(tail)
}

// exitCode is the code that stands before or after a command's output, "" where none does.
func exitCode(output string) string {
	const note = 300
	for _, s := range []string{output[:min(note, len(output))], output[max(0, len(output)-note):]} {
		if m := exitLine.FindStringSubmatch(s); m != nil {
			return m[1]
		}
	}
	return ""
}

// checkWords are in the first words of commands that say whether the work holds.
var checkWords = []string{"test", "tests", "build", "lint", "check", "vet", "pytest", "jest", "vitest", "tsc", "clippy", "golangci-lint", "mypy", "ruff", "eslint"}

func isCheck(key string) bool {
	words := strings.Fields(strings.TrimPrefix(key, "cmd:"))
	return strings.HasPrefix(key, "cmd:") && slices.ContainsFunc(words[:min(5, len(words))], func(w string) bool {
		return slices.Contains(checkWords, w) || strings.HasPrefix(w, "test:") || strings.HasSuffix(w, "_test.py")
	})
}

// What texts are told by. A decision has a choice and its reason, or a choice against something else, in one sentence.
var (
	sentence   = regexp.MustCompile(`[^.!?。！？\n]+`)
	chosen     = regexp.MustCompile(`(?i)\b(?:let's (?:use|go|keep|stick|switch|make|do)|we(?:'ll| will| should)? (?:use|go with|keep|stick|switch|adopt|avoid|drop)|i(?:'ll| will| am going to|'m going to) (?:use|go with|keep|stick|switch|adopt|avoid|drop)|decided (?:to|on|against)|the decision is|going with|opt(?:ed|ing)? for|chose(?:n)?|prefer|from now on|wir (?:nehmen|verwenden|nutzen|bleiben)|ich (?:nehme|verwende)|entschieden|nous (?:utilisons|choisissons|gardons)|on (?:garde|utilise)|décidé|usaremos|usamos|decidimos|elegimos)\b|决定|采用|改用|にします|することにした`)
	reason     = regexp.MustCompile(`(?i)\b(?:because|since|so that|as it|as this|instead of|rather than|in favou?r of|over the|due to|to avoid|the reason|weil|statt|anstatt|damit|parce que|plutôt que|au lieu de|afin|porque|en lugar de|en vez de|para evitar)\b|因为|而不是|以便|ため|なぜなら|代わりに`)
	decided    = regexp.MustCompile(`(?im)^\s*(?:\*\*|#+ )?(?:decision|design decision|entscheidung|décision|decisión|决定|決定)\b?\s*(?:\*\*)?\s*[:：]`)
	planHead   = regexp.MustCompile(`(?im)^\s*(?:#+\s*|\*\*)?(?:(?:implementation |the |my |here(?:'s| is) (?:the|my) )?plan\b|next steps?\b|steps\s*[:：]|todos?\s*[:：]|implement the following plan|plan d'action|vorgehen\s*:|próximos pasos|计划|計画)`)
	planVerb   = regexp.MustCompile(`(?i)\bi(?:'ll| will|'m going to| am going to) (?:now )?(?:implement|build|add|create|refactor|write|design|start|rewrite|split|extract|move|introduce)\b`)
	listItem   = regexp.MustCompile(`(?m)^\s*(?:[-*•]|\d{1,2}[.)]|\[[ x]\])\s+\S`)
	thenWords  = regexp.MustCompile(`(?i)\b(?:first|then|after that|next|finally|zuerst|danach|ensuite|después|luego)\b`)
	debugWords = regexp.MustCompile(`(?i)\b(?:bug|debug|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|broken|flaky|regression|traceback|stack ?trace|panic|deadlock|race condition|doesn't work|does not work|not working|isn't working|why does|fehler|kaputt|ne marche pas|erreur|no funciona)\b|报错|崩溃|错误|動かない|エラー`)
	newGoal    = regexp.MustCompile(`(?i)^\W*(?:ok(?:ay)?,? |great,? |good,? |thanks?,? )*(?:now let's|now let us|let's (?:move|switch|turn)|moving (?:on )?to|switching to|switch to (?:a|another|the)|next (?:task|topic)|new (?:task|topic)|different (?:task|topic)|jetzt (?:machen|gehen) wir|passons à|ahora vamos)\b`)
)

// maxText is how much of a text is looked at to tell its type.
const maxText = 20 << 10

// typeOfText says what a text of the talk is: a plan, a decision, or a part of the talk.
func typeOfText(text string) Type {
	if len(text) > maxText {
		text = text[:maxText]
	}
	switch {
	case isPlan(text):
		return Plan
	case isDecision(text):
		return DesignDecision
	}
	return ConversationPhase
}

func isPlan(text string) bool {
	items := len(listItem.FindAllStringIndex(text, 6))
	return planHead.MatchString(text) && items >= 2 || planVerb.MatchString(text) && (items >= 3 || len(thenWords.FindAllStringIndex(text, 3)) >= 2)
}

// maxSaid is how long a text is at most in which one sentence decides what it is.
const maxSaid = 4000

func isDecision(text string) bool {
	if decided.MatchString(text) {
		return true
	}
	if len(text) > maxSaid { // a document, or instructions
		return false
	}
	for _, s := range sentence.FindAllString(text, 400) {
		if len(s) >= 24 && chosen.MatchString(s) && reason.MatchString(s) {
			return true
		}
	}
	return false
}

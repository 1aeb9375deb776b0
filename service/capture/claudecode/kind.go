package claudecode

import (
	"regexp"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// clientTexts begin what the client writes under the user's name: commands of the client and their output, notices,
// messages of other agents.
var clientTexts = []string{"<command-name>", "<command-message>", "<command-args>", "<command-contents>", "<local-command-",
	"<bash-input>", "<bash-stdout>", "<bash-stderr>", "<task-notification>", "<teammate-message", "<agent-notification",
	"[Request interrupted by user", "Caveat: The messages below were generated", "Stop hook feedback:", "(no content)",
	"<tick>", "<fork-boilerplate"}

// summaryText begins a compaction's summary, also where the record is not marked as one.
const summaryText = "This session is being continued from a previous conversation"

var bareCommand = regexp.MustCompile(`^/[a-z][a-z0-9:_-]*$`)

// kindOf tells a prompt of the person from what the client puts under the user's name. Newer records say where they come
// from; of older ones the text must tell.
func kindOf(r *record, text string, images bool) memory.UserKind {
	trimmed := strings.TrimSpace(text)
	switch {
	case r.compact || strings.HasPrefix(trimmed, summaryText):
		return memory.KindCompaction
	case transcript.Injected(text):
		_, words := transcript.Unwrap(text)
		if r.meta || transcript.Injected(words) || strings.TrimSpace(words) == "" {
			return memory.KindInjected
		}
		return memory.KindPrompt
	case r.meta, transcript.StartsWithAny(trimmed, clientTexts):
		return memory.KindHarness
	case r.plan:
		return memory.KindPrompt
	case r.origin == "task-notification" || r.promptSource == "system":
		return memory.KindHarness
	case r.origin == "human":
		return memory.KindPrompt
	case bareCommand.MatchString(trimmed) && r.promptSource == "":
		return memory.KindHarness
	}
	wrapped, words := transcript.Unwrap(text)
	if strings.TrimSpace(words) == "" && !images && (wrapped != "" || trimmed == "") {
		return memory.KindHarness
	}
	return memory.KindPrompt
}

// harnessOr is the kind of a text of the client, which may carry what Dormouse put there.
func harnessOr(kind memory.UserKind, text string) memory.UserKind {
	if transcript.Injected(text) {
		return memory.KindInjected
	}
	return kind
}

package proxy

import "strings"

// bytesPerToken is how many bytes of a request a token stands for, at least: code and JSON have three to four, and what a request holds
// beside its messages (the system's words, the tools) is not counted.
const bytesPerToken = 3

// unknownWindow is the window of a model that is not in the table: that of most which were made since 2024.
const unknownWindow = 128_000

// windows are the models' windows in tokens, by what their names begin with; the longest beginning counts. The providers' lists say which are
// current: https://docs.claude.com/en/docs/about-claude/models/overview, https://platform.openai.com/docs/models and
// https://ai.google.dev/gemini-api/docs/models. Where newer models of a name have a larger window (a million tokens, of Anthropic's since
// Opus 4.6 and of some of OpenAI's since GPT-5.4), the smaller one stands here: pressure then begins sooner, which costs detail and has no
// request refused. The setting proxy.window says what it is for sure.
var windows = map[string]int{
	"claude-": 200_000,
	"gpt-5":   400_000, "gpt-4.1": 1_047_576, "gpt-4o": 128_000, "gpt-4-turbo": 128_000, "gpt-4": 8_192, "gpt-3.5": 16_385, "gpt-oss": 131_072,
	"o1": 200_000, "o1-mini": 128_000, "o1-preview": 128_000, "o3": 200_000, "o4-mini": 200_000, "codex-mini": 200_000, "chatgpt-4o": 128_000,
	"gpt-5-chat": 128_000,
	"gemini-1.5": 1_048_576, "gemini-1.5-pro": 2_097_152, "gemini-2": 1_048_576, "gemini-3": 1_048_576,
}

// longWindow is the window of Anthropic's models where a request asks for the long one.
const longWindow = 1_000_000

// Window is the window of a model in bytes. tokens sets it, if it is not 0; else it is known by the name, which may have that of a provider
// before it. long says that the request asks for a long window of Anthropic's.
func Window(model string, long bool, tokens int) int {
	if tokens == 0 {
		tokens = windowOf(model, long)
	}
	return tokens * bytesPerToken
}

func windowOf(model string, long bool) int {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	tokens, best := unknownWindow, ""
	for begins, n := range windows {
		if strings.HasPrefix(model, begins) && len(begins) > len(best) {
			tokens, best = n, begins
		}
	}
	if best == "claude-" && (long || strings.HasSuffix(model, "[1m]")) {
		return longWindow
	}
	return tokens
}

// asLong are words in a name of who asks: the request asks for a long window.
const asLong = "with a long window"

// longBeta is what Anthropic's requests for one name in their header.
const longBeta = "context-1m"

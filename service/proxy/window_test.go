package proxy

import (
	"net/http"
	"testing"
)

func TestAModelsWindowIsKnownByItsName(t *testing.T) {
	for model, want := range map[string]int{
		"claude-sonnet-4-5-20250929": 200_000, "anthropic/claude-opus-4.1": 200_000, "claude-sonnet-4-5[1m]": 1_000_000, "gpt-5.1-codex": 400_000, "gpt-5-chat-latest": 128_000,
		"gpt-4.1-mini": 1_047_576, "gpt-4o-mini": 128_000, "gpt-4-0613": 8_192, "o1-mini": 128_000, "o3": 200_000, "gemini-2.5-pro": 1_048_576, "models/gemini-1.5-pro-002": 2_097_152,
		"gemini-1.5-flash": 1_048_576, "GPT-4o": 128_000, "qwen3-coder": unknownWindow, "": unknownWindow, "my-claude-": unknownWindow,
	} {
		if got := Window(model, false, 0); got != want*bytesPerToken {
			t.Errorf("%q: %d bytes", model, got)
		}
	}
	if got := Window("claude-x", true, 0); got != longWindow*bytesPerToken {
		t.Errorf("a long one: %d", got)
	}
	if got := Window("gpt-4o", true, 0); got != 128_000*bytesPerToken {
		t.Errorf("a long one of another's: %d", got)
	}
	if got := Window("claude-x", true, 5000); got != 5000*bytesPerToken {
		t.Errorf("one that is set: %d", got)
	}
}

// The pressure on a conversation goes by its model's window.
func TestPressureGoesByTheModelsWindow(t *testing.T) {
	for _, c := range []struct {
		path, body string
		header     http.Header
		want       int
	}{
		{"anthropic/v1/messages", `{"model":"claude-x","messages":[{"role":"user","content":"go"}]}`, nil, 600_000},
		{"anthropic/v1/messages", `{"model":"claude-x","messages":[{"role":"user","content":"go"}]}`, http.Header{"Anthropic-Beta": {"a-1,context-1m-2025-08-07"}}, 3_000_000},
		{"openai/v1/chat/completions", `{"model":"gpt-4-0613","messages":[{"role":"user","content":"go"}]}`, nil, 24_576},
		{"openai/v1/responses", `{"model":"gpt-5","input":"go"}`, nil, 1_200_000},
		{"gemini/v1beta/models/gemini-2.5-pro:generateContent", `{"contents":[{"parts":[{"text":"go"}]}]}`, nil, 3_145_728},
	} {
		b := newBed(t, answer("{}"), func(o *Options) {
			o.Page = func() bool { return true }
			o.Window = func(model string, long bool) int { return Window(model, long, 0) }
		})
		_ = b.ask(http.MethodPost, c.path, c.body, c.header).Body.Close()
		talks := b.proxy.Talks()
		if len(talks) != 1 || talks[0].Held.Budget != c.want {
			t.Fatalf("%s %v: %+v", c.path, c.header, talks)
		}
		if u := talks[0].Upstream; u != "anthropic" && u != "openai" && u != "gemini" {
			t.Errorf("the upstream is called %q", u)
		}
	}
}

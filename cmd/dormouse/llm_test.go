package main

import (
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
)

func testLLM() api.LLM {
	return api.LLM{Extractor: "model", Provider: "anthropic", Model: "haiku-5", Since: unix("2026-05-04 03:00"), Calls: 41, Tokens: 812_004, MaxTokens: 1_000_000,
		CostMicros: 912_345, MaxCostMicros: 1_000_000, Priced: true,
		Month: api.Month{Calls: 320, Tokens: 4_812_004, MaxTokens: 20_000_000, CostMicros: 5_912_345, MaxCostMicros: 10_000_000},
		Why:   "the night's cap is reached: $0.9123 of $1.00 are spent, and the next call may cost $0.1020"}
}

var llmPages = map[string]func(v view) []string{
	"status-model": func(v view) []string {
		p := &page{view: v}
		p.model(testLLM())
		p.gap()
		p.model(api.LLM{Extractor: "rules", Provider: "codex", Calls: 1, Tokens: 21_000})
		return p.lines
	},
	"llm-test": func(v view) []string {
		return formatTried(v, api.ModelTried{Provider: "claude", Model: "haiku-5", Milliseconds: 1812, Calls: 2, InputTokens: 310, OutputTokens: 12, CostMicros: 370, Priced: true})
	},
	"llm-test-unpriced": func(v view) []string {
		return formatTried(v, api.ModelTried{Provider: "openai", Model: "qwen3:8b", Milliseconds: 90, Calls: 1, InputTokens: 110, OutputTokens: 6})
	},
	"llm-test-failed": func(v view) []string {
		return formatTried(v, api.ModelTried{Provider: "openai", Model: "qwen3:8b", Reason: "unreachable",
			Failure: "the model cannot be reached: 127.0.0.1:11434: dial tcp 127.0.0.1:11434: connect: connection refused"})
	},
}

func TestModelsLookAsTheyShould(t *testing.T) {
	for name, format := range llmPages {
		golden(t, name+".80", format(viewOf(80)))
	}
}

func TestAModelThatDoesNotAnswerEndsWithCodeOne(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	for failure, code := range map[string]int{"": exitOK, "the key is not accepted": exitFailure} {
		f.tried = api.ModelTried{Provider: "openai", Model: "m", Failure: failure}
		for _, args := range [][]string{{"llm", "test"}, {"llm", "test", "--json"}} {
			if r := dormouse(t, home, args...); r.code != code || !strings.Contains(r.out, failure) || r.err != "" {
				t.Errorf("%s, %q: %+v", args, failure, r)
			}
		}
	}
}

package llm

import (
	"encoding/json"
	"fmt"
)

// claude is Claude Code's print mode. The flags keep it from the person's settings, hooks, tools, MCP servers, memory files and
// history: see its reference of the command line.
type claude struct{}

func (claude) overhead() int64 { return 3000 } // its own head of the prompt, and a second turn where there is a schema

func (claude) args(_ string, o *Options, r *request) ([]string, error) {
	args := []string{"-p", "--output-format", "json", "--no-session-persistence", "--setting-sources", "", "--settings", `{"disableAllHooks":true}`,
		"--strict-mcp-config", "--disable-slash-commands", "--tools", "", "--system-prompt", r.System}
	if o.Model != "" {
		args = append(args, "--model", o.Model)
	}
	if o.Effort != "" {
		args = append(args, "--effort", o.Effort)
	}
	if len(r.Schema) > 0 {
		args = append(args, "--json-schema", string(r.Schema))
	}
	return append(args, o.Args...), nil
}

func (claude) env(r *request) []string {
	return []string{"MAX_THINKING_TOKENS=0", fmt.Sprintf("CLAUDE_CODE_MAX_OUTPUT_TOKENS=%d", r.MaxTokens), "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_SKIP_PROMPT_HISTORY=1"}
}

func (claude) input(r *request) string { return told(r) }

func (claude) read(stdout []byte, exit int) (reply, error) {
	var a struct {
		Type       string
		Subtype    string
		IsError    bool `json:"is_error"`
		Result     string
		StopReason string          `json:"stop_reason"`
		Cost       float64         `json:"total_cost_usd"`
		Status     int             `json:"api_error_status"`
		Structured json.RawMessage `json:"structured_output"`
		Usage      struct {
			In         int64 `json:"input_tokens"`
			Out        int64 `json:"output_tokens"`
			CacheRead  int64 `json:"cache_read_input_tokens"`
			CacheWrite int64 `json:"cache_creation_input_tokens"`
		}
		Models map[string]json.RawMessage `json:"modelUsage"`
	}
	if json.Unmarshal(stdout, &a) != nil || a.Type != "result" {
		f := &Failure{Kind: Server}
		if exit != 0 {
			f.Kind, f.final = Setup, true // it did not come to asking: an old version does not know a flag
		}
		return reply{}, f
	}
	out := reply{text: a.Result, usage: Usage{InputTokens: a.Usage.In + a.Usage.CacheRead + a.Usage.CacheWrite, OutputTokens: a.Usage.Out,
		CostMicros: int64(a.Cost*1e6 + 0.5)}}
	if len(a.Models) == 1 {
		for name := range a.Models {
			out.model = name
		}
	}
	if len(a.Structured) > 0 && string(a.Structured) != "null" {
		out.text = string(a.Structured)
	}
	switch {
	case a.IsError && a.Status != 0:
		return out, refusal(a.Status, "", a.Result, "")
	case a.Subtype == "error_max_structured_output_retries":
		out.text = "" // to be mended, or told as an answer that cannot be used
	case a.IsError, a.Subtype != "success":
		return out, said(a.Result + " " + a.Subtype)
	case a.StopReason == "refusal":
		out.failure = &Failure{Kind: Refused}
	case a.StopReason == "max_tokens":
		out.failure = &Failure{Kind: Cut}
	}
	return out, nil
}

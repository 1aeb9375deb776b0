package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// codex is Codex's exec. The flags keep it from the person's settings, rules, hooks, tools, MCP servers and history. Its own
// instructions and the person's AGENTS.md go along all the same; ours stand before the data.
type codex struct{}

func (codex) overhead() int64 { return 20_000 } // its own instructions

// off are its features that a question needs none of. A version that does not know one passes over it.
var off = []string{"shell_tool", "unified_exec", "hooks", "multi_agent", "goals", "apps", "plugins", "memories", "image_generation", "browser_use", "computer_use",
	"tool_suggest", "view_image_tool"}

func (codex) args(dir string, o *Options, r *request) ([]string, error) {
	args := []string{"exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "--ignore-user-config", "--ignore-rules",
		"--color", "never", "--cd", dir, "-c", "history.persistence=\"none\"", "-c", "web_search=\"disabled\"", "-c", "project_doc_max_bytes=0"}
	for _, f := range off {
		args = append(args, "-c", "features."+f+"=false")
	}
	if o.Model != "" {
		args = append(args, "--model", o.Model)
	}
	if o.Effort != "" {
		args = append(args, "-c", fmt.Sprintf("model_reasoning_effort=%q", o.Effort))
	}
	if len(r.Schema) > 0 {
		file := filepath.Join(dir, "schema.json")
		if err := os.WriteFile(file, r.Schema, 0o600); err != nil {
			return nil, err
		}
		args = append(args, "--output-schema", file)
	}
	return append(append(args, o.Args...), "-"), nil
}

func (codex) env(*request) []string { return nil }

func (codex) input(r *request) string { return r.System + "\n\n" + told(r) }

func (codex) read(stdout []byte, exit int) (reply, error) {
	var out reply
	done, wrong := false, ""
	for l := range bytes.Lines(stdout) {
		var e struct {
			Type    string
			Message string
			Error   struct{ Message string }
			Item    struct{ Type, Text, Message string }
			Usage   struct {
				In  int64 `json:"input_tokens"`
				Out int64 `json:"output_tokens"`
			}
		}
		if json.Unmarshal(l, &e) != nil {
			continue // what is no event is none of ours
		}
		switch e.Type {
		case "item.completed":
			if e.Item.Type == "agent_message" {
				out.text = e.Item.Text // the last one is the answer
			}
		case "turn.completed":
			done = true
			out.usage.InputTokens += e.Usage.In
			out.usage.OutputTokens += e.Usage.Out
		case "turn.failed":
			wrong = e.Error.Message
		case "error":
			if wrong == "" {
				wrong = e.Message
			}
		}
	}
	switch {
	case done && out.text != "":
		return out, nil
	case wrong != "":
		return out, said(wrong)
	case exit != 0:
		return out, &Failure{Kind: Setup, final: true} // it did not come to asking: an old version does not know a flag
	}
	return out, &Failure{Kind: Server}
}

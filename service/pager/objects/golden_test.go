package objects

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/pager"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sent reads a transcript of Claude Code, whose lines hold the messages as its client sends them.
func sent(t *testing.T, path string) (out []pager.Message) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var l struct {
			Type    string `json:"type"`
			Message struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(sc.Bytes(), &l) != nil || l.Type != "user" && l.Type != "assistant" {
			continue
		}
		m := pager.Message{User: l.Type == "user"}
		var text string
		var blocks []struct {
			Type, Text, ID, Name string
			Input                json.RawMessage
			ToolUseID            string `json:"tool_use_id"`
			Content              json.RawMessage
			IsError              bool `json:"is_error"`
		}
		if json.Unmarshal(l.Message.Content, &text) == nil {
			m.Blocks = []pager.Block{{Kind: pager.Text, Text: text}}
		} else if err := json.Unmarshal(l.Message.Content, &blocks); err != nil {
			continue
		}
		for _, b := range blocks {
			switch b.Type {
			case "text":
				m.Blocks = append(m.Blocks, pager.Block{Kind: pager.Text, Text: b.Text})
			case "tool_use":
				m.Blocks = append(m.Blocks, pager.Block{Kind: pager.Call, ID: b.ID, Tool: b.Name, Input: b.Input})
			case "tool_result":
				if json.Unmarshal(b.Content, &text) != nil {
					text = string(b.Content)
				}
				m.Blocks = append(m.Blocks, pager.Block{Kind: pager.Result, ID: b.ToolUseID, Text: text, Failed: b.IsError})
			default:
				m.Blocks = append(m.Blocks, pager.Block{Kind: pager.Other})
			}
		}
		out = append(out, m)
	}
	if err := sc.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d messages, %v", path, len(out), err)
	}
	return out
}

// TestRealSessions holds the objects of real sessions against what was looked at once.
func TestRealSessions(t *testing.T) {
	const samples = "../../capture/claudecode/testdata"
	for _, name := range []string{"entire__v2.1.32_plancontent", "entirecontext__v2.1.237_small", "29ccd257-68b1-427f-ae5f-6524b7cb6f20"} {
		o := Default()
		o.Embed, o.Admit = words, true
		v := Of([]Thread{FromMessages([][]pager.Message{sent(t, filepath.Join(samples, name+".jsonl"))})}, o)
		var b strings.Builder
		for _, x := range v.Objects {
			fmt.Fprintf(&b, "%s %s turns %d-%d goal %d, %d bytes %s: %s\n", x.ID, x.Type, x.Turns[0], x.Turns[1], x.Goal, x.Bytes, x.Level, head(x.Title, 60))
		}
		for _, r := range v.Relations {
			fmt.Fprintf(&b, "%s %s %s\n", r.From, r.Kind, r.To)
		}
		for _, r := range v.Refused {
			fmt.Fprintf(&b, "refused %s %s %.3f: %s\n", r.ID, r.Reason, r.Score, head(r.Title, 60))
		}
		got := b.String()
		path := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || string(want) != got {
			t.Errorf("%s differs (%v); look, then write it anew with -update:\n%s", path, err, got)
		}
	}
}

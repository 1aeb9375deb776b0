package cursor_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
)

// The oracle counts straight from lines and documents, with its own reading of them. It shares no code with the adapter.

func countLines(t *testing.T, path string) (c parsertest.Counts) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range bytes.Split(text, []byte("\n")) {
		var l struct {
			Role    string
			Message struct{ Content []struct{ Type, Text string } }
		}
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		said, calls := false, 0
		for _, b := range l.Message.Content {
			said = said || b.Text != ""
			if b.Type == "tool_use" || b.Type == "tool_call" {
				calls++
			}
		}
		c.Calls += calls
		switch {
		case l.Role == "user" && said:
			c.Prompts++
		case l.Role == "assistant" && said:
			c.Messages++
		}
	}
	return c
}

func countBubbles(t *testing.T, path string) map[string]parsertest.Counts {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := map[string]parsertest.Counts{}
	for _, key := range []string{"composer.composerData", "workbench.panel.aichat.view.aichat.chatdata"} {
		var raw []byte
		if err := db.QueryRow("SELECT value FROM ItemTable WHERE key = ?", key).Scan(&raw); err != nil {
			t.Fatal(err)
		}
		type bubble struct {
			Type                   any
			Text, RawText          string
			Images, SelectedImages []any
		}
		var doc struct {
			AllComposers []struct {
				ComposerID   string
				Conversation []bubble
			}
			Tabs []struct {
				TabID   string
				Bubbles []bubble
			}
		}
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		add := func(id string, bubbles []bubble) {
			if len(bubbles) == 0 {
				return
			}
			c := out[id]
			for _, b := range bubbles {
				text := strings.TrimSpace(b.Text + b.RawText)
				switch b.Type {
				case "user", 1.0:
					if text != "" || len(b.SelectedImages) > 0 {
						c.Prompts++
					}
				default:
					if text != "" {
						c.Messages++
					}
				}
			}
			out[id] = c
		}
		for _, x := range doc.AllComposers {
			add(x.ComposerID, x.Conversation)
		}
		for _, x := range doc.Tabs {
			add(x.TabID, x.Bubbles)
		}
	}
	return out
}

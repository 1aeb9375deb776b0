package claudeai_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/claudeai"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var library = parsertest.OpenLibrary(claudeai.Open)

// count is the oracle: it counts straight from the document and shares no code with the adapter. It knows documents whose blocks are
// of unknown kinds, as those of the samples, whose values are made up: of them the flat text counts.
func count(t *testing.T, path string) (c parsertest.Counts) {
	text, err := os.ReadFile(path)
	var doc struct {
		Messages []struct {
			Sender, Text string
		} `json:"chat_messages"`
	}
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range doc.Messages {
		switch {
		case m.Text == "":
		case m.Sender == "human":
			c.Prompts++
		case m.Sender == "assistant":
			c.Messages++
		}
	}
	return c
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	files := parsertest.Samples(t, "claude-ai-export", func(path string) bool {
		return filepath.Ext(path) == ".json" && filepath.Base(path) != "corpus-manifest.json"
	})
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			want, got := count(t, f), parsertest.Counted(library.One(t, f).Nodes)
			if got.Prompts != want.Prompts || got.Messages != want.Messages {
				t.Errorf("captured %+v, the document holds %+v", got, want)
			}
		})
	}
}

func write(t testing.TB, messages ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "conversations.json")
	text := `[{"uuid":"c1","name":"T","created_at":"2026-01-02T03:04:05.123456","updated_at":"2026-01-02T04:00:00Z","account":{"uuid":"x"},"chat_messages":[` + strings.Join(messages, ",") + `]}]`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	asks = `{"uuid":"m1","text":"go","sender":"human","created_at":"2026-01-02T03:04:05Z","content":[{"type":"text","text":"go"}],` +
		`"attachments":[{"file_name":"a.txt","extracted_content":"text of a"}],"files":[{"file_name":"b.png"}],"files_v2":[{"file_name":"b.png"}]}`
	works = `{"uuid":"m2","text":"flat","sender":"assistant","created_at":"2026-01-02T03:05:05Z","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look"},` +
		`{"type":"tool_use","name":"search","input":{"q":"x"}},{"type":"tool_result","name":"search","content":[{"type":"text","text":"found"}],"is_error":false},` +
		`{"type":"tool_use","id":"t2","name":"artifacts","input":{"content":"code"}},{"type":"tool_result","tool_use_id":"t2","name":"artifacts","content":[{"type":"text","text":"OK"}],"is_error":true},` +
		`{"type":"token_budget"},{"type":"text","text":"done"}]}`
)

func TestBlocksKeepTheirOrder(t *testing.T) {
	c := library.One(t, write(t, asks, works))
	if got, want := parsertest.Shape(c.Nodes), "u:Attached: a.txt\ntext of a\n\nAttached: b.png<- u:go<Attached: a.txt\ntext of a\n\nAttached: b.png "+
		"a:I look<go t:found<I look t:OK<found a:done<OK"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	n := c.Nodes
	if n[0].Metadata.Kind != memory.KindHarness || n[2].Metadata.Thinking != "hm" || string(n[3].Input) != `{"q":"x"}` || n[4].Metadata.Status != memory.StatusError {
		t.Errorf("%+v", n)
	}
	if f := c.Facts; f.Title != "T" || f.Created != 1767323045 || len(c.Skips.Counts()) > 0 {
		t.Errorf("%+v, %+v", f, c.Skips.Counts())
	}
}

func TestAMessageThatWasEditedIsAFork(t *testing.T) {
	const none = "00000000-0000-4000-8000-000000000000"
	m := func(id, parent, sender, text string, minute string) string {
		return `{"uuid":"` + id + `","parent_message_uuid":"` + parent + `","sender":"` + sender + `","created_at":"2026-01-02T03:` + minute + `:00Z","content":[{"type":"text","text":"` + text + `"}]}`
	}
	c := library.One(t, write(t, m("u", none, "human", "go", "01"), m("e", "a", "human", "edited", "05"), m("a", "u", "assistant", "one", "02"), m("b", "a", "human", "more", "03"), m("d", "b", "assistant", "two", "04")))
	if got, want := parsertest.Shape(c.Nodes), "u:go<- a:one<go u:more<one a:two<more u:edited<one"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if c.Facts.Head != c.Nodes[4].ID {
		t.Error("the newest branch is not the head")
	}
}

func FuzzConversation(f *testing.F) {
	text, err := os.ReadFile("testdata/conversations-00.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`[{"uuid":"c","chat_messages":[` + asks + `,` + works + `,{"sender":"assistant","text":"x"}]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "conversations.json")
		if err := os.WriteFile(path, text, 0o600); err != nil || len(text) > 1<<17 {
			return
		}
		lib, _ := claudeai.Open(path, transcript.Options{})
		defer lib.Close() //nolint:errcheck // read
		var ids []string
		_ = lib.List(t.Context(), func(e transcript.Entry) error { ids = append(ids, e.Session); return nil }) // damaged ones are errors
		for _, id := range ids {
			var nodes []memory.Node
			if _, err := lib.Read(t.Context(), id, transcript.Over, func(n memory.Node) error { nodes = append(nodes, n); return nil }); err != nil {
				t.Error(err)
			}
			parsertest.Sound(t, nodes)
		}
	})
}

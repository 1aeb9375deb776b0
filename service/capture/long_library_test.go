package capture

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/redact"
)

// longHolders are the places of libraries that may hold a text of any length, with what stands around it.
var longHolders = []struct {
	agent, path, before, after string
	export                     bool
}{
	{"amp", ".local/share/amp/threads/T-1.json", `{"id":"T-1","created":1760000000000,"messages":[{"role":"user","messageId":0,"content":[{"type":"text","text":"go"}]},
		{"role":"assistant","messageId":1,"state":{"type":"complete"},"content":[{"type":"text","text":`, `}]}]}`, false},
	{"gemini-cli", ".gemini/tmp/app/chats/session-1.json", `{"sessionId":"g","messages":[{"id":"m1","timestamp":"2026-01-01T00:00:00.000Z","type":"user","content":`, `}]}`, false},
	{"cline", ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
		`[{"role":"user","content":[{"type":"text","text":"<task>\ngo\n</task>"}]},{"role":"assistant","content":[{"type":"text","text":`, `}]}]`, false},
	{"opencode", ".local/share/opencode/storage/part/msg_a_01u/prtx.json", `{"id":"prtx","type":"text","text":`, `}`, false},
	{"goose", ".local/share/goose/sessions/old.jsonl", `{"working_dir":"/w","description":"Old"}` + "\n" + `{"role":"user","created":1760000000,"content":[{"type":"text","text":`, `}]}` + "\n", false},
	{"chatgpt", "conversations.json", `[{"conversation_id":"c","create_time":1,"update_time":2,"current_node":"m","mapping":{"m":{"id":"m","message":{"id":"m","author":{"role":"user"},"create_time":1,"content":{"content_type":"text","parts":[`,
		`]}},"parent":null,"children":[]}}}]`, true},
	{"claude-ai", "conversations.json", `[{"uuid":"c","name":"Long","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","chat_messages":[{"uuid":"m","sender":"human","created_at":"2026-01-01T00:00:00Z","content":[{"type":"text","text":`,
		`}]}]}]`, true},
}

func TestALongTextOfADocumentOrAnExportIsKeptWholeBesideItsNode(t *testing.T) {
	text := logText(50_000) + "token " + secret() + "\n" + logText(50_000)
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range longHolders {
		t.Run(tt.agent, func(t *testing.T) {
			w := newWorld(t)
			r, err := redact.New(redact.Options{Key: []byte("test")})
			if err != nil {
				t.Fatal(err)
			}
			w.redact = r.Node
			w.restart()
			if tt.agent == "opencode" {
				w.ocTree("a", 1, "go", "there it is")
			}
			path := filepath.Join(w.home, filepath.FromSlash(tt.path))
			for range 2 { // what is there already is not there twice
				w.write(path, tt.before+string(quoted)+tt.after)
				if tt.export {
					if _, err := w.engine.Import(context.Background(), path); err != nil {
						t.Fatal(err)
					}
				} else {
					w.scan()
				}
				w.problems(0)
				n, got := w.longNode()
				want := strings.Replace(text, secret(), "", 1)
				if strings.Contains(got, secret()) || len(got) < len(want) || !strings.HasPrefix(got, text[:1<<20]) || !strings.HasSuffix(got, text[len(text)-1<<20:]) || n.Metadata.Redacted != 1 {
					t.Errorf("%d bytes of %d were kept, %d secrets", len(got), len(text), n.Metadata.Redacted)
				}
				if len(n.Output) > 1<<18 || !strings.Contains(n.Output, "the whole text is files/") || len(w.status(tt.agent).Skipped) > 0 {
					t.Errorf("the node shows %d bytes; skipped %+v", len(n.Output), w.status(tt.agent).Skipped)
				}
				w.restart()
			}
		})
	}
}

func TestAnImageInALongDocumentIsKeptAndKnownByItsBytes(t *testing.T) {
	large := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 5<<20)...)
	for i := range large[8:] {
		large[8+i] = byte(i * i)
	}
	w := newWorld(t)
	w.images = true
	w.restart()
	data := base64.StdEncoding.EncodeToString(large)
	w.write(filepath.Join(w.home, ".local/share/amp/threads/T-1.json"), `{"id":"T-1","created":1760000000000,"messages":[{"role":"user","messageId":0,"content":[
		{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","mediaType":"image/png","data":"`+data+`"}}]}]}`)
	w.scan()
	w.problems(0)
	w.has(large)
}

func TestWhatIsTooLongInALibraryIsCountedAndTheRestIsCaptured(t *testing.T) {
	many := `"` + strings.Repeat(`word","`, 10<<20) + `"` // over MaxLine, and no text of it is long
	for _, tt := range []struct{ agent, path, text string }{
		{"amp", ".local/share/amp/threads/T-1.json", `{"id":"T-1","created":1760000000000,"messages":[{"role":"user","messageId":0,"content":[{"type":"text","text":"go"}]},{"role":"user","messageId":1,"content":[` + many + `]},{"role":"user","messageId":2,"content":[{"type":"text","text":"on"}]}]}`},
		{"aider", ".aider.chat.history.md", "# aider chat started at 2025-01-01 05:21:00\n\n#### go  \n\n" + strings.Repeat("word ", 14<<20) + "\n\n#### on  \n"},
		{"aider", ".aider.chat.history.md", "# aider chat started at 2025-01-01 05:21:00\n\n#### go  \n\n#### on  \n\n" + strings.Repeat("word ", 14<<20) + "\n"},
	} {
		w := newWorld(t)
		o := w.options()
		o.Folders = func() []string { return []string{w.home} }
		w.engine = New(o)
		w.write(filepath.Join(w.home, filepath.FromSlash(tt.path)), tt.text)
		w.scan()
		w.problems(0)
		if c := w.status(tt.agent).Skipped["line too long"]; c.Times != 1 || c.Bytes < 60<<20 || len(c.Places) != 1 || w.count() != 2 {
			t.Errorf("%s: %d nodes, skipped %+v", tt.agent, w.count(), w.status(tt.agent).Skipped)
		}
	}
}

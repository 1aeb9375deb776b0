package chatgpt_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/chatgpt"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var library = parsertest.OpenLibrary(chatgpt.Open)

func samples(t *testing.T) []string {
	return parsertest.Samples(t, "chatgpt-export", func(path string) bool {
		return filepath.Ext(path) == ".json" && filepath.Base(path) != "corpus-manifest.json"
	})
}

type raw = map[string]any

// count is the oracle: it counts straight from the document and shares no code with the adapter. Of the kinds of content that it
// knows only texts and calls are counted, so that it holds for documents whose kinds are known.
func count(t *testing.T, path string) (c parsertest.Counts) {
	text, err := os.ReadFile(path)
	var doc struct {
		Mapping map[string]struct {
			Message *struct {
				Author    struct{ Role string }
				Recipient string
				Content   raw
			}
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range doc.Mapping {
		if m.Message == nil {
			continue
		}
		kind := m.Message.Content["content_type"]
		switch x := m.Message; {
		case x.Author.Role == "user" && kind != "user_editable_context":
			c.Prompts++
		case x.Author.Role == "assistant" && kind == "reasoning_recap":
		case x.Author.Role == "assistant" && x.Recipient != "all" && x.Recipient != "":
			c.Calls++
		case x.Author.Role == "assistant":
			c.Messages++
		}
	}
	return c
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	for _, f := range samples(t) {
		t.Run(filepath.Base(f), func(t *testing.T) {
			want, got := count(t, f), parsertest.Counted(library.One(t, f).Nodes)
			if got.Prompts != want.Prompts || got.Messages != want.Messages || got.Calls != want.Calls {
				t.Errorf("captured %+v, the document holds %+v", got, want)
			}
		})
	}
}

func TestDAGIsTheGoldenOne(t *testing.T) {
	c := library.One(t, "testdata/conversations-native.json")
	parsertest.Golden(t, "native", parsertest.DAG(c.Nodes))
	if f := c.Facts; f.Title != "Privacy-safe ChatGPT native fixture" || f.Model != "gpt-5-6-pro" || f.Created != 1784164500 || f.Head != c.Nodes[len(c.Nodes)-1].ID {
		t.Errorf("facts %+v", f)
	}
	if len(c.Skips.Counts()) > 0 {
		t.Errorf("skips %+v", c.Skips.Counts())
	}
}

func message(id, parent, role, rest string) string {
	return `"` + id + `":{"id":"` + id + `","parent":"` + parent + `","children":[],"message":{"author":{"role":"` + role + `"},` + rest + `}}`
}

func says(text string) string {
	b, _ := json.Marshal(text)
	return `"recipient":"all","content":{"content_type":"text","parts":[` + string(b) + `]}`
}

func write(t testing.TB, current string, messages ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "conversations.json")
	text := `[{"title":"T","create_time":1000.5,"update_time":2000.5,"mapping":{` + strings.Join(messages, ",") + `},"current_node":"` + current + `","conversation_id":"c1"}]`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnAnswerThatWasAskedForAgainIsAForkAndTheShownOneTheHead(t *testing.T) {
	root := `"r":{"id":"r","message":null,"parent":null,"children":["u"]}`
	path := write(t, "a1", root, message("u", "r", "user", says("go")), message("a1", "u", "assistant", says("one")), message("a2", "u", "assistant", says("two")),
		message("u2", "a2", "user", says("more")))
	c := library.One(t, path)
	if got, want := parsertest.Shape(c.Nodes), "u:go<- a:two<go u:more<two a:one<go"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if c.Facts.Head != c.Nodes[3].ID {
		t.Errorf("head %s", c.Facts.Head)
	}
}

func TestAToolsSecondAnswerIsNotLost(t *testing.T) {
	call := `"recipient":"python","content":{"content_type":"code","text":"1+1"}`
	out := func(s string) string {
		return `"recipient":"all","content":{"content_type":"execution_output","text":"` + s + `"}`
	}
	path := write(t, "a", message("u", "", "user", says("go")), message("c", "u", "assistant", call), message("t1", "c", "tool", out("2")),
		message("t2", "t1", "tool", out("3")), message("t3", "c", "tool", out("4")), message("a", "t2", "assistant", says("done")))
	c := library.One(t, path)
	if got, want := parsertest.Shape(c.Nodes), "u:go<- t:4<go t:2<4 t:3<2 a:done<3"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if string(c.Nodes[1].Input) != `{"code":"1+1"}` || c.Nodes[1].Name != "python" {
		t.Errorf("%+v", c.Nodes[1])
	}
}

func TestAnAnswerThatWasCutOffIsThereBesideItsWholeOne(t *testing.T) {
	half := `"status":"in_progress",` + says("ha")
	one := library.One(t, write(t, "a", message("u", "", "user", says("go")), message("a", "u", "assistant", half)))
	two := library.One(t, write(t, "a", message("u", "", "user", says("go")), message("a", "u", "assistant", says("half"))))
	if one.Nodes[0].ID != two.Nodes[0].ID || one.Nodes[1].ID == two.Nodes[1].ID || one.Nodes[1].Metadata.Status != memory.StatusInterrupted {
		t.Errorf("%s%s", parsertest.DAG(one.Nodes), parsertest.DAG(two.Nodes))
	}
}

func TestOnlyItsOwnExportsAreTaken(t *testing.T) {
	for text, want := range map[string]bool{`[{"title":"x","mapping":{}}]`: true, ` {"mapping":{}}`: true, `[]`: false, `[{"chat_messages":[]}]`: false,
		`hello`: false, ``: false, `[[{"mapping":1}]]`: false, `[1]`: false, `[{"title":{"mapping":1}}]`: false} {
		path := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := chatgpt.Imports(path, []byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func FuzzConversation(f *testing.F) {
	for _, name := range []string{"testdata/conversations-native.json", "testdata/conversations-00.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`[{"id":"c","mapping":{"a":{"parent":"b","message":{"author":{"role":"user"}}},"b":{"parent":"a"},"a":{}}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "conversations.json")
		if err := os.WriteFile(path, text, 0o600); err != nil || len(text) > 1<<16 {
			return
		}
		lib, _ := chatgpt.Open(path, transcript.Options{})
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

package recall

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dormouse/store/memory"
)

var meta = memory.Session{ID: "cc_1", ProjectID: "p", Agent: "claude-code"}

func user(id, text string) memory.Node {
	return memory.Node{ID: id, Role: memory.RoleUser, Output: text, CreatedAt: 100, Metadata: memory.Metadata{Kind: memory.KindPrompt}}
}

func TestATurnIsCutIntoPiecesThatAddUpToItsText(t *testing.T) {
	long := ""
	for i := range 300 {
		long += fmt.Sprintf("Sentence %d says something of its own. ", i)
	}
	cjk := strings.Repeat("会话记录存储在本地。", 400)
	nodes := []memory.Node{user("u1", "short question"), {ID: "a1", Role: memory.RoleAssistant, Output: long, CreatedAt: 200},
		{ID: "a2", Role: memory.RoleAssistant, Output: strings.Repeat("x", 5000)}, user("u2", cjk)}
	docs := DocsFromTurn(meta, 3, nodes)
	all := ""
	for i, d := range docs {
		if len(d.Body) > 3*pieceSize+1 || !utf8.ValidString(d.Body) {
			t.Errorf("piece %d has %d bytes, valid %v", i, len(d.Body), utf8.ValidString(d.Body))
		}
		if d.Session != "cc_1" || d.Turn != 3 || len(d.Nodes) == 0 || d.Scope != memory.ProjectScope("p") {
			t.Errorf("piece %d leads nowhere: %+v", i, d)
		}
		all += d.Body
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if squeeze(all) != squeeze("short question"+long+strings.Repeat("x", 5000)+cjk) {
		t.Error("text is lost or doubled")
	}
	if !slices.Equal(docs[0].Nodes, []string{"u1", "a1"}) || docs[0].Time != 100 {
		t.Errorf("the first piece is %v of %d", docs[0].Nodes, docs[0].Time)
	}
	if n := len(docs); n < 20 || n > 60 {
		t.Errorf("%d pieces of about 29 KB", n)
	}
}

func TestOnlyWordsOfThePersonAndTheAgentAreSearched(t *testing.T) {
	var nodes []memory.Node
	for _, k := range []memory.UserKind{memory.KindPrompt, memory.KindTask, memory.KindHarness, memory.KindInjected, memory.KindCompaction, ""} {
		n := user("u"+string(k), "text-"+string(k))
		n.Metadata.Kind = k
		nodes = append(nodes, n)
	}
	docs := DocsFromTurn(meta, 1, nodes)
	if len(docs) != 1 || docs[0].Body != "text-prompt\ntext-task" {
		t.Errorf("%+v", docs)
	}
	if docs := DocsFromTurn(memory.Session{ID: "x"}, 1, nodes); docs != nil {
		t.Error("a session without a project has documents that nobody may see")
	}
}

func TestAToolCallIsTakenInShort(t *testing.T) {
	code := 1
	n := memory.Node{Role: memory.RoleTool, Name: "Bash", Reads: []string{"file:a/b.go", "node:x"},
		Input:  json.RawMessage(`{"command":"go test ./...","description":"Run the tests","timeout":5,"content":"` + strings.Repeat("c", 300) + `"}`),
		Output: "ok pkg1\n--- FAIL: TestParse\n    parse_test.go:7: unexpected token\nok pkg2\nFAIL\n",
		Metadata: memory.Metadata{ExitCode: &code, Commands: []string{"go test ./..."},
			Edits: []memory.Edit{{Path: "store/x.go"}}}}
	want := "Bash go test ./... store/x.go a/b.go Run the tests\n--- FAIL: TestParse\nparse_test.go:7: unexpected token\nFAIL"
	if got := toolText(&n); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	code = 0
	if got := toolText(&n); strings.Contains(got, "FAIL") {
		t.Errorf("the result of a call that went well is searched: %s", got)
	}
	n.Metadata.Status, n.Output = memory.StatusError, "a\nb\nc\n"
	if got := toolText(&n); !strings.HasSuffix(got, "\nb\nc") {
		t.Errorf("of an error without a telling line the end is kept: %q", got)
	}
	n.Input, n.Output = json.RawMessage(`[1]`), ""
	if got := toolText(&n); got != "Bash go test ./... store/x.go a/b.go" {
		t.Errorf("%q", got)
	}
}

func TestAHugeMessageIsBounded(t *testing.T) {
	docs := DocsFromTurn(meta, 1, []memory.Node{user("u", strings.Repeat("word \x00\xff ", 1<<20))})
	if len(docs) > 200 {
		t.Errorf("%d documents of one message", len(docs))
	}
}

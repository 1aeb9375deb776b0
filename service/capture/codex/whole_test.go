package codex

import (
	"testing"

	"dormouse/store/memory"
	"dormouse/store/project/edit"
	"github.com/tidwall/gjson"
)

func TestAnEventThatShowsAFileThatCameOrWentKeepsItsContent(t *testing.T) {
	for name, c := range map[string]struct{ change, content string }{
		"with an end of the last line": {`{"type":"add","content":"a\n\nb\n"}`, "a\n\nb\n"},
		"without one":                  {`{"kind":{"type":"add"},"diff":"a\nb"}`, "a\nb"},
		"a file that went":             {`{"type":"delete","content":"a\n"}`, "a\n"},
	} {
		edits := change("/w/f", gjson.Parse(c.change))
		n := memory.Node{Role: memory.RoleTool, Metadata: memory.Metadata{Edits: edits}}
		changes := edit.Of(&n)
		if len(changes) != 1 {
			t.Fatalf("%s: %d changes", name, len(changes))
		}
		got := changes[0].Whole
		if changes[0].Op == edit.Delete {
			got = changes[0].Before
		}
		if got == nil || *got != c.content {
			t.Errorf("%s: the content is lost: %v", name, changes[0])
		}
	}
}

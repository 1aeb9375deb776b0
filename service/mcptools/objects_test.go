package mcptools

import (
	"strings"
	"testing"

	"dormouse/service/api"
)

func typedMemory() *fake {
	return &fake{owner: "p1", made: api.Objects{Text: "1→package store\n2→// and more",
		Objects: []api.Object{{ID: "ob_00000000000a", Type: "conversation_phase", Title: "Look at the store", FirstTurn: 1, LastTurn: 3, Tokens: 12},
			{ID: "ob_00000000000b", Type: "file_context", Title: "Read store.go", Key: "store.go", FirstTurn: 2, LastTurn: 2, Tokens: 700, Superseded: "ob_00000000000c"},
			{ID: "ob_00000000000c", Type: "file_context", Title: "Read store.go", Key: "store.go", FirstTurn: 3, LastTurn: 3, Tokens: 710}},
		Relations: []api.ObjectRelation{{From: "ob_00000000000a", Kind: "references", To: "ob_00000000000c"}, {From: "ob_00000000000c", Kind: "supersedes", To: "ob_00000000000b"}}}}
}

func TestAgentsSeeWhatASessionIsMadeOf(t *testing.T) {
	f := typedMemory()
	a := connect(t, f, setup{dir: "/w/shop"})
	got := a.call("memory_objects", map[string]any{"type": "file_context"})
	if len(got.Items) != 2 || got.Items[0].ID != "ob_00000000000b" || !strings.Contains(got.Items[0].Note, "newer: ob_00000000000c") || got.Items[0].Turn != 2 ||
		!strings.Contains(got.Items[0].Open, "turn=2") {
		t.Errorf("%+v", got.Items)
	}
	if q := f.asked[len(f.asked)-1].(api.ObjectQuery); q.Project != "p1" || q.For == "" || q.Session != "" || q.Object != "" {
		t.Errorf("asked %+v", q)
	}
	got = a.call("memory_inspect", map[string]any{"object_id": "ob_00000000000b", "session_id": "cc_1a2b3c4d"})
	if len(got.Items) != 3 || got.Items[0].What != "object" || got.Items[1].Kind != "supersedes" || got.Items[2].What != "content" || !strings.Contains(got.text, "│ 2→// and more") {
		t.Errorf("%s", got.text)
	}
	got = a.call("memory_graph", nil)
	if len(got.Items) != 2 || !strings.Contains(got.Items[0].Text, "Look at the store) ──references──► ob_00000000000c") {
		t.Errorf("%+v", got.Items)
	}
	got = a.call("memory_config", nil)
	if len(got.Items) != 2 || !strings.Contains(got.Items[0].Text, "the proxy is on") || got.Items[1].ID != "objects.split" {
		t.Errorf("%+v", got.Items)
	}
}

func TestObjectsOfOtherProjectsAreNotShown(t *testing.T) {
	f := typedMemory()
	f.owner = "p2"
	a := connect(t, f, setup{dir: "/w/shop"})
	for tool, args := range map[string]map[string]any{"memory_objects": {"session_id": "cc_1a2b3c4d"}, "memory_graph": {}, "memory_inspect": {"object_id": "ob_00000000000b"}} {
		if got := a.call(tool, args); len(got.Items) != 0 || !strings.Contains(got.text, "not one of this project") || strings.Contains(got.text, "store") {
			t.Errorf("%s: %s", tool, got.text)
		}
	}
}

func TestWhatIsNoObjectIsSaid(t *testing.T) {
	a := connect(t, typedMemory(), setup{dir: "/w/shop"})
	for _, c := range []struct {
		tool, id, want string
	}{{"memory_inspect", "store.go", "such as ob_"}, {"memory_inspect", "ob_ffffffffffff", "memory_objects lists"}, {"memory_inspect", "", "object_id is needed"}} {
		if got := a.call(c.tool, map[string]any{"object_id": c.id}); !strings.Contains(got.text, c.want) {
			t.Errorf("%s: %s", c.id, got.text)
		}
	}
	if got := a.call("memory_objects", map[string]any{"session_id": "../x"}); !strings.Contains(got.text, "id of a session") {
		t.Error(got.text)
	}
	if got := a.call("memory_objects", map[string]any{"type": "secret"}); !strings.Contains(got.text, "has to be one of") {
		t.Error(got.text)
	}
}

package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
)

func testObjects() api.Objects {
	part := func(node string, turn, to int) []api.ObjectPart {
		return []api.ObjectPart{{Node: node, Turn: turn, To: to}}
	}
	return api.Objects{Session: testSessions()[0], Drawing: "digraph \"cc_1a2b3c4d\" {\n  \"ob_00000000000a\";\n}\n",
		Objects: []api.Object{
			{ID: "ob_00000000000a", Type: "debugging_session", Title: "The test TestOpen in store/index is flaky. Please fix it, and tell me why it fails only on slow machines.", FirstTurn: 1, LastTurn: 1, Goal: 1, Parts: part("n1", 1, 160), Bytes: 160, Tokens: 40, Level: "L0"},
			{ID: "ob_00000000000b", Type: "file_context", Title: "Read /home/robin/code/dormouse/store/index/open.go", Key: "/home/robin/code/dormouse/store/index/open.go", FirstTurn: 1, LastTurn: 1, Goal: 1, Parts: part("n4", 1, 48211), Bytes: 48211, Tokens: 12053, Level: "L3", Superseded: "ob_00000000000d"},
			{ID: "ob_00000000000c", Type: "error_context", Title: "Bash go test -run TestOpen -count 100 ./store/index", Key: "cmd:go test -run TestOpen -count 100 ./store/index", FirstTurn: 1, LastTurn: 2, Goal: 1, Parts: []api.ObjectPart{{Node: "n5", Turn: 1, To: 50}, {Node: "n5", Turn: 1, To: 900}, {Node: "n8", Turn: 2, To: 40}}, Bytes: 990, Tokens: 248, Level: "L0"},
			{ID: "ob_00000000000d", Type: "file_context", Title: "Read /home/robin/code/dormouse/store/index/open.go", Key: "/home/robin/code/dormouse/store/index/open.go", Agent: "ag-1", FirstTurn: 2, LastTurn: 2, Goal: 1, Parts: part("n9", 2, 48300), Bytes: 48300, Tokens: 12075, Level: "L0"},
			{ID: "ob_00000000000e", Type: "conversation_phase", Title: "修复了索引的错误：它被关闭了两次。", FirstTurn: 2, LastTurn: 2, Goal: 2, Parts: part("n10", 2, 60), Bytes: 60, Tokens: 15, Level: "L0"},
		},
		Relations: []api.ObjectRelation{{From: "ob_00000000000a", Kind: "parent_of", To: "ob_00000000000c"}, {From: "ob_00000000000c", Kind: "references", To: "ob_00000000000b"},
			{From: "ob_00000000000d", Kind: "supersedes", To: "ob_00000000000b"}},
		Stats: api.ObjectStats{Turns: 2, Blocks: 14, Objects: 5, Bytes: 97721, Tokens: 24431, Mean: 4886.2, Median: 248, Types: map[string]int{"debugging_session": 1, "file_context": 2, "error_context": 1, "conversation_phase": 1},
			Levels: [5]int{4, 0, 0, 1, 0}, Superseded: 1, Joined: 1, Goals: 2, Calls: 4}}
}

func (f *fake) objects(_ context.Context, q api.ObjectQuery) (api.Objects, error) {
	f.note("objects %+v", q)
	x := testObjects()
	if q.Session != "" && q.Session != x.Session.ID {
		return api.Objects{}, &api.Error{Code: api.CodeNotFound, Message: "there is no session " + q.Session}
	}
	if x.Object = q.Object; q.Object != "" {
		x.Text = strings.Repeat("a line of it\n", 40)
		if q.Object == "ob_ffffffffffff" {
			return api.Objects{}, &api.Error{Code: api.CodeNotFound, Message: "no session has an object ob_ffffffffffff; list objects: dormouse objects"}
		}
	}
	if !q.Draw {
		x.Drawing = ""
	}
	return x, nil
}

func TestObjectsLookAsTheyShould(t *testing.T) {
	x := testObjects()
	for _, width := range []struct {
		name string
		w    int
	}{{".80", 80}, {".120", 120}} {
		golden(t, "objects"+width.name, formatObjects(viewOf(width.w), x, 0))
		golden(t, "objects-last"+width.name, formatObjects(viewOf(width.w), x, 2))
		golden(t, "objects-none"+width.name, formatObjects(viewOf(width.w), api.Objects{Session: x.Session}, 0))
		one := x
		one.Object, one.Text = "ob_00000000000c", "--- FAIL: TestOpen\n\tindex_test.go:12\x1b[31m\n"+strings.Repeat("more\n", 60)
		golden(t, "inspect"+width.name, formatObject(viewOf(width.w), one, false))
		golden(t, "stats"+width.name, formatStats(viewOf(width.w), contextStats{x.Session, x.Stats, pagedProxy()}))
		golden(t, "stats-none"+width.name, formatStats(viewOf(width.w), contextStats{Proxy: api.Proxy{State: api.ProxyShut}}))
	}
}

func TestObjectsAreAskedFor(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	for _, c := range []struct{ args, out, asked string }{
		{"objects", "ob_00000000000b", "objects {Session: Project: Object: Draw:false For:}"},
		{"objects --session cc_1a2b --type file_context --current", "ob_00000000000d", "objects {Session:cc_1a2b3c4d Project: Object: Draw:false For:}"},
		{"objects graph --session cc_1a2b3c4d", "digraph", "objects {Session:cc_1a2b3c4d Project: Object: Draw:true For:}"},
		{"inspect OB_00000000000c", "Names", "objects {Session: Project: Object:ob_00000000000c Draw:false For:}"},
		{"stats --session cc_1a2b", "with a newer copy", "objects {Session:cc_1a2b3c4d Project: Object: Draw:false For:}"},
		{"proxy stats", "Listens at", "proxy "},
	} {
		r := dormouse(t, home, strings.Fields(c.args)...)
		if r.code != exitOK || !strings.Contains(r.out, c.out) || f.asked[len(f.asked)-1] != c.asked {
			t.Errorf("%s: %+v, asked %q", c.args, r, f.asked[len(f.asked)-1])
		}
		r = dormouse(t, home, append(strings.Fields(c.args), "--json")...)
		var v any
		if err := json.Unmarshal([]byte(r.out), &v); r.code != exitOK || err != nil {
			t.Errorf("%s --json: %+v %v", c.args, r, err)
		}
	}
	r := dormouse(t, home, "objects", "--type", "file_context", "--current", "--json")
	var x api.Objects
	if err := json.Unmarshal([]byte(r.out), &x); err != nil || len(x.Objects) != 1 || x.Objects[0].ID != "ob_00000000000d" {
		t.Errorf("%+v %v", x.Objects, err)
	}
	if r := dormouse(t, home, "inspect", "ob_00000000000b"); strings.Count(r.out, "a line of it") != maxHeld || !strings.Contains(r.out, "--full") {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "inspect", "ob_00000000000b", "--full"); strings.Count(r.out, "a line of it") != 40 {
		t.Errorf("%+v", r)
	}
	for args, want := range map[string]string{"objects --type x": "--type is one of", "objects --limit -1": "--limit", "inspect cc_1a2b": "id of an object", "inspect ob_ffffffffffff": "dormouse objects",
		"objects --session zz": "dormouse sessions", "objects grahp": "no command", "stats x": "no arguments"} {
		if r := dormouse(t, home, strings.Fields(args)...); r.code == exitOK || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := dormouse(t, filepath.Join(t.TempDir(), "nobody"), "objects"); r.code == exitOK || !strings.Contains(r.err, "dormouse up") {
		t.Errorf("without a service: %+v", r)
	}
}

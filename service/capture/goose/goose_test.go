package goose_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/capture/goose"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	_ "modernc.org/sqlite"
)

var open = parsertest.OpenLibrary(goose.Open)

// count counts straight from the rows, with its own reading of them.
func count(t *testing.T, path string) map[string]parsertest.Counts {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := map[string]parsertest.Counts{}
	rows, err := db.Query("SELECT session_id, role, content_json FROM messages")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var session, role, content string
		if err := rows.Scan(&session, &role, &content); err != nil {
			t.Fatal(err)
		}
		var list []map[string]any
		if err := json.Unmarshal([]byte(content), &list); err != nil {
			t.Fatal(err)
		}
		c, kinds := out[session], map[string]int{}
		for _, i := range list {
			kinds[i["type"].(string)]++
		}
		c.Calls += kinds["toolRequest"]
		switch {
		case role == "user" && kinds["text"] > 0:
			c.Prompts++
		case role == "assistant" && (kinds["text"] > 0 || kinds["toolRequest"] == 0):
			c.Messages++
		}
		out[session] = c
	}
	ledger, err := db.Query("SELECT session_id, sum(input_tokens), sum(output_tokens) FROM usage_ledger GROUP BY 1")
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	for ledger.Next() {
		var session string
		var u memory.Usage
		if err := ledger.Scan(&session, &u.Input, &u.Output); err != nil {
			t.Fatal(err)
		}
		c := out[session]
		c.Tokens = u
		out[session] = c
	}
	return out
}

func TestCountsEqualThoseMadeStraightFromTheRecords(t *testing.T) {
	files := parsertest.Samples(t, "goose", func(p string) bool { return strings.HasSuffix(p, ".db") })
	if len(files) == 0 {
		t.Fatal("no database")
	}
	for _, path := range files {
		got, want := open.Read(t, path, transcript.Over), count(t, path)
		if len(got[""].Skips.Counts()) > 0 || len(got)-1 != len(want) {
			t.Errorf("%d sessions, want %d; skipped %+v", len(got)-1, len(want), got[""].Skips.Counts())
		}
		for id, w := range want {
			if c := parsertest.Counted(got[id].Nodes); c != w {
				t.Errorf("session %s: captured %+v, the records hold %+v", id, c, w)
			}
		}
	}
}

func TestDAGsAreTheGoldenOnes(t *testing.T) {
	got := open.Read(t, "testdata/sessions/sessions.db", transcript.Over)
	var out strings.Builder
	for _, id := range []string{"20260805_1", "20260805_3"} {
		fmt.Fprintf(&out, "%s: %+v\n%s", id, got[id].Facts, parsertest.DAG(got[id].Nodes))
	}
	parsertest.Golden(t, "database", out.String())
}

func TestThoughtsAreJoinedAsTheyWereStreamed(t *testing.T) {
	for _, n := range open.Read(t, "testdata/sessions/sessions.db", transcript.Over)["20260805_1"].Nodes {
		if strings.HasPrefix(n.Metadata.Thinking, "Okay, the user is asking") {
			return
		}
	}
	t.Error("no thought reads like one")
}

func TestAnOldSessionIsRead(t *testing.T) {
	c := open.One(t, "testdata/sessions/20250724_1.jsonl")
	if s := parsertest.Shape(c.Nodes); s != "u:Say hello<- a:Hello from Goose!<Say hello" || c.Facts.Cwd != "/workspace/demo" || c.Nodes[0].Metadata.Cwd != "/workspace/demo" {
		t.Errorf("%s, %+v", s, c.Facts)
	}
}

const tables = `CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, user_set_name BOOLEAN, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP, model_config_json TEXT, parent_session_id TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);
CREATE TABLE usage_ledger (id INTEGER PRIMARY KEY, session_id TEXT, created_timestamp INTEGER, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER)`

func makeDB(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sessions", "sessions.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range append([]string{tables}, statements...) {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(q, err)
		}
	}
	return path
}

func session(id, parent string) string {
	return fmt.Sprintf(`INSERT INTO sessions VALUES ('%s', 'N', '', 0, '/w', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '{"model_name":"m"}', NULLIF('%s', ''))`, id, parent)
}

func msg(id, session, role, content, about string) string {
	return fmt.Sprintf(`INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) VALUES ('%s', '%s', '%s', '%s', 1767225600, '%s')`, id, session, role, content, about)
}

func script() []string {
	return []string{session("1", ""), session("2", "1"),
		msg("a", "1", "user", `[{"type":"text","text":"ask"}]`, `{"userVisible":true,"agentVisible":false}`),
		msg("b", "1", "assistant", `[{"type":"text","text":"say"},{"type":"toolRequest","id":"t1","toolCall":{"status":"success","value":{"name":"delegate","arguments":{"x":1}}}}]`, `{"agentVisible":false}`),
		msg("c", "1", "user", `[{"type":"toolResponse","id":"t1","toolResult":{"status":"success","value":[{"type":"text","text":"found"}]}}]`, `{"agentVisible":false}`),
		msg("k", "2", "user", `[{"type":"text","text":"dig"}]`, `{}`),
		msg("l", "2", "assistant", `[{"type":"text","text":"found it"}]`, `{}`),
		msg("d", "1", "user", `[{"type":"text","text":"so far"}]`, `{"userVisible":false,"agentVisible":true}`),
		msg("e", "1", "assistant", `[{"type":"toolRequest","id":"t2","toolCall":{"status":"error","error":"no such"}}]`, `{}`),
		`INSERT INTO usage_ledger VALUES (1, '1', 1767225600, 7, 8, 1, 2)`,
	}
}

func TestCompactionSubAgentAndLedgerFromTheDescriptionOfTheFormat(t *testing.T) {
	all := open.Read(t, makeDB(t, script()...), transcript.Over)
	c := all["1"]
	if len(all) != 2 || c == nil {
		t.Fatalf("%d sessions", len(all)-1)
	}
	want := "u:ask<- a:say<ask u:dig<- a:found it<dig t:found<say u:so far<found t:no such<so far"
	if s := parsertest.Shape(c.Nodes); s != want {
		t.Errorf("%s, want %s", s, want)
	}
	for _, n := range c.Nodes {
		switch n.Output {
		case "dig":
			if n.CalledBy == "" || n.Metadata.Kind != memory.KindTask {
				t.Errorf("%+v", n)
			}
		case "so far":
			if n.Metadata.Kind != memory.KindCompaction || n.Metadata.Compaction.Last != string(n.ParentID) {
				t.Errorf("%+v", n.Metadata)
			}
		case "no such":
			if u := n.Metadata.Usage; n.Metadata.Status != memory.StatusError || u == nil || *u != (memory.Usage{Input: 7, Output: 8, CacheRead: 1, CacheWrite: 2}) {
				t.Errorf("%+v, %+v", n.Metadata, u)
			}
		}
	}
}

func TestADatabaseThatGrowsGivesTheNodesOfTheWhole(t *testing.T) {
	rows := script()
	var steps [][]byte
	for i := 3; i <= len(rows); i++ {
		b, err := os.ReadFile(makeDB(t, rows[:i]...))
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, b)
	}
	open.Grows(t, "sessions.db", steps...)
}

func TestTheDatabaseRanksBeforeTheOldFiles(t *testing.T) {
	rank := func(path string) (r int) {
		lib, err := goose.Open(path, transcript.Options{})
		if err == nil {
			err = lib.List(t.Context(), func(e transcript.Entry) error { r = e.Rank; return nil })
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if rank("testdata/sessions/sessions.db") <= rank("testdata/sessions/20250724_1.jsonl") {
		t.Error("they rank otherwise")
	}
}

func TestRootsAreWhereTheSystemKeepsThem(t *testing.T) {
	roots := goose.Roots(func(n string) string { return map[string]string{"APPDATA": "/app"}[n] }, "/home/u")
	if !slices.Contains(roots, filepath.Join("/home/u", ".local/share/goose/sessions")) || !slices.Contains(roots, filepath.Join("/app", "Block/goose/data/sessions")) {
		t.Errorf("%q", roots)
	}
}

// readLine reads a line of any content, twice in one file.
func readLine(t *testing.T, text []byte) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(string(text)+"\n"+string(text)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	parsertest.Sound(t, open.One(t, path).Nodes)
}

var lineSeeds = [][]byte{
	[]byte(`{"id":"m","role":"assistant","created":1,"content":[{"type":"thinking","thinking":"a"},{"type":"toolRequest","id":"t","toolCall":{"value":{"name":"x__delegate"}}},{"type":"image","data":"AA"}]}`),
	[]byte(`{"role":"user","content":[{"type":"toolResponse","id":"t","toolResult":{"value":{"content":[{"type":"resource"}],"structuredContent":{"exit_code":2}}}},{"type":"systemNotification","msg":"x"}]}`)}

func FuzzMessages(f *testing.F) {
	for _, s := range lineSeeds {
		f.Add(s)
	}
	f.Fuzz(readLine)
}

func TestDamagedMessagesGiveSoundNodes(t *testing.T) {
	parsertest.Damage(t, func(text []byte) { readLine(t, text) }, lineSeeds...)
}

package opencode_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/capture/opencode"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	_ "modernc.org/sqlite"
)

var open = parsertest.OpenLibrary(opencode.OpenCode.Open)

// stores are the databases and trees of testdata and of the wide set.
func stores(t testing.TB) []string {
	t.Helper()
	seen := map[string]bool{}
	var out []string
	for _, path := range parsertest.Samples(t, "opencode", func(p string) bool { return opencode.OpenCode.Match(p) }) {
		if lib := opencode.OpenCode.Of(path); !seen[lib] {
			seen[lib] = true
			out = append(out, lib)
		}
	}
	return out
}

func TestCountsEqualThoseMadeStraightFromTheRecords(t *testing.T) {
	all := stores(t)
	if len(all) < 2 {
		t.Errorf("only %q", all)
	}
	for _, path := range all {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			got := open.Read(t, path, transcript.Over)
			skips := got[""].Skips.Counts()
			delete(got, "")
			want := count(t, path)
			for id, c := range got {
				parsertest.Sound(t, c.Nodes)
				if n := parsertest.Counted(c.Nodes); n != want[id] {
					t.Errorf("session %s: captured %+v, the records hold %+v", id, n, want[id])
				}
				delete(want, id)
			}
			if len(want) > 0 || len(skips) > 0 {
				t.Errorf("not captured: %+v, skipped: %+v", want, skips)
			}
		})
	}
}

func TestDAGsAreTheGoldenOnes(t *testing.T) {
	var out strings.Builder
	got := open.Read(t, "testdata/opencode.db", transcript.Over)
	for _, id := range sorted(got) {
		fmt.Fprintf(&out, "%s: %+v\n%s", id, got[id].Facts, parsertest.DAG(got[id].Nodes))
	}
	parsertest.Golden(t, "database", out.String())
	parsertest.Golden(t, "script", parsertest.DAG(open.One(t, script(t)).Nodes))
}

// make makes a database from statements.
func makeDB(t testing.TB, path string, statements ...string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(q, err)
		}
	}
	return path
}

const firstTables = `CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, revert text, time_created integer, time_updated integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);
CREATE INDEX message_i ON message (session_id, time_created, id); CREATE INDEX part_i ON part (session_id); CREATE INDEX part_m ON part (message_id, id);`

func sess(id, parent string, updated int) string {
	return fmt.Sprintf(`INSERT INTO session VALUES (%q, 'p', NULLIF(%q, ''), '/w', 'A title', NULL, 1000000, %d)`, id, parent, updated)
}

func msg(id, session string, at int, data string) string {
	return fmt.Sprintf(`INSERT OR REPLACE INTO message VALUES ('%s', '%s', %d, %d, '%s')`, id, session, at, at, data)
}

func prt(id, message, session, data string) string {
	return fmt.Sprintf(`INSERT OR REPLACE INTO part VALUES ('%s', '%s', '%s', 5, 5, '%s')`, id, message, session, data)
}

const done = `"time":{"created":2000000,"completed":2001000}`

// script is a database with most of what a session can hold.
func script(t testing.TB) string {
	return makeDB(t, filepath.Join(t.TempDir(), "opencode.db"), scriptRows()...)
}

func scriptRows() []string {
	return []string{firstTables, sess("ses_a", "", 9000000), sess("ses_b", "ses_a", 8000000),
		msg("msg_1", "ses_a", 1000000, `{"role":"user","time":{"created":1000000}}`),
		prt("prt_1a", "msg_1", "ses_a", `{"type":"text","text":"Mend it"}`),
		prt("prt_1b", "msg_1", "ses_a", `{"type":"text","text":"Called the Read tool","synthetic":true}`),
		prt("prt_1c", "msg_1", "ses_a", `{"type":"file","mime":"image/png","url":"data:image/png;base64,AAAA"}`),
		msg("msg_2", "ses_a", 2000000, `{"role":"assistant","modelID":"m1","parentID":"msg_1","path":{"cwd":"/w/sub"},"tokens":{"input":10,"output":5,"reasoning":2,"cache":{"read":3,"write":4}},`+done+`}`),
		prt("prt_2a", "msg_2", "ses_a", `{"type":"reasoning","text":"hm"}`),
		prt("prt_2b", "msg_2", "ses_a", `{"type":"text","text":"I look"}`),
		prt("prt_2c", "msg_2", "ses_a", `{"type":"tool","callID":"c1","tool":"bash","state":{"status":"completed","input":{"command":"false"},"output":"bad","metadata":{"exit":1},"time":{"start":2000000,"end":2000700}}}`),
		prt("prt_2d", "msg_2", "ses_a", `{"type":"tool","callID":"c2","tool":"edit","state":{"status":"completed","input":{"filePath":"/w/a.go","oldString":"x","newString":"y"},"output":"ok","metadata":{"diff":"--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"},"time":{"start":1,"end":2}}}`),
		prt("prt_2e", "msg_2", "ses_a", `{"type":"tool","callID":"c3","tool":"task","state":{"status":"completed","input":{"prompt":"look around","subagent_type":"explore"},"output":"seen","metadata":{"sessionId":"ses_b"},"time":{"start":1,"end":2}}}`),
		msg("msg_b1", "ses_b", 2000100, `{"role":"user","time":{"created":2000100}}`),
		prt("prt_b1", "msg_b1", "ses_b", `{"type":"text","text":"look around"}`),
		msg("msg_b2", "ses_b", 2000200, `{"role":"assistant","modelID":"m2","time":{"created":2000200,"completed":2000300}}`),
		prt("prt_b2", "msg_b2", "ses_b", `{"type":"text","text":"seen"}`),
		msg("msg_3", "ses_a", 3000000, `{"role":"user","time":{"created":3000000}}`),
		prt("prt_3", "msg_3", "ses_a", `{"type":"compaction","auto":true}`),
		msg("msg_4", "ses_a", 3000100, `{"role":"assistant","summary":true,"modelID":"m1","time":{"created":3000100,"completed":3000200}}`),
		prt("prt_4", "msg_4", "ses_a", `{"type":"text","text":"It was mended"}`),
		msg("msg_5", "ses_a", 4000000, `{"role":"assistant","modelID":"m1","error":{"name":"MessageAbortedError","data":{"message":"stop"}},"time":{"created":4000000}}`),
		prt("prt_5", "msg_5", "ses_a", `{"type":"tool","callID":"c9","tool":"read","state":{"status":"running","input":{"filePath":"/w/b.go"}}}`),
	}
}

func sorted(m map[string]*parsertest.Captured) []string {
	var out []string
	for id := range m {
		if id != "" {
			out = append(out, id)
		}
	}
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func TestASessionThatGrowsGivesTheNodesOfTheWhole(t *testing.T) {
	rows := scriptRows()
	var steps [][]byte
	for i := 4; i <= len(rows); i++ {
		b, err := os.ReadFile(makeDB(t, filepath.Join(t.TempDir(), "opencode.db"), rows[:i]...))
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, b)
	}
	open.Grows(t, "opencode.db", steps...)
}

func TestAMessageIsReadWhenItIsComplete(t *testing.T) {
	half := msg("msg_2", "ses_a", 2000000, `{"role":"assistant","time":{"created":2000000}}`)
	rows := []string{firstTables, sess("ses_a", "", 1), msg("msg_1", "ses_a", 1000000, `{"role":"user"}`), prt("p1", "msg_1", "ses_a", `{"type":"text","text":"ask"}`),
		half, prt("p2", "msg_2", "ses_a", `{"type":"text","text":"half"}`)}
	shape := func(how transcript.Settle, more ...string) string {
		path := makeDB(t, filepath.Join(t.TempDir(), "opencode.db"), append(rows, more...)...)
		return parsertest.Shape(open.Read(t, path, how)["ses_a"].Nodes)
	}
	if got := shape(transcript.Quiet); got != "u:ask<-" {
		t.Errorf("while it is written: %s", got)
	}
	if got := shape(transcript.Over); got != "u:ask<- a:half<ask" {
		t.Errorf("given up: %s", got)
	}
	next := msg("msg_3", "ses_a", 3000000, `{"role":"user"}`)
	if got := shape(transcript.Quiet, next, prt("p3", "msg_3", "ses_a", `{"type":"text","text":"on"}`)); got != "u:ask<- a:half<ask u:on<half" {
		t.Errorf("followed by another: %s", got)
	}
}

func TestWhatWasTakenBackIsLeftBehindByTheHead(t *testing.T) {
	path := makeDB(t, filepath.Join(t.TempDir(), "opencode.db"), append(scriptRows(), `UPDATE session SET revert = '{"messageID":"msg_3"}' WHERE id = 'ses_a'`)...)
	c := open.One(t, path)
	for _, n := range c.Nodes {
		if n.ID == c.Facts.Head && n.Name == "task" {
			return
		}
	}
	t.Errorf("the head is %s:\n%s", c.Facts.Head, parsertest.DAG(c.Nodes))
}

func TestASubAgentWhoseParentIsGoneKeepsItsPlace(t *testing.T) {
	path := makeDB(t, filepath.Join(t.TempDir(), "opencode.db"), append(scriptRows(), `DELETE FROM session WHERE id = 'ses_a'`)...)
	c := open.Read(t, path, transcript.Over)["ses_a"]
	if c == nil || parsertest.Shape(c.Nodes) != "u:look around<- a:seen<look around" || c.Nodes[0].StartsTurn() || c.Nodes[0].Metadata.AgentID != "ses_b" {
		t.Errorf("%+v", c)
	}
}

const secondTables = `CREATE TABLE session_v2 (id text primary key, parent_id text, directory text, title text, fork_session_id text, fork_boundary text, time_created integer, time_updated integer);
CREATE TABLE session_message (id text primary key, session_id text, type text, seq integer, time_created integer, time_updated integer, data text)`

func row(id, session, typ string, seq int, data string) string {
	return fmt.Sprintf(`INSERT INTO session_message VALUES ('%s', '%s', '%s', %d, %d, 1, '%s')`, id, session, typ, seq, seq*1000, data)
}

func secondRows() []string {
	return []string{secondTables, `INSERT INTO session_v2 VALUES ('s1', NULL, '/w', 'T', NULL, NULL, 1000, 9000), ('s2', 's1', '/w', 'C', NULL, NULL, 1000, 9000), ('s3', NULL, '/w', 'F', 's1', '2', 1000, 9000)`,
		row("m1", "s1", "user", 1, `{"text":"ask"}`),
		row("m2", "s1", "assistant", 2, `{"model":{"id":"big"},"tokens":{"input":3,"output":4},"content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"answer"},{"type":"tool","id":"t1","name":"subagent","state":{"status":"completed","input":{"agent":"explore"},"content":[{"type":"text","text":"found"}],"metadata":{"sessionID":"s2"}},"time":{"created":1,"ran":2000,"completed":3500}}],"finish":"stop"}`),
		row("m3", "s1", "shell", 4, `{"command":"ls","output":"a b"}`),
		row("m4", "s1", "compaction", 5, `{"status":"completed","reason":"auto","summary":"so far"}`),
		row("m5", "s1", "idle", 6, `{"outcome":"done"}`),
		row("k1", "s2", "user", 1, `{"text":"dig"}`),
		row("k2", "s2", "assistant", 2, `{"content":[{"type":"text","text":"found"}],"finish":"stop"}`),
		row("f1", "s3", "user", 9, `{"text":"other way"}`),
	}
}

func TestTheSecondFormOfTheDatabaseIsRead(t *testing.T) {
	got := open.Read(t, makeDB(t, filepath.Join(t.TempDir(), "opencode.db"), secondRows()...), transcript.Over)
	want := map[string]string{"s1": "u:ask<- a:answer<ask t:found<answer u:dig<- a:found<dig u:$ ls\na b<found u:so far<$ ls\na b",
		"s3": "u:ask<- a:answer<ask t:found<answer u:dig<- a:found<dig u:other way<found"}
	for id, w := range want {
		if s := parsertest.Shape(got[id].Nodes); s != w {
			t.Errorf("%s: %q, want %q", id, s, w)
		}
	}
	if len(got) != 3 || got["s3"].Facts.ForkOf != "s1" || got["s1"].Nodes[0].ID != got["s3"].Nodes[0].ID {
		t.Errorf("%d sessions, fork of %q", len(got)-1, got["s3"].Facts.ForkOf)
	}
	call := got["s1"].Nodes[2]
	if call.Metadata.DurationMS != 1500 || got["s1"].Nodes[3].CalledBy != "" && string(got["s1"].Nodes[3].CalledBy) != call.ID {
		t.Errorf("call %+v", call)
	}
}

func TestASessionInBothFormsOfTheDatabaseCountsOnce(t *testing.T) {
	rows := append(secondRows(), firstTables, sess("s1", "", 1), msg("m1", "s1", 1000, `{"role":"user"}`), prt("x", "m1", "s1", `{"type":"text","text":"old"}`))
	got := open.Read(t, makeDB(t, filepath.Join(t.TempDir(), "opencode.db"), rows...), transcript.Over)
	if len(got) != 3 || strings.Contains(parsertest.Shape(got["s1"].Nodes), "old") {
		t.Errorf("%d sessions: %s", len(got)-1, parsertest.Shape(got["s1"].Nodes))
	}
}

const exported = `{"info":{"id":"ses_a","directory":"/w","title":"A title","time":{"created":1000000,"updated":9000000}},"messages":[
{"info":{"id":"msg_1","sessionID":"ses_a","role":"user","time":{"created":1000000}},"parts":[{"id":"prt_1a","type":"text","text":"Mend it"}]},
{"info":{"id":"msg_2","role":"assistant","modelID":"m1","time":{"created":2000000,"completed":2001000}},"parts":[{"id":"prt_2b","type":"text","text":"I look"},{"id":"prt_2c","type":"tool","callID":"c1","tool":"bash","state":{"status":"completed","input":{"command":"false"},"output":"bad","metadata":{"exit":1}}}]}]}`

func TestAnExportHasTheNodesOfTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(path, []byte(exported), 0o600); err != nil {
		t.Fatal(err)
	}
	if !opencode.OpenCode.Imports(path, []byte(exported)) || opencode.OpenCode.Imports(path, []byte(`{"mapping":{}}`)) {
		t.Error("exports are not told from other files")
	}
	ids := map[string]bool{}
	for _, n := range open.One(t, script(t)).Nodes {
		ids[n.ID] = true
	}
	c := open.One(t, path)
	if len(c.Nodes) != 3 {
		t.Errorf("%s", parsertest.DAG(c.Nodes))
	}
	for _, n := range c.Nodes {
		if !ids[n.ID] {
			t.Errorf("the database has no node %+v", n)
		}
	}
}

func TestVersionsChangeWithWhatIsRead(t *testing.T) {
	for _, change := range []string{
		`UPDATE part SET time_updated = 77 WHERE id = 'prt_b2'`,
		`DELETE FROM part WHERE id = 'prt_2b'`,
		`UPDATE session SET title = 'other' WHERE id = 'ses_a'`,
		`INSERT INTO message VALUES ('msg_9', 'ses_b', 2000400, 1, '{}')`,
		`UPDATE session SET revert = '{"messageID":"msg_3"}' WHERE id = 'ses_a'`,
	} {
		path := script(t)
		before := version(t, path)
		makeDB(t, path, change)
		if version(t, path) == before {
			t.Errorf("not after %s", change)
		}
	}
	path := script(t)
	before := version(t, path)
	makeDB(t, path, `INSERT INTO session VALUES ('ses_z', 'p', NULL, '/z', 'Z', NULL, 1, 2)`)
	if version(t, path) != before {
		t.Error("it changes with another session")
	}
}

func version(t *testing.T, path string) (v string) {
	t.Helper()
	lib, err := opencode.OpenCode.Open(path, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = lib.List(t.Context(), func(e transcript.Entry) error {
		if e.Session == "ses_a" {
			v = e.Version
		}
		return nil
	})
	if err != nil || v == "" {
		t.Fatal(v, err)
	}
	return v
}

// readExport reads a file of any content as an export.
func readExport(t *testing.T, text []byte) {
	path := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	lib, _ := opencode.OpenCode.Open(path, transcript.Options{})
	_ = lib.List(t.Context(), func(e transcript.Entry) error {
		var nodes []memory.Node
		_, err := lib.Read(t.Context(), e.Session, transcript.Over, func(n memory.Node) error { nodes = append(nodes, n); return nil })
		parsertest.Sound(t, nodes)
		return err
	})
}

var exportSeeds = [][]byte{[]byte(exported),
	[]byte(`{"info":{"id":"ses_a","parentID":"ses_a"},"messages":[{"info":{"id":"x","role":"assistant","summary":true,"error":{"name":"E"}},"parts":[{"type":"retry"},{"type":"tool","state":{"metadata":{"files":[{"type":"add","diff":"@@\n+a"}],"results":[{}]}}}]}]}`)}

func FuzzExport(f *testing.F) {
	for _, s := range exportSeeds {
		f.Add(s)
	}
	f.Fuzz(readExport)
}

func TestDamagedExportsGiveSoundNodes(t *testing.T) {
	parsertest.Damage(t, func(text []byte) { readExport(t, text) }, exportSeeds...)
}

func TestDamagedRowsGiveSoundNodes(t *testing.T) {
	path := makeDB(t, filepath.Join(t.TempDir(), "opencode.db"), append(scriptRows(), secondRows()...)...)
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var seeds [][]byte
	for _, q := range []string{"SELECT data FROM part", "SELECT data FROM message", "SELECT data FROM session_message"} {
		rows, err := db.Query(q)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var b []byte
			if err := rows.Scan(&b); err != nil {
				t.Fatal(err)
			}
			seeds = append(seeds, b)
		}
		rows.Close()
	}
	old := time.Unix(1700000000, 5)
	parsertest.Damage(t, func(text []byte) {
		for _, q := range []string{"UPDATE part SET data = ? WHERE rowid = 1 + abs(random()) % 12", "UPDATE message SET data = ? WHERE rowid = 1 + abs(random()) % 7",
			"UPDATE session_message SET data = ? WHERE rowid = 1 + abs(random()) % 8"} {
			if _, err := db.Exec(q, string(text)); err != nil {
				t.Fatal(err)
			}
		}
		_ = os.Chtimes(path, old, old)
		for _, c := range open.Read(t, path, transcript.Over) {
			parsertest.Sound(t, c.Nodes)
		}
	}, seeds...)
}

package cursor_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/service/capture/cursor"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	_ "modernc.org/sqlite"
)

var open = parsertest.OpenLibrary(cursor.Open)

func TestTranscriptsHaveTheCountsOfTheirLines(t *testing.T) {
	files := parsertest.Samples(t, "cursor", func(p string) bool { return strings.HasSuffix(p, ".jsonl") })
	if len(files) < 5 {
		t.Errorf("only %q", files)
	}
	for _, path := range files {
		c := open.One(t, path)
		parsertest.Sound(t, c.Nodes)
		if got, want := parsertest.Counted(c.Nodes), countLines(t, path); got != want {
			t.Errorf("%s: captured %+v, the lines hold %+v", path, got, want)
		}
	}
}

func TestConversationsOfAWorkspaceHaveTheCountsOfTheirBubbles(t *testing.T) {
	for _, path := range parsertest.Samples(t, "cursor", func(p string) bool { return strings.HasSuffix(p, ".vscdb") }) {
		got, want := open.Read(t, path, transcript.Over), countBubbles(t, path)
		if len(got[""].Skips.Counts()) > 0 || len(got)-1 != len(want) {
			t.Errorf("%s: %d conversations, want %d; skipped %+v", path, len(got)-1, len(want), got[""].Skips.Counts())
		}
		for id, w := range want {
			if got[id] == nil || parsertest.Counted(got[id].Nodes) != w {
				t.Errorf("conversation %s: want %+v, captured\n%s", id, w, parsertest.DAG(got[id].Nodes))
			}
		}
	}
}

func TestDAGsAreTheGoldenOnes(t *testing.T) {
	parsertest.Golden(t, "transcript", parsertest.DAG(open.One(t, "testdata/agent-transcripts/large.jsonl").Nodes))
	parsertest.Golden(t, "subagent", parsertest.DAG(open.One(t, "testdata/agent-transcripts/parent").Nodes))
	got := open.Read(t, globalState(t), transcript.Over)
	parsertest.Golden(t, "editor", fmt.Sprintf("%+v\n%s", got["A"].Facts, parsertest.DAG(got["A"].Nodes)))
	parsertest.Golden(t, "chat", parsertest.DAG(open.One(t, chatStore(t, turnBlobs...)).Nodes))
}

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

const kv = "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"

func put(key, doc string) string {
	return fmt.Sprintf("INSERT INTO cursorDiskKV VALUES ('%s', CAST('%s' AS BLOB))", key, strings.ReplaceAll(doc, "'", "''"))
}

func editorRows() []string {
	call := func(name, args, result, more string) string {
		q := func(s string) string { b, _ := json.Marshal(s); return string(b) }
		return `{"type":2,"text":"","toolFormerData":{"name":"` + name + `","rawArgs":` + q(args) + `,"result":` + q(result) + more + `}}`
	}
	return []string{kv,
		put("composerData:A", `{"composerId":"A","name":"Mend","createdAt":1760000000000,"lastUpdatedAt":1760000100000,"createdOnBranch":"main","modelConfig":{"modelName":"big"},"subComposerIds":["B"],"latestConversationSummary":{"summary":{"summary":"so far","truncationLastBubbleIdInclusive":"a6"}},"fullConversationHeadersOnly":[{"bubbleId":"a1","type":1},{"bubbleId":"a2","type":2},{"bubbleId":"a3","type":2},{"bubbleId":"a4","type":2},{"bubbleId":"a5","type":2},{"bubbleId":"a6","type":2},{"bubbleId":"a7","type":1},{"bubbleId":"a8","type":2}]}`),
		put("bubbleId:A:a1", `{"type":1,"text":"mend it","createdAt":"2025-10-09T08:53:20Z","workspaceUris":["file:///w/app"],"images":[{"path":"/tmp/x.png"}]}`),
		put("bubbleId:A:a2", `{"type":2,"text":"","thinking":{"text":"hm"}}`),
		put("bubbleId:A:a3", `{"type":2,"text":"I look","tokenCount":{"inputTokens":5,"outputTokens":6},"modelInfo":{"modelName":"small"}}`),
		put("bubbleId:A:a4", call("run_terminal_cmd", `{"command":"false"}`, `{"output":"bad","exitCodeV2":1}`, `,"status":"completed"`)),
		put("bubbleId:A:a5", call("edit_file", `{"target_file":"/w/a.go"}`, `{"diff":{"chunks":[{"diffString":"-x\n+y","oldStart":1,"newStart":1,"oldLines":1,"newLines":1}]}}`, `,"status":"completed"`)),
		put("bubbleId:A:a6", call("task", `{"prompt":"dig"}`, `{"subComposerId":"B","output":"found"}`, `,"status":"completed"`)),
		put("bubbleId:A:a7", `{"type":1,"text":"<user_query>\nonward\n</user_query>\n<open_files>x</open_files>"}`),
		put("bubbleId:A:a8", call("read_file", `{"target_file":"/w/b.go"}`, ``, `,"status":"cancelled"`)),
		put("composerData:B", `{"composerId":"B","createdAt":1760000000000,"conversation":[{"type":1,"bubbleId":"b1","text":"dig"},{"type":2,"bubbleId":"b2","text":"found"}]}`),
		"INSERT INTO cursorDiskKV VALUES ('composerData:C', NULL)",
	}
}

// globalState is a database of the editor with most of what a conversation can hold.
func globalState(t testing.TB, more ...string) string {
	return makeDB(t, filepath.Join(t.TempDir(), "globalStorage", "state.vscdb"), append(editorRows(), more...)...)
}

func TestBubblesInADatabaseOfTheirOwn(t *testing.T) {
	c := open.One(t, globalState(t))
	want := "u:mend it<- a:I look<mend it t:bad<I look t:" + `{"diff":{"chunks":[{"diffString":"-x\n+y","oldStart":1,"newStart":1,"oldLines":1,"newLines":1}]}}` + "<bad "
	got := parsertest.Shape(c.Nodes)
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "u:dig<- a:found<dig u:so far<found u:onward<so far u:<open_files>x</open_files><onward t:read_file<<open_files>x</open_files>") {
		t.Errorf("%s", got)
	}
	if c.Facts.Cwd != "/w/app" || c.Facts.GitBranch != "main" || c.Facts.Title != "Mend" || c.Nodes[1].Metadata.Thinking != "hm" {
		t.Errorf("%+v, %+v", c.Facts, c.Nodes[1])
	}
	if n := c.Nodes[len(c.Nodes)-1]; n.Metadata.Status != memory.StatusInterrupted || !slices.Contains(n.Reads, "file:/w/b.go") {
		t.Errorf("%+v", n)
	}
}

func TestAConversationThatGrowsGivesTheNodesOfTheWhole(t *testing.T) {
	rows := editorRows()
	head := []string{`{"bubbleId":"a1"}`, `{"bubbleId":"a3"}`, `{"bubbleId":"a4"}`}
	var steps [][]byte
	for i := range head {
		doc := fmt.Sprintf(`{"composerId":"A","lastUpdatedAt":%d,"fullConversationHeadersOnly":[%s]}`, 1760000000000+i, strings.Join(head[:i+1], ","))
		b, err := os.ReadFile(makeDB(t, filepath.Join(t.TempDir(), "state.vscdb"), append(slices.Clone(rows[:11]), put("composerData:A", doc))...))
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, b)
	}
	open.Grows(t, "state.vscdb", steps...)
}

func TestABubbleThatIsBeingMadeWaits(t *testing.T) {
	doc := `{"composerId":"A","generatingBubbleIds":["a3"],"fullConversationHeadersOnly":[{"bubbleId":"a1"},{"bubbleId":"a3"}]}`
	path := globalState(t, put("composerData:A", doc))
	if got := parsertest.Shape(open.Read(t, path, transcript.Quiet)["A"].Nodes); got != "u:mend it<-" {
		t.Errorf("%s", got)
	}
	if got := parsertest.Shape(open.Read(t, path, transcript.Over)["A"].Nodes); !strings.Contains(got, "a:I look<mend it") {
		t.Errorf("given up: %s", got)
	}
}

func version(t *testing.T, path, id string) (v string) {
	t.Helper()
	lib, err := cursor.Open(path, transcript.Options{})
	if err == nil {
		err = lib.List(t.Context(), func(e transcript.Entry) error {
			if e.Session == id {
				v = e.Version
			}
			return nil
		})
	}
	if err != nil || v == "" {
		t.Fatal(v, err)
	}
	return v
}

func TestVersionsChangeWithWhatIsRead(t *testing.T) {
	for _, change := range []string{
		put("composerData:A", `{"composerId":"A","name":"Other","subComposerIds":["B"],"fullConversationHeadersOnly":[{"bubbleId":"a1"}]}`),
		put("bubbleId:A:a9", `{"type":1,"text":"more"}`),
		`UPDATE cursorDiskKV SET value = CAST('{"type":2,"text":"longer than before it was"}' AS BLOB) WHERE key = 'bubbleId:A:a3'`,
		put("composerData:B", `{"composerId":"B","conversation":[{"type":1,"bubbleId":"b1","text":"dig deeper"}]}`),
	} {
		path := globalState(t)
		before := version(t, path, "A")
		makeDB(t, path, change)
		if version(t, path, "A") == before {
			t.Errorf("not after %s", change)
		}
	}
	path := globalState(t)
	before := version(t, path, "A")
	makeDB(t, path, put("composerData:Z", `{"composerId":"Z","conversation":[{"type":1}]}`))
	if version(t, path, "A") != before {
		t.Error("it changes with another conversation")
	}
}

func TestTheFolderOfAConversationIsThatOfTheWorkspaceThatListsIt(t *testing.T) {
	user := t.TempDir()
	global := makeDB(t, filepath.Join(user, "globalStorage", "state.vscdb"), kv,
		put("composerData:X", `{"composerId":"X","conversation":[{"type":1,"bubbleId":"x1","text":"hi"}]}`))
	makeDB(t, filepath.Join(user, "workspaceStorage", "h1", "state.vscdb"), "CREATE TABLE ItemTable (key TEXT, value BLOB)",
		`INSERT INTO ItemTable VALUES ('composer.composerData', '{"allComposers":[{"composerId":"X"}]}')`)
	if err := os.WriteFile(filepath.Join(user, "workspaceStorage", "h1", "workspace.json"), []byte(`{"folder":"file:///w/my%20app"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if c := open.One(t, global); filepath.ToSlash(c.Facts.Cwd) != "/w/my app" || c.Nodes[0].Metadata.Cwd != c.Facts.Cwd {
		t.Errorf("%+v", c.Facts)
	}
}

// A blob of a chat: a message, or the names of others.
type blob struct {
	json string
	refs []int
}

var turnBlobs = []blob{{json: `{"role":"system","content":"You are"}`},
	{json: `{"role":"user","content":"<user_info>\nWorkspace Path: /w/app\n</user_info>\n<user_query>\nmend it\n</user_query>"}`},
	{json: `{"id":"1","role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"I look"},{"type":"tool-call","toolCallId":"t1","toolName":"Read","args":{"path":"/w/a.go"}}]}`},
	{json: `{"role":"tool","id":"t1","content":[{"type":"tool-result","toolName":"Read","toolCallId":"t1","result":[{"type":"text","text":"package a"}]}]}`},
	{json: `{"id":"1","role":"assistant","content":[{"type":"text","text":"done"}]}`},
	{refs: []int{0, 1}}, {refs: []int{5, 2, 3, 4}}}

// chatStore is a database of the command line; the last blob is its root.
func chatStore(t testing.TB, blobs ...blob) string {
	rows := []string{"CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)", "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)"}
	var ids []string
	for _, b := range blobs {
		data := []byte(b.json)
		for _, r := range b.refs {
			raw, _ := hex.DecodeString(ids[r])
			data = append(append(data, 0x0a, 0x20), raw...)
		}
		sum := sha256.Sum256(data)
		ids = append(ids, hex.EncodeToString(sum[:]))
		rows = append(rows, fmt.Sprintf("INSERT OR IGNORE INTO blobs VALUES ('%s', x'%x')", ids[len(ids)-1], data))
	}
	meta := fmt.Sprintf(`{"agentId":"S","latestRootBlobId":%q,"name":"Mend","createdAt":1760000000000,"lastUsedModel":"big"}`, ids[len(ids)-1])
	rows = append(rows, fmt.Sprintf("INSERT INTO meta VALUES ('0', '%x')", meta))
	return makeDB(t, filepath.Join(t.TempDir(), "chats", "h", "S", "store.db"), rows...)
}

func TestAChatOfTheCommandLineIsRead(t *testing.T) {
	c := open.One(t, chatStore(t, turnBlobs...))
	want := "u:You are<- u:mend it<You are u:<user_info>\nWorkspace Path: /w/app\n</user_info><mend it a:I look<<user_info>\nWorkspace Path: /w/app\n</user_info> t:package a<I look a:done<package a"
	if got := parsertest.Shape(c.Nodes); got != want {
		t.Errorf("%s", got)
	}
	if c.Facts.Cwd != "/w/app" || c.Facts.Model != "big" || c.Facts.Title != "Mend" || c.Nodes[3].Metadata.Thinking != "hm" {
		t.Errorf("%+v", c.Facts)
	}
}

func TestAChatThatGrowsGivesTheNodesOfTheWhole(t *testing.T) {
	var steps [][]byte
	for n := 2; n <= 5; n++ {
		b, err := os.ReadFile(chatStore(t, append(slices.Clone(turnBlobs[:n]), blob{refs: []int{0, 1, 2, 3, 4}[:n]})...))
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, b)
	}
	open.Grows(t, "store.db", steps...)
}

func TestOneSessionInSeveralStoresHasTheRankOfEach(t *testing.T) {
	rank := func(path string) (r int) {
		lib, err := cursor.Open(path, transcript.Options{})
		if err == nil {
			err = lib.List(t.Context(), func(e transcript.Entry) error { r = e.Rank; return nil })
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b, c := rank("testdata/agent-transcripts/small.jsonl"), rank(chatStore(t, turnBlobs...)), rank(globalState(t))
	if a >= b || b >= c {
		t.Errorf("%d, %d, %d", a, b, c)
	}
}

func TestFilesAreToldByTheirPlaces(t *testing.T) {
	for path, want := range map[string]string{
		"/u/.cursor/projects/w/agent-transcripts/x/x.jsonl":           "/u/.cursor/projects/w/agent-transcripts/x",
		"/u/.cursor/projects/w/agent-transcripts/x/subagents/y.jsonl": "/u/.cursor/projects/w/agent-transcripts/x",
		"/u/.cursor/projects/w/agent-transcripts/x.jsonl":             "/u/.cursor/projects/w/agent-transcripts/x.jsonl",
		"/u/Cursor/User/globalStorage/state.vscdb-wal":                "/u/Cursor/User/globalStorage/state.vscdb",
		"/u/.cursor/chats/h/i/store.db":                               "/u/.cursor/chats/h/i/store.db",
		"/u/Cursor/User/globalStorage/state.vscdb.backup":             "",
		"/u/.cursor/projects/w/other.jsonl":                           "",
	} {
		if got := cursor.Of(path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
	for rel, want := range map[string]bool{"h": false, "w/agent-transcripts": false, "w/agent-transcripts/x/subagents": false, "w/terminals": true,
		"h/11111111-2222-3333-4444-555555555555": false, "h/some.extension": true} {
		if cursor.Prune(rel) != want {
			t.Errorf("%s", rel)
		}
	}
}

// readLines reads a transcript of any content.
func readLines(t *testing.T, text []byte) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	parsertest.Sound(t, open.One(t, path).Nodes)
}

func lineSeeds(t testing.TB) (out [][]byte) {
	for _, name := range []string{"large.jsonl", "schema_drift.jsonl"} {
		b, err := os.ReadFile("testdata/agent-transcripts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

func FuzzLines(f *testing.F) {
	for _, s := range lineSeeds(f) {
		f.Add(s)
	}
	f.Fuzz(readLines)
}

func TestDamagedTranscriptsGiveSoundNodes(t *testing.T) {
	parsertest.Damage(t, func(text []byte) { readLines(t, text) }, lineSeeds(t)...)
}

func TestDamagedDocumentsGiveSoundNodes(t *testing.T) {
	editor, chat := globalState(t), chatStore(t, turnBlobs...)
	for path, table := range map[string][2]string{editor: {"cursorDiskKV", "value"}, chat: {"blobs", "data"}} {
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		rows, err := db.Query("SELECT " + table[1] + " FROM " + table[0] + " WHERE " + table[1] + " IS NOT NULL")
		if err != nil {
			t.Fatal(err)
		}
		var seeds [][]byte
		for rows.Next() {
			var b []byte
			if err := rows.Scan(&b); err != nil {
				t.Fatal(err)
			}
			seeds = append(seeds, b)
		}
		rows.Close()
		old := time.Unix(1700000000, 5)
		parsertest.Damage(t, func(text []byte) {
			if _, err := db.Exec("UPDATE "+table[0]+" SET "+table[1]+" = ? WHERE rowid = 1 + abs(random()) % 11", text); err != nil {
				t.Fatal(err)
			}
			_ = os.Chtimes(path, old, old)
			for _, c := range open.Read(t, path, transcript.Over) {
				parsertest.Sound(t, c.Nodes)
			}
		}, seeds...)
	}
}

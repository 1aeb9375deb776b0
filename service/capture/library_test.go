package capture

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	_ "modernc.org/sqlite"
)

// opencode is the database in its default place.
func (w *world) opencode() string {
	return filepath.Join(w.home, ".local", "share", "opencode", "opencode.db")
}

// owner opens a database as its agent does.
func owner(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	run(t, db, statements...)
	return db
}

func run(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(q, err)
		}
	}
}

const ocTables = `CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, revert text, time_created integer, time_updated integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)`

func ocSession(id string, updated time.Time) string {
	return fmt.Sprintf(`INSERT OR REPLACE INTO session VALUES ('%s', NULL, '/w', 'Title of %s', NULL, 1000000, %d)`, id, id, updated.UnixMilli())
}

// ocTurn is a prompt and an answer; n counts from 1.
func ocTurn(session string, n int, prompt, answer string) string {
	m := fmt.Sprintf("msg_%s_%02d", session, n)
	return fmt.Sprintf(`INSERT INTO message VALUES ('%[1]su', '%[2]s', %[3]d, 1, '{"role":"user","time":{"created":%[3]d}}'), ('%[1]sz', '%[2]s', %[4]d, 1, '{"role":"assistant","finish":"stop","time":{"created":%[4]d}}');
INSERT INTO part VALUES ('prt%[1]su', '%[1]su', '%[2]s', 1, 1, '{"type":"text","text":"%[5]s"}'), ('prt%[1]sz', '%[1]sz', '%[2]s', 1, 1, '{"type":"text","text":"%[6]s"}')`,
		m, session, n*1000000, n*1000000+500, prompt, answer)
}

// ocTree writes the same turn as a tree of files.
func (w *world) ocTree(session string, n int, prompt, answer string) {
	root := filepath.Join(filepath.Dir(w.opencode()), "storage")
	w.write(filepath.Join(root, "session", "p", session+".json"), fmt.Sprintf(`{"id":%q,"directory":"/w","title":"Tree","time":{"created":1000000,"updated":2000000}}`, session))
	m := fmt.Sprintf("msg_%s_%02d", session, n)
	for i, text := range []string{prompt, answer} {
		id, about := m+"u", fmt.Sprintf(`"role":"user","time":{"created":%d}`, n*1000000)
		if i == 1 {
			id, about = m+"z", fmt.Sprintf(`"role":"assistant","finish":"stop","time":{"created":%d}`, n*1000000+500)
		}
		w.write(filepath.Join(root, "message", session, id+".json"), fmt.Sprintf(`{"id":%q,%s}`, id, about))
		w.write(filepath.Join(root, "part", id, "prt"+id+".json"), fmt.Sprintf(`{"id":"prt%s","type":"text","text":%q}`, id, text))
	}
}

// opens counts how often a library is opened.
func (w *world) opens() *atomic.Int64 {
	var n atomic.Int64
	o := w.options()
	o.Table = Table()
	for i := range o.Table {
		if l := o.Table[i].Libraries; l != nil {
			counted := *l
			counted.Open = func(path string, opts transcript.Options) (transcript.Library, error) {
				n.Add(1)
				return l.Open(path, opts)
			}
			o.Table[i].Libraries = &counted
		}
	}
	w.engine = New(o)
	return &n
}

func TestAStoreThatDidNotChangeIsNotOpenedAgain(t *testing.T) {
	w := newWorld(t)
	owner(t, w.opencode(), ocTables, ocSession("a", w.now.Add(-time.Hour)), ocTurn("a", 1, "one", "1"), ocSession("b", w.now), ocTurn("b", 1, "two", "2"))
	n := w.opens()
	w.scan()
	if w.count() != 4 || n.Load() == 0 {
		t.Fatalf("%d nodes, opened %d times", w.count(), n.Load())
	}
	n.Store(0)
	w.scan()
	if n.Load() != 0 {
		t.Errorf("the second scan opened it %d times", n.Load())
	}
	again := w.opens() // a new process
	w.scan()
	if again.Load() != 0 {
		t.Errorf("after a restart it was opened %d times", again.Load())
	}
	w.now = w.now.Add(overAfter)
	w.scan()
	if again.Load() == 0 {
		t.Error("the session that is over now was not closed")
	}
	again.Store(0)
	w.scan()
	w.problems(0)
	if again.Load() != 0 {
		t.Errorf("and then it was opened %d times", again.Load())
	}
}

func TestOnlySessionsThatChangedAreRead(t *testing.T) {
	w := newWorld(t)
	db := owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"), ocSession("b", w.now), ocTurn("b", 1, "two", "2"))
	w.scan()
	var p Progress
	o := w.options()
	o.Progress = func(now Progress) { p = now }
	w.engine = New(o)
	run(t, db, ocTurn("a", 2, "three", "3"))
	w.scan()
	if w.count() != 6 || p.FilesTotal != 1 || p.Nodes != 2 {
		t.Errorf("%d nodes, %+v", w.count(), p)
	}
}

func TestASessionInTreeAndDatabaseIsCapturedOnce(t *testing.T) {
	w := newWorld(t)
	w.ocTree("a", 1, "one", "1")
	w.ocTree("b", 1, "only in the tree", "x")
	owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"), ocTurn("a", 2, "two", "2"))
	w.scan()
	w.problems(0)
	a := w.byAgentID("a")
	if len(w.sessions()) != 2 || outputs(w.nodes(a.ID)) != "one 1 two 2" || a.Title != "Title of a" {
		t.Errorf("%d sessions, %q, %q", len(w.sessions()), outputs(w.nodes(a.ID)), a.Title)
	}
	_ = os.RemoveAll(filepath.Join(filepath.Dir(w.opencode()), "storage")) // the agent cleans up
	w.scan()
	w.problems(0)
	if w.count() != 6 {
		t.Errorf("%d nodes", w.count())
	}
}

func TestCaseC5AStoreThatIsHalfMigratedGivesEachSessionWhole(t *testing.T) {
	w := newWorld(t)
	w.ocTree("a", 1, "one", "1")
	w.ocTree("a", 2, "two", "2")
	db := owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"))
	w.scan()
	if got := outputs(w.nodes(w.only().ID)); got != "one 1 two 2" {
		t.Errorf("half moved: %q", got)
	}
	run(t, db, ocTurn("a", 2, "two", "2"), ocTurn("a", 3, "three", "3"))
	w.scan()
	w.problems(0)
	if got := outputs(w.nodes(w.only().ID)); got != "one 1 two 2 three 3" {
		t.Errorf("moved: %q", got)
	}
	for i, n := range w.nodes(w.only().ID) {
		if i > 0 && n.ParentID == "" {
			t.Errorf("node %d is a root", i)
		}
	}
}

func TestACopyOfAStoreGivesNothingTwice(t *testing.T) {
	w := newWorld(t)
	db := owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"))
	_ = db.Close()
	w.scan()
	w.copy(w.opencode(), filepath.Join(filepath.Dir(w.opencode()), "opencode-backup.db"))
	w.scan()
	w.problems(0)
	if w.count() != 2 || len(w.sessions()) != 1 {
		t.Errorf("%d nodes of %d sessions", w.count(), len(w.sessions()))
	}
	for range 2 {
		other := filepath.Join(t.TempDir(), "opencode.db")
		w.copy(w.opencode(), other)
		if added, err := w.engine.Import(context.Background(), other); err != nil || added.Nodes != 0 {
			t.Errorf("imported %+v, %v", added, err)
		}
	}
}

func TestAnExportThatIsImportedTwiceGivesNothingTwice(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "export.json")
	w.write(path, `{"info":{"id":"ses_x","directory":"/w","time":{"created":1000000,"updated":2000000}},"messages":[{"info":{"id":"m1","role":"user"},"parts":[{"type":"text","text":"one"}]}]}`)
	for i, want := range []int{1, 0} {
		if added, err := w.engine.Import(context.Background(), path); err != nil || added.Nodes != want {
			t.Errorf("import %d: %+v, %v", i, added, err)
		}
	}
	w.write(path, `{"info":{"id":"ses_x"},"messages":[{"info"`)
	if _, err := w.engine.Import(context.Background(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a damaged export: %v", err)
	}
	w.write(path, `{"something":"else"}`)
	if _, err := w.engine.Import(context.Background(), path); !errors.Is(err, ErrUnknown) {
		t.Errorf("another file: %v", err)
	}
	w.problems(0)
}

func TestAStoreThatIsLockedByItsAgentIsCaptured(t *testing.T) {
	w := newWorld(t)
	db := owner(t, w.opencode(), "PRAGMA journal_mode=WAL", ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"))
	run(t, db, "PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE session SET title = 'not yet'")
	w.scan()
	w.problems(0)
	if w.count() != 2 || w.only().Title == "not yet" {
		t.Errorf("%d nodes, %q", w.count(), w.only().Title)
	}
}

func TestAStoreThatIsCutOffIsAProblemUntilItIsWhole(t *testing.T) {
	w := newWorld(t)
	db := owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"))
	_ = db.Close()
	whole, err := os.ReadFile(w.opencode())
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.opencode(), string(whole[:len(whole)-4096]))
	w.scan()
	if p := w.problems(1)[0]; !strings.Contains(p.What, "cut off") || !strings.Contains(p.Where, w.opencode()) || p.Agent != "opencode" {
		t.Errorf("%+v", p)
	}
	w.write(w.opencode(), string(whole))
	w.now = w.now.Add(firstPause)
	w.scan()
	w.problems(0)
	if w.count() != 2 {
		t.Errorf("%d nodes", w.count())
	}
}

func TestAStoreThatIsGoneBeforeItCouldBeReadIsCounted(t *testing.T) {
	w := newWorld(t)
	w.write(w.opencode(), strings.Repeat("no database", 100))
	w.scan()
	w.problems(1)
	_ = os.Remove(w.opencode())
	w.scan()
	w.problems(0)
	for _, a := range w.engine.Status().Agents {
		if a.Agent == "opencode" && a.Skipped[lostReason].Times != 1 {
			t.Errorf("skipped %+v", a.Skipped)
		}
	}
}

func TestACallWhoseResultCameAfterItWasGivenUpGetsIt(t *testing.T) {
	w := newWorld(t)
	call := func(state string) string {
		return `INSERT OR REPLACE INTO part VALUES ('c', 'msg_a_01z', 'a', 1, ` + fmt.Sprint(len(state)) + `, '{"type":"tool","callID":"c","tool":"bash","state":` + state + `}')`
	}
	db := owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"), call(`{"status":"running","input":{"command":"sleep"}}`))
	w.scan()
	if w.count() != 2 {
		t.Errorf("%d nodes while it runs", w.count())
	}
	w.now = w.now.Add(overAfter)
	w.scan()
	run(t, db, call(`{"status":"completed","input":{"command":"sleep"},"output":"done"}`))
	w.scan()
	w.restart()
	w.scan()
	nodes := w.nodes(w.only().ID)
	if len(nodes) != 4 || nodes[2].Metadata.Status != memory.StatusPending || nodes[3].Output != "done" || nodes[3].ParentID != memory.Ref(nodes[2].ID) {
		t.Errorf("%+v", nodes)
	}
}

func TestANodeOfAStoreThatCouldNotBeRedactedIsTriedAgain(t *testing.T) {
	w := newWorld(t)
	owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"))
	w.redact = func(n *memory.Node) (int, error) {
		if n.Role == memory.RoleAssistant {
			return 0, errors.New("no")
		}
		return 0, nil
	}
	w.scan()
	if p := w.problems(1)[0]; w.count() != 1 || !strings.Contains(p.What, "redacted") {
		t.Errorf("%d nodes, %+v", w.count(), p)
	}
	w.redact = func(*memory.Node) (int, error) { return 0, nil }
	w.now = w.now.Add(firstPause)
	w.scan()
	w.problems(0)
	if w.count() != 2 {
		t.Errorf("%d nodes", w.count())
	}
}

func TestWhatDormouseSaidThroughAnAgentWithAStoreIsNotCaptured(t *testing.T) {
	w := newWorld(t)
	owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, transcript.OwnMark+" sum up", "1"))
	w.scan()
	if len(w.sessions()) != 0 {
		t.Errorf("%+v", w.sessions())
	}
	w.problems(0)
}

func TestASessionOfAStoreThatLostNodesIsCapturedAgain(t *testing.T) {
	w := newWorld(t)
	owner(t, w.opencode(), ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"))
	w.scan()
	x, err := w.store.Open(w.only().ID)
	if err != nil {
		t.Fatal(err)
	}
	dir := x.Dir()
	_ = w.store.Close()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(dir, "meta.json"), "{")
	w.store = newStore(filepath.Dir(dir))
	w.restart()
	w.scan()
	w.scan()
	if w.count() != 2 {
		t.Errorf("%d nodes", w.count())
	}
}

func TestRunFollowsAStoreThatIsWrittenTo(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now()
	w.engine = New(w.options())
	db := owner(t, w.opencode(), "PRAGMA journal_mode=WAL", ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"))
	w.running()
	w.until("the first turn", func() bool { return w.count() == 2 })
	for n := 2; n < 6; n++ {
		run(t, db, ocTurn("a", n, fmt.Sprint("q", n), fmt.Sprint("a", n)), ocSession("a", time.Now()))
		time.Sleep(quietAfter / 2)
	}
	w.until("all turns", func() bool { return w.count() == 10 })
}

func TestASessionInStoresWithoutCommonIdsIsCapturedFromOne(t *testing.T) {
	lines := func(w *world) {
		w.write(filepath.Join(w.home, ".cursor", "projects", "p", "agent-transcripts", "A", "A.jsonl"),
			`{"role":"user","message":{"content":"mend it"}}`+"\n"+`{"role":"assistant","message":{"content":"mended"}}`+"\n")
	}
	database := func(w *world) {
		owner(w.t, filepath.Join(w.home, ".config", "Cursor", "User", "globalStorage", "state.vscdb"),
			`CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`,
			`INSERT INTO cursorDiskKV VALUES ('composerData:A', '{"conversation":[{"type":1,"bubbleId":"1","text":"mend it"},{"type":2,"bubbleId":"2","text":"mended, with care"}]}')`)
	}
	for _, c := range []struct {
		first, then func(*world)
		want        string
	}{{lines, database, "mend it mended"}, {database, lines, "mend it mended, with care"},
		{func(w *world) { lines(w); database(w) }, func(*world) {}, "mend it mended, with care"}} {
		w := newWorld(t)
		c.first(w)
		w.scan()
		c.then(w)
		w.scan()
		w.restart()
		w.scan()
		w.problems(0)
		if got := outputs(w.nodes(w.only().ID)); got != c.want {
			t.Errorf("captured %q, want %q", got, c.want)
		}
	}
}

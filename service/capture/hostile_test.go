package capture

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/service/capture/transcript"
)

const bUUID = "99999999-2222-3333-4444-555555555555"

func TestWhileTheDiskIsFullCaptureIsPausedAndSaidSoOnce(t *testing.T) {
	w := newWorld(t)
	full := errors.New("the disk is nearly full")
	o := w.options()
	o.Room = func() error { return full }
	w.engine = New(o)
	for i := range 20 {
		w.write(w.claude(fmt.Sprintf("%08d-2222-3333-4444-555555555555.jsonl", i)), turn(0, w.now, "one", "1"))
	}
	w.scan()
	if n := len(w.sessions()); n != 0 {
		t.Errorf("%d sessions were written", n)
	}
	if p := w.problems(1)[0]; p.Where != diskPlace || !strings.Contains(p.What, "paused") || !strings.Contains(p.What, "nearly full") || p.Times != 1 {
		t.Errorf("%+v", p)
	}
	full = nil
	w.scan()
	w.problems(0)
	if n := len(w.sessions()); n != 20 {
		t.Errorf("%d sessions with room again, want 20", n)
	}
}

func TestADiskThatFillsWhileASessionIsReadPausesIt(t *testing.T) {
	w := newWorld(t)
	asked := 0
	o := w.options()
	o.Room = func() error {
		if asked++; asked == 4 {
			return errors.New("the disk is nearly full")
		}
		return nil
	}
	w.engine = New(o)
	text := ""
	for n := range 6 {
		text += turn(n, w.now, fmt.Sprint("prompt ", n), strings.Repeat("long ", 1<<18))
	}
	w.write(w.claude(aUUID+".jsonl"), text)
	w.scan()
	w.problems(1)
	w.scan()
	w.problems(0)
	if n := len(w.nodes(w.only().ID)); n != 12 {
		t.Errorf("%d nodes", n)
	}
}

// faulty is a parser that panics on a word.
type faulty struct{ transcript.Parser }

func (f faulty) Feed(l transcript.Line) {
	if strings.Contains(string(l.Data), "poison") {
		panic("index out of range")
	}
	f.Parser.Feed(l)
}

func TestAFaultInAParserStopsOnlyItsOwnSession(t *testing.T) {
	w := newWorld(t)
	table := Table()
	make := table[0].New
	broken := true
	table[0].New = func(o transcript.Options) transcript.Parser {
		if broken {
			return faulty{make(o)}
		}
		return make(o)
	}
	o := w.options()
	o.Table = table
	w.engine = New(o)
	bad := w.claude(aUUID + ".jsonl")
	w.write(bad, turn(0, w.now, "poison", "1"))
	w.write(w.claude(bUUID+".jsonl"), turn(0, w.now, "other", "2"))
	w.scan()
	if m := w.only(); m.AgentSessionID != bUUID {
		t.Errorf("captured %s", m.AgentSessionID)
	}
	if p := w.problems(1)[0]; !strings.Contains(p.Where, aUUID) || !strings.Contains(p.What, "fault in Dormouse") {
		t.Errorf("%+v", p)
	}
	broken = false
	w.now = w.now.Add(time.Minute)
	w.scan()
	w.problems(0)
	if n := len(w.sessions()); n != 2 {
		t.Errorf("%d sessions after the fault was mended", n)
	}
}

func TestAFaultInTellingFilesApartStopsOnlyThatFile(t *testing.T) {
	w := newWorld(t)
	bad := w.claude(aUUID + ".jsonl")
	w.write(bad, turn(0, w.now, "one", "1"))
	w.write(w.claude(bUUID+".jsonl"), turn(0, w.now, "other", "2"))
	table := Table()
	identify := table[0].Identify
	table[0].Identify = func(p string, head []byte, side func(string) []byte) (transcript.File, bool) {
		if p == bad {
			panic("nil")
		}
		return identify(p, head, side)
	}
	w.engine.o.Table = table
	w.scan()
	w.only()
	if p := w.problems(1)[0]; p.Where != bad {
		t.Errorf("%+v", p)
	}
}

func TestTheProblemOfAFileEndsWithTheFileAndTheLossIsCounted(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1"))
	table := Table()
	table[0].New = func(transcript.Options) transcript.Parser { panic("always") }
	w.engine.o.Table = table
	w.scan()
	w.problems(1)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.scan()
	w.problems(0)
	c := w.status("claude-code").Skipped[lostReason]
	if c.Times != 1 || len(c.Places) != 1 || c.Places[0].File != path {
		t.Errorf("lost: %+v", c)
	}
}

func TestFoldersAndLinksWithTheNameOfATranscriptAreNotRead(t *testing.T) {
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	dir := filepath.Dir(w.claude("x"))
	if err := os.MkdirAll(filepath.Join(dir, "folder.jsonl", "inner.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(dir, "folder.jsonl", bUUID+".jsonl"), turn(0, w.now, "in a folder", "2"))
	for _, link := range [][2]string{{".", "loop"}, {"self.jsonl", "self.jsonl"}, {"nowhere", "dangling.jsonl"}, {"folder.jsonl", "linked.jsonl"}} {
		if err := os.Symlink(link[0], filepath.Join(dir, link[1])); err != nil {
			t.Skip("this system makes no links: ", err)
		}
	}
	w.scan()
	w.problems(0)
	if n := len(w.sessions()); n != 2 {
		t.Errorf("%d sessions, want those of the two files", n)
	}
}

func TestLongLinesAreReadInOneSessionAtATime(t *testing.T) {
	w := newWorld(t)
	table := Table()
	inner := table[0].New
	var mu sync.Mutex
	now, most := 0, 0
	table[0].New = func(o transcript.Options) transcript.Parser {
		return counting{inner(o), func(by int) {
			mu.Lock()
			defer mu.Unlock()
			now += by
			most = max(most, now)
		}}
	}
	o := w.options()
	o.Table, o.Workers = table, 4
	w.engine = New(o)
	for i := range 4 {
		w.write(w.claude(fmt.Sprintf("%08d-2222-3333-4444-555555555555.jsonl", i)), turn(0, w.now, strings.Repeat("long ", 1<<20), "1")+turn(1, w.now, "two", "2"))
	}
	w.scan()
	w.problems(0)
	if n := w.count(); n != 16 || most != 1 {
		t.Errorf("%d nodes; %d long lines at once", n, most)
	}
}

// counting tells of each long line that is in work.
type counting struct {
	transcript.Parser
	tell func(int)
}

func (c counting) Feed(l transcript.Line) {
	if l.Length > 4<<20 {
		c.tell(1)
		time.Sleep(5 * time.Millisecond) // long enough for others to come in between
		defer c.tell(-1)
	}
	c.Parser.Feed(l)
}

func TestASessionWhoseMetaJSONWasLostIsMadeAgainFromItsTranscript(t *testing.T) {
	for name, spoil := range map[string]func(string) error{
		"removed": os.Remove,
		"garbled": func(p string) error { return os.WriteFile(p, []byte("{\"id\": \x00"), 0o600) },
		"null":    func(p string) error { return os.WriteFile(p, []byte("null"), 0o600) },
		"empty":   func(p string) error { return os.WriteFile(p, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1")+turn(1, w.now, "two", "2"))
			w.scan()
			before := w.only()
			x, err := w.store.Open(before.ID)
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(filepath.Join(x.Dir(), "meta.json")); err != nil {
				t.Fatal(err)
			}
			w.store = newStore(filepath.Dir(x.Dir())) // as a new process
			w.restart()
			w.scan()
			w.problems(0)
			if after := w.only(); after != before {
				t.Errorf("it was\n%+v\nand is\n%+v", before, after)
			}
			if n := len(w.nodes(before.ID)); n != 4 {
				t.Errorf("%d nodes", n)
			}
		})
	}
}

func TestASessionWhoseHistoryWasLostIsCapturedAgain(t *testing.T) {
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1")+turn(1, w.now, "two", "2"))
	w.scan()
	id := w.only().ID
	x, err := w.store.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(x.Dir(), ".git")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(x.Dir(), "history")); err != nil {
		t.Fatal(err)
	}
	w.store = newStore(filepath.Dir(x.Dir())) // as a new process
	w.restart()
	if n := len(w.nodes(id)); n != 0 { // somebody reads the session, and the loss is noticed
		t.Fatalf("%d nodes are left", n)
	}
	if p := w.store.Problems(); len(p) != 1 || !strings.Contains(p[0], x.Dir()) || !strings.Contains(p[0], "4 of its 4 nodes") {
		t.Errorf("problems %q", p)
	}
	w.scan()
	w.problems(0)
	if n := len(w.nodes(id)); n != 4 {
		t.Errorf("%d nodes after the repair", n)
	}
}

func TestALastLineThatNeverEndsIsNamed(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now()
	w.engine = New(w.options())
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1")+`{"type":"user","uuid":"torn`)
	w.scan()
	if c := w.status("claude-code").Skipped; len(c) != 0 {
		t.Errorf("while it may still come: %+v", c)
	}
	w.now = w.now.Add(time.Hour)
	c := w.status("claude-code").Skipped[tornReason]
	if c.Times != 1 || c.Bytes != int64(len(`{"type":"user","uuid":"torn`)) || len(c.Places) != 1 || c.Places[0].File != path || c.Places[0].Line != 3 {
		t.Errorf("%+v", c)
	}
	w.append(path, `","parentUuid":null,"timestamp":"2027-01-01T00:00:00Z","message":{"role":"user","content":"end"}}`+"\n")
	w.scan()
	if c := w.status("claude-code").Skipped; len(c) != 0 || w.count() != 3 {
		t.Errorf("after it came: %+v, %d nodes", c, w.count())
	}
}

func TestASessionFromTheFutureIsCommittedAndEndsLikeAnyOther(t *testing.T) {
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now.AddDate(70, 0, 0), "one", "1"))
	w.scan()
	x, err := w.store.Open(w.only().ID)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := x.Commits(); err != nil || len(c) != 0 {
		t.Errorf("%d commits at once, %v", len(c), err)
	}
	w.now = w.now.Add(overAfter)
	w.scan()
	if c, err := x.Commits(); err != nil || len(c) != 1 {
		t.Errorf("%d commits when it was quiet for long, %v", len(c), err)
	}
}

func TestAClockThatIsSetBackLeavesNoTurnOpen(t *testing.T) {
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	w.scan()
	w.now = w.now.AddDate(-1, 0, 0)
	if err := w.engine.CommitOpen(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	x, err := w.store.Open(w.only().ID)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := x.Commits(); err != nil || len(c) != 1 {
		t.Errorf("%d commits, %v", len(c), err)
	}
}

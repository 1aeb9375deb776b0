package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

var day1 = time.Date(2026, 6, 18, 3, 0, 0, 0, time.UTC)

func open(t *testing.T, dir, machine string, now time.Time) *Ledger {
	t.Helper()
	return openWith(t, Options{Dir: dir, Machine: machine, Now: func() time.Time { return now }})
}

func openWith(t *testing.T, o Options) *Ledger {
	t.Helper()
	l := New(o)
	if err := l.Open(); err != nil {
		t.Fatal(err)
	}
	return l
}

func event(n int, summary string) memory.Event {
	at := day1.Unix() - int64(n)*86400*35
	e := memory.Event{Summary: summary, Kind: memory.KindWork, Scope: memory.ProjectScope("p"), Trust: memory.TrustAgent,
		Provenance: memory.Provenance{ProjectID: "p", SessionID: "s1", NodeIDs: []string{fmt.Sprint("n", n)}, EventTime: &at, IngestionTime: day1.Unix()}}
	e.ID = memory.EventID(memory.EventClaim(&e))
	return e
}

func add(t *testing.T, e memory.Event) memory.Decision {
	t.Helper()
	raw, err := memory.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	return memory.Decision{Action: memory.ActionAdd, Accepted: true, Reason: "stated by the agent", PolicyVersion: memory.PolicyVersion, By: "rule",
		Proposal: memory.Proposal{Kind: memory.RecordEvent, ClaimKey: memory.EventClaim(&e), RecordID: e.ID, Scope: e.Scope, Record: raw}}
}

func run(nodes ...string) memory.Run {
	return memory.Run{Kind: "light", Extractor: "rules", Coverage: []memory.Coverage{{SessionID: "s1", NodeIDs: nodes}}}
}

func logPath(dir, machine, name string) string { return filepath.Join(dir, "log", machine, name) }

func mustAppend(t *testing.T, l *Ledger, n int, summaries ...string) {
	t.Helper()
	var ds []memory.Decision
	for i, s := range summaries {
		ds = append(ds, add(t, event(n+i, s)))
	}
	if err := l.Append(ds, run(fmt.Sprint("n", n))); err != nil {
		t.Fatal(err)
	}
}

func timeline(l *Ledger) (out []string) {
	l.Read(func(s *memory.State) {
		for _, e := range s.Timeline() {
			out = append(out, e.Summary)
		}
	})
	return out
}

func TestWhatWasAppendedIsThereAfterReopening(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "Fixed the parser", "Chose tabs")
	mustAppend(t, l, 5, "Released 1.0")
	again := open(t, dir, "aa", day1.AddDate(0, 0, 1))
	if got, want := strings.Join(timeline(again), "|"), strings.Join(timeline(l), "|"); got != want || len(timeline(l)) != 3 {
		t.Errorf("got %q, want %q", got, want)
	}
	if s, ok := again.CoveredBy("n5"); !ok || s != "s1" || again.Covered() != 2 {
		t.Errorf("coverage: %q %v %d", s, ok, again.Covered())
	}
	mustAppend(t, again, 7, "Next day")
	if _, err := os.Stat(logPath(dir, "aa", "2026-06-19.jsonl")); err != nil {
		t.Error(err)
	}
	lines, faults, err := again.Verify()
	if err != nil || len(faults) > 0 || lines != 7 {
		t.Errorf("verify: %d lines, %v, %v", lines, faults, err)
	}
	if n := len(again.Runs()); n != 3 {
		t.Errorf("%d runs", n)
	}
}

func TestClockThatGoesBackKeepsTheChainInOrder(t *testing.T) {
	dir := t.TempDir()
	mustAppend(t, open(t, dir, "aa", day1), 1, "One")
	mustAppend(t, open(t, dir, "aa", day1.AddDate(-1, 0, 0)), 2, "Two")
	l := open(t, dir, "aa", day1.AddDate(0, 0, 5))
	mustAppend(t, l, 3, "Three")
	if _, faults, err := l.Verify(); err != nil || len(faults) != 0 {
		t.Errorf("%v %v", faults, err)
	}
	if got := len(open(t, dir, "aa", day1).Decisions()); got != 3 {
		t.Errorf("%d decisions", got)
	}
}

func TestTornLastLineIsCutOffAndSaid(t *testing.T) {
	dir := t.TempDir()
	mustAppend(t, open(t, dir, "aa", day1), 1, "One", "Two")
	path := logPath(dir, "aa", "2026-06-18.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut < len(whole); cut += 97 {
		if err := os.WriteFile(path, whole[:len(whole)-cut], 0o600); err != nil {
			t.Fatal(err)
		}
		l := open(t, dir, "aa", day1)
		if p := l.Problems(); len(p) > 1 || len(p) == 1 && !strings.Contains(p[0], path) {
			t.Fatalf("cut %d: problems %v", cut, p)
		}
		mustAppend(t, l, 1, "One", "Two") // the work is repeated
		if _, faults, err := open(t, dir, "aa", day1).Verify(); err != nil || len(faults) > 0 {
			t.Fatalf("cut %d: %v %v", cut, faults, err)
		}
		if got := len(timeline(l)); got != 2 {
			t.Fatalf("cut %d: %d events", cut, got)
		}
	}
}

func TestEveryChangeToALogIsFound(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "One", "Two", "Three")
	path := logPath(dir, "aa", "2026-06-18.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(b), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	for name, change := range map[string]func([]string) []string{
		"edited text":   func(l []string) []string { l[1] = strings.Replace(l[1], "Two", "Too", 1); return l },
		"edited reason": func(l []string) []string { l[0] = strings.Replace(l[0], "stated by", "made up by", 1); return l },
		"edited verdict": func(l []string) []string {
			l[1] = strings.Replace(l[1], `"accepted":true`, `"accepted":false`, 1)
			return l
		},
		"removed line":    func(l []string) []string { return append(l[:1], l[2:]...) },
		"removed first":   func(l []string) []string { return l[1:] },
		"swapped lines":   func(l []string) []string { l[1], l[2] = l[2], l[1]; return l },
		"doubled line":    func(l []string) []string { return append(l[:2], l[1:]...) },
		"body without id": func(l []string) []string { l[1] = eraseSalt(t, l[1]); return l },
		"broken JSON":     func(l []string) []string { l[1] = "{\n"; return l },
	} {
		changed := strings.Join(change(append([]string(nil), lines...)), "")
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, faults, err := l.Verify(); err != nil || len(faults) == 0 || faults[0].File != path {
			t.Errorf("%s: faults %v, %v", name, faults, err)
		}
	}
}

func eraseSalt(t *testing.T, line string) string {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatal(err)
	}
	m["salt"] = json.RawMessage(`""`)
	b, err := memory.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

func TestForeignLinesAndBrokenLinesLeaveTheRest(t *testing.T) {
	dir := t.TempDir()
	mustAppend(t, open(t, dir, "bb", day1), 1, "From the other laptop")
	path := logPath(dir, "bb", "2026-06-18.jsonl")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	extra := "{broken\n" + `{"type":"dream","machine":"bb","lamport":41}` + "\n" + `{"type":"decision","machine":"aa","lamport":3}` + "\n" + `{"type":"decision","machine":"bb","proposal":7}` + "\n"
	if _, err := f.WriteString(extra); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	l := open(t, dir, "aa", day1)
	if p := l.Problems(); len(p) != 3 || !strings.Contains(p[0], "line 3") {
		t.Errorf("problems %q", p)
	}
	mustAppend(t, l, 5, "Mine")
	ds := l.Decisions()
	if len(ds) != 2 || ds[1].Lamport <= 41 {
		t.Errorf("decisions %+v", ds)
	}
}

func TestCaseY4LogGoesOnInANewFileBeforeItIsTooLarge(t *testing.T) {
	dir := t.TempDir()
	l := openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, MaxFile: 8 << 10})
	for i := range 5 {
		mustAppend(t, l, i, strings.Repeat("x", 1500))
	}
	files, err := logFiles(filepath.Join(dir, "log", "aa"))
	if err != nil || len(files) < 2 || files[1].String() != "2026-06-18.1.jsonl" {
		t.Fatalf("%v %v", files, err)
	}
	for _, f := range files {
		if info, err := os.Stat(logPath(dir, "aa", f.String())); err != nil || info.Size() > 8<<10 {
			t.Errorf("%s: %d bytes, %v", f, info.Size(), err)
		}
	}
	again := open(t, dir, "aa", day1)
	if _, faults, err := again.Verify(); err != nil || len(faults) != 0 || len(timeline(again)) != 5 {
		t.Errorf("%v %v %d", faults, err, len(timeline(again)))
	}
}

func TestFailedWriteLeavesTheLogAsItWas(t *testing.T) {
	dir := t.TempDir()
	l := openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, MaxFile: 8 << 10})
	mustAppend(t, l, 1, "One")
	before, err := os.ReadFile(logPath(dir, "aa", "2026-06-18.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	// The second file of the batch can't be written: a folder stands in its place.
	if err := os.Mkdir(logPath(dir, "aa", "2026-06-18.1.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	big := []memory.Decision{add(t, event(2, strings.Repeat("a", 5<<10))), add(t, event(3, strings.Repeat("b", 5<<10)))}
	if err := l.Append(big, run("n2")); err == nil || !strings.Contains(err.Error(), "2026-06-18.1.jsonl") {
		t.Fatalf("error %v", err)
	}
	after, err := os.ReadFile(logPath(dir, "aa", "2026-06-18.jsonl"))
	if err != nil || string(after) != string(before) || len(timeline(l)) != 1 {
		t.Errorf("log changed by a failed write (%d to %d bytes), %v", len(before), len(after), err)
	}
	if err := os.Remove(logPath(dir, "aa", "2026-06-18.1.jsonl")); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, l, 2, "Two")
	if _, faults, err := l.Verify(); err != nil || len(faults) != 0 {
		t.Errorf("%v %v", faults, err)
	}
}

func TestCommitFailureKeepsTheDecisions(t *testing.T) {
	dir, fail := t.TempDir(), errors.New("no room")
	var seen []string
	o := Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 },
		Commit: func(paths []string, msg string, _ time.Time) error {
			seen = append(seen, strings.Join(paths, ",")+": "+msg)
			return fail
		}}
	l := New(o)
	if err := l.Open(); err != nil {
		t.Fatal(err)
	}
	r := run("n1")
	r.Counts = memory.RunCounts{Events: 1, Entities: 2, Turns: 1}
	err := l.Append([]memory.Decision{add(t, event(1, "One"))}, r)
	if !errors.Is(err, ErrNotCommitted) || !errors.Is(err, fail) || len(timeline(l)) != 1 {
		t.Fatalf("%v, timeline %v", err, timeline(l))
	}
	fail = nil
	l = New(o)
	if err := l.Open(); err != nil {
		t.Fatal(err)
	}
	want := []string{"log/aa/2026-06-18.jsonl: light sleep: 1 event, 2 entities, 0 edges from 1 turn",
		"log/aa/2026-06-18.jsonl: Keep what an interrupted sleep had written"}
	if strings.Join(seen, "\n") != strings.Join(want, "\n") {
		t.Errorf("commits %q", seen)
	}
}

func TestUndoOfARefusalIsSeenAtOnce(t *testing.T) {
	l := open(t, t.TempDir(), "aa", day1)
	d := add(t, event(1, "One"))
	d.Accepted = false
	if err := l.Append([]memory.Decision{d}, run()); err != nil {
		t.Fatal(err)
	}
	refused := func() (n int) { l.Read(func(s *memory.State) { n = len(s.Bars) }); return n }
	if refused() != 1 {
		t.Fatal("refusal is not known")
	}
	undo := memory.Decision{Action: memory.ActionUndo, Accepted: true, Undoes: memory.Ref(l.Decisions()[0].ID)}
	if err := l.Append([]memory.Decision{undo}, run()); err != nil || refused() != 0 {
		t.Errorf("%v, refused %d", err, refused())
	}
}

func TestKilledWriterLosesNothingAcknowledged(t *testing.T) {
	if dir := os.Getenv("DORMOUSE_TEST_LEDGER"); dir != "" {
		l := open(t, dir, "aa", day1)
		for i := len(timeline(l)); ; i++ {
			mustAppend(t, l, i, fmt.Sprint("Event number ", i))
			fmt.Println(i) // acknowledged
		}
	}
	dir, acked := t.TempDir(), 0
	for range 20 {
		c := exec.Command(os.Args[0], "-test.run=TestKilledWriter")
		c.Env = append(os.Environ(), "DORMOUSE_TEST_LEDGER="+dir)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			var n int
			if _, err := fmt.Fscan(out, &n); err != nil {
				t.Fatal(err)
			}
			acked = n + 1
		}
		_ = c.Process.Kill()
		_ = c.Wait()
		l := open(t, dir, "aa", day1)
		if _, faults, err := l.Verify(); err != nil || len(faults) != 0 {
			t.Fatalf("%v %v", faults, err)
		}
		if got := len(timeline(l)); got < acked {
			t.Fatalf("%d events, %d were acknowledged", got, acked)
		}
	}
}

package capture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/redact"
	"dormouse/store/memory"
)

// secret is a made-up key, put together so that none is in this file.
func secret() string { return "ghp" + "_" + strings.Repeat("a1B2c3D4", 5)[:36] }

// longResult is the transcript of a turn with a call whose result is this text, told twice as Claude Code does.
func longResult(text string) string {
	record := func(n int, kind string, message, more any) string {
		r := map[string]any{"type": kind, "uuid": fmt.Sprint("u", n), "parentUuid": nil, "sessionId": aUUID, "cwd": "/w",
			"timestamp": fmt.Sprintf("2026-01-01T00:00:%02dZ", n), "message": message}
		if n > 0 {
			r["parentUuid"] = fmt.Sprint("u", n-1)
		}
		if more != nil {
			r["toolUseResult"] = more
		}
		b, _ := json.Marshal(r)
		return string(b) + "\n"
	}
	say := func(id string, block any) any {
		return map[string]any{"id": id, "role": "assistant", "model": "m", "content": []any{block}}
	}
	return record(0, "user", map[string]any{"role": "user", "content": "Show it"}, nil) +
		record(1, "assistant", say("m1", map[string]any{"type": "tool_use", "id": "t1", "name": "Bash", "input": map[string]string{"command": "cat log"}}), nil) +
		record(2, "user", map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t1", "content": text}}},
			map[string]any{"stdout": text, "stderr": ""}) +
		record(3, "assistant", say("m2", map[string]any{"type": "text", "text": "That is it"}), nil)
}

func logText(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "2026-01-01 12:00:00 worker %d: read \"page\" of src/pkg%d/file.go in %d ms\n", i, i%40, i%977)
	}
	return b.String()
}

// longNode is the node of the only session that has a file beside it.
func (w *world) longNode() (n memory.Node, text string) {
	w.t.Helper()
	x, err := w.store.Open(w.only().ID)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, n := range w.nodes(x.Meta().ID) {
		if len(n.Metadata.Files) == 0 {
			continue
		}
		r, err := x.File(n.Metadata.Files[0])
		if err != nil {
			w.t.Fatal(err)
		}
		defer r.Close()
		b, err := io.ReadAll(r)
		if err != nil {
			w.t.Fatal(err)
		}
		return n, string(b)
	}
	w.t.Fatal("no node has a file")
	return n, ""
}

func TestAResultThatIsTooLongForMemoryIsKeptWholeBesideItsNode(t *testing.T) {
	w := newWorld(t)
	text := logText(100_000)
	w.write(w.claude(aUUID+".jsonl"), longResult(text))
	w.scan()
	w.problems(0)
	n, got := w.longNode()
	f := n.Metadata.Files[0]
	sum := sha256.Sum256([]byte(text))
	if got != text || f.Bytes != int64(len(text)) || f.SHA256 != hex.EncodeToString(sum[:]) || len(n.Metadata.Files) != 1 {
		t.Errorf("%d bytes of %d were kept; %+v", len(got), len(text), n.Metadata.Files)
	}
	head, tail, ok := strings.Cut(n.Output, fmt.Sprintf("[... %d bytes in all; the whole text is %s ...]", len(text), f.Path))
	if !ok || !strings.HasPrefix(text, strings.TrimSpace(head)) || !strings.HasSuffix(text, strings.TrimLeft(tail, "\n")) || len(n.Output) > 1<<18 {
		t.Errorf("the node shows %d bytes: %.80q", len(n.Output), n.Output)
	}
	if c := w.engine.Status().Agents[0]; len(c.Skipped) > 0 {
		t.Errorf("skipped: %+v", c.Skipped)
	}
	for _, dir := range []string{w.engine.longDir(), os.TempDir()} {
		if left, _ := filepath.Glob(filepath.Join(dir, longPrefix+"*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestATextThatIsKeptBesideItsNodeHasNoSecrets(t *testing.T) {
	w := newWorld(t)
	r, err := redact.New(redact.Options{Key: []byte("test")})
	if err != nil {
		t.Fatal(err)
	}
	w.redact = r.Node
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEA7bq0aXw3kq1v8Jt2b9Yw0m4h5Xc\n", 200) + "-----END RSA " + "PRIVATE KEY-----\n"
	var b strings.Builder
	for b.Len() < 7*partBytes { // secrets at every distance from the ends of the parts
		fmt.Fprintf(&b, "line %d with token %s in it\n", b.Len(), secret())
		b.WriteString(logText(700))
		b.WriteString(key)
	}
	w.write(w.claude(aUUID+".jsonl"), longResult(b.String()))
	w.scan()
	w.problems(0)
	n, got := w.longNode()
	for _, s := range []string{secret(), "MIIEpAIBAAKCAQEA7bq0"} {
		if strings.Contains(got, s) || strings.Contains(n.Output, s) {
			t.Errorf("a secret was stored: %.12s...", s)
		}
	}
	if want := strings.Count(b.String(), "line "); n.Metadata.Redacted < 2*want || !strings.Contains(got, "line 0 with token ") {
		t.Errorf("%d secrets counted, at least %d are there", n.Metadata.Redacted, 2*want)
	}
}

func TestTheSameLongTextGivesTheSameNodesHoweverItIsRead(t *testing.T) {
	text := longResult(logText(80_000))
	at := strings.Index(text, `"toolUseResult"`)
	var nodes []string
	for _, parts := range [][]string{{text}, {text[:at], text[at:]}, {text[:at+3_000_000], text[at+3_000_000:]}} {
		w := newWorld(t)
		w.now = time.Date(2026, 1, 1, 0, 0, 10, 0, time.UTC) // the session is live
		for _, p := range parts {
			w.append(w.claude(aUUID+".jsonl"), p)
			w.scan()
		}
		w.problems(0)
		n, _ := w.longNode()
		b, err := n.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, string(b))
	}
	if nodes[0] != nodes[1] || nodes[0] != nodes[2] {
		t.Error("the nodes differ")
	}
}

func TestALongTextWaitsWhileTheDiskIsFull(t *testing.T) {
	w := newWorld(t)
	text := logText(60_000)
	w.write(w.claude(aUUID+".jsonl"), longResult(text))
	run := w.engine.longDir()
	w.write(run, "a file in the place of the folder")
	w.scan()
	if p := w.problems(1)[0]; !strings.Contains(p.What, run) {
		t.Errorf("%+v", p)
	}
	if err := os.Remove(run); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(3600e9)
	w.scan()
	w.problems(0)
	if _, got := w.longNode(); got != text {
		t.Errorf("%d bytes of %d", len(got), len(text))
	}
}

func TestTextsOfAKilledProcessAreRemovedAtTheNextStart(t *testing.T) {
	w := newWorld(t)
	left := filepath.Join(w.engine.longDir(), longPrefix+"1")
	w.write(left, "not redacted")
	w.scan()
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestPartsOfALongTextEndWhereNoSecretIsInTwo(t *testing.T) {
	begin := "-----BEGIN " + "KEY-----\nabc\n"
	for name, tt := range map[string]struct{ text, first string }{
		"empty line":      {"aa b\nc d\n\ne f\ng", "aa b\nc d\n\n"},
		"line":            {"aaaa bbbb\ncc dd", "aaaa bbbb\n"},
		"blank":           {"aaaaaaa bbbb", "aaaaaaa "},
		"none":            {"aaaaaaabbbb", "aaaaaaabbbb"},
		"open key block":  {strings.Repeat("x y\n", 20) + begin, strings.Repeat("x y\n", 20)},
		"early line only": {"a\nbbbbbbbbbbbbb", "a\nbbbbbbbbbbbbb"},
	} {
		if got := tt.text[:partEnd([]byte(tt.text))]; got != tt.first {
			t.Errorf("%s: %q, want %q", name, got, tt.first)
		}
	}
}

func TestAResultInADatabaseThatIsTooLongForANodeIsKeptWholeBesideIt(t *testing.T) {
	w := newWorld(t)
	r, err := redact.New(redact.Options{Key: []byte("test")})
	if err != nil {
		t.Fatal(err)
	}
	w.redact = r.Node
	w.restart()
	text := logText(75_000) + "token " + secret() + "\n" + logText(75_000) // over 10 MB
	part, err := json.Marshal(map[string]any{"type": "tool", "tool": "bash", "callID": "c1", "state": map[string]any{"status": "completed",
		"input": map[string]string{"command": "cat log"}, "output": text, "metadata": map[string]any{"exit": 0}}})
	if err != nil {
		t.Fatal(err)
	}
	db := owner(t, w.opencode(), ocTables, ocSession("a", w.now.Add(-time.Hour)), ocTurn("a", 1, "show it", "there it is"))
	if _, err := db.Exec("INSERT INTO part VALUES ('prtcall', 'msg_a_01z', 'a', 1, 1, ?)", string(part)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w.scan()
		w.problems(0)
		n, got := w.longNode()
		if strings.Contains(got, secret()) || len(got) < 10<<20 || n.Metadata.Redacted == 0 || n.Metadata.Clipped != nil || len(n.Output) > 1<<18 || !strings.Contains(n.Output, "the whole text is files/") {
			t.Errorf("%d bytes were kept, %d secrets, clipped %v, the node shows %d", len(got), n.Metadata.Redacted, n.Metadata.Clipped, len(n.Output))
		}
		if skipped := w.status("opencode").Skipped; len(skipped) > 0 || w.count() != 3 {
			t.Errorf("%d nodes, skipped %+v", w.count(), skipped)
		}
		run(t, db, "UPDATE session SET title = 'changed'") // it is read again
	}
}

func TestArgumentsThatAreTooLongForANodeAreKeptWholeBesideIt(t *testing.T) {
	w := newWorld(t)
	r, err := redact.New(redact.Options{Key: []byte("test")})
	if err != nil {
		t.Fatal(err)
	}
	w.redact = r.Node
	w.restart()
	text := logText(60_000) + "token " + secret() + "\n" + logText(60_000) // over 8 MB
	part, err := json.Marshal(map[string]any{"type": "tool", "tool": "write", "callID": "c1", "state": map[string]any{"status": "completed",
		"input": map[string]string{"filePath": "/w/log", "content": text}, "output": "done"}})
	if err != nil {
		t.Fatal(err)
	}
	db := owner(t, w.opencode(), ocTables, ocSession("a", w.now.Add(-time.Hour)), ocTurn("a", 1, "write it", "it is there"))
	if _, err := db.Exec("INSERT INTO part VALUES ('prtcall', 'msg_a_01z', 'a', 1, 1, ?)", string(part)); err != nil {
		t.Fatal(err)
	}
	w.scan()
	w.problems(0)
	n, got := w.longNode()
	var input struct{ FilePath, Content string }
	if err := json.Unmarshal(n.Input, &input); err != nil || input.FilePath != "/w/log" || !strings.Contains(input.Content, "the whole text is files/") || len(n.Input) > 1<<18 {
		t.Errorf("the node shows %d bytes, %.80s, %v", len(n.Input), n.Input, err)
	}
	if strings.Contains(got, secret()) || len(got) < 8<<20 || n.Metadata.Redacted == 0 || n.Metadata.Clipped != nil || len(w.status("opencode").Skipped) > 0 {
		t.Errorf("%d bytes were kept, %d secrets, clipped %v", len(got), n.Metadata.Redacted, n.Metadata.Clipped)
	}
}

func TestManyArgumentsOfALineThatAreTooLongTogetherAreKeptWholeBesideTheirNode(t *testing.T) {
	w := newWorld(t)
	list := make([]string, 18)
	for i := range list {
		list[i] = fmt.Sprint(i) + strings.Repeat("some words ", 50_000)
	}
	whole, err := json.Marshal(map[string][]string{"commands": list})
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.claude(aUUID+".jsonl"), strings.Replace(longResult("done"), `{"command":"cat log"}`, string(whole), 1))
	w.scan()
	w.problems(0)
	n, got := w.longNode()
	if got != string(whole) || n.Metadata.Clipped != nil || len(n.Input) > 1<<18 || !json.Valid(n.Input) || !strings.Contains(string(n.Input), "the whole text is files/") {
		t.Errorf("%d bytes of %d were kept, the node shows %d", len(got), len(whole), len(n.Input))
	}
}

func TestALongCommandIsKeptBesideItsNodeAndShownByItsEndsWhereverItIsShown(t *testing.T) {
	w := newWorld(t)
	r, err := redact.New(redact.Options{Key: []byte("test")})
	if err != nil {
		t.Fatal(err)
	}
	w.redact = r.Node
	w.restart()
	text := "echo " + secret() + "\n" + logText(60_000)
	whole, err := json.Marshal(map[string]string{"command": text})
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.claude(aUUID+".jsonl"), strings.Replace(longResult("done"), `{"command":"cat log"}`, string(whole), 1))
	w.scan()
	w.problems(0)
	n, got := w.longNode()
	var input struct{ Command string }
	if err := json.Unmarshal(n.Input, &input); err != nil || len(n.Metadata.Commands) != 1 || n.Metadata.Commands[0] != input.Command {
		t.Fatalf("the arguments show %.80q, the commands %.80q, %v", input.Command, n.Metadata.Commands, err)
	}
	if strings.Contains(got, secret()) || strings.Contains(input.Command, secret()) || len(got) < 4<<20 || !strings.Contains(input.Command, "the whole text is files/") {
		t.Errorf("%d bytes were kept, the node shows %.80q", len(got), input.Command)
	}
}

// TestAPrivateSpanGoesOnOverTheParts redacts a text of several parts whose span begins in the first and ends in the last one.
func TestAPrivateSpanGoesOnOverTheParts(t *testing.T) {
	r, err := redact.New(redact.Options{Key: []byte("k")})
	if err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat("plum tree stands here\n", partBytes/20)
	for name, c := range map[string]struct{ in, end string }{
		"closed":     {"a <private>" + filler + filler + "x</private> b\n", " b\n"},
		"nested":     {"a <private><private>" + filler + "</private>" + filler + "x</private> b\n", " b\n"},
		"not closed": {"a <private>" + filler + filler + "x", "]"},
		"one line":   {"a <private>" + strings.Repeat("plumtree", partBytes/4) + "x</private> b", " b"},
	} {
		var out bytes.Buffer
		n, err := redactAll(&out, strings.NewReader(c.in), r.Text)
		if got := out.String(); err != nil || n == 0 || strings.Contains(got, "plum") || !strings.HasPrefix(got, "a [") || !strings.HasSuffix(got, c.end) || len(got) > 400 {
			t.Errorf("%s: %d found, %v in %.300q", name, n, err, got)
		}
	}
}

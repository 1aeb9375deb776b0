package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// The text that lies beside a node of the made-up memory, and one whose content is gone.
var (
	testLong    = strings.Repeat("a line of the \x1b[31mlong text\n", 5000) + "its last line"
	testLongSum = sumOf(testLong)
	testGoneSum = sumOf("gone")
)

func sumOf(s string) string {
	b := sha256.Sum256([]byte(s))
	return hex.EncodeToString(b[:])
}

// longTurn has a text that is there, one that is missing, and an image.
func longTurn() api.Transcript {
	file := func(sum, ext string, n int) []memory.File {
		return []memory.File{{Path: "files/" + sum + ext, Bytes: int64(n), SHA256: sum}}
	}
	short := func(sum string) string {
		return testLong[:64] + "\n[... the whole text is files/" + sum + ".txt ...]\n" + testLong[len(testLong)-64:]
	}
	s := api.Session{Session: memory.Session{ID: "cc_1a2b3c4d"}, Turns: 9, Nodes: 3}
	return api.Transcript{Session: s, Turns: []api.Turn{{N: 9, Nodes: []memory.Node{
		call("n1", "Bash", `{"command":"cat log"}`, short(testLongSum), memory.Metadata{Files: file(testLongSum, ".txt", len(testLong))}),
		call("n2", "Bash", `{"command":"cat more"}`, short(testGoneSum), memory.Metadata{Files: file(testGoneSum, ".txt", 4)}),
		node("n3", memory.RoleAssistant, "2026-05-04 14:02", "That is it", memory.Metadata{Images: []memory.Image{{Type: "image/jpeg", Bytes: 7, SHA256: sumOf("picture")}, {Type: "image/gif", Bytes: 9, SHA256: sumOf("another")}}}),
	}}}, Images: map[string]memory.File{sumOf("picture"): {Path: "refs/dormouse/images/" + sumOf("picture") + ".png", Bytes: 7, SHA256: sumOf("picture")}}}
}

func (f *fake) file(_ context.Context, q api.FileQuery) (memory.File, io.ReadCloser, error) {
	f.note("file %+v", q)
	if !strings.HasPrefix(testLongSum, q.SHA256) {
		return memory.File{}, nil, &api.Error{Code: api.CodeNotFound, Message: "the text is missing in its repository"}
	}
	return memory.File{SHA256: testLongSum, Bytes: int64(len(testLong))}, io.NopCloser(strings.NewReader(testLong)), nil
}

func TestALongTextIsShownWithTheWayToTheRestOfIt(t *testing.T) {
	got := strings.Join(formatTranscript(view{}, longTurn()), "\n")
	for _, want := range []string{
		fmt.Sprintf("whole text, 145 kB: dormouse show cc_1a2b3c4d --file %s --out FILE", testLongSum[:12]),
		fmt.Sprintf("image, png, 7 B: dormouse show cc_1a2b3c4d --file %s --out FILE", sumOf("picture")[:12]),
		"[image/gif, 9 B, not kept]",
		"ok · 145 kB",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestFullShowsALongTextWholeAndSaysWhereOneIsMissing(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	serve(t, home)
	r := dormouse(t, home, "show", "cc_1a2b3c4d", "--turn", "9", "--full")
	if n := strings.Count(r.out, "> a line of the long text"); r.code != exitOK || n != 5000 || strings.Contains(r.out, "\x1b") {
		t.Errorf("code %d, %d lines of the text, %s", r.code, n, r.err)
	}
	last, missing := strings.Index(r.out, "> its last line\n"), strings.Index(r.out, "! the text is missing in its repository")
	if end := strings.Index(r.out, "That is it"); last < 0 || missing < last || end < missing {
		t.Errorf("the text ends at %d, the missing one is at %d, what follows at %d", last, missing, end)
	}
	if r := dormouse(t, home, "show", "cc_1a2b3c4d", "--turn", "9", "--full", "--json"); !strings.Contains(r.out, testLongSum) || len(r.out) > 10_000 {
		t.Errorf("as JSON it has %d bytes", len(r.out))
	}
}

func TestATextThatIsMoreThanItsTwoEndsIsShownBesideTheWhole(t *testing.T) {
	for s, want := range map[string]bool{
		"abc\n[... files/x.txt ...]\nxyz":                           true,
		"abc\n[... files/x.txt ...]\nxyz\nand a word of the client": false,
		"files/x.txt":                           false,
		"abc\n[... files/y.txt ...]\nxyz":       false,
		"a long beginning\nab [files/x.txt]\nx": false,
	} {
		if got := endsOnly(s, "files/x.txt"); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestAFileIsWrittenOutOnceAndNeverOverAnother(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	serve(t, home)
	dir := t.TempDir()
	out := filepath.Join(dir, "result.txt")
	r := dormouse(t, home, "show", "cc_1a2b3c4d", "--file", testLongSum[:8], "--out", out)
	if b, err := os.ReadFile(out); r.code != exitOK || err != nil || string(b) != testLong {
		t.Fatalf("%+v %v", r, err)
	}
	for args, want := range map[string]string{
		testLongSum[:8] + " --out " + out:          "is there already",
		"ffff --out " + filepath.Join(dir, "gone"): "missing in its repository",
		"ff --out x":                "4 or more digits",
		testLongSum[:8] + " --json": "--out",
	} {
		r := dormouse(t, home, append([]string{"show", "cc_1a2b3c4d", "--file"}, strings.Fields(args)...)...)
		if r.code == exitOK || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("the folder holds %v", left)
	}
	for _, args := range [][]string{{"--out", "-"}, {}} {
		if r := dormouse(t, home, append([]string{"show", "cc_1a2b3c4d", "--file", testLongSum}, args...)...); r.out != testLong {
			t.Errorf("%q: the output has %d bytes", args, len(r.out))
		}
	}
}

func TestCleaningAStreamNeverCutsACharacter(t *testing.T) {
	var b strings.Builder
	c := &clean{to: &b}
	text := strings.Repeat("修", longestLine) + "\nend"
	for at := 0; at < len(text); at += 1000 {
		_, _ = c.Write([]byte(text[at:min(len(text), at+1000)]))
	}
	if err := c.flush(); err != nil || b.String() != text {
		t.Errorf("%d bytes became %d, %v", len(text), b.Len(), err)
	}
}

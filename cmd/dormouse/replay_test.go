package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recording writes a session in trace v1 in which an agent searches again and again.
func recording(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"trace":"v1","id":"r","agent":"test"}` + "\n")
	b.WriteString(`{"role":"user","ts":"2026-05-04T09:00:00Z","blocks":[{"type":"text","text":"look"}]}` + "\n")
	for i := range 60 {
		fmt.Fprintf(&b, `{"role":"assistant","ts":"2026-05-04T09:%02d:00Z","blocks":[{"type":"tool_use","id":"c%d","name":"Grep","input":{"pattern":"p%d"}}]}`+"\n", i%60, i, i)
		fmt.Fprintf(&b, `{"role":"user","blocks":[{"type":"tool_result","id":"c%d","text":%q}]}`+"\n", i, strings.Repeat(fmt.Sprintf("found %d in some file\n", i), 50))
	}
	path := filepath.Join(t.TempDir(), "recorded.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReplayComparesPoliciesOnARecording(t *testing.T) {
	home, path := t.TempDir(), recording(t)
	r := dormouse(t, home, "replay", path)
	for _, w := range []string{"none", "fifo", "dormouse", "Of 60 requests"} {
		if !strings.Contains(r.out, w) {
			t.Errorf("no %q in\n%s%s", w, r.out, r.err)
		}
	}
	r = dormouse(t, home, "replay", path, "--policy", "dormouse", "--json")
	var rows []replayed
	if err := json.Unmarshal([]byte(r.out), &rows); err != nil {
		t.Fatalf("%v in %s%s", err, r.out, r.err)
	}
	if len(rows) != 2 || rows[1].Policy != "dormouse" || rows[1].Saved < 50 || rows[1].Cost >= 1 || rows[0].Saved != 0 || rows[0].Cost != 1 {
		t.Errorf("%+v", rows)
	}
}

func TestReplayTakesACapturedSession(t *testing.T) {
	home := t.TempDir()
	serve(t, home)
	r := dormouse(t, home, "replay", "cc_1a2b")
	if r.code != 0 || !strings.Contains(r.out, "dormouse") {
		t.Errorf("code %d\n%s%s", r.code, r.out, r.err)
	}
}

func TestReplaySaysWhatItCannotUse(t *testing.T) {
	home := t.TempDir()
	serve(t, home)
	for args, want := range map[string]string{"nothing": "is no file here, and as a session", "--policy=best x": "--policy is one of"} {
		if r := dormouse(t, home, append([]string{"replay"}, strings.Fields(args)...)...); r.code == 0 || !strings.Contains(r.err, want) {
			t.Errorf("%s: code %d, %s", args, r.code, r.err)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(bad, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := dormouse(t, home, "replay", bad); r.code == 0 || !strings.Contains(r.err, "bad.jsonl: line 1") {
		t.Errorf("code %d, %s", r.code, r.err)
	}
}

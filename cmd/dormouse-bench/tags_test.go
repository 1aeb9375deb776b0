package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// traceOf is a session in trace v1 in which one file is changed.
func traceOf(id, day, file, said string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"trace":"v1","id":%q,"agent":"claude-code","project":"p","cwd":"/home/u/shop","start":"2026-05-%sT10:00:00Z","model":"m"}`+"\n", id, day)
	line := func(role, at string, block map[string]any) {
		raw, _ := json.Marshal(map[string]any{"role": role, "ts": "2026-05-" + day + "T" + at + "Z", "blocks": []any{block}})
		b.Write(append(raw, '\n'))
	}
	line("user", "10:00:00", map[string]any{"type": "text", "text": "fix it in " + id})
	line("assistant", "10:00:05", map[string]any{"type": "tool_use", "id": "c1", "name": "Write", "input": map[string]string{"file_path": "/home/u/shop/" + file, "content": "x"}})
	line("user", "10:00:06", map[string]any{"type": "tool_result", "id": "c1", "text": "File created successfully at: /home/u/shop/" + file, "error": false})
	line("assistant", "10:00:09", map[string]any{"type": "text", "text": said})
	return b.String()
}

func TestTagsAreReplayedNightByNight(t *testing.T) {
	dir := t.TempDir()
	for i, file := range []string{"checkout/cart.go", "checkout/total.go", "Checkouts/tax.go", "search/index.go"} {
		name := fmt.Sprintf("s%d", i)
		text := traceOf(name, fmt.Sprintf("%02d", 10+i), file, "Added the rounding of totals to `"+file+"`.")
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := tagsBench([]string{"--sessions", dir, "--nights", "4", "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var fig tagFigures
	if err := json.Unmarshal(out.Bytes(), &fig); err != nil {
		t.Fatal(err)
	}
	var fresh []int
	for _, n := range fig.Nights {
		if n.Sessions != 1 || n.Tagged != 1 {
			t.Errorf("night %+v", n)
		}
		fresh = append(fresh, n.NewTags)
	}
	if got := fmt.Sprint(fresh); got != "[0 1 0 0]" { // two sessions make a tag
		t.Errorf("new tags %s", got)
	}
	if p := fig.Projects; len(p) != 1 || p[0].Turns != 4 || p[0].Tags != 1 || p[0].Nights != 4 || fig.Segments != 4 || fig.Untagged != 25 || p[0].MostUsed != "checkout 3" {
		t.Errorf("%+v", fig)
	}
}

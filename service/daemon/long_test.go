package daemon

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
)

// longTurns is how many turns of four nodes the long session has.
func longTurns() int {
	if os.Getenv("DORMOUSE_STRESS") != "" {
		return 25_000
	}
	return 1_000
}

// writeLong writes the transcript of a session with so many turns: a prompt, an answer, a call with a long result, an answer. Every
// prompt at a multiple of 100 was written anew.
func writeLong(t *testing.T, roots string, turns int) {
	t.Helper()
	dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "-w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "long-1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(f)
	last, count := any(nil), 0
	record := func(kind string, message map[string]any) {
		count++
		id := fmt.Sprint(count)
		line, err := json.Marshal(map[string]any{"type": kind, "uuid": id, "parentUuid": last, "sessionId": "long-1", "cwd": "/w",
			"timestamp": "2026-05-01T10:00:00Z", "message": message})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = out.Write(append(line, '\n')) // Flush tells
		last = id
	}
	block := func(b map[string]any) []any { return []any{b} }
	for turn := 1; turn <= turns; turn++ {
		before := last
		if turn%100 == 0 {
			record("user", map[string]any{"role": "user", "content": fmt.Sprint("Do not do ", turn)})
			last = before
		}
		record("user", map[string]any{"role": "user", "content": fmt.Sprint("Do thing ", turn)})
		record("assistant", map[string]any{"id": fmt.Sprint("m", turn), "role": "assistant", "model": "m",
			"content": block(map[string]any{"type": "text", "text": fmt.Sprint("I shall do thing ", turn)})})
		call := fmt.Sprint("c", turn)
		record("assistant", map[string]any{"id": fmt.Sprint("n", turn), "role": "assistant", "model": "m",
			"content": block(map[string]any{"type": "tool_use", "id": call, "name": "Bash", "input": map[string]any{"command": "ls"}})})
		record("user", map[string]any{"role": "user", "content": block(map[string]any{"type": "tool_result", "tool_use_id": call,
			"content": fmt.Sprintf("%d: %s", turn, strings.Repeat("result ", 1200))})})
		record("assistant", map[string]any{"id": fmt.Sprint("o", turn), "role": "assistant", "model": "m",
			"content": block(map[string]any{"type": "text", "text": fmt.Sprint("Thing ", turn, " is done")})})
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestALongSessionIsCapturedAndEachTurnOfItShownInBulk asks a service that was started anew for the parts of a session that is too long to
// be sent at once.
func TestALongSessionIsCapturedAndEachTurnOfItShownInBulk(t *testing.T) {
	turns, roots, dir := longTurns(), t.TempDir(), t.TempDir()
	writeLong(t, roots, turns)
	if err := start(t, params(dir, roots)).stop(); err != nil {
		t.Fatal(err)
	}
	s := start(t, params(dir, roots))
	ctx := t.Context()
	list, err := s.Sessions(ctx, api.SessionQuery{})
	if err != nil || len(list) != 1 || list[0].Turns != turns+turns/100 {
		t.Fatalf("%+v, %v", list, err)
	}
	id := list[0].ID
	number := func(thing int) int { return thing + thing/100 } // of the turn, with those that were written anew
	for _, thing := range []int{turns, 1, turns / 2, 199, 200} {
		n := number(thing)
		one, err := s.Session(ctx, id, &n)
		if err != nil || len(one.Turns) != 1 || one.Turns[0].Commit == "" && thing != turns || one.Turns[0].Nodes[0].Output != fmt.Sprint("Do thing ", thing) {
			t.Fatalf("turn %d: %.300v, %v", n, one.Turns, err)
		}
	}
	pages, next := 0, 0
	for page, err := range s.SessionPages(ctx, id) {
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, turn := range page.Turns {
			if turn.N <= next {
				t.Fatalf("turn %d comes after %d", turn.N, next)
			}
			next = turn.N
			for i := range turn.Nodes {
				size += textBytes(&turn.Nodes[i])
			}
		}
		if pages++; size > 2*pageBytes {
			t.Errorf("page %d has %d bytes", pages, size)
		}
	}
	if next != turns+turns/100 || pages < turns*8000/pageBytes {
		t.Errorf("%d pages end with turn %d", pages, next)
	}
	seen, err := s.SessionContext(ctx, id, number(turns/2))
	if err != nil || len(seen.Views) != 1 {
		t.Fatalf("%+v, %v", seen, err)
	}
	items := seen.Views[0].Items
	if last := items[len(items)-1]; last.Text != fmt.Sprintf("Thing %d is done", turns/2) || last.Turn != number(turns/2) || len(items) < turns {
		t.Errorf("%d items, the last %+v", len(items), last)
	}
	branches, err := s.SessionBranches(ctx, id)
	if err != nil || len(branches.Branches) != 1+turns/100 || !branches.Branches[len(branches.Branches)-1].Shown {
		t.Errorf("%d branches, %v", len(branches.Branches), err)
	}
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// beginMark begins what sessions are told.
const beginMark = "═══ Dormouse memory · begin"

// wish is what an earlier session of another agent said, which is to be remembered.
const wish = "From now on use tabs in all Go files."

// memoryTime is how long the service may take to learn from the earlier session.
const memoryTime = time.Minute

// lived leaves a session of an agent that is not under test in the folder that the agent is going to work in, so that there is something to
// remember.
func (w *world) lived() error {
	lines := []map[string]any{
		{"type": "session", "version": 3, "id": "019a0000-0000-7000-8000-000000000001", "timestamp": "2026-01-05T10:00:00.000Z", "cwd": filepath.Join(w.home, "work")},
		{"type": "message", "id": "aaaaaaa1", "parentId": nil, "timestamp": "2026-01-05T10:00:01.000Z",
			"message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": wish}}, "timestamp": 1767607201000}},
		{"type": "message", "id": "aaaaaaa2", "parentId": "aaaaaaa1", "timestamp": "2026-01-05T10:00:09.000Z",
			"message": map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": "I will."}}, "stopReason": "stop", "timestamp": 1767607209000}},
	}
	var b strings.Builder
	for _, l := range lines {
		line, err := json.Marshal(l)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return put(filepath.Join(w.home, ".pi", "agent", "sessions", "--work--", "2026-01-05T10-00-00-000Z_1.jsonl"), b.String())
}

// remember waits until what the earlier session said would be told.
func (w *world) remember(a agent) error {
	for deadline := time.Now().Add(memoryTime); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		if _, err := w.dormouse("sleep"); err != nil {
			return err
		}
		out, err := w.dormouse("inject", "--preview", "--json", "--agent", a.name, "--cwd", filepath.Join(w.home, "work"))
		if err != nil {
			return err
		}
		if text := gjson.Get(out, "text").String(); strings.Contains(text, "tabs in all Go files") {
			if w.memory = text; a.escapes {
				w.memory = strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text)
			}
			return nil
		}
	}
	return errors.New("nothing is remembered of the earlier session")
}

// told says what is wrong with what the model was told: with Dormouse up each request of the session holds the memory once, byte for
// byte; sub-agents never do, and in every other state nobody does.
func told(requests []telling, memory, state string) (faults []string) {
	mains := 0
	for i, r := range requests {
		switch {
		case r.main && state == up:
			if mains++; r.times != 1 || !strings.Contains(r.body, memory) {
				faults = append(faults, fmt.Sprintf("request %d of the session has the memory %d times, and as it was shown: %v", i+1, r.times, strings.Contains(r.body, memory)))
			}
		case r.times > 0:
			faults = append(faults, fmt.Sprintf("request %d has the memory, which is not to be told here (sub-agent: %v)", i+1, r.sub))
		}
	}
	if state == up && mains == 0 {
		faults = append(faults, "no request of the session was seen")
	}
	return faults
}

package spool

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestReportHoldsTheFieldsOfEachAgentAndNothingThatWasSaid(t *testing.T) {
	tests := []struct {
		name, event, payload string
		want                 Report
	}{
		{"snake case", "Stop", `{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/w","turn_id":"t1","model":"m","prompt":"SAID"}`,
			Report{At: 5, Agent: "a", Event: "Stop", Session: "s", Transcript: "/t.jsonl", Cwd: "/w", Turn: "t1", Model: "m"}},
		{"camel case", "", `{"hook_event_name":"sessionStart","sessionId":"s","initialPrompt":"SAID"}`,
			Report{At: 5, Agent: "a", Event: "sessionStart", Session: "s"}},
		{"workspace roots", "stop", `{"conversation_id":"c","generation_id":"g","workspace_roots":["/w","/x"],"tool_input":{"command":"SAID"}}`,
			Report{At: 5, Agent: "a", Event: "stop", Session: "c", Turn: "g", Cwd: "/w"}},
		{"sub-agent", "SubagentStop", `{"session_id":"s","agent_id":"x","last_assistant_message":"SAID"}`,
			Report{At: 5, Agent: "a", Event: "SubagentStop", Session: "s", Child: true}},
		{"null and odd fields", "Stop", `{"session_id":"s","transcript_path":null,"cwd":7,"model":{"SAID":1}}`, Report{At: 5, Agent: "a", Event: "Stop", Session: "s"}},
		{"too long for an id", "Stop", `{"session_id":"` + strings.Repeat("SAID", 2000) + `"}`, Report{At: 5, Agent: "a", Event: "Stop"}},
		{"no JSON", "Stop", `SAID`, Report{At: 5, Agent: "a", Event: "Stop"}},
		{"nothing", "Stop", ``, Report{At: 5, Agent: "a", Event: "Stop"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Of("a", tt.event, []byte(tt.payload), 5)
			if got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
			if b, _ := json.Marshal(got); strings.Contains(string(b), "SAID") {
				t.Errorf("the report holds what was said: %s", b)
			}
		})
	}
}

func TestReportsAreTakenOnceAndTheOldestFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	for _, at := range []int64{30, 4, 200} {
		if _, err := Put(dir, Report{At: at}); err != nil {
			t.Fatal(err)
		}
	}
	var got []int64
	if n, err := Take(dir, func(r Report) error { got = append(got, r.At); return nil }); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if !reflect.DeepEqual(got, []int64{4, 30, 200}) {
		t.Errorf("order %v", got)
	}
	if n, err := Take(dir, func(Report) error { return nil }); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
}

func TestAReportThatWasNotTakenStays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	if _, err := Put(dir, Report{At: 1}); err != nil {
		t.Fatal(err)
	}
	refuse := errors.New("no")
	if n, err := Take(dir, func(Report) error { return refuse }); n != 0 || !errors.Is(err, refuse) {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := Take(dir, func(Report) error { return nil }); n != 1 || err != nil {
		t.Errorf("later: %d, %v", n, err)
	}
}

func TestSpoolIsBoundedAndPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	for i := range Max {
		if _, err := Put(dir, Report{At: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Put(dir, Report{At: Max}); !errors.Is(err, ErrFull) {
		t.Errorf("error %v", err)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != Max {
		t.Errorf("%d files, %v", len(list), err)
	}
	for _, path := range []string{dir, filepath.Join(dir, list[0].Name())} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

func TestDamagedReportsAreRemovedAndForeignFilesStay(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"1-x" + suffix: `{"at":`, "notes.txt": "mine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := Take(dir, func(Report) error { return nil }); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 || list[0].Name() != "notes.txt" {
		t.Errorf("left: %v", list)
	}
}

func TestWithoutAStateFolderNothingIsWritten(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "gone")
	if _, err := Put(filepath.Join(parent, "spool"), Report{}); err == nil {
		t.Error("a report was kept")
	}
	if _, err := os.Stat(parent); err == nil {
		t.Error("a folder was made")
	}
	if n, err := Take(filepath.Join(parent, "spool"), nil); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestHooksDoNotOverwriteEachOtherAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := Put(dir, Report{At: 7}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n, err := Take(dir, func(Report) error { return nil }); n != 20 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

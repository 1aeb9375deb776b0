package cline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/capture/cline"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// rested writes a list of shown messages of a task that nobody touched for two days.
func rested(t *testing.T, list []byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tasks")
	path := filepath.Join(dir, "T", "ui_messages.json")
	write(t, path, list)
	age(t, path, 48*time.Hour)
	return dir
}

func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(-by)); err != nil {
		t.Fatal(err)
	}
}

func TestATaskWithoutItsConversationIsToldFromWhatWasShown(t *testing.T) {
	list := []raw{{"ts": 1000, "say": "text", "text": "fix it"}, {"ts": 1100, "say": "api_req_started", "text": `{"tokensIn":5,"tokensOut":2}`},
		{"ts": 1200, "say": "reasoning", "text": "hm", "partial": true}, {"ts": 1300, "say": "text", "text": "looking"},
		{"ts": 1400, "ask": "command", "text": "go test"}, {"ts": 1500, "say": "command_output", "text": "ok"}, {"ts": 1550, "say": "command_output", "text": "more"},
		{"ts": 1600, "ask": "tool", "text": `{"tool":"readFile","path":"a.go"}`}, {"ts": 1700, "say": "condense_context", "contextCondense": raw{"summary": "so far", "prevContextTokens": 99}},
		{"ts": 1800, "ask": "followup", "text": `{"question":"which?","suggest":[]}`}, {"ts": 1900, "say": "user_feedback", "text": "that one"}, {"ts": 1950, "ask": "resume_task"},
		{"ts": 2000, "say": "error", "text": "broken"}, {"ts": 2100, "say": "never_seen", "text": "?"}, {"ts": 2200, "say": "completion_result", "text": "done"}, {"ts": 2300, "ask": "completion_result", "text": ""}}
	dir := rested(t, encode(t, list))
	all := roo.Read(t, dir, transcript.Over)
	c := all["T"]
	parsertest.Sound(t, c.Nodes)
	want := "u:fix it<- a:looking<fix it t:ok<looking u:more<ok t:readFile<more u:so far<readFile a:which?<so far u:that one<which? u:broken<that one a:done<broken"
	if got := parsertest.Shape(c.Nodes); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	m := func(i int) memory.Metadata { return c.Nodes[i].Metadata }
	if m(1).Thinking != "hm" || *m(1).Usage != (memory.Usage{Input: 5, Output: 2}) || m(2).Commands[0] != "go test" || m(5).Compaction.PreTokens != 99 || m(8).Status != memory.StatusError || c.Nodes[0].CreatedAt != 1 {
		t.Errorf("%s", parsertest.DAG(c.Nodes))
	}
	if counts := all[""].Skips.Counts(); len(counts) != 1 || counts[transcript.UnknownType+" never_seen"].Times != 1 {
		t.Errorf("%+v", counts)
	}
	age(t, filepath.Join(dir, "T", "ui_messages.json"), time.Hour)
	if all := roo.Read(t, dir, transcript.Over); len(all) != 1 {
		t.Error("one that may go on is told already")
	}
}

func TestCountsOfWhatWasShownEqualThoseOfTheOracle(t *testing.T) {
	for _, f := range parsertest.Samples(t, "roo", func(p string) bool { return strings.HasSuffix(p, "ui_messages.json") }) {
		t.Run(filepath.Base(filepath.Dir(f)), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var want parsertest.Counts
			for i, m := range load(t, f) {
				kind := str(m, "say") + str(m, "ask")
				switch {
				case i == 0 || kind == "user_feedback":
					want.Prompts++
				case str(m, "text") == "":
				case kind == "text" || kind == "completion_result" || kind == "followup":
					want.Messages++
				case kind == "tool" || kind == "use_mcp_server" || kind == "command":
					want.Calls++
				}
			}
			got := parsertest.Counted(roo.Read(t, rested(t, text), transcript.Over)["T"].Nodes)
			if got.Prompts != want.Prompts || got.Messages != want.Messages || got.Calls != want.Calls {
				t.Errorf("told %+v, shown were %+v", got, want)
			}
		})
	}
}

func TestATaskThatWasReadFromItsConversationIsNotToldAgain(t *testing.T) {
	dir := rested(t, encode(t, []raw{{"ts": 1000, "say": "text", "text": "fix it"}}))
	write(t, filepath.Join(dir, "T", "api_conversation_history.json"), encode(t, []raw{user(1, "<task>fix it</task>")}))
	ranks := func() (out []int) {
		lib := entries(t, dir)
		for _, e := range lib {
			out = append(out, e.Rank)
		}
		return out
	}
	if r := ranks(); len(r) != 1 || r[0] != 0 {
		t.Errorf("ranks %v", r)
	}
	if err := os.Remove(filepath.Join(dir, "T", "api_conversation_history.json")); err != nil {
		t.Fatal(err)
	}
	if r := ranks(); len(r) != 1 || r[0] >= 0 {
		t.Errorf("ranks %v", r)
	}
}

func entries(t *testing.T, dir string) (out []transcript.Entry) {
	t.Helper()
	lib, err := cline.Roo.Open(dir, transcript.Options{})
	if err == nil {
		err = lib.List(t.Context(), func(e transcript.Entry) error { out = append(out, e); return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

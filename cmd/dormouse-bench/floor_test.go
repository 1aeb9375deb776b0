package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestFloorAsksEachSetOfTheOthers counts what the questions of two sets find in their own and in the other.
func TestFloorAsksEachSetOfTheOthers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"zoo.passages.jsonl": `{"pid":"1","text":"Zebras graze on the savannah."}` + "\n" + `{"pid":"2","text":"Penguins adopted a rocky island."}`,
		"zoo.queries.jsonl":  `{"question":"Where do zebras graze?","gold":["1"]}` + "\n" + `{"question":"savannah","gold":["2"]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(more ...string) map[string]floorRow {
		t.Helper()
		var out bytes.Buffer
		if err := floorBench(append([]string{"--data", talks(t) + "," + dir, "--json"}, more...), &out); err != nil {
			t.Fatal(err)
		}
		var got struct{ Rows []floorRow }
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		rows := map[string]floorRow{}
		for _, r := range got.Rows {
			rows[r.Asked+" of "+r.Of] = r
		}
		return rows
	}
	all := ask()
	for pair, want := range map[string]floorRow{
		"conversations of conversations": {Questions: 2, Finds: 100, Recall: 75},
		"conversations of zoo":           {Questions: 2, Finds: 0},
		"zoo of conversations":           {Questions: 2, Finds: 0},
		"zoo of zoo":                     {Questions: 2, Finds: 100, Recall: 50},
	} {
		got := all[pair]
		if got.Questions != want.Questions || got.Finds != want.Finds || got.Recall != want.Recall {
			t.Errorf("%s: %+v, want %+v", pair, got, want)
		}
	}
	if odd := ask("--half", "odd")["zoo of zoo"]; odd.Questions != 1 || odd.Finds != 100 || odd.Recall != 0 {
		t.Errorf("the second question alone: %+v", odd)
	}
	if err := floorBench([]string{"--data", t.TempDir()}, &bytes.Buffer{}); err == nil {
		t.Error("a folder without data is no error")
	}
}

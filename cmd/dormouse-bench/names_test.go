package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func writeLines(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAliasBenchCountsWhatItSays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.tsv")
	writeLines(t, path, "label\ta\tb\tsource\tkind\n1\tnode-js\tNodeJS\tx\tspelling\n1\tphp7\tphp\tx\tsubstring\n1\tcopper\tdraconic\tx\topaque\n0\tqt-tool\tqt\tx\tsimilar\n0\tjson\txml\tx\trelated\n")
	var out bytes.Buffer
	if err := aliasBench([]string{"--data", path, "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var f aliasFigures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if f.Pairs != 5 || f.Same != 3 || f.MergePrecision != 100 || int(f.Precision) != 66 || int(f.Recall) != 66 || f.F1Low > f.F1 || f.F1High < f.F1 {
		t.Errorf("figures %+v", f)
	}
	writeLines(t, path, "label\ta\tb\tsource\tkind\n1\tonly\n")
	if err := aliasBench([]string{"--data", path}, &out); err == nil {
		t.Error("a line without its columns was taken")
	}
}

func TestFactconBenchFindsTheNewestFact(t *testing.T) {
	dir := t.TempDir()
	writeLines(t, filepath.Join(dir, "facts.jsonl"), `{"set":"s","n":0,"fact":"The capital of Oz is Emerald City."}
{"set":"s","n":1,"fact":"Dorothy is a citizen of Kansas."}
{"set":"s","n":2,"fact":"The capital of Oz is Munchkin Town."}
{"set":"s","n":3,"fact":"Dorothy is a citizen of Oz."}
`)
	writeLines(t, filepath.Join(dir, "questions.jsonl"), `{"set":"s","hop":"sh","question":"What is the capital of Oz?","answers":["Munchkin Town"]}
{"set":"s","hop":"sh","question":"Which country is Dorothy a citizen of?","answers":["Oz"]}
{"set":"s","hop":"sh","question":"Who is the king of Oz?","answers":["nobody"]}
`)
	var out bytes.Buffer
	if err := factconBench([]string{"--data", dir, "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var got struct{ Rows []factconRow }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 1 {
		t.Fatalf("rows %+v", got.Rows)
	}
	r := got.Rows[0]
	if r.Questions != 3 || r.Facts != 4 || int(r.Newest) != 66 || r.Superseded != 1 || r.Wrong != 0 {
		t.Errorf("row %+v", r)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// talks writes two conversations of which the second would mislead who looks into it.
func talks(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"turns.jsonl": `{"conv":"c1","session":"S1","dia_id":"1:1","speaker":"Ann","text":"I adopted a kitten called Miso."}
{"conv":"c1","session":"S1","dia_id":"1:2","speaker":"Bob","text":"How nice, what does she eat?"}
{"conv":"c1","session":"S2","dia_id":"2:1","speaker":"Ann","text":"We moved to Lisbon.","image_caption":"a yellow tram"}

{"conv":"c2","session":"S1","dia_id":"1:1","speaker":"Eve","text":"kitten kitten tram Lisbon Miso"}
`,
		"questions.jsonl": `{"conv":"c1","category":1,"category_name":"single","question":"What is Ann's kitten called?","evidence":["1:1"]}
{"conv":"c1","category":4,"category_name":"multi","question":"Who has seen a tram?","evidence":["2:1","1:2"]}
{"conv":"c1","category":5,"category_name":"none","question":"tram","evidence":["2:1"]}
{"conv":"c1","category":1,"category_name":"single","question":"without evidence","evidence":[]}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRecallIsTheShareOfTheEvidence(t *testing.T) {
	var out bytes.Buffer
	if err := recallBench([]string{"--data", talks(t), "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var got struct{ Rows []recallRow }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"turns " + answerable + " R@1": 75, "turns " + answerable + " MRR": 100, "sessions " + answerable + " R@1": 75,
		"turns none R@1": 100, "turns multi R@20": 50, "turns single R@5": 100}
	seen := map[string]int{}
	for _, r := range got.Rows {
		seen[r.System]++
		for name, v := range r.Figures {
			key := r.Unit + " " + r.Set + " " + name
			if w, ok := want[key]; ok && math.Abs(v-w) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", r.System, key, v, w)
			}
		}
		if r.Set == answerable && r.Questions != 2 {
			t.Errorf("%d questions are scored", r.Questions)
		}
	}
	if seen["dormouse"] != 8 || seen["bm25"] != 8 {
		t.Errorf("rows %v", seen)
	}
}

func TestRecallPrintsATableAndNamesWhatIsMissing(t *testing.T) {
	var out bytes.Buffer
	if err := recallBench([]string{"--data", talks(t)}, &out); err != nil || strings.Count(out.String(), "\n") != 17 {
		t.Errorf("%v\n%s", err, out.String())
	}
	for _, args := range [][]string{{}, {"--data", t.TempDir()}, {"--nonsense"}} {
		if err := recallBench(args, &out); err == nil {
			t.Errorf("%v is no error", args)
		}
	}
}

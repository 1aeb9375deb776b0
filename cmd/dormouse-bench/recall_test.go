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

// figuresOf runs the bench on files and gives each row's figures by system, unit and set.
func figuresOf(t *testing.T, files map[string]string) map[string]map[string]float64 {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := recallBench([]string{"--data", dir, "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var got struct{ Rows []recallRow }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	rows := map[string]map[string]float64{}
	for _, r := range got.Rows {
		rows[r.System+" "+r.Unit+" "+r.Set] = r.Figures
	}
	return rows
}

func TestRecallOfPassagesIsBySet(t *testing.T) {
	rows := figuresOf(t, map[string]string{
		"x.zh.passages.jsonl": `{"pid":"p1","text":"缓存失效的问题"}` + "\n" + `{"pid":"p2","text":"登录页面的颜色"}` + "\n",
		"x.zh.queries.jsonl":  `{"question":"页面颜色","gold":["p2"],"context":"缓存"}` + "\n",
	})
	for row, want := range map[string]float64{"dormouse passages x.zh": 100, "dormouse passages x.zh, context": 0, "bm25 passages x.zh": 0} {
		if got := rows[row]["R@1"]; got != want {
			t.Errorf("%s: R@1 is %v, want %v", row, got, want)
		}
	}
}

func TestRecallOfSessionsMasksTheCommits(t *testing.T) {
	head := func(id string) string {
		return `{"trace":"v1","id":"` + id + `","project":"p","cwd":"/p","start":"2026-01-01T00:00:00Z"}` + "\n"
	}
	say := func(text string) string {
		return `{"role":"user","ts":"2026-01-01T00:00:00Z","blocks":[{"type":"text","text":"` + text + `"}]}` + "\n"
	}
	rows := figuresOf(t, map[string]string{
		"MANIFEST.jsonl": `{"id":"a","project":"p"}` + "\n" + `{"id":"b","project":"p"}` + "\n",
		"queries.jsonl":  `{"project":"p","query":"Fix the lease renewal","gold":["a"]}` + "\n",
		"p/a.jsonl":      head("a") + say("renew the lease before it ends"),
		"p/b.jsonl":      head("b") + say("fix the lease renewal\\nand something else"),
	})
	if got := rows["dormouse sessions all"]["R@1"]; got != 100 {
		t.Errorf("R@1 is %v: the line with the subject was not taken out", got)
	}
	if rows["bm25 sessions p"] == nil {
		t.Errorf("no rows of the project: %v", rows)
	}
}

func TestRecallOfUnicodeWantsEveryWord(t *testing.T) {
	rows := figuresOf(t, map[string]string{"unicode.tsv": "id\ttopic\tlevel\texpect\tquery\tdoc\n" +
		"1\ta\tmust\t1\tcafe\tle café\n2\ta\tmust\t0\tcafe au lait\tle café\n3\ta\tshould\t1\ttea\tle café\n"})
	got := rows["dormouse cases all"]
	if got["must"] != 100 || got["should"] != 0 || math.Round(got["all"]) != 67 {
		t.Errorf("figures %v", got)
	}
	if plain := rows["bm25 cases all"]; plain["must"] != 50 {
		t.Errorf("plain words pass %v", plain)
	}
}

func TestRecallOfFactsAsksForTheNewest(t *testing.T) {
	rows := figuresOf(t, map[string]string{
		"facts.jsonl":     `{"set":"s","n":1,"fact":"The capital of Oz is Opal."}` + "\n" + `{"set":"s","n":2,"fact":"The capital of Oz is Jade City."}` + "\n",
		"questions.jsonl": `{"set":"s","hop":"sh","question":"What is the capital of Oz?","answers":["Jade City"]}` + "\n",
	})
	if rows["dormouse facts s sh"]["newest_first"] != 100 || rows["bm25 facts s sh"]["newest_first"] != 0 {
		t.Errorf("figures %v", rows)
	}
}

func TestRecallOfBeliefsCountsWhatDoesNotBelong(t *testing.T) {
	seed := func(id, name, content, scope, by string) string {
		return `{"_id":"` + id + `","user_id":"test-user","type":"entity","canonical_name":"` + name + `","aliases":["al` + id + `"],"content":"` + content +
			`","scope":["` + scope + `"],"superseded_by":` + by + `}`
	}
	rows := figuresOf(t, map[string]string{
		"beliefs.seed.json": "[" + seed("b1", "queue_broker", "Messages go through NATS.", "domain:code", "null") + "," +
			seed("b2", "queue_old", "Messages went through RabbitMQ.", "domain:code", `"b1"`) + "," +
			seed("b3", "queue_novel", "The queue is where the heroes meet.", "domain:writing", "null") + "]",
		"retrieval.cases.json": `[{"caseId":"1","scope":["domain:code"],"query":"queue broker","expect":{"relevantBeliefs":{"shouldOnlyInclude":["b1"]}}},
			{"caseId":"2","scope":["domain:code"],"query":"RabbitMQ","expect":{"relevantBeliefs":{"shouldOnlyInclude":[]}}},
			{"caseId":"3","scope":["domain:code"],"query":"queue broker","userId":"nobody","expect":{"relevantBeliefs":{"shouldOnlyInclude":[]}}},
			{"caseId":"4","scope":["domain:code"],"query":"unscored","expect":{}}]`,
	})
	for row, want := range map[string]map[string]float64{
		"dormouse beliefs something expected": {"precision": 100, "recall": 100, "exact": 100}, "dormouse beliefs nothing expected": {"empty": 100},
		"bm25 top 1 beliefs something expected": {"precision": 100}} {
		for name, v := range want {
			if rows[row][name] != v {
				t.Errorf("%s: %s is %v, want %v", row, name, rows[row][name], v)
			}
		}
	}
}

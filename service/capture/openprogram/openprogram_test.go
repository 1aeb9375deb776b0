package openprogram_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/capture/openprogram"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var library = parsertest.OpenLibrary(openprogram.Open)

func TestDAGIsTheGoldenOne(t *testing.T) {
	all := library.Read(t, "testdata/state", transcript.Over)
	c := all["local_13d5"]
	parsertest.Sound(t, c.Nodes)
	parsertest.Golden(t, "local_13d5", parsertest.DAG(c.Nodes))
	if f := c.Facts; f.Title != "Encoding bug in the reader" || f.TitleBy != "agent" || f.Cwd != "/home/me/reader" || f.Created != 1779900000 || f.Updated != 1779900300 || f.FirstPrompt != "Fix the cp1252 bug in the reader" {
		t.Errorf("facts %+v", f)
	}
	if f := all["local_fc03"].Facts; f.Title != "" || f.Cwd != "" {
		t.Errorf("facts %+v", f)
	}
	if n := all[""].Skips.Counts(); len(n) > 0 {
		t.Errorf("skips %+v", n)
	}
}

// TestCountsEqualThoseOfTheOracle counts straight from the files and shares no code with the adapter.
func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	all := library.Read(t, "testdata/state", transcript.Over)
	for _, session := range []string{"local_13d5", "local_fc03"} {
		files, err := filepath.Glob("testdata/state/sessions/" + session + "/history/*.json")
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		var want parsertest.Counts
		for _, f := range files {
			var n struct {
				Role, Name string
				Output     any
				Metadata   struct {
					Source, Display string
					Covers          []string `json:"covers_ids"`
				}
			}
			text, err := os.ReadFile(f)
			if err == nil {
				err = json.Unmarshal(text, &n)
			}
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case n.Metadata.Display != "" || n.Metadata.Source == "job_followup" || n.Metadata.Covers != nil:
			case n.Role == "user" && n.Metadata.Source != "agent_spawn":
				want.Prompts++
			case n.Role == "llm" && n.Output != "":
				want.Messages++
			case n.Role == "code":
				want.Calls++
			}
		}
		if session == "local_13d5" {
			want.Calls++ // one that only its message shows
		}
		got := parsertest.Counted(all[session].Nodes)
		if got.Prompts != want.Prompts || got.Messages != want.Messages || got.Calls != want.Calls {
			t.Errorf("%s: captured %+v, the files hold %+v", session, got, want)
		}
	}
}

// put writes files below a folder; "{...}" are the fields of a node, whose role its name says.
func put(t testing.TB, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// conversation is a session of two turns.
func conversation(root string) map[string]string {
	return map[string]string{
		root + "/meta.json":              `{"id":"s1","created_at":1000,"updated_at":2000}`,
		root + "/history/0000-u-a.json":  `{"id":"a","seq":0,"role":"user","output":"one","predecessor":"ROOT"}`,
		root + "/history/0001-l-b.json":  `{"id":"b","seq":1,"role":"llm","output":"two","predecessor":"a"}`,
		root + "/history/0002-c-c.json":  `{"id":"c","seq":2,"role":"code","name":"ls","input":{"path":"."},"output":"three","caller":"b"}`,
		root + "/history/0003-u-d.json":  `{"id":"d","seq":3,"role":"user","output":"four","predecessor":"b"}`,
		root + "/history/0010-l-e.json":  `{"id":"e","seq":10,"role":"llm","output":"five","predecessor":"d"}`,
		root + "/history/.x.json.ab.tmp": `{`,
	}
}

const wholeConversation = "u:one<- a:two<one t:three<two u:four<three a:five<four"

func shape(t *testing.T, dir string) string {
	t.Helper()
	all := library.Read(t, dir, transcript.Over)
	if all["s1"] == nil {
		t.Fatalf("sessions %v", all)
	}
	parsertest.Sound(t, all["s1"].Nodes)
	return parsertest.Shape(all["s1"].Nodes)
}

func TestEachPartOfAStateFolderIsTaken(t *testing.T) {
	state := put(t, t.TempDir(), conversation("sessions/s1"))
	project := put(t, t.TempDir(), conversation(".openprogram/sessions/s1"))
	for _, dir := range []string{state, filepath.Join(state, "sessions"), filepath.Join(state, "sessions", "s1"), project} {
		if !openprogram.Imports(dir, nil) {
			t.Errorf("%s is not taken", dir)
		}
		if got := shape(t, dir); got != wholeConversation {
			t.Errorf("%s: %s", dir, got)
		}
	}
	if f := library.Read(t, project, transcript.Over)["s1"].Facts; f.Cwd != project {
		t.Errorf("facts %+v", f)
	}
	for name, dir := range map[string]string{"empty": t.TempDir(), "absent": filepath.Join(state, "absent"), "of Dormouse": put(t, t.TempDir(), map[string]string{
		"sessions/cc_1/meta.json": `{"agent_session_id":"x"}`, "sessions/cc_1/history/000001-u-a.json": `{"role":"user"}`})} {
		if openprogram.Imports(dir, nil) {
			t.Errorf("%s is taken", name)
		}
	}
	if openprogram.Imports(state, []byte("{}")) {
		t.Error("a file is taken")
	}
}

func TestSessionsInTheFoldersOfProjectsAreFound(t *testing.T) {
	home, project := t.TempDir(), put(t, t.TempDir(), conversation(".openprogram/sessions/s1"))
	there := filepath.Join(project, ".openprogram", "sessions", "s1")
	put(t, home, map[string]string{".openprogram/sessions/locations.json": fmt.Sprintf(`{"s1":%q,"s2":"/gone/.openprogram/sessions/s2"}`, there),
		".openprogram-work/sessions/x/meta.json": `{}`})
	all := library.Read(t, filepath.Join(home, ".openprogram"), transcript.Over)
	if all["s1"] == nil || parsertest.Shape(all["s1"].Nodes) != wholeConversation {
		t.Errorf("%v", all)
	}
	if places := all[""].Skips.Counts()["session in a project's folder that is not there"].Places; len(places) != 1 || !strings.Contains(places[0].File, "/gone/") {
		t.Errorf("%+v", places)
	}
	roots := openprogram.Roots(nil, home)
	for _, want := range []string{filepath.Join(home, ".openprogram", "sessions"), filepath.Join(home, ".openprogram-work", "sessions"), filepath.Dir(there)} {
		if !slices.Contains(roots, want) {
			t.Errorf("%s is not among %v", want, roots)
		}
	}
	if got := openprogram.Of(filepath.Join(there, "history", "0001-l-b.json")); got != there || openprogram.Of(filepath.Join(there, "meta.json")) != there {
		t.Errorf("of %s", got)
	}
	for _, path := range []string{"/h/.openprogram/sessions/s/context/commits/0001-l-b.json", "/x/meta.json", "/h/.openprogram/sessions/s/history/notes.json"} {
		if openprogram.Match(path) {
			t.Errorf("%s is matched", path)
		}
	}
	if !openprogram.Prune("s/.git") || openprogram.Prune("s") || openprogram.Prune("s/history") {
		t.Error("pruned wrongly")
	}
}

func TestWhatIsDamagedIsCountedByItsNameAndTheRestIsThere(t *testing.T) {
	files := conversation("sessions/s1")
	files["sessions/s1/history/0001-l-b.json"] = `{"id":"b","seq":1,"role":"llm","outp`
	files["sessions/s1/history/0004-u-x.json"] = ""
	files["sessions/s1/history/0005-q-y.json"] = `{"id":"y","role":"oracle","output":"?"}`
	files["sessions/s1/history/0006-u-a.json"] = files["sessions/s1/history/0000-u-a.json"]
	files["sessions/s1/history/notes.txt"] = "x"
	files["sessions/s2/meta.json"] = `{"id":`
	files["sessions/s2/history/0000-u-a.json"] = `{"id":"a","role":"user","output":"alone"}`
	files["sessions/s3/steering/x"] = "" // no session
	dir := put(t, t.TempDir(), files)
	all := library.Read(t, dir, transcript.Over)
	if got := parsertest.Shape(all["s1"].Nodes); got != "u:one<- t:three<one u:four<three a:five<four" {
		t.Errorf("%s", got)
	}
	if got := parsertest.Shape(all["s2"].Nodes); got != "u:alone<-" {
		t.Errorf("%s", got)
	}
	counts := all[""].Skips.Counts()
	for reason, name := range map[string]string{transcript.NotJSON: "0001-l-b.json 0004-u-x.json meta.json", "node that is there twice": "0006-u-a.json",
		transcript.UnknownType + " role oracle": "0005-q-y.json", "file among the nodes that is not named as one": "notes.txt"} {
		var got []string
		for _, p := range counts[reason].Places {
			got = append(got, filepath.Base(p.File))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != name {
			t.Errorf("%s: %v", reason, got)
		}
	}
	if len(all) != 3 || len(counts) != 4 {
		t.Errorf("%d sessions, skips %+v", len(all)-1, counts)
	}
}

func TestWhatIsStillBeingSaidWaits(t *testing.T) {
	files := conversation("s1")
	files["s1/history/0001-l-b.json"] = `{"id":"b","role":"llm","output":"tw","predecessor":"a","metadata":{"status":"running"}}`
	delete(files, "s1/history/0003-u-d.json")
	delete(files, "s1/history/0010-l-e.json")
	dir := put(t, t.TempDir(), files)
	quiet := library.Read(t, dir, transcript.Quiet)["s1"]
	over := library.Read(t, dir, transcript.Over)["s1"]
	if got := parsertest.Shape(quiet.Nodes); got != "u:one<-" {
		t.Errorf("quiet: %s", got)
	}
	if got := parsertest.Shape(over.Nodes); got != "u:one<- a:tw<one t:three<tw" || over.Nodes[1].Metadata.Status != memory.StatusInterrupted {
		t.Errorf("over: %s", got)
	}
	put(t, dir, conversation("s1"))
	whole := library.Read(t, dir, transcript.Over)["s1"]
	if whole.Nodes[1].ID == over.Nodes[1].ID || whole.Nodes[2].ID != over.Nodes[2].ID {
		t.Error("what was cut off is taken for the whole")
	}
}

func TestCopiesOfASessionGiveNothingTwice(t *testing.T) {
	files := conversation("sessions/s1")
	for name, text := range conversation("sessions/s1 (copy)") {
		files[name] = text
	}
	delete(files, "sessions/s1 (copy)/history/0010-l-e.json")
	files["sessions/s1 (copy)/history/0004-u-f.json"] = `{"id":"f","role":"user","output":"six","predecessor":"b"}`
	c := library.Read(t, put(t, t.TempDir(), files), transcript.Over)["s1"]
	ids := map[string]bool{}
	for _, n := range c.Nodes {
		if ids[n.ID] {
			t.Errorf("%s is there twice", n.Output)
		}
		ids[n.ID] = true
	}
	if len(ids) != 6 {
		t.Errorf("%s", parsertest.Shape(c.Nodes))
	}
}

func FuzzNode(f *testing.F) {
	files, err := filepath.Glob("testdata/state/sessions/local_13d5/history/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, []byte(`{"id":"a3","role":"code","caller":"a1","predecessor":"a2","output":{"error":1}}`))
	}
	f.Add([]byte(`{"id":"c1","role":"code","caller":"c2"}`), []byte(`{"id":"c2","role":"code","caller":"c1"}`))
	f.Add([]byte(`{"id":"x","role":"user","predecessor":"x","input":1,"caller":"x"}`), []byte(`{"role":"llm","metadata":{"covers_ids":["x"],"extra":"{\"blocks\":[{\"type\":\"tool\"}]}"}}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 1<<16 {
			return
		}
		dir := put(t, t.TempDir(), map[string]string{"s/meta.json": `{"id":"s","head_id":"b"}`, "s/history/0000-u-a.json": string(a),
			"s/history/0001-c-b.json": string(b), "s/history/0002-l-c.json": `{"role":"llm","output":"end","predecessor":"b"}`})
		for _, how := range []transcript.Settle{transcript.Quiet, transcript.Over} {
			for id, c := range library.Read(t, dir, how) {
				if id != "" {
					parsertest.Sound(t, c.Nodes)
				}
			}
		}
	})
}

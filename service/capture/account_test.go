package capture

import (
	"archive/zip"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// zipped makes a zip file of a file, as it would be downloaded.
func zipped(t *testing.T, file, name string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheDataExportOfAnAccountIsImportedOnce(t *testing.T) {
	for agent, file := range map[string]string{"chatgpt": "chatgpt/testdata/conversations-native.json", "claude-ai": "claudeai/testdata/conversations-00.json"} {
		w := newWorld(t)
		copied := filepath.Join(t.TempDir(), "copy.json")
		w.copy(file, copied)
		want := 0
		for i, path := range []string{zipped(t, file, "conversations.json"), zipped(t, file, "data/conversations.json"), copied, filepath.Dir(file)} {
			got, err := w.engine.Import(context.Background(), path)
			if err != nil || got.Agent != agent || got.Found == 0 || i == 0 == (got.Nodes == 0) && path != filepath.Dir(file) {
				t.Errorf("%s %d: %+v, %v", agent, i, got, err)
			}
			want += got.Nodes
		}
		if w.count() != want {
			t.Errorf("%s: %d nodes, %d were told", agent, w.count(), want)
		}
		w.problems(0)
		w.restart()
		w.scan()
		if w.count() != want {
			t.Errorf("%s: a scan changed the sessions", agent)
		}
	}
}

func TestAPartOfADownloadIsNoExport(t *testing.T) {
	w := newWorld(t)
	whole, err := os.ReadFile(zipped(t, "chatgpt/testdata/conversations-native.json", "conversations.json"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "part.zip")
	w.write(path, string(whole[:len(whole)/2]))
	if _, err := w.engine.Import(context.Background(), path); err == nil {
		t.Error("it was imported")
	}
}

func TestAFileThatIsNotNamedAsATranscriptIsCountedAndNamed(t *testing.T) {
	w := newWorld(t)
	odd := w.codex("copy of a rollout.jsonl")
	w.write(odd, "{}\n")
	w.write(w.codex("notes.txt"), "x")
	for range 3 { // the second time nothing has changed, the third time it is a new process
		w.scan()
		c := w.status("codex").Skipped[oddReason]
		if c.Times != 1 || len(c.Places) != 1 || c.Places[0].File != odd {
			t.Errorf("%+v", w.status("codex").Skipped)
		}
		w.restart()
	}
	if err := os.Remove(odd); err != nil {
		t.Fatal(err)
	}
	w.scan()
	if c := w.status("codex").Skipped; len(c) != 0 || len(w.sessions()) != 0 {
		t.Errorf("when it is gone: %+v", c)
	}
	w.problems(0)
}

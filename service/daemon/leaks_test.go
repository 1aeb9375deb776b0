package daemon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/config"
	"dormouse/store/home"
)

func TestSecretsInFilesAreFoundAndNotShown(t *testing.T) {
	secret := "gh" + "p_" + "to3P8l3iE2fMXNl7lcfwZD6nISSStcTcaa5O"
	dir, state := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"a.jsonl": "{\"x\":1}\n{\"text\":\"use " + secret + "\"}\n",
		"b.json":  "{\n\"token\":\n\"" + secret + "\"}",
		"c.env":   "A=1\nB=2\nTOKEN=" + secret + "\n",
		"d.bin":   "\x00" + secret,
		"e.txt":   "<private>mine alone</private>",
		"f.txt":   "nothing here",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := home.At(state)
	got, err := FindLeaks(t.Context(), h, config.Default(), func(string) string { return "" }, []string{dir})
	if err != nil || got.Files != 5 || len(got.Skipped) != 1 || !strings.Contains(got.Skipped[0], "d.bin: no text") {
		t.Fatalf("%+v, %v", got, err)
	}
	lines, marks := map[string]int{}, map[string]bool{}
	for _, l := range got.Leaks {
		lines[filepath.Base(l.File)] = l.Line
		if l.Bytes == len(secret) {
			marks[l.Placeholder] = true
		}
	}
	if len(got.Leaks) != 4 || lines["a.jsonl"] != 2 || lines["b.json"] != 0 || lines["c.env"] != 3 || lines["e.txt"] != 1 || len(marks) != 2 { // "assigned" and "github"
		t.Errorf("%+v", got.Leaks)
	}
	if b, _ := json.Marshal(got); strings.Contains(string(b), secret[4:]) || strings.Contains(string(b), "mine") {
		t.Error("it is shown")
	}
	if _, err := FindLeaks(t.Context(), h, config.Default(), func(string) string { return "" }, []string{filepath.Join(dir, "absent")}); err == nil {
		t.Error("a path that is not there is no error")
	}
	if left, _ := os.ReadDir(state); len(left) > 0 {
		t.Error("it wrote to the state folder")
	}
}

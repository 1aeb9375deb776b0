package archive_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/archive"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// format is that of conversations {"id","at","say"}.
var format = archive.Format{Mark: "say",
	Entry: func(raw []byte) transcript.Entry {
		return transcript.Entry{Session: gjson.GetBytes(raw, "id").String(), Updated: gjson.GetBytes(raw, "at").Int()}
	},
	Read: func(_ string, raw []byte, _ transcript.Settle, _ transcript.Options) ([]memory.Node, transcript.Facts) {
		return []memory.Node{{ID: "n", Output: gjson.GetBytes(raw, "say").String()}}, transcript.Facts{}
	},
}

// all is what an export holds: "id=text" of each conversation, in its order.
func all(t *testing.T, path string) string {
	t.Helper()
	lib := format.Open(path, transcript.Options{})
	defer func() {
		if err := lib.Close(); err != nil {
			t.Error(err)
		}
	}()
	var out []string
	err := lib.List(t.Context(), func(e transcript.Entry) error {
		_, err := lib.Read(t.Context(), e.Session, transcript.Over, func(n memory.Node) error {
			out = append(out, e.Session+"="+n.Output)
			return nil
		})
		return err
	})
	if err != nil {
		return err.Error()
	}
	return strings.Join(out, " ")
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.ZIP")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	one = ` [ {"id":"a","say":"first é"} , {"id":"b","at":5,"say":"second"}]`
	two = `[{"id":"b","at":4,"say":"older"},{"id":"a","at":9,"say":"newer"},{"say":"nameless"}]`
)

func TestAnExportIsReadAsFileFolderAndZip(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in", "conversations-000.json"), one)
	write(t, filepath.Join(dir, "in", "conversations-001.json"), two)
	write(t, filepath.Join(dir, "in", "user.json"), "{")
	files := map[string]string{"x/conversations.json": one, "x/Conversations-2.json": two, "chat.html": "<html>"}
	for path, want := range map[string]string{
		write(t, filepath.Join(dir, "renamed"), one):                     "a=first é b=second",
		write(t, filepath.Join(dir, "one.json"), `{"id":"a","say":"x"}`): "a=x",
		dir:                      "a=newer b=second",
		filepath.Join(dir, "in"): "a=newer b=second",
		zipped(t, files):         "b=second a=newer",
	} {
		if got := all(t, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		if !format.Imports(path, head(t, path)) {
			t.Errorf("%s is not taken", path)
		}
		other := format
		other.Mark = "mapping"
		if other.Imports(path, head(t, path)) {
			t.Errorf("%s is taken for another's", path)
		}
	}
}

func head(t *testing.T, path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil // a folder
	}
	return b
}

func TestADamagedExportIsAnErrorThatSaysWhatHelps(t *testing.T) {
	dir := t.TempDir()
	whole, err := os.ReadFile(zipped(t, map[string]string{"conversations.json": one}))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"cut.json": one[:len(one)-4], "list.json": one[:len(one)-1], "part.zip": string(whole[:len(whole)/2])} {
		path := write(t, filepath.Join(dir, name), text)
		if got := all(t, path); !strings.Contains(got, name) || !strings.Contains(got, "take") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := all(t, filepath.Join(dir, "absent.json")); !strings.Contains(got, "absent.json") {
		t.Error(got)
	}
	lib := format.Open(write(t, filepath.Join(dir, "a.json"), one), transcript.Options{})
	if err := lib.List(t.Context(), func(transcript.Entry) error { return nil }); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a.json"), strings.Replace(one, "first", "thirs", 1))
	for session, want := range map[string]string{"a": "changed", "x": "not in the export"} {
		if _, err := lib.Read(t.Context(), session, transcript.Over, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", session, err)
		}
	}
	_ = lib.Close()
}

func TestWhatAZipFileHoldsIsUnpackedWithoutATrace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if got := all(t, zipped(t, map[string]string{"conversations.json": one})); got != "a=first é b=second" {
		t.Error(got)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

func TestATreeIsWalkedBranchByBranchTheActiveOneLast(t *testing.T) {
	for name, tt := range map[string]struct{ items, active, want string }{
		"chain":    {"a: b:a c:b", "c", "a b c"},
		"fork":     {"a: b:a c:a d:b", "d", "a c b d"},
		"no mark":  {"a: b:a c:a d:b", "", "a b d c"},
		"orphan":   {"b:x a:", "b", "a b"},
		"circle":   {"a:b b:a c:c", "a", "c a b"},
		"twice":    {"a: b:a a:b", "b", "a b"},
		"backward": {"c:b b:a a:", "c", "a b c"},
	} {
		var items []archive.Item
		for _, f := range strings.Fields(tt.items) {
			id, up, _ := strings.Cut(f, ":")
			items = append(items, archive.Item{ID: id, Parent: up})
		}
		var got []string
		archive.Walk(items, tt.active, func(i int) { got = append(got, items[i].ID) })
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", name, got, tt.want)
		}
	}
	var deep []archive.Item
	for i := range 200_000 {
		deep = append(deep, archive.Item{ID: string(rune(i + 0x10000)), Parent: string(rune(i + 0xffff))})
	}
	n := 0
	archive.Walk(deep, deep[len(deep)-1].ID, func(int) { n++ })
	if n != len(deep) {
		t.Errorf("%d of %d", n, len(deep))
	}
}

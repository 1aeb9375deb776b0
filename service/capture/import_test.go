package capture

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAStateFolderOfOpenProgramIsImportedOnceAndWhatIsDamagedIsNamed(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(t.TempDir(), "backup")
	if err := os.CopyFS(dir, os.DirFS("openprogram/testdata/state")); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(dir, "sessions", "local_13d5", "history", "0005-c-a1_t_tc2.json")
	w.write(damaged, `{"id":"a1_t_tc2","role":"co`)
	w.write(filepath.Join(dir, "sessions", "local_fc03", "meta.json"), `{"id":`)
	for i, want := range []int{34, 0} {
		got, err := w.engine.Import(context.Background(), dir)
		if err != nil || got.Agent != "openprogram" || got.Found != 5 || got.Nodes != want {
			t.Fatalf("import %d: %+v, %v", i, got, err)
		}
		bad := got.Skipped["not valid JSON"]
		if bad.Times != 2 || len(bad.Places) != 2 || !strings.HasSuffix(bad.Places[0].File, "meta.json") || bad.Places[1].File != damaged {
			t.Errorf("import %d: %+v", i, got.Skipped)
		}
	}
	w.problems(0)
	if err := os.CopyFS(filepath.Join(w.home, ".openprogram"), os.DirFS("openprogram/testdata/state")); err != nil {
		t.Fatal(err)
	}
	w.scan()
	if w.count() != 35 || len(w.sessions()) != 5 {
		t.Errorf("with the folder itself there are %d nodes of %d sessions", w.count(), len(w.sessions()))
	}
}

package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestUnfinishedFilesAreRemovedWhenNobodyCanBeWritingThem(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, false, true, talk(1, 3)...)
	var old, kept []string
	long := time.Now().Add(-2 * staleTemp)
	for _, dir := range []string{".", historyDir, ".git", ".git/objects", ".git/objects/pack", "context"} {
		for _, name := range []string{".tmp-1", "tmp_pack_1", "tmp_spare_meta", ".tmp-young", "tmp_young"} {
			path := filepath.Join(x.Dir(), filepath.FromSlash(dir), name)
			if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
				t.Fatal(err)
			}
			if name[len(name)-2:] == "ng" {
				kept = append(kept, path)
				continue
			}
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
			inGit := filepath.Dir(path) != x.Dir() && dir != historyDir && dir != "context"
			if inGit && name == "tmp_pack_1" || !inGit && dir != "context" && name == ".tmp-1" {
				old = append(old, path)
			} else {
				kept = append(kept, path)
			}
		}
	}
	w, err := x.Weigh()
	if err != nil || w.Stale != len(old) {
		t.Errorf("%v, %d of %d left files are seen", err, w.Stale, len(old))
	}
	if err := x.Sweep(); err != nil {
		t.Fatal(err)
	}
	for _, p := range old {
		if exists(p) {
			t.Errorf("%s is still there", p)
		}
	}
	for _, p := range kept {
		if !exists(p) {
			t.Errorf("%s is gone", p)
		}
	}
	if w, err := x.Weigh(); err != nil || w.Stale != 0 {
		t.Errorf("%v, %d files are still seen", err, w.Stale)
	}
	sound(t, x)
}

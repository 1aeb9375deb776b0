package session

import (
	"path/filepath"
	"testing"

	"dormouse/store/disk"
	"dormouse/store/memory"
)

// TestANewSessionWritesItsMetaOnce counts the writes of what is known of a session before its first nodes are stored.
func TestANewSessionWritesItsMetaOnce(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	wrote := 0
	stop := disk.Watch(func(s disk.Step) error {
		if s.Op == "write" && filepath.Base(s.Path) == metaFile {
			wrote++
		}
		return nil
	})
	defer stop()
	b := x.Begin(true)
	for _, n := range talk(1, 2) {
		if _, err := b.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	title := func(m *memory.Session) { m.Title, m.Cwd = "what it is about", "/src/a" }
	if err := x.Update(title); err != nil {
		t.Fatal(err)
	}
	if x.Stored() {
		t.Error("it is stored before its batch is closed")
	}
	if err := b.Close(true); err != nil {
		t.Fatal(err)
	}
	if err := x.Update(title); err != nil {
		t.Fatal(err)
	}
	if m := reopened(t, x).Meta(); wrote != 1 || m.Title != "what it is about" || m.Cwd != "/src/a" || m.Nodes != 5 || !x.Stored() {
		t.Errorf("meta.json was written %d times and says %+v", wrote, m)
	}
}

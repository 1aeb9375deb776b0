package recall

import (
	"os"
	"path/filepath"
	"testing"

	"dormouse/store/memory"
	"dormouse/store/session"
)

func TestSessionsOutOfReachStayInTheIndexAndDeletedOnesDoNot(t *testing.T) {
	root := t.TempDir()
	shop := filepath.Join(root, "shop")
	if err := os.Mkdir(shop, 0o700); err != nil {
		t.Fatal(err)
	}
	sessions := session.New(session.Options{Dir: filepath.Join(t.TempDir(), "sessions"), Machine: "00000001", Temps: []string{},
		Inside: func(m memory.Session) string { return map[string]string{"shop": shop}[m.ProjectID] }})
	x := &Indexer{Index: openIndex(t), Sessions: sessions}
	away := say(t, sessions, "a", "shop", [2]string{"rotate the zebra", "done"})
	gone := say(t, sessions, "b", "other", [2]string{"feed the giraffe", "done"})
	bringUp(t, x)
	if err := os.Rename(shop, filepath.Join(t.TempDir(), "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := sessions.Delete(gone.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Sync(t.Context(), []string{away.ID, gone.ID}); err != nil { // as the store tells of them
		t.Fatal(err)
	}
	if got := ids(t, x.Index, "giraffe"); len(got) != 0 {
		t.Errorf("a deleted session is found: %v", got)
	}
	bringUp(t, x)
	if got := ids(t, x.Index, "zebra"); len(got) != 1 {
		t.Errorf("a session out of reach is not found: %v", got)
	}
}

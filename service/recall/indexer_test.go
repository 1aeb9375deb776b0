package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dormouse/store/index"
	"dormouse/store/memory"
	"dormouse/store/session"
)

func bringUp(t *testing.T, x *Indexer) {
	t.Helper()
	if failed, err := x.Sync(t.Context(), nil); err != nil || len(failed) > 0 {
		t.Fatalf("sync: %v %v", failed, err)
	}
}

func ids(t *testing.T, ix *index.Index, text string) []string {
	t.Helper()
	hits, err := (&Searcher{Index: ix}).Search(t.Context(), Query{Text: text, View: memory.View{All: true}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.ID)
	}
	slices.Sort(out)
	return out
}

func TestSyncDoesWhatIsNewAlone(t *testing.T) {
	x := &Indexer{Index: openIndex(t), Sessions: openSessions(t)}
	var told []string
	x.Progress = func(done, total int, session string) { told = append(told, fmt.Sprint(done, "/", total)) }
	a := say(t, x.Sessions, "a", "p", [2]string{"rotate the token", "it is rotated"})
	b := say(t, x.Sessions, "b", "p", [2]string{"unrelated zebra", "done"})
	if n, err := x.Waiting(); n != 2 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	bringUp(t, x)
	if !slices.Equal(told, []string{"1/2", "2/2"}) {
		t.Errorf("progress %v", told)
	}
	if got := ids(t, x.Index, "token"); !slices.Equal(got, []string{a.ID + "/000001"}) {
		t.Errorf("found %v", got)
	}
	a = say(t, x.Sessions, "a", "p", [2]string{"and revoke the token again", "revoked"})
	if n, _ := x.Waiting(); n != 1 {
		t.Errorf("%d wait", n)
	}
	bringUp(t, x)
	if got := ids(t, x.Index, "token"); !slices.Equal(got, []string{a.ID + "/000001", a.ID + "/000002"}) {
		t.Errorf("found %v", got)
	}
	before := x.Index.Stats()
	bringUp(t, x)
	if after := x.Index.Stats(); after.Docs != before.Docs || after.Dead != 0 {
		t.Errorf("a sync with nothing new changed %+v to %+v", before, after)
	}
	if err := x.Sessions.Delete(b.ID); err != nil {
		t.Fatal(err)
	}
	bringUp(t, x)
	if got := ids(t, x.Index, "zebra"); got != nil {
		t.Errorf("a deleted session is found: %v", got)
	}
	if n, _ := x.Waiting(); n != 0 {
		t.Errorf("%d wait", n)
	}
}

func TestASessionThatChangesItsProjectChangesItsScope(t *testing.T) {
	x := &Indexer{Index: openIndex(t), Sessions: openSessions(t)}
	m := say(t, x.Sessions, "a", "p", [2]string{"rotate the token", "ok"})
	bringUp(t, x)
	s, err := x.Sessions.Open(m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(func(m *memory.Session) { m.ProjectID = "q" }); err != nil {
		t.Fatal(err)
	}
	bringUp(t, x)
	find := Searcher{Index: x.Index}
	for project, want := range map[string]int{"p": 0, "q": 1} {
		if hits, err := find.Search(t.Context(), Query{Text: "token", View: memory.View{Project: project}}); err != nil || len(hits) != want {
			t.Errorf("project %s sees %d, want %d; %v", project, len(hits), want, err)
		}
	}
}

func TestSyncGoesOnAfterAnInterruption(t *testing.T) {
	x := &Indexer{Index: openIndex(t), Sessions: openSessions(t)}
	for i := range 5 {
		say(t, x.Sessions, fmt.Sprint(i), "p", [2]string{fmt.Sprintf("token number%d", i), "ok"})
	}
	ctx, cancel := context.WithCancel(t.Context())
	x.Progress = func(done, _ int, _ string) {
		if done == 2 {
			cancel()
		}
	}
	if _, err := x.Sync(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("sync: %v", err)
	}
	if n, _ := x.Waiting(); n != 3 {
		t.Errorf("%d wait", n)
	}
	x.Progress = nil
	bringUp(t, x)
	if got := ids(t, x.Index, "token"); len(got) != 5 {
		t.Errorf("found %v", got)
	}
}

func TestOnlyTheNamedSessionsAreSynced(t *testing.T) {
	x := &Indexer{Index: openIndex(t), Sessions: openSessions(t)}
	a := say(t, x.Sessions, "a", "p", [2]string{"token one", "ok"})
	say(t, x.Sessions, "b", "p", [2]string{"token two", "ok"})
	if _, err := x.Sync(t.Context(), []string{a.ID, "cc_gone"}); err != nil {
		t.Fatal(err)
	}
	if got := ids(t, x.Index, "token"); !slices.Equal(got, []string{a.ID + "/000001"}) {
		t.Errorf("found %v", got)
	}
}

// TestAnUnreadableSessionDoesNotStopTheOthers spoils the repository of one session.
func TestAnUnreadableSessionDoesNotStopTheOthers(t *testing.T) {
	dir := t.TempDir()
	store := session.New(session.Options{Dir: dir, Machine: "m1"})
	a := say(t, store, "a", "p", [2]string{"token one", "ok"})
	b := say(t, store, "b", "p", [2]string{"token two", "ok"})
	if err := errors.Join(store.Close(), os.RemoveAll(filepath.Join(dir, a.ID, ".git")), os.RemoveAll(filepath.Join(dir, a.ID, "history"))); err != nil {
		t.Fatal(err)
	}
	store = session.New(session.Options{Dir: dir, Machine: "m1"})
	t.Cleanup(func() { _ = store.Close() })
	x := &Indexer{Index: openIndex(t), Sessions: store}
	failed, err := x.Sync(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(failed) > 1 || len(failed) == 1 && failed[0].Session != a.ID {
		t.Errorf("failed: %v", failed)
	}
	if got := ids(t, x.Index, "token"); !slices.Equal(got, []string{b.ID + "/000001"}) {
		t.Errorf("found %v", got)
	}
}

func TestRecordsFollowTheState(t *testing.T) {
	x := &Indexer{Index: openIndex(t)}
	s := world()
	addEvent(s, "ev_1", "Rotated the token", nil)
	addEvent(s, "ev_2", "Token lifetime is a day", func(e *memory.Event) { e.SupersededBy = "ev_1" })
	addEvent(s, "ev_3", "Token without scope", func(e *memory.Event) { e.Scope = "" })
	addEntity(s, memory.TypeLibrary, "token-lib", func(e *memory.Entity) {
		e.Aliases = []string{"tokenizer"}
		e.Attrs = map[string]string{"version": "1.2"}
	})
	put := func() {
		t.Helper()
		if err := x.Records(t.Context(), DocsFromState(s)); err != nil {
			t.Fatal(err)
		}
	}
	put()
	if got := ids(t, x.Index, "token tokenizer"); !slices.Equal(got, []string{"ev_1", "library.token-lib"}) {
		t.Errorf("found %v", got)
	}
	if all, _ := x.Index.IDs(""); len(all) != 3 {
		t.Errorf("documents %v", all)
	}
	delete(s.Events, "ev_1") // as the fold leaves out what was forgotten
	put()
	if got := ids(t, x.Index, "rotated"); got != nil {
		t.Errorf("a forgotten event is found: %v", got)
	}
}

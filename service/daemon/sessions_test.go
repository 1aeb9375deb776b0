package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/title"
	"dormouse/store/memory"
)

// largest is the id of the session from which most was learned.
func largest(t *testing.T, s *service) (id string, events []memory.Event) {
	t.Helper()
	line, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][]memory.Event{}
	for _, e := range line.Events {
		by[e.Provenance.SessionID] = append(by[e.Provenance.SessionID], e)
	}
	for session, list := range by {
		if len(list) > len(events) || len(list) == len(events) && session < id {
			id, events = session, list
		}
	}
	return id, events
}

func TestAPersonsTitleAndPinStayAndMoveNothing(t *testing.T) {
	p := learned(t)
	dir, s := p.Home.Dir(), start(t, p)
	before, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	last := before[len(before)-1].ID
	changes := s.daemon.hub.Subscribe(t.Context())
	got, err := s.Rename(t.Context(), last, "  The till,\nmended ")
	if err != nil || got.Title != "The till, mended" || got.TitleBy != title.ByUser {
		t.Fatalf("%+v %v", got, err)
	}
	if ch := <-changes; ch.Type != "session_updated" || ch.ID != last {
		t.Errorf("told of %+v", ch)
	}
	if got, err := s.Pin(t.Context(), last, true); err != nil || !got.Pinned {
		t.Errorf("%+v %v", got, err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "index")); err != nil { // so that all transcripts are read again
		t.Fatal(err)
	}
	s = start(t, p)
	after, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(after) != len(before) {
		t.Fatal(err)
	}
	for i := range after {
		if after[i].ID != before[i].ID {
			t.Errorf("place %d holds %s, before %s", i, after[i].ID, before[i].ID)
		}
	}
	if x := after[len(after)-1]; x.Title != "The till, mended" || !x.Pinned {
		t.Errorf("%+v", x)
	}
	if got, err := s.Pin(t.Context(), last, false); err != nil || got.Pinned {
		t.Errorf("%+v %v", got, err)
	}
	for code, call := range map[string]func() error{
		api.CodeBadRequest: func() error { _, err := s.Rename(t.Context(), last, "\t"); return err },
		api.CodeNotFound:   func() error { _, err := s.Pin(t.Context(), "cc_none", true); return err },
	} {
		var e *api.Error
		if err := call(); !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestPointersIntoADeletedSessionAreShownAsSuch(t *testing.T) {
	p := learned(t)
	dir, s := p.Home.Dir(), start(t, p)
	ctx := t.Context()
	id, events := largest(t, s)
	x, err := s.daemon.sessions.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	before := x.Meta()
	gone, err := s.Delete(ctx, id)
	if err != nil || gone.Missing != api.MissingDeleted || !strings.Contains(gone.Reason, "2026-11-01") {
		t.Fatalf("%+v %v", gone, err)
	}
	if err := s.daemon.engine.Scan(ctx); err != nil { // its transcript is still there
		t.Fatal(err)
	}
	list, err := s.Sessions(ctx, api.SessionQuery{})
	if err != nil || slices.ContainsFunc(list, func(x api.Session) bool { return x.ID == id }) {
		t.Errorf("it is still listed, or came back: %v", err)
	}
	if list, err = s.Sessions(ctx, api.SessionQuery{Deleted: true}); err != nil || len(list) != 1 || list[0].ID != id {
		t.Errorf("deleted are %+v %v", list, err)
	}
	turn := 1
	if open, err := s.Session(ctx, id, &turn); err != nil || open.Session.Missing != api.MissingDeleted || len(open.Turns) != 0 || open.Session.Title == "" {
		t.Errorf("opened: %+v %v", open.Session, err)
	}
	line, err := s.Timeline(ctx, api.TimelineQuery{Limit: 1000})
	if err != nil || line.Missing[id] != api.MissingDeleted || len(line.Missing) != 1 {
		t.Errorf("timeline: %v %v", line.Missing, err)
	}
	found, err := s.Search(ctx, api.SearchQuery{Words: events[0].Summary, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		if (h.Missing == api.MissingDeleted) != (h.SessionID == id) {
			t.Errorf("hit %+v", h)
		}
	}
	core, err := s.Core(ctx, before.ProjectID)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range core.Pointers {
		if (p.Missing == api.MissingDeleted) != (p.SessionID == id) {
			t.Errorf("pointer %+v", p)
		}
	}
	if st, err := s.Status(ctx); err != nil || st.Counts.Deleted != 1 || len(st.Problems) != 0 {
		t.Errorf("%+v %v", st, err)
	}
	back, err := s.Undelete(ctx, id)
	if err != nil || back.Nodes != before.Nodes || back.UpdatedAt != before.UpdatedAt || back.Missing != "" {
		t.Errorf("%+v %v", back, err)
	}
	if line, err = s.Timeline(ctx, api.TimelineQuery{Limit: 1000}); err != nil || len(line.Missing) != 0 || len(line.Events) < len(events) {
		t.Errorf("%v %v", line.Missing, err)
	}
	sound(t, dir)
}

func TestSessionsOfABoundProjectLiveInItsFolderAndTheMemoryIsTheSame(t *testing.T) {
	roots := t.TempDir()
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shop := filepath.Join(project, "shop")
	if err := os.Mkdir(shop, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, shop, "init", "-q")
	write := func(name, day string) {
		t.Helper()
		dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "-shop")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		text := ""
		for i, said := range []string{"We decided to use SQLite for the till.", "Remember: always run make lint before a commit."} {
			text += line(shop, name, day, i, said)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("11111111-0000-0000-0000-000000000001", "2026-06-01")
	p := params(t.TempDir(), roots)
	p.Temps = []string{}
	s := start(t, p)
	old, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(old) != 1 {
		t.Fatalf("%+v %v", old, err)
	}
	inside := filepath.Join(shop, ".dormouse", "sessions")
	if _, err := os.Stat(inside); err == nil {
		t.Fatal("something was written into a folder that nobody bound")
	}
	before := published(t, p.Home.Dir())
	if _, err := s.Bind(t.Context(), shop); err != nil {
		t.Fatal(err)
	}
	write("11111111-0000-0000-0000-000000000002", "2026-06-02")
	if err := s.daemon.engine.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(inside, list[0].ID, "meta.json")); err != nil {
		t.Errorf("the new session does not live in the project's folder: %v", err)
	}
	for range 2 { // the second round removes what the first one moved
		if err := s.daemon.keeper.round(t.Context(), func(string) {}); err != nil {
			t.Fatal(err)
		}
	}
	if made, _ := filepath.Glob(filepath.Join(inside, "cc_*")); len(made) != 2 {
		t.Errorf("in the project's folder: %v", made)
	}
	if left, _ := filepath.Glob(filepath.Join(p.Home.Sessions(), "cc_*")); len(left) != 0 {
		t.Errorf("in the state folder: %v", left)
	}
	if out := git(t, shop, "status", "--porcelain", "--untracked-files=all"); out != "" {
		t.Errorf("git status of the project: %s", out)
	}
	st, err := s.Status(t.Context())
	if err != nil || st.Counts.Sessions != 2 || st.Packing.Moved != 1 || st.Packing.Cold != 2 || st.Packing.Files > 30 {
		t.Errorf("%+v %v", st.Packing, err)
	}
	// The folder is moved: the next start finds the sessions and the project in it.
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(shop, filepath.Join(project, "store")); err != nil {
		t.Fatal(err)
	}
	s = start(t, p)
	list, err = s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(list) != 2 || list[0].Missing != "" || list[1].Missing != "" {
		t.Errorf("%+v %v", list, err)
	}
	known, err := s.daemon.projects.Get(list[0].ProjectID)
	if err != nil || known.Path != filepath.Join(project, "store") {
		t.Errorf("%+v %v", known, err)
	}
	// It is gone: its sessions are listed with the reason, and the memory stays.
	if err := os.Rename(filepath.Join(project, "store"), filepath.Join(t.TempDir(), "away")); err != nil {
		t.Fatal(err)
	}
	list, err = s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(list) != 2 || list[0].Missing != api.MissingAway || !strings.Contains(list[0].Reason, "is not there") {
		t.Errorf("%+v %v", list, err)
	}
	if open, err := s.Session(t.Context(), list[0].ID, nil); err != nil || open.Session.Missing != api.MissingAway {
		t.Errorf("%+v %v", open.Session, err)
	}
	if st, err := s.Status(t.Context()); err != nil || st.Counts.Away != 2 || st.Counts.Sessions != 0 || len(st.Problems) != 0 {
		t.Errorf("%+v %v", st, err)
	}
	if _, err := s.Sleep(t.Context()); err != nil {
		t.Error(err)
	}
	if before == "" {
		t.Error("nothing was published")
	}
}

// line is a turn of a transcript of Claude Code.
func line(cwd, session, day string, n int, said string) string {
	at := day + "T10:0" + string(rune('0'+n)) + ":00Z"
	id := session + "-" + string(rune('a'+n))
	return `{"type":"user","sessionId":"` + session + `","uuid":"` + id + `u","parentUuid":null,"timestamp":"` + at + `","cwd":"` + filepath.ToSlash(cwd) +
		`","message":{"role":"user","content":"` + said + `"}}` + "\n" +
		`{"type":"assistant","sessionId":"` + session + `","uuid":"` + id + `a","parentUuid":"` + id + `u","timestamp":"` + at + `","cwd":"` + filepath.ToSlash(cwd) +
		`","message":{"id":"m` + id + `","model":"m-1","role":"assistant","content":[{"type":"text","text":"Done."}]}}` + "\n"
}

// namer is a model that gives every session one title.
type namer struct{ asked chan title.Prompt }

func (n namer) Complete(_ context.Context, p title.Prompt) (string, error) {
	n.asked <- p
	return "\"Use SQLite for the till\"", nil
}

func TestAModelNamesANewSessionInTheBackground(t *testing.T) {
	roots := t.TempDir()
	p := params(t.TempDir(), roots)
	model := namer{make(chan title.Prompt, 10)}
	p.Titles = model
	dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "-shop")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	name := "11111111-0000-0000-0000-000000000001"
	day := clock().Add(-2 * time.Hour).Format(time.DateOnly)
	if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(line("/w", name, day, 0, "the till is slow")), 0o644); err != nil {
		t.Fatal(err)
	}
	s := start(t, p)
	changes := s.daemon.hub.Subscribe(t.Context())
	if q := <-model.asked; !strings.Contains(q.User, "the till is slow") {
		t.Errorf("asked %+v", q)
	}
	for {
		list, err := s.Sessions(t.Context(), api.SessionQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if list[0].TitleBy == title.ByModel && list[0].Title == "Use SQLite for the till" {
			break
		}
		if ch := <-changes; ch.Type != "session_updated" {
			t.Logf("told of %+v", ch)
		}
	}
}

func TestTheCacheIsAsLargeAsTheEnvironmentSays(t *testing.T) {
	for text, problems := range map[string]int{"": 0, "2": 0, "0": 1, "many": 1} {
		p := params(t.TempDir(), t.TempDir())
		p.Env = func(name string) string { return map[string]string{envCache: text}[name] }
		s := start(t, p)
		if st, err := s.Status(t.Context()); err != nil || len(st.Problems) != problems {
			t.Errorf("%q: %q %v", text, st.Problems, err)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	}
}

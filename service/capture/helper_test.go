package capture

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// world is an engine with real stores in temporary folders.
type world struct {
	t       *testing.T
	home    string // the user's
	store   *session.Store
	engine  *Engine
	cursors *cursorMap
	redact  func(*memory.Node) (int, error)
	now     time.Time
	images  bool // whether they are kept; for the next restart
}

type cursorMap struct {
	mu     sync.Mutex
	values map[string][]byte
	gets   int
	fail   error
}

func (c *cursorMap) get(key string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gets++
	return c.values[key], nil
}

func (c *cursorMap) put(key string, v []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil {
		return c.fail
	}
	c.values[key] = append([]byte(nil), v...)
	return nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, home: t.TempDir(), cursors: &cursorMap{values: map[string][]byte{}},
		now: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)}
	w.redact = func(*memory.Node) (int, error) { return 0, nil }
	w.store = session.New(session.Options{Dir: filepath.Join(t.TempDir(), "sessions"), Machine: "00000000"})
	w.restart()
	t.Cleanup(func() { _ = w.store.Close() })
	return w
}

// restart makes a new engine over the same stores, as a new process would.
func (w *world) restart() { w.engine = New(w.options()) }

func (w *world) options() Options {
	return Options{Home: w.home, Env: func(string) string { return "" }, Sessions: w.store,
		Redact:  func(n *memory.Node) (int, error) { return w.redact(n) },
		Cursors: Cursors{Get: w.cursors.get, Put: w.cursors.put},
		OwnDir:  filepath.Join(w.home, ".dormouse"),
		Now:     func() time.Time { return w.now }, KeepImages: w.images}
}

func (w *world) scan() {
	w.t.Helper()
	if err := w.engine.Scan(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

// claude and codex are paths of transcripts in the agents' default folders.
func (w *world) claude(name string) string {
	return filepath.Join(w.home, ".claude", "projects", "-home-user-project", name)
}

func (w *world) codex(name string) string {
	return filepath.Join(w.home, ".codex", "sessions", "2026", "06", "18", name)
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) append(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) copy(from, to string) {
	w.t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(to, string(b))
}

// status is what the engine says of one agent.
func (w *world) status(agent string) AgentStatus {
	w.t.Helper()
	for _, a := range w.engine.Status().Agents {
		if a.Agent == agent {
			return a
		}
	}
	w.t.Fatalf("no agent %s", agent)
	return AgentStatus{}
}

func (w *world) sessions() []memory.Session {
	w.t.Helper()
	list, invalid, err := w.store.List()
	if err != nil || len(invalid) > 0 {
		w.t.Fatal(err, invalid)
	}
	return list
}

func (w *world) nodes(id string) []memory.Node {
	w.t.Helper()
	x, err := w.store.Open(id)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []memory.Node
	for n, err := range x.Nodes(0) {
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, n)
	}
	return out
}

// only is the only session.
func (w *world) only() memory.Session {
	w.t.Helper()
	list := w.sessions()
	if len(list) != 1 {
		w.t.Fatalf("%d sessions, want one", len(list))
	}
	return list[0]
}

func (w *world) problems(n int) []Problem {
	w.t.Helper()
	p := w.engine.Status().Problems
	if len(p) != n {
		w.t.Fatalf("%d problems, want %d: %+v", len(p), n, p)
	}
	return p
}

// turn is the lines of one turn of a Claude Code transcript, without the last line's end.
func turn(n int, when time.Time, prompt, answer string) string {
	id := strings.Repeat(string(rune('a'+n)), 4)
	up := "null"
	if n > 0 {
		up = `"` + strings.Repeat(string(rune('a'+n-1)), 4) + `-2"`
	}
	at := when.Add(time.Duration(n) * time.Minute).UTC().Format(time.RFC3339)
	return `{"type":"user","uuid":"` + id + `-1","parentUuid":` + up + `,"timestamp":"` + at + `","cwd":"/home/user/project","gitBranch":"main","message":{"role":"user","content":"` + prompt + `"}}` + "\n" +
		`{"type":"assistant","uuid":"` + id + `-2","parentUuid":"` + id + `-1","timestamp":"` + at + `","cwd":"/home/user/project","message":{"id":"msg_` + id + `","model":"claude-opus-4","role":"assistant","content":[{"type":"text","text":"` + answer + `"}]}}` + "\n"
}

const aUUID = "11111111-2222-3333-4444-555555555555"

func newStore(dir string) *session.Store {
	return session.New(session.Options{Dir: dir, Machine: "00000000"})
}

// failFor makes Identify say nothing of one file.
func failFor(identify identifier, path string) identifier {
	return func(p string, head []byte, side func(string) []byte) (transcript.File, bool) {
		if p == path {
			return transcript.File{}, false
		}
		return identify(p, head, side)
	}
}

type identifier = func(string, []byte, func(string) []byte) (transcript.File, bool)

func projectFunc(f func(Place) (string, error)) func(context.Context, Place) (string, error) {
	return func(_ context.Context, p Place) (string, error) { return f(p) }
}

package shadow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

// history is a session in memory.
type history []memory.Node

func (h history) Nodes(from int) iter.Seq2[memory.Node, error] {
	return func(yield func(memory.Node, error) bool) {
		for _, n := range h {
			if n.Seq >= from && !yield(n, nil) {
				return
			}
		}
	}
}

func (h history) Node(id string) (memory.Node, error) {
	for _, n := range h {
		if n.ID == id {
			return n, nil
		}
	}
	return memory.Node{}, errors.New("no such node")
}

// script builds a session. Every node is ten seconds after the one before.
type script struct {
	nodes history
	turn  int
	at    int64
}

func newScript() *script { return &script{at: 1_700_000_000} }

func (s *script) add(n memory.Node) *script {
	s.at += 10
	n.Seq, n.CreatedAt = len(s.nodes)+1, s.at
	n.Metadata.Turn = s.turn
	if n.ID == "" {
		n.ID = fmt.Sprintf("n%06d", n.Seq)
	}
	s.nodes = append(s.nodes, n)
	return s
}

func (s *script) prompt(text string) *script {
	s.turn++
	return s.add(memory.Node{Role: memory.RoleUser, Output: text, Metadata: memory.Metadata{Kind: memory.KindPrompt}})
}

func (s *script) says(text string) *script {
	return s.add(memory.Node{Role: memory.RoleAssistant, Output: text, Metadata: memory.Metadata{Model: "model-1"}})
}

func (s *script) tool(input string, edits ...memory.Edit) *script {
	return s.add(memory.Node{Role: memory.RoleTool, Name: "Edit", Input: []byte(input), Metadata: memory.Metadata{Status: memory.StatusOK, Edits: edits}})
}

func quote(s string) string {
	b, _ := memory.Encode(s)
	return string(b)
}

// create writes a new file.
func (s *script) create(path, text string) *script {
	return s.tool(`{"file_path":`+quote(path)+`,"content":`+quote(text)+`}`, memory.Edit{Path: path, Op: edit.Create})
}

// replace replaces a piece of a file whose content before is shown.
func (s *script) replace(path, original, old, now string) *script {
	return s.tool(`{"file_path":`+quote(path)+`,"old_string":`+quote(old)+`,"new_string":`+quote(now)+`}`,
		memory.Edit{Path: path, Op: edit.Update, Before: &original, BeforeSum: edit.Sum(original)})
}

// blind replaces a piece of a file whose content is not shown.
func (s *script) blind(path, old, now string) *script {
	return s.tool(`{"file_path":`+quote(path)+`,"old_string":`+quote(old)+`,"new_string":`+quote(now)+`}`, memory.Edit{Path: path, Op: edit.Update})
}

// world is a project's folder and a store beside it.
type world struct {
	t    *testing.T
	dir  string // of the project
	s    *Store
	opts Options
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: filepath.Join(t.TempDir(), "project")}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	w.opts = Options{Dir: filepath.Join(t.TempDir(), "shadow"), Secret: func(s string) (bool, error) { return strings.Contains(s, "SECRET"), nil }}
	w.s = New(w.opts)
	return w
}

func (w *world) session(id string, s *script) Session {
	return Session{ID: id, Agent: "claude-code", Cwd: w.dir, ProjectID: "proj_1", Roots: []string{w.dir}, History: s.nodes}
}

func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

// record records a session and checks the repository with stock git.
func (w *world) record(id string, s *script) Recorded {
	w.t.Helper()
	got, err := w.s.Record(context.Background(), w.session(id, s))
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

func (w *world) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", w.s.Dir("proj_1")}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (w *world) fsck() {
	w.t.Helper()
	if out := w.git("fsck", "--strict", "--full", "--no-dangling"); strings.TrimSpace(out) != "" {
		w.t.Fatalf("git fsck: %s", out)
	}
}

// write writes a file of the project as if it was changed at a time.
func (w *world) write(name, text string, at int64) {
	w.t.Helper()
	p := w.path(name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Chtimes(p, time.Time{}, time.Unix(at, 0)); err != nil {
		w.t.Fatal(err)
	}
}

// sides tells of the changes of a turn in lines "path: before -> after", a side as its source and its content.
func (w *world) sides(id string, turn int) string {
	w.t.Helper()
	_, list, err := w.s.Changes("proj_1", id, turn)
	if err != nil {
		w.t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s: %s -> %s", c.Path, sideText(c.Old), sideText(c.New))
		for name, on := range map[string]bool{" outside": c.Outside, " mixed": c.Mixed} {
			if on {
				b.WriteString(name)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func sideText(s Side) string {
	switch {
	case s.Why != "":
		return string(s.From) + " (" + s.Why + ")"
	case !s.Exists:
		return string(s.From) + " absent"
	}
	return fmt.Sprintf("%s %q", s.From, s.Text)
}

func (w *world) want(id string, turn int, lines ...string) {
	w.t.Helper()
	if got, want := w.sides(id, turn), strings.Join(lines, "\n")+"\n"; got != want {
		w.t.Errorf("turn %d of %s:\n%swant\n%s", turn, id, got, want)
	}
}

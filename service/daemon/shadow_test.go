package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
)

// editor writes a transcript of Claude Code, line by line.
type editor struct {
	t    *testing.T
	path string
	cwd  string
	n    int
	last string
}

func newEditor(t *testing.T, roots, cwd string, n int) *editor {
	t.Helper()
	dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "-w-shop")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return &editor{t: t, path: filepath.Join(dir, fmt.Sprintf("11111111-2222-4333-8444-%012d.jsonl", n)), cwd: cwd}
}

func (e *editor) line(typ string, rest map[string]any) {
	e.t.Helper()
	e.n++
	id := fmt.Sprintf("%s-%d", filepath.Base(e.path)[24:36], e.n)
	rec := map[string]any{"type": typ, "uuid": id, "parentUuid": nil, "sessionId": strings.TrimSuffix(filepath.Base(e.path), ".jsonl"), "cwd": e.cwd,
		"version": "2.1.62", "timestamp": time.Date(2026, 10, 1, 10, 0, e.n, 0, time.UTC).Format(time.RFC3339)}
	if e.last != "" {
		rec["parentUuid"] = e.last
	}
	for k, v := range rest {
		rec[k] = v
	}
	e.last = id
	b, err := json.Marshal(rec)
	if err != nil {
		e.t.Fatal(err)
	}
	f, err := os.OpenFile(e.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		e.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(b, '\n')); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) prompt(text string) {
	e.line("user", map[string]any{"message": map[string]any{"role": "user", "content": text}})
}

func (e *editor) says(text string) {
	e.line("assistant", map[string]any{"message": map[string]any{"id": fmt.Sprint("m", e.n), "role": "assistant", "model": "model-1",
		"content": []any{map[string]any{"type": "text", "text": text}}}})
}

// edit replaces a piece of a file, on the disk too.
func (e *editor) edit(name, old, now string) {
	e.t.Helper()
	path := filepath.Join(e.cwd, name)
	before, err := os.ReadFile(path)
	if err != nil {
		e.t.Fatal(err)
	}
	id := fmt.Sprint("toolu_", e.n, filepath.Base(e.path))
	e.line("assistant", map[string]any{"message": map[string]any{"id": fmt.Sprint("m", e.n), "role": "assistant", "model": "model-1", "content": []any{
		map[string]any{"type": "tool_use", "id": id, "name": "Edit", "input": map[string]any{"file_path": path, "old_string": old, "new_string": now}}}}})
	if err := os.WriteFile(path, []byte(strings.Replace(string(before), old, now, 1)), 0o600); err != nil {
		e.t.Fatal(err)
	}
	e.line("user", map[string]any{"toolUseResult": map[string]any{"filePath": path, "oldString": old, "newString": now, "originalFile": string(before)},
		"message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": "done"}}}})
}

// userRepository is a git repository of a person with one file.
func userRepository(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc one() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir
}

// tree is every file of a folder with its content and times.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		info, err := d.Info()
		fmt.Fprintf(&b, "%s %v %x\n", p, info.ModTime(), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// diffOf waits until a turn of a session is recorded.
func diffOf(t *testing.T, s *service, id string, turn int) api.Diff {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		d, err := s.Diff(t.Context(), id, &turn)
		if err == nil {
			return d
		}
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.CodeNotFound || time.Now().After(end) {
			t.Fatalf("turn %d of %s: %v", turn, id, err)
		}
	}
}

func onlySession(t *testing.T, s *service) string {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if list, err := s.Sessions(t.Context(), api.SessionQuery{}); err == nil && len(list) == 1 {
			return list[0].ID
		}
	}
	t.Fatal("the session is not captured")
	return ""
}

func TestWhatAnAgentEditsInABoundProjectIsShownAndRestoredTurnByTurn(t *testing.T) {
	dir, roots, shop := t.TempDir(), t.TempDir(), userRepository(t)
	e := newEditor(t, roots, shop, 1)
	e.prompt("Rename the first function")
	e.edit("main.go", "one", "first")
	e.says("done")
	s := start(t, params(dir, roots)) // what is there before it is bound is recorded too
	id := onlySession(t, s)
	turn := 1
	var refused *api.Error
	if _, err := s.Diff(t.Context(), id, &turn); !errors.As(err, &refused) || !strings.Contains(refused.Message, "dormouse bind") {
		t.Errorf("a project that is not bound: %v", err)
	}
	git := tree(t, filepath.Join(shop, ".git"))
	if p, err := s.Bind(t.Context(), shop); err != nil || !p.Shadow {
		t.Fatalf("%+v, %v", p, err)
	}
	first := diffOf(t, s, id, 1)
	if len(first.Files) != 1 || first.Files[0].Path != "main.go" || first.Files[0].Before.From != "exact" || !strings.Contains(first.Files[0].Diff, "-func one() {}\n+func first() {}\n") {
		t.Errorf("%+v", first)
	}
	e.prompt("And again")
	e.edit("main.go", "first", "second")
	e.says("done")
	if got := diffOf(t, s, id, 2); !strings.Contains(got.Files[0].Diff, "+func second() {}") || got.Subject != "And again" || len(got.Turns) != 2 {
		t.Errorf("%+v", got)
	}
	whole, err := s.Diff(t.Context(), id, nil)
	if err != nil || !strings.Contains(whole.Files[0].Diff, "-func one() {}\n+func second() {}\n") {
		t.Errorf("%+v, %v", whole, err)
	}
	to := filepath.Join(t.TempDir(), "back")
	if got, err := s.Restore(t.Context(), api.RestoreQuery{ID: id, Turn: &turn, Side: "after", Dir: to}); err != nil || got.Written != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if text, err := os.ReadFile(filepath.Join(to, "main.go")); err != nil || string(text) != "package main\n\nfunc first() {}\n" {
		t.Errorf("restored %q, %v", text, err)
	}
	for _, forbidden := range []string{shop, filepath.Join(shop, "x"), dir, filepath.Join(dir, "sessions", "x")} {
		if _, err := s.Restore(t.Context(), api.RestoreQuery{ID: id, Side: "after", Dir: forbidden, Force: true}); !errors.As(err, &refused) || refused.Code != api.CodeBadRequest {
			t.Errorf("restored to %s: %v", forbidden, err)
		}
	}
	if st, err := s.Status(t.Context()); err != nil || !st.Shadow.On || st.Shadow.Projects != 1 || st.Shadow.Sessions != 1 || st.Shadow.Bytes == 0 {
		t.Errorf("%+v, %v", st.Shadow, err)
	}
	if tree(t, filepath.Join(shop, ".git")) != git {
		t.Error("the person's repository was changed")
	}
	if out, err := exec.Command("git", "-C", first.Repository, "fsck", "--strict").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestADeletedSessionTakesTheFilesThatItEditedWithIt(t *testing.T) {
	roots, shop := t.TempDir(), userRepository(t)
	e := newEditor(t, roots, shop, 1)
	e.prompt("go")
	e.edit("main.go", "one", "two")
	e.says("done")
	s := start(t, params(t.TempDir(), roots))
	if _, err := s.Bind(t.Context(), shop); err != nil {
		t.Fatal(err)
	}
	id := onlySession(t, s)
	dir := diffOf(t, s, id, 1).Repository
	if _, err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", dir, "cat-file", "--batch-all-objects", "--batch-check").CombinedOutput()
	if err != nil || len(out) != 0 {
		t.Errorf("%v: left are\n%s", err, out)
	}
}

func TestAShadowHistoryThatIsTurnedOffRecordsNothingAndGoesOnLater(t *testing.T) {
	roots, shop := t.TempDir(), userRepository(t)
	e := newEditor(t, roots, shop, 1)
	s := start(t, params(t.TempDir(), roots))
	p, err := s.Bind(t.Context(), shop)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.SetShadow(t.Context(), p.ID, false); err != nil || got.Project.Shadow {
		t.Fatalf("%+v, %v", got, err)
	}
	e.prompt("go")
	e.edit("main.go", "one", "two")
	e.says("done")
	id := onlySession(t, s)
	turn := 1
	var refused *api.Error
	if _, err := s.Diff(t.Context(), id, &turn); !errors.As(err, &refused) || !strings.Contains(refused.Message, "shadow on") {
		t.Errorf("%v", err)
	}
	if got, err := s.SetShadow(t.Context(), p.ID, true); err != nil || !got.Project.Shadow {
		t.Fatalf("%+v, %v", got, err)
	}
	diffOf(t, s, id, 1)
	if _, err := s.Unbind(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	diffOf(t, s, id, 1) // what was kept stays
	if _, err := s.SetShadow(t.Context(), p.ID, true); !errors.As(err, &refused) || refused.Code != api.CodeBadRequest {
		t.Errorf("turned on without a binding: %v", err)
	}
}

func TestAHookBeforeAnEditShowsTheFileBeforeIt(t *testing.T) {
	roots, shop := t.TempDir(), userRepository(t)
	p := params(t.TempDir(), roots)
	p.Now = func() time.Time { return time.Date(2026, 10, 1, 10, 0, 2, 0, time.UTC) }
	e := newEditor(t, roots, shop, 1)
	s := start(t, p)
	if _, err := s.Bind(t.Context(), shop); err != nil {
		t.Fatal(err)
	}
	e.prompt("go")
	path := filepath.Join(shop, "main.go")
	payload, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "cwd": shop, "tool_name": "Edit", "tool_input": map[string]string{"file_path": path}})
	if _, err := s.daemon.hook(t.Context(), api.Hook{Agent: "claude-code", Payload: payload}); err != nil {
		t.Fatal(err)
	}
	in := map[string]any{"file_path": path, "old_string": "one", "new_string": "two"}
	e.line("assistant", map[string]any{"message": map[string]any{"id": "m", "role": "assistant", "content": []any{
		map[string]any{"type": "tool_use", "id": "t1", "name": "Edit", "input": in}}}})
	if err := os.WriteFile(path, []byte("changed by others since\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.line("user", map[string]any{"toolUseResult": map[string]any{"filePath": path}, "message": map[string]any{"role": "user",
		"content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t1", "content": "done"}}}})
	e.says("done")
	got := diffOf(t, s, onlySession(t, s), 1)
	if f := got.Files[0]; f.Before.From != "disk" || f.After.From != "disk" || !strings.Contains(f.Diff, "-func one() {}\n+func two() {}\n") {
		t.Errorf("%+v", f)
	}
}

package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/store/home"
)

// edited writes a session of Claude Code that makes one file, told as its Write tool tells it.
func edited(t *testing.T, roots, id, cwd, prompt, path, content string, at time.Time) {
	t.Helper()
	line := func(n int, uuid, up, kind, rest string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"%s-%s","parentUuid":%s,"sessionId":%q,"cwd":%q,"timestamp":%q,%s}`, kind, id, uuid, up, id, cwd,
			at.Add(time.Duration(n)*time.Second).Format(time.RFC3339), rest)
	}
	up := func(uuid string) string { return fmt.Sprintf("%q", id+"-"+uuid) }
	text := strings.Join([]string{
		line(0, "1", "null", "user", fmt.Sprintf(`"message":{"role":"user","content":%q}`, prompt)),
		line(1, "2", up("1"), "assistant", fmt.Sprintf(`"message":{"id":"m%s","role":"assistant","model":"m","content":[{"type":"tool_use","id":"c%s","name":"Write","input":{"file_path":%q,"content":%q}}],"stop_reason":"tool_use"}`, id, id, path, content)),
		line(2, "3", up("2"), "user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%s","content":"File created"}]},"toolUseResult":{"type":"create","filePath":%q,"content":%q,"structuredPatch":[]}`, id, path, content)),
		line(9, "4", up("3"), "assistant", fmt.Sprintf(`"message":{"id":"n%s","role":"assistant","model":"m","content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn"}`, id)),
	}, "\n") + "\n"
	file := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "w", id+".jsonl")
	if err := home.Mkdir(filepath.Dir(file)); err != nil {
		t.Fatal(err)
	}
	write(t, file, text)
}

func TestLinesLeadToTheTurnsAndMemoriesThatMadeThem(t *testing.T) {
	dir, roots := ofRemote(t, "https://example.org/x/blamed.git"), t.TempDir()
	began := clock().Add(-72 * time.Hour)
	file := filepath.Join(dir, "lamp.go")
	const first = "package lamp\n\nconst Lit = true\n"
	write(t, file, first)
	t.Setenv("GIT_COMMITTER_DATE", began.Add(20*time.Second).Format(time.RFC3339))
	mine(t, dir, "add", ".")
	mine(t, dir, "commit", "-qm", "Light the lamp")
	edited(t, roots, "one", dir, "From now on keep the lamp lit in lamp.go.", file, first, began)
	mine(t, dir, "mv", "lamp.go", "light.go")
	t.Setenv("GIT_COMMITTER_DATE", began.Add(20*time.Hour).Format(time.RFC3339))
	mine(t, dir, "commit", "-qm", "Name it light")
	moved := filepath.Join(dir, "light.go")
	const later = first + "\nconst Dim = 3\nconst Warm = 2700\n"
	write(t, moved, later)
	edited(t, roots, "two", dir, "Let it be dimmed.", moved, later, began.Add(48*time.Hour))
	other := filepath.Join(dir, "new.go")
	write(t, other, "package lamp\n")
	s := start(t, params(t.TempDir(), roots))
	ask := func(path string, from, to int) (api.Blame, error) {
		return s.Blame(t.Context(), api.BlameQuery{Path: path, From: from, To: to})
	}

	b, err := ask(moved, 0, 0)
	if err != nil || b.Path != "light.go" || b.State != "" || b.Lines != 6 || len(b.Blocks) != 2 || b.Project.ID == "" {
		t.Fatalf("%+v, %v", b, err)
	}
	committed, open := b.Blocks[0], b.Blocks[1]
	if committed.From != 1 || committed.To != 3 || committed.Commit == nil || committed.Commit.Subject != "Light the lamp" || committed.Was != "lamp.go" || committed.First != "package lamp" {
		t.Errorf("%+v", committed)
	}
	if len(committed.Turns) != 1 || committed.Turns[0].By != "time" || committed.Turns[0].Turn != 1 || !strings.Contains(committed.Turns[0].Prompt, "keep the lamp lit") {
		t.Errorf("turns %+v", committed.Turns)
	}
	if len(committed.Records)+len(b.Records) == 0 {
		t.Error("nothing is remembered of the turn")
	}
	if open.From != 4 || open.To != 6 || open.Commit != nil || len(open.Turns) != 1 || open.Turns[0].By != "edit" || open.Turns[0].Prompt != "Let it be dimmed." {
		t.Errorf("%+v", open)
	}
	if b, err = ask(moved, 5, 5); err != nil || len(b.Blocks) != 1 || b.Blocks[0].From != 5 || b.Blocks[0].To != 5 {
		t.Errorf("one line: %+v, %v", b, err)
	}
	if b, err = ask(other, 0, 0); err != nil || b.State != "untracked" || len(b.Blocks) != 1 || b.Blocks[0].Commit != nil {
		t.Errorf("an untracked file: %+v, %v", b, err)
	}
	if b, err = ask(file, 3, 3); err != nil || b.State != "deleted" || len(b.Blocks) != 1 || b.Blocks[0].First != "const Lit = true" {
		t.Errorf("a file that is gone: %+v, %v", b, err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "never.go"):          "no such file",
		filepath.Join(t.TempDir(), "alone.txt"): "no git repository",
		dir:                                     "",
	} {
		if _, err := ask(path, 0, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	var e *api.Error
	if _, err := ask(moved, 40, 50); !errors.As(err, &e) || e.Code != api.CodeNotFound || !strings.Contains(e.Message, "6 lines") {
		t.Errorf("lines that are not there: %v", err)
	}
	if err := os.Remove(moved); err != nil {
		t.Fatal(err)
	}
	if b, err = ask(moved, 0, 0); err != nil || b.State != "deleted" || b.Lines != 3 {
		t.Errorf("a file that is deleted and still in the newest commit: %+v, %v", b, err)
	}
}

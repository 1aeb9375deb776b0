package daemon

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestAHandoffIsOfOneProjectAndTellsWhatWasLeft(t *testing.T) {
	s, orchard, vineyard := twoProjects(t, func(p *Params) {
		dir := ofRemote(t, "https://example.org/x/left.git")
		write(t, filepath.Join(dir, "half.go"), "package half\n")
		at := func(n int) string { return fmt.Sprintf("2026-06-01T10:00:%02dZ", n) }
		head := func(kind, id, up string, n int) string {
			return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"left","cwd":%q,"timestamp":%q,`, kind, id, up, dir, at(n))
		}
		write(t, filepath.Join(p.Config.Capture.Roots["claude-code"][0], "w", "left.jsonl"), strings.Join([]string{
			head("user", "l1", "null", 0) + `"message":{"role":"user","content":"Run the tests."}}`,
			head("assistant", "l2", `"l1"`, 1) + `"message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"go test ./..."}}],"stop_reason":"tool_use"}}`,
			head("user", "l3", `"l2"`, 2) + `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"Exit code 1\nFAIL","is_error":true}]}}`,
			head("assistant", "l4", `"l3"`, 3) + `"message":{"id":"m2","role":"assistant","model":"m","content":[{"type":"text","text":"They fail.\n\nNext steps:\n- mend half.go"}],"stop_reason":"end_turn"}}`,
		}, "\n")+"\n")
	})
	h, err := s.Handoff(t.Context(), "left")
	if err != nil || h.Bytes != len(h.Text) || h.Bytes > h.Limit || len(h.Sessions) != 1 {
		t.Fatalf("%+v, %v", h, err)
	}
	for _, want := range []string{"- Branch: `main`", "`?? half.go`", "> Run the tests.", "> - mend half.go", "**The last command failed** with exit code 1: `go test ./...`"} {
		if !strings.Contains(h.Text, want) {
			t.Errorf("%q is missing in\n%s", want, h.Text)
		}
	}
	for dir, words := range map[string][2]string{orchard: {"tabs", "spaces"}, vineyard: {"spaces", "tabs"}} {
		h, err := s.Handoff(t.Context(), dir)
		if err != nil || !strings.Contains(h.Text, words[0]) || strings.Contains(h.Text, words[1]) || strings.Contains(h.Text, "half.go") {
			t.Errorf("%v\n%s", err, h.Text)
		}
		if !strings.Contains(h.Text, "Nothing is uncommitted.") {
			t.Errorf("a clean work tree:\n%s", h.Text)
		}
	}
	if _, err := s.Handoff(t.Context(), "nowhere"); err == nil {
		t.Error("a project that is not there has a handoff")
	}
}

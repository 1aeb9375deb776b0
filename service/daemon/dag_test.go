package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
)

// forkedTranscript is a conversation whose second prompt was written anew, and a file that was read in between.
const forkedTranscript = `{"type":"user","uuid":"1","parentUuid":null,"sessionId":"fork-1","cwd":"/w","timestamp":"2026-05-01T10:00:00Z","message":{"role":"user","content":"Make a plan"}}
{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"fork-1","cwd":"/w","timestamp":"2026-05-01T10:00:05Z","message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"The plan"}],"usage":{"input_tokens":3,"cache_read_input_tokens":100,"output_tokens":5}}}
{"type":"user","uuid":"3","parentUuid":"2","sessionId":"fork-1","cwd":"/w","timestamp":"2026-05-01T10:01:00Z","message":{"role":"user","content":"Do it in C"}}
{"type":"assistant","uuid":"4","parentUuid":"3","sessionId":"fork-1","cwd":"/w","timestamp":"2026-05-01T10:01:05Z","message":{"id":"m2","role":"assistant","model":"m","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"cat plan.md"}}]}}
{"type":"user","uuid":"5","parentUuid":"4","sessionId":"fork-1","cwd":"/w","timestamp":"2026-05-01T10:01:06Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"the plan"}]}}
{"type":"user","uuid":"6","parentUuid":"2","sessionId":"fork-1","cwd":"/w","timestamp":"2026-05-01T10:02:00Z","message":{"role":"user","content":"Do it in Go"}}
{"type":"assistant","uuid":"7","parentUuid":"6","sessionId":"fork-1","cwd":"/w","timestamp":"2026-05-01T10:02:05Z","message":{"id":"m3","role":"assistant","model":"m","content":[{"type":"text","text":"Done in Go"}]}}
`

func TestBranchesContextsAndNodesOfASessionAreAskedFor(t *testing.T) {
	roots := t.TempDir()
	dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "-w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "fork-1.jsonl"), []byte(forkedTranscript), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, params(t.TempDir(), roots))
	ctx := t.Context()
	list, err := s.Sessions(ctx, api.SessionQuery{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v %v", list, err)
	}
	id := list[0].ID
	all, err := s.SessionCommits(ctx, id)
	if err != nil || len(all.Commits) != 3 || len(all.Branches) != 2 {
		t.Fatalf("%+v %v", all, err)
	}
	main, retry := all.Branches[0], all.Branches[1]
	if main.Name != "main" || main.Turns != 2 || main.Shown || !strings.HasPrefix(retry.Name, "retry-") || retry.Turns != 1 || !retry.Shown {
		t.Errorf("%+v", all.Branches)
	}
	nodes, err := s.SessionNodes(ctx, api.NodeQuery{ID: id, Since: main.Commit, Head: retry.Node})
	if err != nil || len(nodes.Nodes) != 2 || nodes.Nodes[0].Output != "Do it in Go" || nodes.More {
		t.Errorf("%+v %v", nodes, err)
	}
	page, err := s.SessionNodes(ctx, api.NodeQuery{ID: id, After: 2, Limit: 3})
	if err != nil || len(page.Nodes) != 3 || page.Last != 5 || !page.More || !slices.Equal(page.Nodes[2].Reads, []string{"file:/w/plan.md"}) {
		t.Errorf("%+v %v", page, err)
	}
	seen, err := s.SessionContext(ctx, id, 1)
	if err != nil || seen.Tokens != 103 || seen.From != "transcript" || len(seen.Views) != 1 || len(seen.Views[0].Items) != 2 ||
		seen.Views[0].Items[1].State != "full" || seen.Views[0].Items[1].Text != "The plan" {
		t.Errorf("%+v %v", seen, err)
	}
	if seen, err = s.SessionContext(ctx, id, 3); err != nil || len(seen.Views[0].Items) != 4 {
		t.Errorf("the retry's context holds %+v %v", seen.Views, err)
	}
	if _, err := s.Switch(ctx, id, main.Node); err != nil {
		t.Fatal(err)
	}
	x, err := s.daemon.sessions.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	if head := strings.TrimSpace(git(t, x.Dir(), "symbolic-ref", "--short", "HEAD")); head != "main" {
		t.Errorf("HEAD is %s", head)
	}
	for _, err := range []error{
		second(s.Switch(ctx, id, "none")), second(s.SessionContext(ctx, id, 9)), second(s.SessionCommits(ctx, "cc_00000000")),
		second(s.SessionNodes(ctx, api.NodeQuery{ID: id, Since: "0123456789012345678901234567890123456789"})),
	} {
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.CodeNotFound {
			t.Errorf("%v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

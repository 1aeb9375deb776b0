package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
)

func TestALongTextIsReadBackWholeAndIsMissedClearly(t *testing.T) {
	roots := t.TempDir()
	dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "-w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a line of a long log, with \"quotes\"\n", 130_000)
	quoted, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	written := strings.Replace(forkedTranscript, `"content":"the plan"`, `"content":`+string(quoted), 1)
	if err := os.WriteFile(filepath.Join(dir, "fork-1.jsonl"), []byte(written), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, params(t.TempDir(), roots))
	ctx := t.Context()
	list, err := s.Sessions(ctx, api.SessionQuery{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v %v", list, err)
	}
	id := list[0].ID
	nodes, err := s.SessionNodes(ctx, api.NodeQuery{ID: id, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var q api.FileQuery
	blob := ""
	for _, n := range nodes.Nodes {
		for _, f := range n.Metadata.Files {
			q, blob = api.FileQuery{ID: id, Node: n.ID, SHA256: f.SHA256}, f.Blob
		}
	}
	for _, q := range []api.FileQuery{q, {ID: id, SHA256: q.SHA256[:6]}} {
		var out strings.Builder
		if n, err := s.SessionFile(ctx, q, &out); err != nil || n != int64(len(long)) || out.String() != long {
			t.Errorf("%+v: %d bytes, %v", q, n, err)
		}
	}
	for _, q := range []api.FileQuery{{ID: id, SHA256: "0000000000"}, {ID: id, Node: "none", SHA256: q.SHA256}, {ID: "cc_00000000", SHA256: q.SHA256},
		{ID: id, Node: nodes.Nodes[0].ID, SHA256: q.SHA256}} {
		wantNotFound(t, fmt.Sprintf("%+v", q), second(s.SessionFile(ctx, q, &strings.Builder{})), "")
	}
	x, err := s.daemon.sessions.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	loseObject(t, x.Dir(), blob)
	wantNotFound(t, "the text that is gone", second(s.SessionFile(ctx, q, &strings.Builder{})), "is missing in its repository")
}

// loseObject takes a text or an image out of a session's repository, with those that are packed with it.
func loseObject(t *testing.T, dir, blob string) {
	t.Helper()
	objects := filepath.Join(dir, ".git", "objects")
	for range 100 { // it may be packed meanwhile
		if os.Remove(filepath.Join(objects, blob[:2], blob[2:])) == nil {
			return
		}
		packs, err := filepath.Glob(filepath.Join(objects, "pack", "*.idx"))
		if err != nil {
			t.Fatal(err)
		}
		for _, idx := range packs {
			if strings.Contains(git(t, dir, "verify-pack", "-v", idx), blob) {
				if err := errors.Join(os.Remove(idx), os.Remove(strings.TrimSuffix(idx, ".idx")+".pack")); err != nil {
					t.Fatal(err)
				}
				return
			}
		}
	}
	t.Fatal("the object was not found")
}

func wantNotFound(t *testing.T, what string, err error, text string) {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.CodeNotFound || !strings.Contains(e.Message, text) {
		t.Errorf("%s: %v", what, err)
	}
}

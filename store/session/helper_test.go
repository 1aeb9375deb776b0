package session

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func stock(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := tryStock(dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func tryStock(dir string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := c.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// sound checks a session's repository with stock git: what is there, what it shows, and what a clone and gc make of it.
func sound(t *testing.T, x *Session) {
	t.Helper()
	if out := stock(t, x.Dir(), "fsck", "--strict", "--full"); out != "" {
		t.Errorf("git fsck says: %s", out)
	}
	if _, err := tryStock(x.Dir(), "rev-parse", "-q", "--verify", "refs/heads/main"); err != nil {
		return // no commit yet
	}
	graph := stock(t, x.Dir(), "log", "--graph", "--all", "--format=%H")
	stock(t, x.Dir(), "show", "--stat", "main")
	copied := filepath.Join(t.TempDir(), "copy")
	stock(t, x.Dir(), "clone", "-q", "--mirror", "--no-hardlinks", ".", copied)
	stock(t, copied, "gc", "-q", "--prune=now")
	if out := stock(t, copied, "fsck", "--strict", "--full"); out != "" || stock(t, copied, "log", "--graph", "--all", "--format=%H") != graph {
		t.Errorf("a clone after gc: %s", out)
	}
}

func clean(t *testing.T, x *Session) {
	t.Helper()
	if out := stock(t, x.Dir(), "status", "--porcelain"); out != "" {
		t.Errorf("git status says: %.500s", out)
	}
}

func newStore(t *testing.T) *Store {
	t.Helper()
	return New(Options{Dir: filepath.Join(t.TempDir(), "sessions"), Machine: "00000001"})
}

func ensure(t *testing.T, s *Store, agentID string) *Session {
	t.Helper()
	x, err := s.Ensure(memory.Session{Agent: "claude-code", AgentSessionID: agentID, ProjectID: "proj_1", Cwd: "/w"}, "cc")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// talk makes the nodes of turns from to to (without it), each a prompt, an answer, two tool calls and an answer, on one
// branch.
func talk(from, to int) []memory.Node {
	var out []memory.Node
	parent := memory.Ref("")
	if from > 1 {
		parent = memory.Ref(memory.NodeID("test", fmt.Sprint(from-1), "4"))
	}
	for t := from; t < to; t++ {
		var answer memory.Ref
		for i := range 5 {
			n := memory.Node{ID: memory.NodeID("test", fmt.Sprint(t), fmt.Sprint(i)), ParentID: parent, CreatedAt: int64(1_700_000_000 + 60*t + i)}
			switch i {
			case 0:
				n.Role, n.Metadata.Kind, n.Output = memory.RoleUser, memory.KindPrompt, fmt.Sprintf("Please do thing %d\nwith care", t)
			case 1, 4:
				n.Role, n.Metadata.Model, n.Output = memory.RoleAssistant, "m-1", fmt.Sprintf("Answer %d of turn %d", i, t)
				answer = memory.Ref(n.ID)
			default:
				n.Role, n.Name, n.Input, n.CalledBy = memory.RoleTool, "Bash", []byte(`{"command": "ls"}`), answer
				n.Output = strings.Repeat(fmt.Sprintf("file %d of turn %d, \"parent_id\": 7\n", i, t), 20)
			}
			parent = memory.Ref(n.ID)
			out = append(out, n)
		}
	}
	return out
}

// add appends nodes in one batch.
func add(t *testing.T, x *Session, bulk, closed bool, nodes ...memory.Node) (added int) {
	t.Helper()
	b := x.Begin(bulk)
	for _, n := range nodes {
		ok, err := b.Append(n)
		if err != nil {
			b.Abort()
			t.Fatal(err)
		}
		if ok {
			added++
		}
	}
	if err := b.Close(closed); err != nil {
		t.Fatal(err)
	}
	return added
}

func all(t *testing.T, x *Session) []memory.Node {
	t.Helper()
	var out []memory.Node
	for n, err := range x.Nodes(1) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, n)
	}
	return out
}

func shas(t *testing.T, x *Session) []string {
	t.Helper()
	list, err := x.Commits()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range list {
		out = append(out, c.SHA)
	}
	return out
}

// reopened is the same session as another process would find it.
func reopened(t *testing.T, x *Session) *Session {
	t.Helper()
	y, err := New(x.store.opts).Open(x.id)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

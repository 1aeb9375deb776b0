package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// refsOf lists the branches with their newest commits, as stock git sees them.
func refsOf(t *testing.T, x *Session) string {
	t.Helper()
	return stock(t, x.Dir(), "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads")
}

// filesOf lists the ids of the nodes in a branch's history/, as stock git sees them.
func filesOf(t *testing.T, dir, branch string) []string {
	t.Helper()
	var out []string
	for name := range strings.FieldsSeq(stock(t, dir, "ls-tree", "--name-only", branch+":history")) {
		_, _, id, ok := parseName(name)
		if !ok {
			t.Errorf("%s in history/ of %s", name, branch)
		}
		out = append(out, id)
	}
	return out
}

// inWorkTree lists the ids of the nodes whose files lie in history/.
func inWorkTree(t *testing.T, x *Session) []string {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(x.Dir(), historyDir))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		_, _, id, _ := parseName(f.Name())
		out = append(out, id)
	}
	return out
}

func TestRetryIsASiblingAndABranchNamedForItsAnswer(t *testing.T) {
	nodes := []memory.Node{
		node("u1", memory.RoleUser, "", "", 1), node("a1", memory.RoleAssistant, "u1", "", 2),
		node("u2", memory.RoleUser, "a1", "", 3), node("a2", memory.RoleAssistant, "u2", "", 4), node("t2", memory.RoleTool, "a2", "a2", 5),
		node("a2b", memory.RoleAssistant, "u2", "", 6), // the answer is tried again
		node("u3", memory.RoleUser, "a2b", "", 7), node("a3", memory.RoleAssistant, "u3", "", 8),
		node("u2c", memory.RoleUser, "a1", "", 9), node("a2c", memory.RoleAssistant, "u2c", "", 10), // the prompt is written anew
	}
	for _, bulk := range []bool{false, true} {
		x := ensure(t, newStore(t), "a")
		for _, n := range nodes {
			add(t, x, bulk, false, n)
		}
		add(t, x, bulk, true)
		want := map[string][]string{
			"main":        {"u1", "a1", "u2", "a2", "t2"},
			"retry-a2b":   {"u1", "a1", "u2", "a2b", "u3", "a3"},
			"retry-a2c":   {"u1", "a1", "u2c", "a2c"},
			"main~1":      {"u1", "a1"},
			"retry-a2b~1": {"u1", "a1", "u2", "a2b"},
		}
		for branch, ids := range want {
			if got := filesOf(t, x.Dir(), branch); !slices.Equal(got, ids) {
				t.Errorf("%s holds %v, want %v", branch, got, ids)
			}
		}
		for _, branch := range []string{"retry-a2b~2", "retry-a2c~1"} {
			if stock(t, x.Dir(), "rev-parse", branch) != stock(t, x.Dir(), "rev-parse", "main~1") {
				t.Errorf("%s is not the commit of the turn before", branch)
			}
		}
		if got := stock(t, x.Dir(), "log", "--all", "--format=%s", "--date-order"); got != "turn 4: text of u2c\nturn 3: text of u3\nturn 2: text of u2\nturn 2: text of u2\nturn 1: text of u1" {
			t.Errorf("log says\n%s", got)
		}
		if graph := stock(t, x.Dir(), "log", "--graph", "--all", "--oneline"); strings.Count(graph, "/") < 2 {
			t.Errorf("the graph shows no forks:\n%s", graph)
		}
		if head := stock(t, x.Dir(), "symbolic-ref", "--short", "HEAD"); head != "retry-a2c" {
			t.Errorf("HEAD is %s", head)
		}
		sound(t, x)
		clean(t, x)
	}
}

func TestSwitchMovesHeadAndWorkTreeOfHotAndColdSessions(t *testing.T) {
	for _, cold := range []bool{false, true} {
		x := ensure(t, newStore(t), "a")
		for _, n := range forked() {
			add(t, x, cold, false, n)
		}
		add(t, x, cold, true)
		if cold {
			if err := x.Compact(); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			for head, branch := range map[string]string{"a2b": "retry-a2b", "t2": "main", "u3": "main", "u2b": "retry-a2b"} {
				y := reopened(t, x)
				if err := y.Switch(head); err != nil {
					t.Fatal(err)
				}
				if got := stock(t, y.Dir(), "symbolic-ref", "--short", "HEAD"); got != branch || string(y.Meta().HeadID) != head {
					t.Errorf("HEAD is %s and the head %s, want %s and %s", got, y.Meta().HeadID, branch, head)
				}
				clean(t, y)
				var want []string
				if !cold {
					want = filesOf(t, y.Dir(), branch)
				}
				if got := inWorkTree(t, y); !slices.Equal(got, want) {
					t.Errorf("cold %v, %s: the work tree has %v, want %v", cold, branch, got, want)
				}
			}
		}
		y := reopened(t, x)
		if err := y.Switch("none"); err == nil {
			t.Error("it switches to a node that is not there")
		}
		if err := y.Switch("s1"); err == nil {
			t.Error("it switches to a sub-agent's node")
		}
		for _, branch := range []string{"main", "retry-a2b", "main"} { // stock git does it too
			stock(t, y.Dir(), "checkout", "-q", branch)
			clean(t, y)
		}
		if got, err := y.Branch("a2b"); err != nil || !slices.Equal(ids(got), []string{"u1", "a1", "u2b", "a2b"}) {
			t.Errorf("%v %v", ids(got), err)
		}
		sound(t, y)
	}
}

func TestHeadFollowsTheConversationButNotABranchThatThePersonChose(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := forked()
	add(t, x, false, true, nodes[:7]...)
	add(t, x, false, true, nodes[7:9]...)
	if head := stock(t, x.Dir(), "symbolic-ref", "--short", "HEAD"); head != "retry-a2b" {
		t.Errorf("HEAD is %s after a retry", head)
	}
	if got := inWorkTree(t, x); !slices.Equal(got, []string{"u1", "a1", "u2b", "a2b"}) {
		t.Errorf("the work tree has %v", got)
	}
	stock(t, x.Dir(), "checkout", "-q", "main")
	add(t, x, false, true, node("u4", memory.RoleUser, "a2b", "", 20), node("a4", memory.RoleAssistant, "u4", "", 21))
	if head := stock(t, x.Dir(), "symbolic-ref", "--short", "HEAD"); head != "main" {
		t.Errorf("HEAD was moved to %s under the person's hands", head)
	}
	clean(t, x)
	if err := x.Update(func(m *memory.Session) { m.HeadID = "t2" }); err != nil {
		t.Fatal(err)
	}
	if err := x.Update(func(m *memory.Session) { m.HeadID = "a4" }); err != nil {
		t.Fatal(err)
	}
	if head := stock(t, x.Dir(), "symbolic-ref", "--short", "HEAD"); head != "retry-a2b" {
		t.Errorf("HEAD is %s and does not follow the head that the agent names", head)
	}
	clean(t, x)
	sound(t, x)
}

func TestLateNodesOfASubAgentMakeNoBranch(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := forked()
	add(t, x, false, true, nodes[:5]...)
	add(t, x, false, true, nodes[7:9]...)              // u2b, a2b on a branch of their own
	add(t, x, false, true, nodes[5:7]...)              // of t2, which is on main alone
	first := node("s0", memory.RoleUser, "", "a1", 30) // a1 is on both: it goes where the conversation is
	first.Metadata = memory.Metadata{Kind: memory.KindTask, AgentID: "y"}
	add(t, x, false, true, first)
	for branch, want := range map[string][]string{"main": {"u1", "a1", "u2", "a2", "t2", "s1", "s2"}, "retry-a2b": {"u1", "a1", "u2b", "a2b", "s0"}} {
		if got := filesOf(t, x.Dir(), branch); !slices.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", branch, got, want)
		}
	}
	if got := stock(t, x.Dir(), "log", "--format=%s", "retry-a2b"); got != "turn 1: text of u1 (more)\nturn 3: text of u2b\nturn 1: text of u1" {
		t.Errorf("log says %s", got)
	}
	if got := stock(t, x.Dir(), "log", "-1", "--format=%s", "main"); got != "turn 2: text of u2 (more)" {
		t.Errorf("log says %s", got)
	}
	sound(t, x)
	clean(t, x)
}

func TestFirstPromptWrittenAnewHasARootOfItsOwn(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, false, true, node("u1", memory.RoleUser, "", "", 1), node("a1", memory.RoleAssistant, "u1", "", 2))
	add(t, x, false, true, node("u1b", memory.RoleUser, "", "", 3), node("a1b", memory.RoleAssistant, "u1b", "", 4))
	if got := filesOf(t, x.Dir(), "retry-a1b"); !slices.Equal(got, []string{"u1b", "a1b"}) {
		t.Errorf("the branch holds %v", got)
	}
	if out, err := tryStock(x.Dir(), "merge-base", "main", "retry-a1b"); err == nil {
		t.Errorf("they have %s in common", out)
	}
	// A node whose parent was never seen goes on where the conversation is.
	add(t, x, false, true, node("x", memory.RoleAssistant, "lost", "", 5))
	if got := filesOf(t, x.Dir(), "retry-a1b"); !slices.Equal(got, []string{"u1b", "a1b", "x"}) {
		t.Errorf("the branch holds %v", got)
	}
	sound(t, x)
	clean(t, x)
}

func TestLinearHistoryOfForksIsReadAndGoneOnWith(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	nodes := forked()
	flat := slices.Clone(nodes) // as it was stored before forks had branches: one line
	for i := range flat {
		if i > 0 {
			flat[i].ParentID = memory.Ref(flat[i-1].ID)
		}
		flat[i].Metadata.AgentID = ""
	}
	add(t, x, true, true, flat...)
	add(t, x, false, true, node("u5", memory.RoleUser, "u3", "", 20), node("a5", memory.RoleAssistant, "u5", "", 21))
	add(t, x, false, true, node("u6", memory.RoleUser, "a2", "", 22), node("a6", memory.RoleAssistant, "u6", "", 23))
	y := reopened(t, x)
	if got := filesOf(t, y.Dir(), "main"); len(got) != 12 || y.Len() != 14 {
		t.Errorf("main holds %v, the session %d nodes", got, y.Len())
	}
	if got := filesOf(t, y.Dir(), "retry-a6"); !slices.Equal(got, []string{"u1", "a1", "u2", "a2", "u6", "a6"}) {
		t.Errorf("the branch holds %v", got)
	}
	sound(t, y)
	clean(t, y)
}

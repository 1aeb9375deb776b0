package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestTornFileIsIgnoredReportedAndWrittenAnew(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"cut":   func(p string) error { return os.Truncate(p, 40) },
		"empty": func(p string) error { return os.Truncate(p, 0) },
		"gone":  os.Remove,
		"another's": func(p string) error {
			return os.WriteFile(p, []byte(`{"id":"other","seq":8,"role":"tool"}`), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := ensure(t, newStore(t), "a")
			nodes := talk(1, 3)
			add(t, x, false, false, nodes...) // turn 2 is open: nodes 6 to 10
			torn := nodeName(8, nodes[7].Role, nodes[7].ID)
			if err := damage(filepath.Join(x.Dir(), historyDir, torn)); err != nil {
				t.Fatal(err)
			}
			y := reopened(t, x)
			if y.Len() != 7 || y.Has(nodes[8].ID) || y.Meta().HeadID != memory.Ref(nodes[6].ID) || y.Meta().Nodes != 7 {
				t.Errorf("%d nodes, meta %+v", y.Len(), y.Meta())
			}
			if p := y.Problems(); name != "gone" && (len(p) != 3 || !strings.Contains(p[0], torn)) {
				t.Errorf("problems %q", p)
			}
			other := node("other", memory.RoleTool, nodes[6].ID, "", 5)
			if n := add(t, y, false, true, other, nodes[7], nodes[8], nodes[9]); n != 4 {
				t.Errorf("%d nodes are new", n)
			}
			sound(t, y)
			clean(t, y)
			if got := ids(all(t, reopened(t, y))); !slices.Equal(got[7:], []string{"other", nodes[7].ID, nodes[8].ID, nodes[9].ID}) {
				t.Errorf("nodes %v", got)
			}
			if p := reopened(t, y).Problems(); len(p) != 0 {
				t.Errorf("problems %q", p)
			}
		})
	}
}

func TestFilesBeyondTheNewestCommitAreCommittedAtTurnEnd(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 4)
	add(t, x, false, false, nodes[:12]...)
	y := reopened(t, x)
	add(t, y, false, true)
	list, err := y.Commits()
	if err != nil || len(list) != 3 || len(list[0].Nodes) != 2 || list[0].Message != "turn 3: Please do thing 3 with care" {
		t.Errorf("%+v %v", list, err)
	}
	clean(t, y)
}

func TestTurnsThatWereOverWhenAProcessWasStoppedGetACommitEach(t *testing.T) {
	for _, bulk := range []bool{false, true} {
		s := newStore(t)
		x, calm := ensure(t, s, "a"), ensure(t, s, "calm")
		nodes := talk(1, 6)
		add(t, calm, true, true, nodes...)
		add(t, x, false, false, nodes[:3]...)
		for _, n := range all(t, calm)[3:18] { // as a process leaves them that was killed before Close
			data, err := n.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := writeNode(x.Dir(), nodeName(n.Seq, n.Role, n.ID), append(data, '\n')); err != nil {
				t.Fatal(err)
			}
		}
		y := reopened(t, x)
		if n := add(t, y, bulk, true, nodes...); n != 7 || !slices.Equal(shas(t, y), shas(t, calm)) {
			t.Errorf("%d nodes are new, commits %v, want %v", n, shas(t, y), shas(t, calm))
		}
		sound(t, y)
		clean(t, y)
	}
}

func TestNodeChangedBehindOurBackIsNotCommittedSilently(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 2)
	add(t, x, false, false, nodes...)
	path := filepath.Join(x.Dir(), historyDir, nodeName(3, nodes[2].Role, nodes[2].ID))
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := x.Begin(false)
	if err := b.Close(true); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	if _, err := x.Node(nodes[2].ID); err == nil {
		t.Error("a changed node is read")
	}
}

func TestWhileAnotherBranchIsCheckedOutTurnsGoToMain(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 5)
	add(t, x, false, true, nodes[:10]...)
	stock(t, x.Dir(), "checkout", "-q", "-b", "look", "HEAD~1")
	add(t, x, false, true, nodes[10:15]...)
	add(t, x, true, true, nodes[15:]...)
	clean(t, x)
	if err := x.Compact(); err != nil {
		t.Fatal(err)
	}
	stock(t, x.Dir(), "checkout", "-q", "main")
	clean(t, x)
	if files, _ := os.ReadDir(filepath.Join(x.Dir(), historyDir)); len(files) != 20 {
		t.Errorf("%d files", len(files))
	}
	add(t, x, false, true, talk(5, 6)...)
	sound(t, x)
	clean(t, x)
}

func TestForeignCommitOnMainIsKept(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, false, true, talk(1, 3)...)
	if err := os.WriteFile(filepath.Join(x.Dir(), "notes.txt"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stock(t, x.Dir(), "add", "notes.txt")
	stock(t, x.Dir(), "commit", "-qm", "My notes")
	if err := os.MkdirAll(filepath.Join(x.Dir(), "a", "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(x.Dir(), "a", "b", "c"), []byte("mine too\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stock(t, x.Dir(), "add", "a")
	stock(t, x.Dir(), "commit", "-qm", "More of mine")
	add(t, x, false, true, talk(3, 4)...)
	clean(t, x)
	if out := stock(t, x.Dir(), "show", "HEAD:notes.txt"); out != "mine" {
		t.Errorf("notes.txt is %q", out)
	}
	list, err := x.Commits()
	if err != nil || len(list) != 5 || len(list[1].Nodes) != 0 || len(list[0].Nodes) != 5 {
		t.Errorf("%+v %v", list, err)
	}
	if err := x.Compact(); err != nil {
		t.Fatal(err)
	}
	sound(t, x)
	if x.Len() != 15 || len(all(t, reopened(t, x))) != 15 {
		t.Error("nodes are missing")
	}
}

func TestForeignFileInHistoryStopsAppending(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, false, true, talk(1, 3)...)
	if err := os.WriteFile(filepath.Join(x.Dir(), historyDir, "todo.txt"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	add(t, x, false, true, talk(3, 4)...) // not committed: it is nobody's business
	stock(t, x.Dir(), "add", "-f", "history/todo.txt")
	stock(t, x.Dir(), "commit", "-qm", "My list")
	y := reopened(t, x)
	if y.Len() != 15 || len(y.Problems()) != 1 {
		t.Errorf("%d nodes, problems %q", y.Len(), y.Problems())
	}
	b := y.Begin(false)
	if _, err := b.Append(talk(4, 5)[0]); err == nil || !strings.Contains(err.Error(), "todo.txt") {
		t.Error(err)
	}
	b.Abort()
}

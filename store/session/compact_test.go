package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dormouse/store/memory"
)

func packCount(t *testing.T, x *Session) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(x.Dir(), ".git", "objects", "pack", "*.pack"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

func TestManyLiveTurnsKeepFewPacks(t *testing.T) {
	s := newStore(t)
	x, y := ensure(t, s, "a"), ensure(t, s, "b")
	nodes := talk(1, 2*manyPacks+20)
	most := 0
	for turn := range slices.Chunk(nodes, 5) {
		add(t, x, false, true, turn...)
		most = max(most, packCount(t, x))
	}
	add(t, y, true, true, nodes...)
	if most > manyPacks || !slices.Equal(shas(t, x), shas(t, y)) {
		t.Errorf("%d packs", most)
	}
	if p := x.Problems(); len(p) != 0 {
		t.Errorf("problems %q", p)
	}
	sound(t, x)
	clean(t, x)
	if err := x.Compact(); err != nil || packCount(t, x) != 1 {
		t.Errorf("%v, %d packs", err, packCount(t, x))
	}
	if left, _ := os.ReadDir(filepath.Join(x.Dir(), historyDir)); len(left) != 0 {
		t.Errorf("%d files are in history/", len(left))
	}
	sound(t, x)
	clean(t, x)
	if got := all(t, reopened(t, x)); len(got) != len(nodes) {
		t.Errorf("%d nodes", len(got))
	}
}

func TestCompactKeepsTheOpenTurnAndWhatGitPacked(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 8)
	for turn := range slices.Chunk(nodes[:15], 5) {
		add(t, x, false, true, turn...)
	}
	stock(t, x.Dir(), "gc", "-q")
	for turn := range slices.Chunk(nodes[15:32], 5) {
		add(t, x, false, false, turn...)
	}
	for range 2 {
		if err := x.Compact(); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := os.ReadDir(filepath.Join(x.Dir(), historyDir))
	if len(files) != 2 || packCount(t, x) != 1 {
		t.Errorf("%d files, %d packs", len(files), packCount(t, x))
	}
	add(t, reopened(t, x), false, true, nodes[32:]...)
	sound(t, x)
	clean(t, x)
	if got := ids(all(t, reopened(t, x))); !slices.Equal(got, ids(nodes)) {
		t.Errorf("nodes %v", got)
	}
	if err := ensure(t, x.store, "not there").Compact(); err != nil {
		t.Error(err)
	}
}

func TestCompactLeavesCommitsAloneThatAreNotOurs(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 6)
	add(t, x, false, true, nodes[:10]...)
	stock(t, x.Dir(), "rm", "-q", "history/"+nodeName(10, nodes[9].Role, nodes[9].ID))
	stock(t, x.Dir(), "commit", "-qm", "Take one out")
	stock(t, x.Dir(), "revert", "--no-edit", "HEAD")
	for turn := range slices.Chunk(nodes[10:], 5) {
		add(t, x, false, true, turn...)
	}
	if err := x.Compact(); err != nil {
		t.Fatal(err)
	}
	sound(t, x)
	clean(t, x)
	if got := all(t, reopened(t, x)); len(got) != len(nodes) {
		t.Errorf("%d nodes", len(got))
	}
}

func TestTornFileOfACommittedNodeIsReadFromGit(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 2)
	add(t, x, false, true, nodes...)
	if err := os.Truncate(filepath.Join(x.Dir(), historyDir, nodeName(2, nodes[1].Role, nodes[1].ID)), 3); err != nil {
		t.Fatal(err)
	}
	if n, err := reopened(t, x).Node(nodes[1].ID); err != nil || n.Output != nodes[1].Output {
		t.Errorf("%+v %v", n, err)
	}
}

func TestLargeOpenTurnOfAnImportIsNotHeldInMemory(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 3)
	big := make([]byte, holdBytes/2)
	for i := range big {
		big[i] = 'a' + byte(i*i%23)
	}
	for i := 5; i < 10; i++ {
		nodes[i].Output = string(big)
	}
	b := x.Begin(true)
	for _, n := range nodes {
		if _, err := b.Append(n); err != nil {
			t.Fatal(err)
		}
		if b.size > holdBytes {
			t.Errorf("%d bytes are held", b.size)
		}
	}
	if err := b.Close(false); err != nil {
		t.Fatal(err)
	}
	if got := all(t, reopened(t, x)); len(got) != 10 || got[9].Output != string(big) {
		t.Errorf("%d nodes", len(got))
	}
	add(t, x, false, true, memory.Node{ID: "end", Role: memory.RoleAssistant, ParentID: memory.Ref(nodes[9].ID)})
	sound(t, x)
	clean(t, x)
}

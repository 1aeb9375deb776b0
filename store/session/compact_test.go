package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
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

func TestThawedSessionHasItsFilesAgainUntilItIsPacked(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 5)
	add(t, x, true, false, nodes[:17]...) // two nodes of an open turn
	before := shas(t, x)
	if w, err := x.Weigh(); err != nil || w.Loose != 2 {
		t.Errorf("%+v %v", w, err)
	}
	if err := x.Thaw(); err != nil || x.Thawed().IsZero() {
		t.Fatal(err)
	}
	for i := range 17 {
		name := filepath.Join(x.Dir(), historyDir, nodeName(i+1, nodes[i].Role, nodes[i].ID))
		if b, err := os.ReadFile(name); err != nil || i < 15 && stock(t, x.Dir(), "show", "HEAD:history/"+filepath.Base(name)) != string(b[:len(b)-1]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if out := stock(t, x.Dir(), "status", "--porcelain", "history/"+nodeName(1, nodes[0].Role, nodes[0].ID)); out != "" {
		t.Errorf("git status says %q", out)
	}
	clean(t, x) // the open turn is not shown
	add(t, x, false, true, nodes[17:]...)
	clean(t, x)
	if err := x.Compact(); err != nil || !x.Thawed().IsZero() {
		t.Fatal(err)
	}
	if w, err := x.Weigh(); err != nil || !w.Cold() || w.Files > 15 {
		t.Errorf("%+v %v", w, err)
	}
	if got := shas(t, x); !slices.Equal(got[len(got)-len(before):], before) {
		t.Error("commits have changed")
	}
	stock(t, x.Dir(), "checkout", "-qb", "side")
	if err := x.Thaw(); err == nil || !strings.Contains(err.Error(), "git checkout main") {
		t.Errorf("on another branch: %v", err)
	}
	if err := ensure(t, x.store, "not there").Thaw(); err == nil {
		t.Error("a session without a node is thawed")
	}
}

func TestSessionIsFullOfManyTurnsOrBytesBesideItsPack(t *testing.T) {
	for name, c := range map[string]struct {
		w    Weight
		want bool
	}{
		"cold":              {Weight{Packs: 1, Largest: 40 << 20}, false},
		"64 turns":          {Weight{LooseTurns: 64, LooseBytes: 1000, Largest: 10}, false},
		"65 turns":          {Weight{LooseTurns: 65, Largest: 1000}, true},
		"many bytes":        {Weight{LooseBytes: 16<<20 + 1, Largest: 100 << 20}, true},
		"more than 4 packs": {Weight{LooseBytes: 5 << 20, Largest: 1 << 20}, true},
		"small":             {Weight{LooseBytes: 1 << 20, Largest: 100}, false},
	} {
		if c.w.Full() != c.want {
			t.Errorf("%s: %v", name, !c.want)
		}
	}
}

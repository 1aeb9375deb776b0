package session

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// drawn makes a conversation out of bytes: prompts, answers, calls, retries, sub-agents, nodes that come late, nodes whose
// parents are unknown.
func drawn(data []byte) []memory.Node {
	var out []memory.Node
	tip := ""
	pick := func(b byte) string {
		if len(out) == 0 {
			return ""
		}
		return out[int(b)%len(out)].ID
	}
	for i := 0; i+1 < len(data) && len(out) < 60; i += 2 {
		op, arg := data[i]%16, data[i+1]
		n := node(fmt.Sprintf("n%d", len(out)), memory.RoleAssistant, tip, "", int64(len(out)/2))
		main := true
		switch op {
		case 0, 1, 2:
			n.Role, n.Metadata.Kind = memory.RoleUser, memory.KindPrompt
		case 3, 4:
			n.Role, n.CalledBy = memory.RoleTool, memory.Ref(tip)
		case 5:
			n.ParentID = memory.Ref(pick(arg))
		case 6:
			n.Role, n.Metadata.Kind, n.ParentID = memory.RoleUser, memory.KindPrompt, memory.Ref(pick(arg))
		case 7, 8, 9:
			n.Metadata.AgentID, n.ParentID, n.CalledBy, main = fmt.Sprint("s", arg%3), "", memory.Ref(pick(arg)), false
		case 10:
			n.Metadata.AgentID, n.ParentID, main = fmt.Sprint("s", arg%3), memory.Ref(pick(arg)), false
		case 11:
			n.ParentID = "unknown"
		case 12:
			n.Role, n.Metadata.Kind, n.ParentID = memory.RoleUser, memory.KindPrompt, ""
		case 13:
			n.ParentID = memory.Ref(fmt.Sprintf("n%d", len(out)+1+int(arg%3))) // comes later
		}
		if main {
			tip = n.ID
		}
		out = append(out, n)
	}
	return out
}

// told fills a session with nodes in batches cut by data, opened anew and compacted now and then.
func told(t *testing.T, x *Session, nodes []memory.Node, data []byte) *Session {
	t.Helper()
	for i := 0; len(nodes) > 0; i++ {
		cut := data[i%len(data)]
		n := min(1+int(cut%5), len(nodes))
		add(t, x, cut&8 != 0, false, nodes[:n]...)
		nodes = nodes[n:]
		if cut&16 != 0 {
			x = reopened(t, x)
		}
		if cut&96 == 96 {
			if err := x.Compact(); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(t, x, false, true)
	return x
}

// wellBranched checks every branch against the nodes: what is on it is the chain of its newest node, what sub-agents did, and
// what follows on nothing known.
func wellBranched(t *testing.T, x *Session) {
	t.Helper()
	linksAgree(t, x)
	linksAgree(t, reopened(t, x))
	st := x.st
	if st == nil {
		if _, err := x.look(true); err != nil {
			t.Fatal(err)
		}
		st = x.st
	}
	if err := st.loadTurns(); err != nil {
		t.Fatal(err)
	}
	onSome := map[string]bool{}
	loose := map[string]bool{} // nodes whose chains end at a parent that is not known, only comes later, or is a sub-agent's
	for _, l := range x.Skeleton() {
		at, ok := st.ids()[string(l.Parent)]
		odd := !ok || at >= l.Seq-1 || st.bonds.agent(at) != ""
		loose[l.ID] = l.Agent == "" && l.Parent != "" && odd || ok && loose[string(l.Parent)]
	}
	for i := range st.lanes.all {
		l := &st.lanes.all[i]
		if l.last == none {
			continue
		}
		chain := map[string]bool{}
		branch, err := x.Branch(st.entries[l.last].id())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range branch {
			chain[n.ID] = true
		}
		on := map[string]bool{}
		for place := range st.lanes.places(i, l.committed) {
			id := st.entries[place].id()
			on[id], onSome[id] = true, true
		}
		for id := range on {
			agent := st.bonds.agent(st.ids()[id])
			if !chain[id] && agent == "" && !loose[st.entries[l.last].id()] && !loose[id] {
				t.Errorf("%s holds %s, which is not on the way to %s", l.ref, id, st.entries[l.last].id())
			}
		}
		for id := range chain {
			if !on[id] && !loose[id] && !loose[st.entries[l.last].id()] {
				t.Errorf("%s lacks %s, which is on the way to %s", l.ref, id, st.entries[l.last].id())
			}
		}
	}
	if len(onSome) != x.Len() {
		t.Errorf("%d of %d nodes are on a branch", len(onSome), x.Len())
	}
}

// equalHistories tells the same conversation in two ways and compares what came about.
func equalHistories(t *testing.T, data []byte) (live, bulk *Session) {
	t.Helper()
	nodes := drawn(data)
	s := newStore(t)
	live, bulk = ensure(t, s, "live"), ensure(t, s, "bulk")
	add(t, bulk, true, true, nodes...)
	live = told(t, live, nodes, data)
	a, b := branches(t, live), branches(t, bulk)
	if !maps.Equal(a, b) {
		t.Fatalf("branches differ: %v, in one import %v\n%s\n\n%s", a, b, stock(t, live.Dir(), "log", "--graph", "--all", "--name-status"), stock(t, bulk.Dir(), "log", "--graph", "--all", "--name-status"))
	}
	for _, x := range []*Session{live, bulk, reopened(t, bulk)} {
		wellBranched(t, x)
		list, err := x.Commits()
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, c := range list {
			for _, id := range c.Nodes {
				if seen[id] {
					t.Errorf("%s is new in two commits", id)
				}
				seen[id] = true
				if of, ok, err := x.CommitOf(id); err != nil || !ok || of.SHA != c.SHA {
					t.Errorf("commit of %s is %s %v, want %s", id, of.SHA, err, c.SHA)
				}
			}
		}
		if len(seen) != len(nodes) {
			t.Errorf("the commits have %d of %d nodes", len(seen), len(nodes))
		}
	}
	return live, bulk
}

func branches(t *testing.T, x *Session) map[string]string {
	t.Helper()
	refs, err := laneRefs(x.st.repo)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, oid := range refs {
		out[name] = oid.String()
	}
	return out
}

// judged lets stock git look at everything that a session has.
func judged(t *testing.T, x *Session) {
	t.Helper()
	sound(t, x)
	clean(t, x)
	stock(t, x.Dir(), "log", "--graph", "--all", "--stat")
	to := t.TempDir()
	stock(t, to, "clone", "-q", "--mirror", x.Dir(), "m")
	stock(t, filepath.Join(to, "m"), "fsck", "--strict", "--full")
	shown := stock(t, x.Dir(), "symbolic-ref", "--short", "HEAD")
	for line := range strings.Lines(refsOf(t, x)) {
		branch, _, _ := strings.Cut(line, " ")
		stock(t, x.Dir(), "checkout", "-q", branch)
		clean(t, x)
	}
	stock(t, x.Dir(), "checkout", "-q", shown)
	stock(t, x.Dir(), "gc", "-q", "--prune=now")
	sound(t, x)
}

func TestBranchesDependOnTheNodesAndTheirOrderAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for i := range 24 {
		data := make([]byte, 20+r.IntN(100))
		for j := range data {
			data[j] = byte(r.Uint32())
		}
		live, bulk := equalHistories(t, data)
		if i%12 == 0 {
			judged(t, live)
			judged(t, bulk)
			x := reopened(t, live)
			before := x.Len()
			add(t, x, false, true, node("after", memory.RoleUser, string(x.Meta().HeadID), "", 99))
			if x.Len() != before+1 || len(all(t, reopened(t, x))) != before+1 {
				t.Error("it does not go on after git gc")
			}
			sound(t, x)
		}
		if t.Failed() {
			t.Fatalf("with %q", data)
		}
	}
}

func FuzzBranches(f *testing.F) {
	f.Add([]byte("000001000100050006000700130012001100"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			t.Skip("no node comes of it")
		}
		live, _ := equalHistories(t, data)
		if live.Len() > 0 {
			sound(t, live)
			clean(t, live)
		}
	})
}

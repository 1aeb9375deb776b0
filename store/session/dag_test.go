package session

import (
	"errors"
	"slices"
	"testing"

	"dormouse/store/memory"
)

func node(id string, role memory.Role, parent, calledBy string, at int64) memory.Node {
	n := memory.Node{ID: id, Role: role, ParentID: memory.Ref(parent), CalledBy: memory.Ref(calledBy), CreatedAt: at, Output: "text of " + id}
	if role == memory.RoleUser {
		n.Metadata.Kind = memory.KindPrompt
	}
	return n
}

func ids(nodes []memory.Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.ID)
	}
	return out
}

// forked is a conversation that is rewound twice, with a sub-agent:
//
//	u1 a1 u2 a2 t2 - u3' (from t2)
//	   |- u2b a2b
//	t2 calls s1 s2 (sub-agent "x")
func forked() []memory.Node {
	s1, s2 := node("s1", memory.RoleUser, "", "t2", 6), node("s2", memory.RoleAssistant, "s1", "", 7)
	s1.Metadata = memory.Metadata{Kind: memory.KindTask, AgentID: "x"}
	s2.Metadata.AgentID = "x"
	return []memory.Node{
		node("u1", memory.RoleUser, "", "", 1), node("a1", memory.RoleAssistant, "u1", "", 2),
		node("u2", memory.RoleUser, "a1", "", 3), node("a2", memory.RoleAssistant, "u2", "", 4), node("t2", memory.RoleTool, "a2", "a2", 5),
		s1, s2,
		node("u2b", memory.RoleUser, "a1", "", 8), node("a2b", memory.RoleAssistant, "u2b", "", 9),
		node("u3", memory.RoleUser, "t2", "", 10),
	}
}

func TestForksAndRewindsStayBranchesOfOneDAG(t *testing.T) {
	for _, bulk := range []bool{false, true} {
		x := ensure(t, newStore(t), "a")
		add(t, x, bulk, true, forked()...)
		for _, y := range []*Session{x, reopened(t, x)} {
			if got := y.Heads(); !slices.Equal(got, []string{"a2b", "u3"}) {
				t.Errorf("heads %v", got)
			}
			for head, want := range map[string][]string{
				"":    {"u1", "a1", "u2", "a2", "t2", "u3"},
				"a2b": {"u1", "a1", "u2b", "a2b"},
				"s2":  {"s1", "s2"},
			} {
				if got, err := y.Branch(head); err != nil || !slices.Equal(ids(got), want) {
					t.Errorf("branch %q: %v %v, want %v", head, ids(got), err, want)
				}
			}
			if got, err := y.Turn(2); err != nil || !slices.Equal(ids(got), []string{"u2", "a2", "t2", "s1", "s2"}) {
				t.Errorf("turn 2: %v %v", ids(got), err)
			}
			if got, err := y.Turn(9); err != nil || len(got) != 0 {
				t.Errorf("turn 9: %v %v", got, err)
			}
			links := y.Skeleton()
			if len(links) != 10 || links[5] != (Link{ID: "s1", CalledBy: "t2", Seq: 6, Turn: 2, Role: memory.RoleUser, Agent: "x"}) {
				t.Errorf("%+v", links)
			}
			if _, err := y.Branch("none"); !errors.Is(err, ErrNoNode) {
				t.Error(err)
			}
			if n, err := y.Node("u3"); err != nil || n.Seq != 10 || n.Metadata.Turn != 4 || n.Output != "text of u3" {
				t.Errorf("%+v %v", n, err)
			}
			if _, err := y.Node("none"); !errors.Is(err, ErrNoNode) {
				t.Error(err)
			}
		}
	}
}

func TestBranchThatComesBackOnItselfIsCut(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, false, false, node("u1", memory.RoleUser, "a1", "", 1), node("a1", memory.RoleAssistant, "u1", "", 2))
	if got, err := x.Branch("a1"); err != nil || !slices.Equal(ids(got), []string{"u1", "a1"}) {
		t.Errorf("%v %v", ids(got), err)
	}
}

func TestLateNodesMakeASecondCommitOfTheirTurn(t *testing.T) {
	for _, bulk := range []bool{false, true} {
		x := ensure(t, newStore(t), "a")
		nodes := forked()
		add(t, x, bulk, true, nodes[:5]...) // turns 1 and 2 are over
		add(t, x, bulk, true, nodes[7:9]...)
		add(t, x, bulk, false, nodes[5:7]...) // the sub-agent of turn 2, after turn 3
		add(t, x, bulk, true, nodes[9:]...)
		late := node("z", memory.RoleTool, "u3", "", 11)
		add(t, x, bulk, true, late)
		list, err := x.Commits()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range list {
			got = append(got, c.Message)
		}
		want := []string{"turn 4: text of u3 (more)", "turn 4: text of u3", "turn 2: text of u2 (more)", "turn 3: text of u2b", "turn 2: text of u2", "turn 1: text of u1"}
		if !slices.Equal(got, want) {
			t.Errorf("commits %q, want %q", got, want)
		}
		if c := list[2]; c.Turn != 2 || !slices.Equal(c.Nodes, []string{"s1", "s2"}) || c.When != 7 {
			t.Errorf("%+v", c)
		}
		if y := reopened(t, x); len(y.Skeleton()) != 11 || y.Skeleton()[10].Turn != 4 {
			t.Errorf("%+v", y.Skeleton())
		}
		sound(t, x)
		clean(t, x)
	}
}

func TestNodesBeforeTheFirstPromptGoWithTurnOneOrAreTurnZero(t *testing.T) {
	first := node("a0", memory.RoleAssistant, "", "", 0)
	prompt := node("u1", memory.RoleUser, "a0", "", 0)
	for _, bulk := range []bool{false, true} {
		x := ensure(t, newStore(t), "a")
		add(t, x, bulk, false, first)
		add(t, x, bulk, true, prompt)
		if list, err := x.Commits(); err != nil || len(list) != 1 || list[0].Message != "turn 1: text of u1" || list[0].When != 0 {
			t.Errorf("%+v %v", list, err)
		}
		y := ensure(t, newStore(t), "b")
		add(t, y, bulk, true, first)
		add(t, y, bulk, true, prompt)
		list, err := y.Commits()
		if err != nil || len(list) != 2 || list[1].Message != "turn 0: text of a0" || list[0].Message != "turn 1: text of u1" {
			t.Errorf("%+v %v", list, err)
		}
		sound(t, x)
		sound(t, y)
	}
}

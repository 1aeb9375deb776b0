package memory

import (
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// movable is an event of a project, seen in nodes u (the person's) and a (the assistant's) of session cc_1, and the log that holds it.
func movable(t *testing.T) (*Event, Decision) {
	t.Helper()
	e := &Event{Summary: "Chose SQLite for the cache", Kind: KindDecision, Scope: ProjectScope("p"), Trust: TrustPerson,
		Provenance: Provenance{ProjectID: "p", SessionID: "cc_1", NodeIDs: []string{"u"}}}
	e.ID = EventID(EventClaim(e))
	p, err := Propose(e)
	if err != nil {
		t.Fatal(err)
	}
	return e, Decision{ID: "de_1", Action: ActionAdd, Accepted: true, By: ByRule, Proposal: p, Lamport: 1, Machine: "m"}
}

// nodes is a Live of a few hashes, by node.
func nodes(have map[string]string) Live {
	return func(session, node string) (string, bool) {
		h, ok := have[node]
		return h, ok && session == "cc_1"
	}
}

func receiptsOf(ids ...string) (out []Receipt) {
	for _, id := range ids {
		role := map[byte]Role{'u': RoleUser, 'a': RoleAssistant, 't': RoleTool}[id[0]]
		out = append(out, Receipt{SessionID: "cc_1", NodeID: id, Role: role, Hash: "hash of " + id})
	}
	return out
}

var asTheyWere = map[string]string{"u": "hash of u", "a": "hash of a"}

func moveIt(t *testing.T, ds []Decision, to Scope) []Decision {
	t.Helper()
	s := Fold(ds)
	s.Verify(nodes(asTheyWere))
	r := Ruler{State: s, Decisions: ds, Now: 100}
	for rec := range s.Records() {
		out, err := r.Move(rec, to, receiptsOf("u", "a"), "mine")
		if err != nil {
			t.Fatal(err)
		}
		for i := range out {
			out[i].Machine, out[i].Lamport = "m", ds[len(ds)-1].Lamport+1
			out[i].ID = DecisionID(&out[i])
		}
		return append(slices.Clone(ds), out...)
	}
	t.Fatal("there is no record")
	return nil
}

func scopeOf(s *State) Scope {
	for _, e := range s.Events {
		return e.Scope
	}
	return "no record"
}

func TestAMovedRecordIsServedWhereItsReceiptsHoldAndElseNowhere(t *testing.T) {
	e, add := movable(t)
	ds := moveIt(t, []Decision{add}, PrivateScope("p"))
	changed := func(change func(m *Move)) []Decision {
		raw, _ := json.Marshal(ds[1])
		var d Decision
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		change(d.Proposal.Move)
		return []Decision{add, d}
	}
	without := func(node string) func(m *Move) {
		return func(m *Move) {
			m.Receipts = slices.DeleteFunc(m.Receipts, func(r Receipt) bool { return r.NodeID == node })
			p := ds[1].Proposal
			m.Digest = moveDigest(&p, m) // whoever leaves one out may know how a digest is made
		}
	}
	for _, c := range []struct {
		name string
		ds   []Decision
		live Live
		want Scope
	}{
		{"all holds", ds, nodes(asTheyWere), "private:p"},
		{"no node is known", ds, nil, ""},
		{"the node of the person is gone", ds, nodes(map[string]string{"a": "hash of a"}), ""},
		{"the node of the assistant is gone", ds, nodes(map[string]string{"u": "hash of u"}), ""},
		{"the node of the person differs", ds, nodes(map[string]string{"u": "other", "a": "hash of a"}), ""},
		{"the node of the assistant differs", ds, nodes(map[string]string{"u": "hash of u", "a": "other"}), ""},
		{"no receipt of the person's node", changed(without("u")), nodes(asTheyWere), ""},
		{"no receipt of the assistant's node", changed(without("a")), nodes(asTheyWere), ""},
		{"a receipt of another operation", changed(func(m *Move) { m.Receipts[0].Operation = "op_other" }), nodes(asTheyWere), ""},
		{"another scope than was signed for", changed(func(m *Move) { m.To = Global }), nodes(asTheyWere), ""},
		{"another hash than was signed for", changed(func(m *Move) { m.Receipts[0].Hash = "x" }), nodes(map[string]string{"a": "x", "u": "x"}), ""},
		{"no receipts at all", changed(func(m *Move) { m.Receipts = nil }), nodes(asTheyWere), ""},
	} {
		s := Fold(c.ds)
		s.Verify(c.live)
		if got := scopeOf(s); got != c.want {
			t.Errorf("%s: served in %q, want %q", c.name, got, c.want)
		}
		agent := View{Project: "p", Agent: "codex"}
		if agent.Sees(scopeOf(s)) || slices.Contains(agent.Scopes(), scopeOf(s)) {
			t.Errorf("%s: an agent sees it", c.name)
		}
		if !s.WithheldNode("u") && len(c.ds[1].Proposal.Move.Receipts) > 1 {
			t.Errorf("%s: the words of its turn can be found", c.name)
		}
		if s.ClaimOf(s.Events[e.ID]) != EventClaim(e) {
			t.Errorf("%s: it has another claim", c.name)
		}
	}
	s := Fold(ds)
	s.Verify(nodes(asTheyWere))
	if person := (View{Project: "p", Person: true}); !person.Sees(scopeOf(s)) || !slices.Contains(person.Scopes(), scopeOf(s)) {
		t.Error("the person does not see it")
	}
	if other := (View{Project: "q", Person: true}); other.Sees(scopeOf(s)) {
		t.Error("it is seen in another project")
	}
}

func TestAMoveIsUndoneForgottenAndSeenAgainLikeAnyDecision(t *testing.T) {
	e, add := movable(t)
	ds := moveIt(t, []Decision{add}, PrivateScope("p"))
	verify := func(ds []Decision) *State {
		s := Fold(ds)
		s.Verify(nodes(asTheyWere))
		return s
	}
	back := moveIt(t, ds, e.Scope) // going home is the undo
	if last := back[2]; last.Action != ActionUndo || string(last.Undoes) != ds[1].ID {
		t.Fatalf("%+v", last)
	}
	if got := scopeOf(verify(back)); got != e.Scope {
		t.Errorf("after the undo it is served in %q", got)
	}
	further := moveIt(t, ds, Global)
	if got := scopeOf(verify(further)); got != Global {
		t.Errorf("moved twice it is served in %q", got)
	}
	again := add
	again.ID, again.Lamport = "de_9", 9 // the next sleep of another machine sees it again
	if got := scopeOf(verify(append(slices.Clone(ds), again))); got != "private:p" {
		t.Errorf("seen again it is served in %q", got)
	}
	s := verify(ds)
	s.Apply(&again) // and so without a new fold
	s.Settle()
	if got := scopeOf(s); got != "private:p" {
		t.Errorf("added up it is served in %q", got)
	}
	r := Ruler{State: s, Decisions: ds, Now: 200}
	for name, to := range map[string]Scope{"where it is": "private:p", "nowhere": "nonsense"} {
		if _, err := r.Move(s.Events[e.ID], to, receiptsOf("u", "a"), ""); err == nil {
			t.Errorf("moved to %s", name)
		}
	}
	for _, some := range [][]Receipt{nil, receiptsOf("u"), receiptsOf("a")} {
		if _, err := r.Move(s.Events[e.ID], Global, some, ""); !errors.Is(err, ErrUnfit) {
			t.Errorf("moved with %d receipts: %v", len(some), err)
		}
	}
	forget, err := r.Forget(s.Home(s.Events[e.ID]), "")
	if err != nil {
		t.Fatal(err)
	}
	forget[0].ID, forget[0].Machine, forget[0].Lamport = "de_5", "m", 5
	if s := verify(append(append(slices.Clone(ds), forget...), again)); len(s.Events) != 0 {
		t.Errorf("forgotten, it is back: %+v", s.Events)
	}
	// Looking back to before the move does not show it to others.
	if got := scopeOf(func() *State {
		s := FoldAsKnown(slices.Values(sorted(ds)), 50)
		s.Verify(nodes(asTheyWere))
		return s
	}()); got != "private:p" && got != "no record" {
		t.Errorf("as of before it is served in %q", got)
	}
}

// In whatever order the lines arrive, all machines that have the nodes come to the same.
func TestTheOrderOfArrivalDoesNotMatterForMoves(t *testing.T) {
	_, add := movable(t)
	ds := moveIt(t, moveIt(t, []Decision{add}, PrivateScope("p")), Global)
	other := ds[1]
	other.Machine, other.ID = "n", "de_x" // a move of the same record that another machine made at the same time
	ds = append(ds, other)
	want := Scope("")
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 50 {
		random.Shuffle(len(ds), func(i, j int) { ds[i], ds[j] = ds[j], ds[i] })
		s := Fold(ds)
		s.Verify(nodes(maps.Clone(asTheyWere)))
		if got := scopeOf(s); n == 0 {
			want = got
		} else if got != want {
			t.Fatalf("served in %q and in %q", want, got)
		}
	}
	if want != Global {
		t.Errorf("served in %q, not where the last move puts it", want)
	}
}

func TestANodesHashCoversAllOfIt(t *testing.T) {
	n := Node{ID: "n", Role: RoleUser, Output: "text", CreatedAt: 1}
	a, err := NodeHash(&n)
	if err != nil || len(a) != 64 {
		t.Fatalf("%q, %v", a, err)
	}
	for _, change := range []func(*Node){func(n *Node) { n.Output = "other" }, func(n *Node) { n.ParentID = "p" }, func(n *Node) { n.CreatedAt = 2 }, func(n *Node) { n.Seq = 3 }} {
		c := n
		change(&c)
		if b, _ := NodeHash(&c); b == a {
			t.Errorf("%+v has the same hash", c)
		}
	}
}

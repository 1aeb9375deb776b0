package session

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// readAnew is what git says of a session's links and commits, without the links file.
func readAnew(t *testing.T, dir string) (links []Link, commits []Commit) {
	t.Helper()
	st, err := load(gitrepo.Open(dir))
	if err != nil {
		t.Fatal(err)
	}
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	for i := range st.entries {
		data, err := readEntry(st.repo, r, &st.entries[i])
		if err != nil {
			t.Fatal(err)
		}
		h, err := parseHeader(data)
		if err != nil {
			t.Fatal(err)
		}
		e := &st.entries[i]
		links = append(links, Link{ID: e.id(), Parent: h.parent, CalledBy: h.calledBy, Seq: e.seq(), Turn: h.turn, Role: e.role(), Agent: h.agent})
	}
	v := view{repo: st.repo, lanes: st.lanes, entries: st.entries, committed: st.committed}
	list, err := records(r, &v.lanes, v.entries)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		commits = append(commits, v.commit(c))
	}
	return links, commits
}

// linksAgree checks what a session says of its links, turns and commits against what git says.
func linksAgree(t *testing.T, x *Session) {
	t.Helper()
	links, commits := readAnew(t, x.Dir())
	if got := x.Skeleton(); !slices.Equal(got, links) {
		t.Fatalf("links\n%v, in git\n%v", got, links)
	}
	if got, err := x.Commits(); err != nil || !reflect.DeepEqual(got, commits) && len(got)+len(commits) > 0 {
		t.Fatalf("%v, commits\n%v, in git\n%v", err, got, commits)
	}
	turns, branches := map[int]string{}, map[string]int{}
	for _, c := range slices.Backward(commits) {
		if len(turns) == 0 {
			turns[0] = c.SHA
		}
		turns[c.Turn] = c.SHA
		branches[c.Branch]++
		for _, id := range c.Nodes {
			if of, ok, err := x.CommitOf(id); err != nil || !ok || !reflect.DeepEqual(of, c) {
				t.Fatalf("%v, the commit of %s is %v, in git %v", err, id, of, c)
			}
		}
	}
	if got, err := x.TurnCommits(0, 1<<30); err != nil || !reflect.DeepEqual(got, turns) {
		t.Fatalf("%v, commits of turns\n%v, in git\n%v", err, got, turns)
	}
	list, err := x.Branches()
	if err != nil || len(list) != len(branches) {
		t.Fatalf("%v, branches %v, in git %v", err, list, branches)
	}
	for _, b := range list {
		i := slices.IndexFunc(commits, func(c Commit) bool { return c.Branch == b.Name })
		if b.Commits != branches[b.Name] || b.Commit != commits[i].SHA || b.Message != commits[i].Message {
			t.Errorf("branch %+v, its newest commit in git is %v", b, commits[i])
		}
	}
	turnsAgree(t, x, links, turns)
}

// turnsAgree checks the nodes of every turn.
func turnsAgree(t *testing.T, x *Session, links []Link, commits map[int]string) {
	t.Helper()
	want := map[int][]string{}
	for _, l := range links {
		want[l.Turn] = append(want[l.Turn], l.ID)
		if n, ok := x.TurnOf(l.ID); !ok || n != l.Turn {
			t.Fatalf("%s is of turn %d, not %d", l.ID, l.Turn, n)
		}
	}
	last := -1
	for turn, err := range x.Turns(0) {
		if err != nil || turn.N <= last || !slices.Equal(ids(turn.Nodes), want[turn.N]) {
			t.Fatalf("%v, turn %d after %d has %v, not %v", err, turn.N, last, ids(turn.Nodes), want[turn.N])
		}
		last = turn.N
		if one, err := x.Turn(turn.N); err != nil || !slices.Equal(ids(one), want[turn.N]) {
			t.Fatalf("%v, turn %d alone has %v", err, turn.N, ids(one))
		}
		if sha, ok, err := x.CommitOfTurn(turn.N); err != nil || sha != commits[turn.N] || ok != (sha != "") {
			t.Fatalf("%v, the commit of turn %d is %q, not %q", err, turn.N, sha, commits[turn.N])
		}
		delete(want, turn.N)
	}
	if len(want) > 0 {
		t.Fatalf("turns %v are not told", want)
	}
}

func linksPath(x *Session) string { return filepath.Join(x.Dir(), ".git", linksFile) }

func TestLinksAreWhatGitSaysHoweverTheirFileCameAboutOrWhatBecameOfIt(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 5))
		data := make([]byte, 100)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		nodes := drawn(data)
		for i := range nodes {
			nodes[i].Output = fmt.Sprint("text of ", nodes[i].ID)
		}
		x := told(t, ensure(t, newStore(t), "a"), nodes, data)
		linksAgree(t, x)
		linksAgree(t, reopened(t, x)) // from the file
		whole, err := os.ReadFile(linksPath(x))
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			damage(t, linksPath(x), whole, r)
			linksAgree(t, reopened(t, x))
			if again := reopened(t, x); !again.savedWhole() {
				t.Fatal("the file was not made again")
			}
		}
		if err := os.Remove(linksPath(x)); err != nil {
			t.Fatal(err)
		}
		x = reopened(t, x)
		add(t, x, false, true, node("last", memory.RoleUser, "", "text", 9))
		linksAgree(t, x)
	}
}

// savedWhole reports whether the links are told by the file alone.
func (x *Session) savedWhole() bool {
	v, err := x.look(false)
	return err == nil && v.linked
}

// damage cuts a file off, or changes some of its bytes.
func damage(t *testing.T, path string, whole []byte, r *rand.Rand) {
	t.Helper()
	b := bytes.Clone(whole)
	switch r.IntN(3) {
	case 0:
		b = b[:r.IntN(len(b))]
	case 1:
		b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
	default:
		b = append(b, whole[:r.IntN(len(b))]...)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLinksOfAnotherHistoryAreNotBelieved(t *testing.T) {
	s := newStore(t)
	x, other := ensure(t, s, "a"), ensure(t, s, "b")
	add(t, x, true, true, talk(1, 5)...)
	add(t, other, true, true, talk(2, 9)...)
	data, err := os.ReadFile(linksPath(other))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(linksPath(x), data, 0o600); err != nil {
		t.Fatal(err)
	}
	linksAgree(t, reopened(t, x))
}

func TestLinksFollowACommitThatSomebodyAmendedOrTookBack(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, true, true, talk(1, 5)...)
	stock(t, x.Dir(), "commit", "-q", "--amend", "--allow-empty", "-m", "turn 4: said otherwise")
	linksAgree(t, reopened(t, x))
	stock(t, x.Dir(), "update-ref", "refs/heads/main", "main~2")
	x = reopened(t, x)
	linksAgree(t, x)
	add(t, x, true, true, talk(3, 6)...)
	linksAgree(t, x)
	stock(t, x.Dir(), "commit", "-q", "--allow-empty", "-m", "somebody's own")
	x = reopened(t, x)
	if got, err := x.Commits(); err != nil || len(got) != 6 {
		t.Errorf("%v, %d commits", err, len(got))
	}
	if _, ok, err := x.CommitOfTurn(4); !ok || err != nil {
		t.Errorf("the commit of a turn: %v, %v", ok, err)
	}
}

func TestAnOldSessionGetsItsLinksWhenATurnIsAskedFor(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, true, true, talk(1, 300)...)
	if err := os.Remove(linksPath(x)); err != nil {
		t.Fatal(err)
	}
	x = reopened(t, x)
	if n, err := x.Turn(299); err != nil || len(n) != 5 || x.savedWhole() {
		t.Errorf("%v, the newest turn has %d nodes, and all links were read for it: %v", err, len(n), x.savedWhole())
	}
	if n, err := x.Turn(7); err != nil || len(n) != 5 || !reopened(t, x).savedWhole() {
		t.Errorf("%v, turn 7 has %d nodes, and the links were not kept", err, len(n))
	}
}

func TestNoLinksFileCanBeWrittenAndAllIsToldTheSame(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, false, true, talk(1, 3)...)
	if err := errors.Join(os.Remove(linksPath(x)), os.Mkdir(linksPath(x), 0o700)); err != nil {
		t.Fatal(err)
	}
	add(t, x, false, true, talk(3, 4)...)
	linksAgree(t, x)
	linksAgree(t, reopened(t, x))
}

// smallState is a history of three nodes and two commits on two branches.
func smallState() *state {
	st := newState(nil)
	for i, role := range []memory.Role{memory.RoleUser, memory.RoleAssistant, memory.RoleAssistant} {
		e := newEntry(i+1, role, fmt.Sprint("n", i))
		e.oid = gitrepo.OID{1, byte(i)}
		st.entries = append(st.entries, e)
	}
	main, retry := newLane(none, 0), newLane(0, 1)
	main.ref, main.tip, main.committed, main.when, main.lastTurn = gitrepo.MainBranch, gitrepo.OID{7}, 2, 1_700_000_000, 1
	retry.ref, retry.tip, retry.committed, retry.when, retry.lastTurn = retryRef("n2"), gitrepo.OID{8}, 2, -1, 1
	retry.rest = []gitrepo.TreeEntry{{Mode: gitrepo.ModeTree, Name: filesDir, OID: gitrepo.OID{9}}}
	st.lanes.all = []lane{main, retry}
	for _, lane := range []int{0, 0, 1} {
		st.lanes.add(lane)
	}
	st.committed = 3
	st.bonds = &bonds{list: []bond{{1, none, none, 0}, {1, 0, far(0), 2}, {1, 0, none, 0}}, names: []string{"gone", "helper"}}
	st.marks = []mark{{gitrepo.OID{7}, none, 1, 1}, {gitrepo.OID{8}, none, 1, 2}}
	return st
}

func FuzzParseLinks(f *testing.F) {
	st := smallState()
	f.Add(st.encodeLinks(kept{})[linkHead:], []byte{})
	f.Add(st.encodeLinks(kept{})[linkHead:], st.encodeLinks(kept{nodes: 3, marks: 2, names: 2, tips: []gitrepo.OID{{7}, {1}}})[linkHead:])
	f.Fuzz(func(t *testing.T, one, two []byte) {
		var raw []byte
		for _, body := range [][]byte{one, two} {
			w := segmentWriter{append(make([]byte, linkHead), body...)}
			raw = append(raw, w.sealed()...)
		}
		s := parseLinks(raw)
		if s.kept.size > int64(len(raw)) || len(s.entries) != len(s.list) || len(s.lanes.of) != len(s.list) || s.kept.nodes != len(s.list) ||
			s.kept.marks != len(s.marks) || s.kept.names != len(s.bonds.names) {
			t.Fatalf("%+v", s.kept)
		}
		for i := range s.list {
			_, _ = s.bonds.header(i, s.entries), s.entries[i].seq()
			if !s.lanes.holds(int(s.lanes.of[i]), i) {
				t.Fatalf("node %d is not on its lane", i)
			}
		}
		for i, l := range s.lanes.all {
			for j := range l.committed {
				_ = s.lanes.at(i, j)
			}
		}
		for i, m := range s.marks {
			if m.newest < 0 || int(m.newest) >= len(s.list) || int(m.parent) >= i {
				t.Fatalf("commit %d: %+v", i, m)
			}
		}
		st := &state{lanes: s.lanes}
		_ = st.marked(s.marks)
	})
}

func TestLinksFileKeepsItsForm(t *testing.T) {
	st := smallState()
	if got := fmt.Sprintf("%x", st.encodeLinks(kept{})); got != linksGolden {
		t.Errorf("links file\n%s, want\n%s", got, linksGolden)
	}
	s := parseLinks(st.encodeLinks(kept{}))
	if !slices.Equal(s.list, st.bonds.list) || !slices.Equal(s.marks, st.marks) || !slices.Equal(s.bonds.names, st.bonds.names) ||
		!slices.Equal(s.entries, st.entries) || !reflect.DeepEqual(s.lanes, st.lanes) {
		t.Errorf("read back: %+v", s)
	}
}

// linksGolden is the links file of smallState: head, counts, names, lanes, nodes, the lengths and the texts of their names, commits.
const linksGolden = "444d4c32fc2c75b3c801000000000000000000000300000002000000020000000200000004000000676f6e650600000068656c70657200000000ffffffff0000" +
	"0000020000000100000000f153650000000007000000000000000000000000000000000000000f000000726566732f68656164732f6d61696e00000000010000" +
	"0000000000010000000200000001000000ffffffffffffffff080000000000000000000000000000000000000013000000726566732f68656164732f72657472" +
	"792d6e32010000000040000009000000000000000000000000000000000000000500000066696c65730100000000000000000000000000000000000000000000" +
	"0001000000ffffffffffffffff000000000101000000000000000000000000000000000000000000000100000000000000feffffff0200000001020000000000" +
	"00000000000000000000000000010000000100000000000000ffffffff000000001010103030303030312d752d6e302e6a736f6e3030303030322d612d6e312e" +
	"6a736f6e3030303030332d612d6e322e6a736f6e0700000000000000000000000000000000000000ffffffff0100000001000000080000000000000000000000" +
	"0000000000000000ffffffff0100000002000000"

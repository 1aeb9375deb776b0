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
	v, err := x.look(wantLinks)
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

func FuzzParseLinks(f *testing.F) {
	st := &state{entries: make([]entry, 3), committed: 3, bonds: &bonds{list: []bond{{turn: 1, parent: none, calledBy: none}, {1, 0, far(0), 0}, {2, 1, none, 2}},
		names: []string{"gone", "helper"}}, marks: []mark{{newest: 1, turn: 1, parent: none}, {newest: 2, turn: 2}}}
	f.Add(st.encodeLinks(0, 0, 0))
	st.committed = 2
	f.Add(append(st.encodeLinks(0, 0, 0), 1, 2, 3))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := parseLinks(raw)
		if s.kept.size > int64(len(raw)) || len(s.blobs) != len(s.list) || s.kept.nodes != len(s.list) || s.kept.marks != len(s.marks) || s.kept.names != len(s.bonds.names) {
			t.Fatalf("%+v", s.kept)
		}
		for i, b := range s.list {
			_ = s.bonds.agent(i)
			for _, at := range []int32{b.parent, b.calledBy} {
				if at >= int32(len(s.list)) || at < none && far(at) >= int32(len(s.bonds.names)) {
					t.Fatalf("node %d refers to %d", i, at)
				}
			}
		}
		for i, m := range s.marks {
			if m.newest < 0 || int(m.newest) >= len(s.list) || int(m.parent) >= i {
				t.Fatalf("commit %d: %+v", i, m)
			}
		}
	})
}

func TestLinksFileKeepsItsForm(t *testing.T) {
	st := &state{entries: []entry{{oid: gitrepo.OID{1, 2, 3, 4, 5}}, {oid: gitrepo.OID{6}}}, committed: 2,
		bonds: &bonds{list: []bond{{turn: 1, parent: none, calledBy: none}, {1, 0, far(0), 2}}, names: []string{"gone", "helper"}},
		marks: []mark{{oid: gitrepo.OID{9, 9}, newest: 1, turn: 1, parent: none}}}
	if got := fmt.Sprintf("%x", st.encodeLinks(0, 0, 0)); got != linksGolden {
		t.Errorf("links file\n%s, want\n%s", got, linksGolden)
	}
	s := parseLinks(st.encodeLinks(0, 0, 0))
	if !slices.Equal(s.list, st.bonds.list) || !slices.Equal(s.marks, st.marks) || !slices.Equal(s.bonds.names, st.bonds.names) ||
		!slices.Equal(s.blobs, [][4]byte{{1, 2, 3, 4}, {6}}) {
		t.Errorf("read back: %+v", s)
	}
}

// linksGolden is head, counts, names, nodes and the commit of the links file of TestLinksFileKeepsItsForm.
const linksGolden = "444d4c31" + "14c59b49" + "6e000000" +
	"00000000" + "00000000" + "02000000" + "01000000" + "02000000" +
	"04000000676f6e65" + "0600000068656c706572" +
	"01020304" + "01000000" + "ffffffff" + "ffffffff" + "00000000" +
	"06000000" + "01000000" + "00000000" + "feffffff" + "02000000" +
	"0909000000000000000000000000000000000000" + "ffffffff" + "01000000" + "01000000"

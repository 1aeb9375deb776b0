package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestLiveBulkAndMixedGiveTheSameCommitsAndNodes(t *testing.T) {
	nodes := talk(1, 9)
	ways := map[string]func(x *Session){
		"live, a node a batch": func(x *Session) {
			for _, n := range nodes {
				add(t, x, false, false, n)
			}
			add(t, x, false, true)
		},
		"live, a turn a batch": func(x *Session) {
			for turn := range slices.Chunk(nodes, 5) {
				add(t, x, false, true, turn...)
			}
		},
		"live at once": func(x *Session) { add(t, x, false, true, nodes...) },
		"bulk at once": func(x *Session) { add(t, x, true, true, nodes...) },
		"bulk, then live": func(x *Session) {
			add(t, x, true, false, nodes[:23]...)
			add(t, x, false, true, nodes[23:]...)
		},
		"live, then bulk": func(x *Session) {
			add(t, x, false, false, nodes[:23]...)
			add(t, x, true, true, nodes[23:]...)
		},
		"bulk twice, then compacted": func(x *Session) {
			add(t, x, true, false, nodes[:23]...)
			add(t, x, true, true, nodes...)
			if err := x.Compact(); err != nil {
				t.Fatal(err)
			}
		},
		"live, compacted, live": func(x *Session) {
			for turn := range slices.Chunk(nodes[:30], 5) {
				add(t, x, false, true, turn...)
			}
			if err := x.Compact(); err != nil {
				t.Fatal(err)
			}
			add(t, x, false, true, nodes[30:]...)
		},
	}
	var wantCommits []string
	var wantNodes []memory.Node
	for name, fill := range ways {
		t.Run(name, func(t *testing.T) {
			x := ensure(t, newStore(t), "a")
			fill(x)
			sound(t, x)
			clean(t, x)
			for _, y := range []*Session{x, reopened(t, x)} {
				commits, got := shas(t, y), all(t, y)
				if wantCommits == nil {
					wantCommits, wantNodes = commits, got
				}
				if len(commits) != 8 || !slices.Equal(commits, wantCommits) {
					t.Errorf("commits %v, want %v", commits, wantCommits)
				}
				if len(got) != len(nodes) || !reflect.DeepEqual(got, wantNodes) {
					t.Errorf("%d nodes differ from what the other ways give", len(got))
				}
			}
			if out := stock(t, x.Dir(), "rev-parse", "HEAD"); out != wantCommits[0] {
				t.Errorf("HEAD is %s, want %s", out, wantCommits[0])
			}
			stock(t, x.Dir(), "checkout", "-q", "HEAD~1")
			stock(t, x.Dir(), "checkout", "-q", "main")
			clean(t, x)
			to := t.TempDir()
			stock(t, to, "clone", "-q", x.Dir(), "c")
			if files, _ := os.ReadDir(filepath.Join(to, "c", historyDir)); len(files) != len(nodes) {
				t.Errorf("a clone has %d files", len(files))
			}
		})
	}
}

func TestCommitSaysTurnAndPrompt(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := talk(1, 3)
	nodes[5].Output = "Zeile\t1 \x00 " + strings.Repeat("äöü", 40)
	add(t, x, true, true, nodes...)
	list, err := x.Commits()
	if err != nil {
		t.Fatal(err)
	}
	want := "turn 2: Zeile 1 " + strings.Repeat("äöü", 18)[:2*52]
	if list[0].Message != want || list[0].Turn != 2 || len([]rune(want)) != len("turn 2: ")+60 {
		t.Errorf("message %q, want %q", list[0].Message, want)
	}
	if list[1].Message != "turn 1: Please do thing 1 with care" {
		t.Errorf("message %q", list[1].Message)
	}
	out := stock(t, x.Dir(), "log", "-1", "--format=%an <%ae> %at %ct %ai")
	if want := fmt.Sprintf("Dormouse <dormouse@localhost> %[1]d %[1]d ", nodes[9].CreatedAt); !strings.HasPrefix(out, want) || !strings.HasSuffix(out, "+0000") {
		t.Errorf("signed %q, want %q", out, want)
	}
	for i, c := range list {
		if len(c.Nodes) != 5 || c.Nodes[0] != nodes[5*(1-i)].ID || c.When != nodes[5*(1-i)+4].CreatedAt {
			t.Errorf("commit %d: %+v", i, c)
		}
	}
}

func TestAppendingAgainChangesNothing(t *testing.T) {
	changes := 0
	s := newStore(t)
	s.opts.OnChange = func(string) { changes++ }
	x := ensure(t, s, "a")
	nodes := talk(1, 4)
	if n := add(t, x, true, false, nodes...); n != len(nodes) || changes != 1 {
		t.Fatalf("%d added, %d changes", n, changes)
	}
	before, meta := shas(t, x), x.Meta()
	for _, bulk := range []bool{false, true} {
		for _, y := range []*Session{x, reopened(t, x)} {
			if n := add(t, y, bulk, false, nodes...); n != 0 || y.Meta() != meta || !slices.Equal(shas(t, y), before) {
				t.Errorf("%d added, meta %+v", n, y.Meta())
			}
		}
	}
	if changes != 1 {
		t.Errorf("%d changes are told of", changes)
	}
	if x.Len() != len(nodes) || !x.Has(nodes[3].ID) || x.Has("no") {
		t.Error("Len or Has is wrong")
	}
}

func TestImportedSessionTakesFewFiles(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, true, true, talk(1, 60)...)
	files, open := 0, 0
	err := filepath.WalkDir(x.Dir(), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		files++
		info, err := d.Info()
		if err != nil {
			return err
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			open++
			t.Logf("%s %v", path, info.Mode())
		}
		return nil
	})
	if err != nil || files > 18 || open > 0 {
		t.Errorf("%v, %d files and folders, %d are open to others", err, files, open)
	}
	sound(t, x)
	clean(t, x)
}

func TestEmptySessionIsNeverMade(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	for _, bulk := range []bool{false, true} {
		add(t, x, bulk, true)
		b := x.Begin(bulk)
		if _, err := b.Append(talk(1, 2)[0]); err != nil {
			t.Fatal(err)
		}
		b.Abort()
		b.Abort()
	}
	if err := x.Update(func(m *memory.Session) { m.Title = "t" }); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.opts.Dir); len(left) != 0 {
		t.Errorf("there is %v", left)
	}
	if _, err := s.Open(x.id); !errors.Is(err, ErrNotFound) {
		t.Errorf("it opens: %v", err)
	}
	if x.Len() != 0 || len(all(t, x)) != 0 || x.Heads() != nil || len(shas(t, x)) != 0 {
		t.Error("it has content")
	}
	if nodes, err := x.Branch(""); err != nil || nodes != nil {
		t.Error(nodes, err)
	}
	add(t, x, false, false, talk(1, 2)...)
	if m := reopened(t, x).Meta(); m.Title != "t" || m.Nodes != 5 || m.Turns != 1 || m.Machine != "00000001" {
		t.Errorf("%+v", m)
	}
}

func TestMetaFollowsTheNodes(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	nodes := talk(1, 3)
	nodes = append(nodes, memory.Node{ID: "sub", Role: memory.RoleAssistant, CalledBy: memory.Ref(nodes[2].ID), CreatedAt: 1_800_000_000,
		Metadata: memory.Metadata{AgentID: "x", Model: "small"}})
	add(t, x, false, true, nodes...)
	m := x.Meta()
	if m.HeadID != memory.Ref(nodes[9].ID) || m.UpdatedAt != 1_800_000_000 || m.CreatedAt != nodes[0].CreatedAt || m.Model != "m-1" || m.Nodes != 11 || m.Turns != 2 {
		t.Errorf("%+v", m)
	}
	if err := x.Update(func(m *memory.Session) { m.Title, m.ID, m.Agent = "mine", "other", "other" }); err != nil {
		t.Fatal(err)
	}
	want := m
	want.Title = "mine"
	if got := reopened(t, x).Meta(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	// A meta.json that lags behind, or runs ahead, is repaired from what history/ holds.
	for _, change := range []func(*memory.Session){
		func(m *memory.Session) {
			m.Nodes, m.Turns, m.HeadID, m.UpdatedAt = 7, 2, memory.Ref(nodes[6].ID), nodes[6].CreatedAt
		},
		func(m *memory.Session) { m.Nodes, m.Turns, m.HeadID = 99, 9, "gone" },
	} {
		bad := want
		change(&bad)
		if err := writeMeta(x.Dir(), bad); err != nil {
			t.Fatal(err)
		}
		y := reopened(t, x)
		if y.Len() != 11 || y.Meta() != want {
			t.Errorf("repaired to %+v, want %+v", y.Meta(), want)
		}
		if got, err := readMeta(x.Dir()); err != nil || got != want {
			t.Errorf("on disk: %+v %v", got, err)
		}
	}
}

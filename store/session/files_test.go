package session

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// withFile appends a turn whose second tool call has a long result beside it.
func withFile(t *testing.T, x *Session, bulk, closed bool, turn int, text string) memory.File {
	t.Helper()
	b := x.Begin(bulk)
	var f memory.File
	for i, n := range talk(turn, turn+1) {
		if i == 2 {
			var err error
			if f, err = b.File(strings.NewReader(text), "txt"); err != nil {
				t.Fatal(err)
			}
			n.Metadata.Files = []memory.File{f}
		}
		if _, err := b.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(closed); err != nil {
		t.Fatal(err)
	}
	return f
}

func fileText(t *testing.T, x *Session, f memory.File) string {
	t.Helper()
	r, err := x.File(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestALongResultLiesBesideItsNodeInTheSameCommit(t *testing.T) {
	for _, bulk := range []bool{false, true} {
		x := ensure(t, newStore(t), "long")
		text := strings.Repeat("a line of a long result\n", 200_000)
		add(t, x, bulk, true, talk(1, 2)...)
		f := withFile(t, x, bulk, true, 2, text)
		again := withFile(t, x, bulk, true, 3, "another")
		if f.Bytes != int64(len(text)) || len(f.SHA256) != 64 || f.Path != "files/"+f.SHA256+".txt" {
			t.Errorf("%+v", f)
		}
		for _, y := range []*Session{x, reopened(t, x)} {
			if got := fileText(t, y, f); got != text || fileText(t, y, again) != "another" {
				t.Errorf("%d bytes came back of %d", len(got), len(text))
			}
		}
		if got := stock(t, x.Dir(), "show", "HEAD~1:"+f.Path); got != strings.TrimSpace(text) {
			t.Errorf("git shows %d bytes", len(got))
		}
		if _, err := tryStock(x.Dir(), "cat-file", "-e", "HEAD~2:"+f.Path); err == nil {
			t.Error("an earlier commit has it too")
		}
		sound(t, x)
		clean(t, x)
		dir := filepath.Join(t.TempDir(), "clone")
		stock(t, x.Dir(), "clone", "-q", ".", dir)
		if b, err := os.ReadFile(filepath.Join(dir, f.Path)); err != nil || string(b) != text {
			t.Errorf("a clone has %d bytes of it: %v", len(b), err)
		}
	}
}

func TestALongResultOfAnOpenTurnIsCommittedAfterARestart(t *testing.T) {
	x := ensure(t, newStore(t), "long")
	f := withFile(t, x, false, false, 1, "text of the open turn")
	x = reopened(t, x)
	if fileText(t, x, f) != "text of the open turn" {
		t.Error("it is not there before the commit")
	}
	add(t, x, false, true, talk(2, 3)...)
	if got := stock(t, x.Dir(), "show", "HEAD~1:"+f.Path); got != "text of the open turn" {
		t.Errorf("git shows %q", got)
	}
	sound(t, x)
	clean(t, x)
}

func TestAColdSessionWithLongResultsHasFewFilesAndAllOfThem(t *testing.T) {
	x := ensure(t, newStore(t), "long")
	var all []memory.File
	for turn := 1; turn <= 12; turn++ {
		all = append(all, withFile(t, x, turn%2 == 0, true, turn, strings.Repeat(string(rune('a'+turn)), 100_000)))
		if turn%5 == 0 {
			if err := x.Compact(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := x.Compact(); err != nil {
		t.Fatal(err)
	}
	files := 0
	_ = filepath.WalkDir(x.Dir(), func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
		}
		return err
	})
	if files > 15 {
		t.Errorf("%d files", files)
	}
	for i, f := range all {
		if got := fileText(t, reopened(t, x), f); got != strings.Repeat(string(rune('a'+i+1)), 100_000) {
			t.Errorf("file %d has %d bytes", i, len(got))
		}
	}
	sound(t, x)
	clean(t, x)
}

func TestEqualNodesWithFilesGiveEqualCommits(t *testing.T) {
	s := newStore(t)
	one, two := ensure(t, s, "one"), ensure(t, s, "two")
	for turn := 1; turn < 4; turn++ {
		withFile(t, one, false, true, turn, "same")
		withFile(t, two, true, true, turn, "same")
	}
	if a, b := shas(t, one), shas(t, two); len(a) != 3 || a[0] != b[0] {
		t.Errorf("%v and %v", a, b)
	}
}

func TestAFileThatIsGoneIsNamedAndTheTurnIsCommittedWithoutIt(t *testing.T) {
	x := ensure(t, newStore(t), "long")
	f := withFile(t, x, false, false, 1, "gone")
	path := filepath.Join(x.Dir(), ".git", "objects", f.Blob[:2], f.Blob[2:])
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	x = reopened(t, x)
	if _, err := x.File(f); !errors.Is(err, ErrNoFile) || !strings.Contains(err.Error(), f.Path) {
		t.Errorf("%v", err)
	}
	add(t, x, false, true, talk(2, 3)...)
	if p := x.Problems(); len(p) != 1 || !strings.Contains(p[0], f.Path) {
		t.Errorf("problems %q", p)
	}
	sound(t, x)
}

func TestAFilesReferenceThatIsNoneOfOursIsLeftAlone(t *testing.T) {
	x := ensure(t, newStore(t), "long")
	nodes := talk(1, 2)
	blob := gitrepo.Sum(gitrepo.Blob, []byte("x")).String()
	nodes[1].Metadata.Files = []memory.File{{Path: "../../etc/passwd", Blob: blob}, {Path: "files/../x", Blob: blob}, {Path: "files/.git", Blob: blob}, {Path: "files/x.txt", Blob: "none"}}
	add(t, x, false, true, nodes...)
	if got := stock(t, x.Dir(), "ls-tree", "--name-only", "HEAD"); got != "history" {
		t.Errorf("the commit holds %s", got)
	}
	if _, err := x.File(nodes[1].Metadata.Files[3]); err == nil {
		t.Error("a file without a name of git's was opened")
	}
	b := x.Begin(false)
	defer b.Abort()
	if _, err := b.File(strings.NewReader("x"), "../x"); err == nil {
		t.Error("an extension led out of the folder")
	}
}

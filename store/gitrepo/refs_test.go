package gitrepo

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// looseCommit stores a commit without parents that holds one file.
func looseCommit(t *testing.T, r *Repo, content string) OID {
	t.Helper()
	blob, err := r.WriteLoose(Blob, []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.Graft(OID{}, map[string]OID{"a": blob})
	if err != nil {
		t.Fatal(err)
	}
	commit, err := r.WriteLoose(Commit, EncodeCommit(tree, nil, 1, content))
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

func TestSeveralRefsMoveTogetherOrNotAtAll(t *testing.T) {
	r := newRepo(t)
	a, b := looseCommit(t, r, "a"), looseCommit(t, r, "b")
	other := "refs/heads/retry-x"
	if err := r.SetRef(MainBranch, OID{}, a); err != nil {
		t.Fatal(err)
	}
	if err := r.SetRefs([]RefMove{{Name: other, To: b}, {Name: MainBranch, From: a, To: b}}); err != nil {
		t.Fatal(err)
	}
	want := map[string]OID{MainBranch: b, other: b}
	if got, err := r.Refs("refs/heads/"); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v %v", got, err)
	}
	if out := stock(t, r.dir, "for-each-ref", "--format=%(objectname) %(refname)"); out != b.String()+" "+MainBranch+"\n"+b.String()+" "+other {
		t.Errorf("git sees %s", out)
	}
	err := r.SetRefs([]RefMove{{Name: other, From: b, To: a}, {Name: MainBranch, From: a, To: a}})
	if got, _ := r.Refs("refs/heads/"); !errors.Is(err, ErrMoved) || !maps.Equal(got, want) {
		t.Errorf("%v, refs %v", err, got)
	}
	// A ref that is moved alone afterwards lies over the packed one, and is packed again with the others.
	if err := r.SetRef(other, b, a); err != nil {
		t.Fatal(err)
	}
	if got, _ := r.Refs("refs/heads/"); got[other] != a {
		t.Errorf("refs %v", got)
	}
	if err := r.SetRefs([]RefMove{{Name: other, From: a, To: a}}); err != nil {
		t.Fatal(err)
	}
	if loose, _ := os.ReadDir(r.refPath("refs/heads")); len(loose) != 0 {
		t.Errorf("%v is left", loose)
	}
	if out := stock(t, r.dir, "rev-parse", other); out != a.String() {
		t.Errorf("git sees %s", out)
	}
}

// TestAtNoMomentSomeRefsAreMovedAndOthersAreNot looks at the refs while they are moved: what a reader sees at a moment is what a
// crash at that moment leaves.
func TestAtNoMomentSomeRefsAreMovedAndOthersAreNot(t *testing.T) {
	r := newRepo(t)
	ids := []OID{looseCommit(t, r, "a"), looseCommit(t, r, "b")}
	names := []string{MainBranch, "refs/heads/retry-x", "refs/heads/retry-y"}
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			got, err := Open(r.dir).Refs("refs/heads/")
			if err != nil || got[names[0]] != got[names[1]] || got[names[0]] != got[names[2]] {
				done <- fmt.Errorf("a reader saw %v, %v", got, err)
				return
			}
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
		}
	}()
	for i := range 30 {
		from, to := OID{}, ids[i%2]
		if i > 0 {
			from = ids[1-i%2]
		}
		var moves []RefMove
		for _, name := range names {
			if i > 0 {
				// As if it had been moved alone before: it has a file of its own.
				if err := r.Replace(r.refPath(name), "ref", []byte(from.String()+"\n")); err != nil {
					t.Fatal(err)
				}
			}
			moves = append(moves, RefMove{Name: name, From: from, To: to})
		}
		if err := r.SetRefs(moves); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestARefWithAFileOfItsOwnIsPackedAsItIsBeforeItMoves(t *testing.T) {
	r := newRepo(t)
	a, b := looseCommit(t, r, "a"), looseCommit(t, r, "b")
	if err := r.SetRef(MainBranch, OID{}, a); err != nil {
		t.Fatal(err)
	}
	moves := []RefMove{{Name: MainBranch, From: a, To: b}, {Name: "refs/heads/retry-x", To: b}}
	if err := r.packLoose(moves); err != nil { // a crash here leaves all as it was
		t.Fatal(err)
	}
	if got, err := r.Refs("refs/heads/"); err != nil || !maps.Equal(got, map[string]OID{MainBranch: a}) {
		t.Errorf("%v %v", got, err)
	}
	if _, err := os.Stat(r.refPath(MainBranch)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it still has its file: %v", err)
	}
	if err := r.SetRefs(moves); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Refs("refs/heads/"); err != nil || !maps.Equal(got, map[string]OID{MainBranch: b, "refs/heads/retry-x": b}) {
		t.Errorf("%v %v", got, err)
	}
}

func TestPackedRefsOfGitAreKept(t *testing.T) {
	r := newRepo(t)
	a := looseCommit(t, r, "a")
	if err := r.SetRef(MainBranch, OID{}, a); err != nil {
		t.Fatal(err)
	}
	stock(t, r.dir, "tag", "-m", "mine", "v1")
	stock(t, r.dir, "branch", "deep/er")
	stock(t, r.dir, "pack-refs", "--all")
	before := stock(t, r.dir, "show-ref", "--dereference")
	if err := r.SetRefs([]RefMove{{Name: "refs/heads/retry-x", To: a}}); err != nil {
		t.Fatal(err)
	}
	after := stock(t, r.dir, "show-ref", "--dereference")
	if left := strings.Replace(after, a.String()+" refs/heads/retry-x\n", "", 1); left != before {
		t.Errorf("refs were\n%s\nand are\n%s", before, after)
	}
	stock(t, r.dir, "pack-refs", "--all")
	got, err := r.Refs("refs/heads/")
	if names := slices.Sorted(maps.Keys(got)); err != nil || !slices.Equal(names, []string{"refs/heads/deep/er", MainBranch, "refs/heads/retry-x"}) {
		t.Errorf("%v %v", names, err)
	}
	fsck(t, r)
}

func TestHeadNamesTheBranchThatIsCheckedOut(t *testing.T) {
	r := newRepo(t)
	a := looseCommit(t, r, "a")
	if err := r.SetRefs([]RefMove{{Name: MainBranch, To: a}, {Name: "refs/heads/retry-x", To: a}}); err != nil {
		t.Fatal(err)
	}
	if head, err := r.Head(); err != nil || head != MainBranch || !r.OnMain() {
		t.Errorf("%q %v", head, err)
	}
	if err := r.SetHead("refs/heads/retry-x"); err != nil {
		t.Fatal(err)
	}
	if out := stock(t, r.dir, "symbolic-ref", "HEAD"); out != "refs/heads/retry-x" || r.OnMain() {
		t.Errorf("git sees %s", out)
	}
	stock(t, r.dir, "checkout", "-q", "-f", "--detach")
	if head, err := r.Head(); err != nil || head != "" {
		t.Errorf("%q %v", head, err)
	}
}

func TestBranchDeltasAreReadByStockGit(t *testing.T) {
	for _, n := range []int{2, 40, 2000} {
		r := newRepo(t)
		w, err := r.NewPack()
		if err != nil {
			t.Fatal(err)
		}
		tree, ends := history(t, w, n)
		main, _, err := w.AddPrefixes(Tree, tree, ends[:n-1])
		if err != nil {
			t.Fatal(err)
		}
		shared := ends[n/2-1]
		branch := slices.Clone(tree[:shared])
		var lens []int
		for i := range n {
			blob, err := w.Add(Blob, []byte(strings.Repeat("retry ", i+1)))
			if err != nil {
				t.Fatal(err)
			}
			branch = AppendEntry(branch, TreeEntry{Mode: ModeFile, Name: fmt.Sprintf("%06d-u-%016x.json", 2*n+i, i), OID: blob})
			lens = append(lens, len(branch))
		}
		whole, prefixes, err := w.AddBranch(Tree, Base{main, len(tree), shared}, branch, lens[:n-1])
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.AddBranch(Tree, Base{OID{1}, 1, 1}, branch, nil); !errors.Is(err, ErrNotFound) {
			t.Errorf("a base that is not in the pack: %v", err)
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		stock(t, r.dir, "verify-pack", glob(t, r, "objects/pack/*.idx"))
		for i, oid := range append(prefixes, whole) {
			_, got, err := r.Object(oid)
			if err != nil || string(got) != string(branch[:lens[i]]) {
				t.Fatalf("tree %d of %d: %v", i, n, err)
			}
		}
		if out := stock(t, r.dir, "ls-tree", "--name-only", whole.String()); strings.Count(out, "\n")+1 != n/2+n {
			t.Errorf("git lists %d files", strings.Count(out, "\n")+1)
		}
	}
}

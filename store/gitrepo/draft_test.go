package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// draftOf makes a repository with one commit of a file in a draft and gives the draft and the file's name as an object.
func draftOf(t *testing.T, dir, text string) (*Repo, OID) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r := Draft(dir)
	if err := r.Init([]string{"/meta.json"}); err != nil {
		t.Fatal(err)
	}
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	var oids [3]OID
	for i, add := range []func() (OID, error){
		func() (OID, error) { return w.Add(Blob, []byte(text)) },
		func() (OID, error) {
			return w.Add(Tree, EncodeTree([]TreeEntry{{Mode: ModeFile, Name: "a.txt", OID: oids[0]}}))
		},
		func() (OID, error) { return w.Add(Commit, EncodeCommit(oids[1], nil, 1_700_000_000, "one")) },
	} {
		if oids[i], err = add(); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := w.Read(oids[0]); err != nil || string(got) != text {
		t.Fatalf("the open pack gives %d bytes, %v", len(got), err)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := r.SetRef(MainBranch, OID{}, oids[2]); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteIndex(1, slices.Values([]IndexEntry{{Path: "a.txt", OID: oids[0], Cold: true}})); err != nil {
		t.Fatal(err)
	}
	if err := r.Replace(filepath.Join(dir, "meta.json"), "meta", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := r.Settle(); err != nil {
		t.Fatal(err)
	}
	return r, oids[0]
}

func TestADraftIsAWholeRepositoryWithoutLeftOvers(t *testing.T) {
	for name, text := range map[string]string{"small": "one\n", "more than the buffer": strings.Repeat("0123456789abcdef\n", 20_000)} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new")
			r, blob := draftOf(t, dir, text)
			place := filepath.Join(filepath.Dir(dir), "place")
			if err := os.Rename(dir, place); err != nil {
				t.Fatal(err)
			}
			now := r.Settled(place)
			if _, got, err := now.Object(blob); err != nil || string(got) != text {
				t.Errorf("it gives %d bytes, %v", len(got), err)
			}
			if list, err := now.Packs(); err != nil || len(list) != 1 || list[0].Objects != 3 {
				t.Errorf("packs %v, %v", list, err)
			}
			fsck(t, now)
			if out := stock(t, place, "status", "--porcelain"); out != "" {
				t.Errorf("git status says %q", out)
			}
			if out := stock(t, place, "log", "--format=%s"); out != "one" {
				t.Errorf("git log says %q", out)
			}
			_ = filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
				if n := d.Name(); strings.HasPrefix(n, tempPrefix) || strings.HasSuffix(n, lockSuffix) {
					t.Errorf("%s is left over", path)
				}
				return err
			})
			if _, err := os.Stat(filepath.Join(place, ".git", "refs", "heads")); err == nil {
				t.Error("it has a folder of branches, though its branch is packed")
			}
			if err := now.Init([]string{"/meta.json"}); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(place, ".git", "info")); err == nil {
				t.Error("Init makes anew what the draft has elsewhere")
			}
			if head, err := now.Head(); err != nil || head != MainBranch {
				t.Errorf("HEAD is %q, %v", head, err)
			}
			at, err := now.Ref(MainBranch)
			if err != nil || at.IsZero() {
				t.Fatal(at, err)
			}
			if err := now.SetRef(MainBranch, at, at); err != nil {
				t.Errorf("the branch of a settled repository does not move: %v", err)
			}
			fsck(t, now)
			if err := now.SetRef(MainBranch, blob, blob); err == nil {
				t.Error("a settled repository moves a branch from what it is not at")
			}
		})
	}
}

func TestADraftsRefsMoveAllOrNoneAndAreWrittenTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r, blob := draftOf(t, dir, "one\n")
	tip, err := r.Ref(MainBranch)
	if err != nil || tip.IsZero() {
		t.Fatal(tip, err)
	}
	image, other := RefMove{Name: "refs/dormouse/images/x.png", To: blob}, RefMove{Name: "refs/heads/other", To: tip}
	if err := r.SetRefs([]RefMove{image, {Name: MainBranch, From: blob, To: blob}}); !errors.Is(err, ErrMoved) {
		t.Errorf("a branch that is elsewhere moves: %v", err)
	}
	if err := r.SetRefs([]RefMove{image, other}); err != nil {
		t.Fatal(err)
	}
	if refs, err := r.Refs("refs/heads/"); err != nil || len(refs) != 2 || refs[MainBranch] != tip || refs[other.Name] != tip {
		t.Errorf("branches %v, %v", refs, err)
	}
	if err := errors.Join(r.SetHead(other.Name), r.Settle()); err != nil {
		t.Fatal(err)
	}
	want := "refs/dormouse/images/x.png\nrefs/heads/main\nrefs/heads/other"
	if out := stock(t, dir, "for-each-ref", "--format=%(refname)"); out != want {
		t.Errorf("git lists %q", out)
	}
	if out := stock(t, dir, "symbolic-ref", "HEAD"); out != other.Name {
		t.Errorf("git has checked out %q", out)
	}
	fsck(t, Open(dir))
}

// TestAFinishedPackIsTheSameWhereverItsBytesWait holds the pack of a draft against one whose bytes were read, and so written, early.
func TestAFinishedPackIsTheSameWhereverItsBytesWait(t *testing.T) {
	var names []string
	for _, early := range []bool{false, true} {
		r := newRepo(t)
		w, err := r.NewPack()
		if err != nil {
			t.Fatal(err)
		}
		oid, err := w.Add(Blob, []byte("a content of some length, for a pack"))
		if err != nil {
			t.Fatal(err)
		}
		if early {
			if _, err := w.Read(oid); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		stock(t, r.dir, "verify-pack", filepath.Join(".git", "objects", "pack", w.Name()+".idx"))
		names = append(names, w.Name())
	}
	if names[0] != names[1] {
		t.Errorf("two packs of one content: %v", names)
	}
}

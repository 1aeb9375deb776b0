package gitrepo

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// without takes the word out of a text.
func without(data []byte) ([]byte, error) {
	return bytes.ReplaceAll(data, []byte("canary"), []byte("-")), nil
}

func inLogs(path string) bool { return strings.HasPrefix(path, "log/") }

// grepObjects looks for a text in all objects that a repository stores, whether anything leads to them or not.
func grepObjects(t *testing.T, dir, text string) bool {
	t.Helper()
	list := stock(t, dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
	for line := range strings.Lines(list) {
		oid, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "blob" && strings.Contains(stock(t, dir, "cat-file", "blob", oid), text) {
			return true
		}
	}
	return false
}

// grown is a repository with a history of a few commits, some of which name a canary, one a side branch that is joined.
func grown(t *testing.T, r *Repo) OID {
	t.Helper()
	commitOf(t, r, "log/a/1", "one\n")
	base := commitOf(t, r, "log/a/1", "one\ncanary\n")
	side, err := r.WriteLoose(Commit, EncodeCommit(mustTree(t, r, base), []OID{base}, 5, "Side"))
	if err != nil {
		t.Fatal(err)
	}
	commitOf(t, r, "other/canary.txt", "canary\n")
	main := commitOf(t, r, "log/a/1", "one\ncanary\ntwo\n")
	joined, err := r.JoinCommit(mustTree(t, r, main), "Join", main, side)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Advance(main, joined); err != nil {
		t.Fatal(err)
	}
	return joined
}

func mustTree(t *testing.T, r *Repo, commit OID) OID {
	t.Helper()
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	c, err := x.Commit(commit)
	if err != nil {
		t.Fatal(err)
	}
	return c.Tree
}

func TestRewriteGivesEqualCommitsEverywhereAndPurgeLeavesNothing(t *testing.T) {
	var got []OID
	for range 2 {
		r := newRepo(t)
		tip := grown(t, r)
		to, err := r.Rewrite([]OID{tip}, inLogs, nil, without)
		if err != nil {
			t.Fatal(err)
		}
		if to[tip] == tip || !r.Has(to[tip]) {
			t.Fatalf("%s became %s", tip, to[tip])
		}
		again, err := r.Rewrite([]OID{to[tip]}, inLogs, nil, without)
		if err != nil || again[to[tip]] != to[tip] {
			t.Errorf("once more: %s, %v", again[to[tip]], err)
		}
		first := strings.Fields(stock(t, r.dir, "rev-list", "--max-parents=0", tip.String()))[0]
		if oid, _ := ParseOID(first); to[oid] != oid {
			t.Error("a commit in which nothing changed has another name")
		}
		if err := r.Advance(tip, to[tip]); err != nil {
			t.Fatal(err)
		}
		if err := r.Purge(); err != nil {
			t.Fatal(err)
		}
		fsck(t, r)
		if r.Has(tip) {
			t.Error("the old commit is there")
		}
		if log := stock(t, r.dir, "log", "-p", "--", "log"); strings.Contains(log, "canary") {
			t.Errorf("git log shows it:\n%s", log)
		}
		if n := len(strings.Fields(stock(t, r.dir, "rev-list", "main"))); n != 6 {
			t.Errorf("%d commits", n)
		}
		if !grepObjects(t, r.dir, "canary") { // in other/, which was not to be changed
			t.Error("another folder was changed")
		}
		if left, err := os.ReadDir(filepath.Join(r.git, "logs")); err == nil {
			t.Errorf("records of old refs: %v", left)
		}
		commitOf(t, r, "log/a/1", "one\n-\ntwo\nthree\n") // and it goes on
		fsck(t, r)
		got = append(got, to[tip])
	}
	if got[0] != got[1] {
		t.Errorf("two machines made %s and %s", got[0], got[1])
	}
}

func TestPurgePacksAnewWhatIsInUse(t *testing.T) {
	r := newRepo(t)
	tip := grown(t, r)
	stock(t, r.dir, "gc", "-q")
	r = Open(r.dir)
	to, err := r.Rewrite([]OID{tip}, func(string) bool { return true }, nil, without)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Advance(tip, to[tip]); err != nil {
		t.Fatal(err)
	}
	if err := r.Purge(); err != nil {
		t.Fatal(err)
	}
	fsck(t, r)
	if grepObjects(t, r.dir, "canary") {
		t.Error("the text is in the repository")
	}
	if err := r.Purge(); err != nil {
		t.Fatal(err)
	}
	fsck(t, r)
}

func TestReplaceRewritesAPeersHistoryUnlessItMoved(t *testing.T) {
	for name, by := range transports {
		t.Run(name, func(t *testing.T) {
			url, dir := server(t)
			ctx, a, b := t.Context(), newRepo(t), newRepo(t)
			pa, pb := a.Peer(url), b.Peer(url)
			by(pa)
			by(pb)
			tip := grown(t, a)
			if err := pa.Push(ctx, tip); err != nil {
				t.Fatal(err)
			}
			if err := pb.Fetch(ctx, tip); err != nil {
				t.Fatal(err)
			}
			if err := b.Advance(OID{}, tip); err != nil {
				t.Fatal(err)
			}
			newer := commitOf(t, b, "log/b/1", "b\n")
			if err := pb.Push(ctx, newer); err != nil {
				t.Fatal(err)
			}
			to, err := a.Rewrite([]OID{tip}, inLogs, nil, without)
			if err != nil {
				t.Fatal(err)
			}
			if err := pa.Replace(ctx, tip, to[tip]); !errors.Is(err, ErrRace) {
				t.Errorf("what another machine sent was written over: %v", err)
			}
			if err := pa.Replace(ctx, newer, to[tip]); err != nil {
				t.Fatal(err)
			}
			if got := stock(t, dir, "rev-parse", "main"); got != to[tip].String() {
				t.Errorf("the remote is at %s", got)
			}
			stock(t, dir, "config", "receive.denyNonFastForwards", "true")
			if err := pa.Replace(ctx, to[tip], tip); !errors.Is(err, ErrRefused) {
				t.Errorf("a remote that keeps its history: %v", err)
			}
		})
	}
}

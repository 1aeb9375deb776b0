package gitrepo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// numbered is a text of n lines that compress badly.
func numbered(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "line %d %x\n", i, r.Uint64())
	}
	return b.Bytes()
}

func TestStockGitReadsVersionsThatAreDeltasOfEachOther(t *testing.T) {
	r := OpenBare(t.TempDir())
	if err := r.Init(nil); err != nil {
		t.Fatal(err)
	}
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	content := numbered(3000)
	base, err := w.Add(Blob, content)
	if err != nil {
		t.Fatal(err)
	}
	want := map[OID][]byte{base: content}
	for i := range 20 {
		lines := strings.SplitAfter(string(content), "\n")
		lines[i*7+1] = fmt.Sprintf("changed %d\n", i)
		lines = append(lines[:len(lines)-20], fmt.Sprintf("and at the end %d\n", i))
		next := []byte(strings.Join(lines, ""))
		before := w.offset
		oid, delta, err := w.AddDelta(Blob, next, base, content)
		if err != nil || !delta {
			t.Fatalf("%v, as a delta: %v", err, delta)
		}
		if w.offset-before > 400 {
			t.Errorf("two changed lines take %d bytes", w.offset-before)
		}
		want[oid], base, content = next, oid, next
	}
	other, delta, err := w.AddDelta(Blob, numbered(50), base, content)
	if err != nil || delta {
		t.Fatalf("%v; what has nothing in common is a delta", err)
	}
	want[other] = numbered(50)
	if _, _, err := w.AddDelta(Blob, []byte("x"), OID{1}, nil); err == nil {
		t.Error("a base that the pack does not have is accepted")
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	for oid, text := range want {
		if _, got, err := r.Object(oid); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%s: %v", oid, err)
		}
		out, err := exec.Command("git", "-C", r.Dir(), "cat-file", "blob", oid.String()).Output()
		if err != nil || !bytes.Equal(out, text) {
			t.Fatalf("git cat-file %s: %v", oid, err)
		}
	}
	if out, err := exec.Command("git", "-C", r.Dir(), "fsck", "--strict", "--full").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestACommitIsByWhomItSays(t *testing.T) {
	for author, want := range map[string]string{
		"codex (gpt-5 via Dormouse) <a@b>": "codex (gpt-5 via Dormouse) <a@b>",
		"x\n<y> z <a<b>":                   "xy z <ab>",
		"":                                 " <>",
	} {
		raw := string(EncodeCommitBy(author, OID{}, nil, 5, "m"))
		if !strings.Contains(raw, "\nauthor "+want+" 5 +0000\n") {
			t.Errorf("%q: %q", author, raw)
		}
	}
}

func TestARefThatIsMovedToNothingIsGone(t *testing.T) {
	r := OpenBare(t.TempDir())
	if err := r.Init(nil); err != nil {
		t.Fatal(err)
	}
	tree, err := r.WriteLoose(Tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.WriteLoose(Commit, EncodeCommit(tree, nil, 1, "m"))
	if err != nil {
		t.Fatal(err)
	}
	for _, packed := range []bool{false, true} {
		if err := r.SetRef("refs/heads/session/a", OID{}, c); err != nil {
			t.Fatal(err)
		}
		if packed {
			if out, err := exec.Command("git", "-C", r.Dir(), "pack-refs", "--all").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		if err := r.SetRefs([]RefMove{{Name: "refs/heads/session/a", From: c}}); err != nil {
			t.Fatal(err)
		}
		if refs, err := r.Refs("refs/"); err != nil || len(refs) != 0 {
			t.Fatalf("packed %v: %v, %v", packed, refs, err)
		}
		out, _ := exec.Command("git", "-C", r.Dir(), "for-each-ref").CombinedOutput()
		if len(out) != 0 {
			t.Fatalf("packed %v: git still sees %s", packed, out)
		}
	}
}

func FuzzLineDeltaGivesBackTheContent(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nB\nc\n"))
	f.Add([]byte(""), []byte("x"))
	f.Add([]byte("aaa"), []byte("aaaa"))
	f.Add(numbered(40), append(numbered(20), numbered(40)...))
	f.Fuzz(func(t *testing.T, base, content []byte) {
		got, err := applyDelta(base, lineDelta(base, content))
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%q on %q gives %q, %v", content, base, got, err)
		}
	})
}

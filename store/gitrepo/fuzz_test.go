package gitrepo

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func FuzzApplyDelta(f *testing.F) {
	base := bytes.Repeat([]byte("0123456789abcdef"), 5000)
	f.Add(base, prefixDelta(len(base), 70_000))
	f.Add(base[:20], []byte{20, 3, 3, 'a', 'b', 'c'})
	f.Add([]byte{}, []byte{0, 0})
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		out, err := applyDelta(base, delta)
		if err != nil {
			return
		}
		if _, want, _, err := deltaSizes(delta); err != nil || want != len(out) {
			t.Errorf("%d bytes, the delta says %d (%v)", len(out), want, err)
		}
	})
}

func FuzzParseTree(f *testing.F) {
	f.Add(EncodeTree([]TreeEntry{{ModeFile, "a", OID{1}}, {ModeTree, "b", OID{2}}}))
	f.Add([]byte("100644 x\x00short"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := ParseTree(raw)
		if err != nil {
			return
		}
		var again []byte
		for _, e := range list {
			again = AppendEntry(again, e)
		}
		if second, err := ParseTree(again); err != nil || len(second) != len(list) {
			t.Errorf("%q gives %q: %v", raw, again, err)
		}
	})
}

func FuzzParseCommit(f *testing.F) {
	f.Add(EncodeCommit(OID{1}, []OID{{2}, {3}}, 5, "subject\n\nbody"))
	f.Add([]byte("tree x\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := parseCommit(OID{}, raw)
		if err == nil && c.Tree.IsZero() {
			t.Error("a commit without a tree is read")
		}
	})
}

// FuzzPack damages a pack or its index: reading must end with an object or an error.
func FuzzPack(f *testing.F) {
	for i := range 40 {
		f.Add(i*7, byte(1<<(i%8)), i%2 == 0)
	}
	dir := f.TempDir()
	r := Open(dir)
	if err := r.Init(nil); err != nil {
		f.Fatal(err)
	}
	w, err := r.NewPack()
	if err != nil {
		f.Fatal(err)
	}
	content := bytes.Repeat([]byte("some content "), 30)
	whole, prefixes, err := w.AddPrefixes(Blob, content, []int{5, 100})
	if err != nil {
		f.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		f.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.pack"))
	packRaw, err := os.ReadFile(names[0])
	if err != nil {
		f.Fatal(err)
	}
	idxRaw, err := os.ReadFile(names[0][:len(names[0])-len(".pack")] + ".idx")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, at int, flip byte, inIndex bool) {
		p, x := bytes.Clone(packRaw), bytes.Clone(idxRaw)
		target := p
		if inIndex {
			target = x
		}
		if at < 0 || at >= len(target) {
			return
		}
		target[at] ^= flip
		idx, err := parseIndex(x)
		if err != nil {
			return
		}
		for _, oid := range append(prefixes, whole) {
			offset, ok := idx.find(oid)
			if !ok {
				continue
			}
			f := &packFile{file: bytes.NewReader(p)}
			none := func(OID) (Kind, []byte, error) { return 0, nil, ErrNotFound }
			_, _, _ = f.object(offset, none)
			_, _ = f.size(offset)
		}
	})
}

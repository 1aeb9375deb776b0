package gitrepo

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// streamed reads an object through Stream.
func streamed(t *testing.T, r *Repo, oid OID) (string, error) {
	t.Helper()
	x := r.Reader()
	defer x.Close()
	_, size, content, err := x.Stream(oid)
	if err != nil {
		return "", err
	}
	defer content.Close()
	b, err := io.ReadAll(content)
	if err == nil && int64(len(b)) != size {
		t.Errorf("%d bytes of %d", len(b), size)
	}
	return string(b), err
}

func TestLongObjectsAreStreamedInAndOutOfFilesAndPacks(t *testing.T) {
	r := newRepo(t)
	text := strings.Repeat("some text that is long enough\n", 100_000)
	oid, err := r.WriteLooseFrom(Blob, int64(len(text)), strings.NewReader(text))
	if err != nil || oid != Sum(Blob, []byte(text)) {
		t.Fatal(oid, err)
	}
	if again, err := r.WriteLooseFrom(Blob, int64(len(text)), strings.NewReader(text)); err != nil || again != oid {
		t.Error(again, err)
	}
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	other, err := w.AddFrom(Blob, int64(len(text)+1), strings.NewReader(text+"x"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	for oid, want := range map[OID]string{oid: text, other: text + "x"} {
		if got, err := streamed(t, r, oid); err != nil || got != want {
			t.Errorf("%d bytes of %d: %v", len(got), len(want), err)
		}
		if got := stock(t, r.dir, "cat-file", "blob", oid.String()); got != strings.TrimSpace(want) {
			t.Errorf("git reads %d bytes", len(got))
		}
	}
	if _, err := r.WriteLooseFrom(Blob, 7, strings.NewReader("short")); err == nil {
		t.Error("a content that is too short was stored")
	}
	if _, err := streamed(t, r, OID{1}); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func TestADamageOfAStreamedObjectIsToldAtItsEnd(t *testing.T) {
	r := newRepo(t)
	oid, err := r.WriteLoose(Blob, []byte(strings.Repeat("text ", 10_000)))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(r.loosePath(oid))
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{"cut off": raw[:len(raw)-9], "changed": append(append([]byte(nil), raw[:len(raw)-2]...), 0, 0)} {
		if err := os.WriteFile(r.loosePath(oid), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := streamed(t, r, oid); err == nil {
			t.Errorf("%s: it was read as if it were whole", name)
		}
	}
}

func TestGatherPacksFilesAndPacksAndLeavesCommits(t *testing.T) {
	r := newRepo(t)
	var want []OID
	write := func(k Kind, text string) {
		oid, err := r.WriteLoose(k, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, oid)
	}
	gather := func(packs ...string) {
		t.Helper()
		loose, err := r.Loose()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Gather(loose, packs); err != nil {
			t.Fatal(err)
		}
	}
	write(Blob, "one")
	write(Blob, strings.Repeat("two ", 5000))
	write(Tree, "")
	write(Commit, string(EncodeCommit(want[2], nil, 1, "c")))
	gather()
	packs, err := r.Packs()
	if err != nil || len(packs) != 1 || packs[0].Objects != 3 {
		t.Fatal(packs, err)
	}
	write(Blob, "one") // it is there
	write(Blob, "three")
	gather(packs[0].Name)
	if packs, err = r.Packs(); err != nil || len(packs) != 1 || packs[0].Objects != 4 {
		t.Fatal(packs, err)
	}
	loose, err := r.Loose()
	if err != nil || len(loose) != 1 || loose[0] != want[3] {
		t.Errorf("loose: %v %v", loose, err)
	}
	for _, oid := range want {
		if !r.Has(oid) {
			t.Errorf("%s is gone", oid)
		}
	}
	stock(t, r.dir, "fsck", "--full", "--strict")
}

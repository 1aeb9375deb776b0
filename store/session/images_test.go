package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

// picture stands for an image: what it holds does not matter here.
func picture(n int) []byte {
	return append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{byte(n), 0, 255, '\n'}, 20_000)...)
}

// withImages appends a turn and stores images beside it.
func withImages(t *testing.T, x *Session, bulk, closed bool, turn int, images ...[]byte) (out []memory.File) {
	t.Helper()
	b := x.Begin(bulk)
	for _, p := range images {
		f, err := b.Image(sumOf(p), bytes.NewReader(p), "png")
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	for _, n := range talk(turn, turn+1) {
		if _, err := b.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(closed); err != nil {
		t.Fatal(err)
	}
	return out
}

// holds checks that a session gives back these images and no others.
func holds(t *testing.T, x *Session, want ...[]byte) {
	t.Helper()
	have, err := x.Images()
	if err != nil || len(have) != len(want) {
		t.Fatalf("%d images, %d are right: %v", len(have), len(want), err)
	}
	for _, p := range want {
		f := have[sumOf(p)]
		if r, err := x.File(f); err != nil {
			t.Errorf("%+v: %v", f, err)
		} else {
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, p) || f.Bytes != int64(len(p)) || r.Close() != nil {
				t.Errorf("%d bytes came back of %d: %v", len(got), len(p), err)
			}
		}
		if got := stock(t, x.Dir(), "cat-file", "-s", f.Path); got != fmt.Sprint(len(p)) {
			t.Errorf("git says that %s has %s bytes", f.Path, got)
		}
	}
}

func TestImagesAreKeptBesideTheCommitsWhichAreTheSameWithoutThem(t *testing.T) {
	for _, bulk := range []bool{false, true} {
		s := newStore(t)
		with, without := ensure(t, s, "with"), ensure(t, s, "without")
		for turn := 1; turn < 4; turn++ {
			withImages(t, with, bulk, turn < 3, turn, picture(turn), picture(1))
			withImages(t, without, bulk, turn < 3, turn)
		}
		if a, b := shas(t, with), shas(t, without); len(a) != 2 || a[0] != b[0] {
			t.Errorf("the commits are %v and %v", a, b)
		}
		holds(t, with, picture(1), picture(2), picture(3))
		holds(t, reopened(t, with), picture(1), picture(2), picture(3))
		holds(t, without)
		sound(t, with)
		clean(t, with)
		mirror := filepath.Join(t.TempDir(), "mirror")
		stock(t, with.Dir(), "clone", "-q", "--mirror", ".", mirror)
		if got := stock(t, mirror, "for-each-ref", "--format=%(objecttype)", imageRefs); got != "blob\nblob\nblob" {
			t.Errorf("a mirror has %q", got)
		}
	}
}

func TestImagesOfNodesThatWereThereBeforeAreKeptWithoutACommit(t *testing.T) {
	x := ensure(t, newStore(t), "late")
	add(t, x, true, true, talk(1, 3)...)
	before := shas(t, x)
	b := x.Begin(false)
	if _, err := b.Image(sumOf(picture(7)), bytes.NewReader(picture(7)), "png"); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(false); err != nil {
		t.Fatal(err)
	}
	if after := shas(t, x); strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("%v became %v", before, after)
	}
	holds(t, reopened(t, x), picture(7))
	sound(t, x)
}

func TestAnImageThatNodesNameByAnotherHashIsFoundByThat(t *testing.T) {
	x := ensure(t, newStore(t), "named")
	add(t, x, true, true, talk(1, 2)...)
	b := x.Begin(false)
	for _, named := range []string{sumOf([]byte("a pointer")), sumOf(picture(1))} {
		if _, err := b.Image(named, bytes.NewReader(picture(1)), "png"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(false); err != nil {
		t.Fatal(err)
	}
	list, err := reopened(t, x).Images()
	f, own := list[sumOf([]byte("a pointer"))], list[sumOf(picture(1))]
	if err != nil || len(list) != 2 || f.SHA256 != sumOf(picture(1)) || f.Blob != own.Blob || f.Path == own.Path || fileText(t, x, f) != string(picture(1)) {
		t.Errorf("%+v %v", list, err)
	}
	sound(t, x)
}

func TestAColdSessionWithImagesHasFewFilesAndAllOfThem(t *testing.T) {
	x := ensure(t, newStore(t), "cold")
	var all [][]byte
	for turn := 1; turn <= 30; turn++ {
		all = append(all, picture(turn))
		withImages(t, x, turn%3 == 0, true, turn, all[turn-1])
		if turn%11 == 0 {
			if err := x.Compact(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if w, err := x.Weigh(); err != nil || w.Cold() || w.Objects == 0 {
		t.Errorf("before: %+v %v", w, err)
	}
	if err := x.Compact(); err != nil {
		t.Fatal(err)
	}
	if w, err := x.Weigh(); err != nil || !w.Cold() || w.Files > 15 {
		t.Errorf("after: %+v %v", w, err)
	}
	holds(t, reopened(t, x), all...)
	sound(t, x)
	stock(t, x.Dir(), "gc", "-q", "--prune=now")
	holds(t, reopened(t, x), all...)
}

func TestAMoveTakesTheImagesAlong(t *testing.T) {
	x, y := ensure(t, newStore(t), "from"), ensure(t, newStore(t), "from")
	withImages(t, x, false, true, 1, picture(1))
	withImages(t, y, false, true, 1)
	if holdsAll(y.Dir(), x.Dir()) || !holdsAll(x.Dir(), y.Dir()) {
		t.Error("a folder without the image counts as one that has all")
	}
	to := filepath.Join(t.TempDir(), x.id)
	if err := copyWhole(x.Dir(), to); err != nil || !holdsAll(to, x.Dir()) {
		t.Errorf("a copy counts as one that has not all: %v", err)
	}
}

func TestAnImageThatIsGoneIsNamedAndKeptAgain(t *testing.T) {
	x := ensure(t, newStore(t), "gone")
	f := withImages(t, x, false, true, 1, picture(1), picture(2))[0]
	if err := os.Remove(filepath.Join(x.Dir(), ".git", "objects", f.Blob[:2], f.Blob[2:])); err != nil {
		t.Fatal(err)
	}
	x = reopened(t, x)
	holds(t, x, picture(2))
	faults := Examine(x.Dir(), time.Now())
	if len(faults) != 1 || !faults[0].Broken || !strings.Contains(faults[0].Text, f.Path) {
		t.Errorf("%+v", faults)
	}
	withImages(t, x, false, true, 2, picture(1))
	holds(t, x, picture(1), picture(2))
	if faults := Examine(x.Dir(), time.Now()); len(faults) != 0 {
		t.Errorf("%+v", faults)
	}
}

func TestABatchThatIsAbortedKeepsNoImage(t *testing.T) {
	x := ensure(t, newStore(t), "aborted")
	b := x.Begin(false)
	if _, err := b.Image(sumOf(picture(1)), bytes.NewReader(picture(1)), "png"); err != nil {
		t.Fatal(err)
	}
	b.Abort()
	if list, err := x.Images(); err != nil || len(list) != 0 || x.there() {
		t.Errorf("%v %v", list, err)
	}
	b = x.Begin(false)
	defer b.Abort()
	if _, err := b.Image(sumOf(nil), bytes.NewReader(nil), "../x"); err == nil {
		t.Error("an extension led out of the folder")
	}
	if _, err := b.Image("../x", bytes.NewReader(nil), "png"); err == nil {
		t.Error("a hash led out of the folder")
	}
}

func sumOf(p []byte) string {
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:])
}

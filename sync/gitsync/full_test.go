package gitsync

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"dormouse/store/disk"
)

func TestHalfWrittenPacksOnEitherSideAreNoTrouble(t *testing.T) {
	t.Parallel()
	remote, a, b := pair(t)
	for _, objects := range []string{filepath.Join(remote, "objects"), filepath.Join(a.dir, ".git", "objects")} {
		for name, content := range map[string]string{"tmp_pack_h4lf": "PACK\x00\x00\x00\x02", "pack-" + strings.Repeat("ab", 20) + ".pack": "PACK\x00\x00"} {
			edit(t, filepath.Join(objects, "pack", name), func(string) string { return content })
		}
	}
	a.learn("a3")
	a.exchange()
	b.learn("b3")
	b.exchange()
	a.open() // a start removes what was never used
	a.exchange()
	if want := "a1,a2,a3,b1,b2,b3"; a.knows() != want || b.knows() != want || a.head() != b.head() {
		t.Errorf("a knows %s, b %s", a.knows(), b.knows())
	}
	b.sound()
}

func TestFullDiskOfTheRemoteIsSaidAndWhatWasSentComesLater(t *testing.T) {
	t.Parallel()
	remote, a, b := bare(t), newMachine(t, "aa"), newMachine(t, "bb")
	url := served(t, remote, nil)
	a.learn("a")
	a.setup(url)
	full := filepath.Join(filepath.Dir(remote), "full")
	edit(t, full, func(string) string { return "" })
	var more []string
	for i := range 40 {
		more = append(more, fmt.Sprintf("something that takes room, number %02d", i))
	}
	a.learn(more...)
	before, knows := git(t, remote, "rev-parse", "main"), a.knows()
	if _, err := a.sync.Sync(t.Context()); err == nil {
		t.Error("a full disk is no failure")
	}
	if git(t, remote, "rev-parse", "main") != before || a.knows() != knows {
		t.Error("something was changed")
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	a.exchange()
	b.setup(url)
	if b.knows() != knows {
		t.Errorf("b knows %s", b.knows())
	}
	if out := git(t, remote, "fsck", "--strict", "--full", "--no-dangling"); out != "" {
		t.Errorf("the remote: %s", out)
	}
	a.sound()
}

// TestFullDiskHereStopsTheExchangeAndTheNextOneGoesThrough has each step on the disk fail in turn while what another machine has learned, and an
// own word, are exchanged. It runs beside no other test, which would see the full disk too.
func TestFullDiskHereStopsTheExchangeAndTheNextOneGoesThrough(t *testing.T) {
	remote, a, b := pair(t)
	failed, want, stride := 0, 4, 6
	if os.Getenv("DORMOUSE_STRESS") != "" {
		stride = 1
	}
	for at := 0; ; at++ {
		a.learn(fmt.Sprint("of a ", at))
		a.exchange()
		b.learn(fmt.Sprint("of b ", at))
		want += 2
		var steps atomic.Int64
		stop := disk.Watch(func(disk.Step) error {
			if steps.Add(1) > int64(at*stride) { // from then on: a full disk stays full
				return syscall.ENOSPC
			}
			return nil
		})
		_, err := b.sync.Sync(t.Context())
		stop()
		if err == nil {
			break
		}
		if failed++; !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("step %d: %v", at, err)
		}
		b.exchange()
		a.exchange()
		if got := strings.Count(b.knows(), ",") + 1; got != want || a.head() != b.head() {
			t.Fatalf("step %d: b knows %d, want %d", at, got, want)
		}
	}
	if failed < 3 {
		t.Errorf("only %d steps failed", failed)
	}
	if out := git(t, remote, "fsck", "--strict", "--full", "--no-dangling"); out != "" {
		t.Errorf("the remote: %s", out)
	}
	a.sound()
	b.sound()
}

package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"dormouse/store/memory"
)

// smallDisk is a folder on a disk of its own of so many megabytes.
func smallDisk(t *testing.T, megabytes int) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("a small disk can only be mounted by root on Linux")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dm", megabytes), "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("this system does not let us mount a small disk: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	return dir
}

// fillDisk writes a file until the disk is full, and returns its name.
func fillDisk(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "filler")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // nothing of it is needed
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
	return name
}

// long is a document of some size.
func long(n int) Doc {
	d := note(fmt.Sprintf("d%d", n), fmt.Sprintf("word%d common", n))
	d.Body += strings.Repeat(fmt.Sprintf(" filler%d", n), 400)
	return d
}

func TestAFullDiskIsAnErrorAndGoesOnWhenThereIsRoomAgain(t *testing.T) {
	dir := smallDisk(t, 24)
	o := Options{Dir: filepath.Join(dir, "index"), HotDocs: 64}
	ix := open(t, o)
	put(t, ix, long(0))
	name := fillDisk(t, dir)
	err := ix.Put(context.Background(), []Doc{long(1)})
	if !errors.Is(err, ErrNoRoom) || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), o.Dir) {
		t.Fatalf("put on a full disk: %v", err)
	}
	if err := ix.Area("a").Put("k", []byte("v")); !errors.Is(err, ErrNoRoom) {
		t.Errorf("key on a full disk: %v", err)
	}
	if err := ix.Delete(context.Background(), []string{"d0"}); !errors.Is(err, ErrNoRoom) {
		t.Errorf("delete on a full disk: %v", err)
	}
	if err := ix.Room(); !errors.Is(err, ErrNoRoom) {
		t.Errorf("room on a full disk: %v", err)
	}
	if got := found(t, ix, Query{Text: "common", View: memory.View{All: true}}); len(got) != 1 {
		t.Errorf("found %v on a full disk", got)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	put(t, ix, long(1))
	if got := found(t, ix, Query{Text: "common", View: memory.View{All: true}}); len(got) != 2 {
		t.Errorf("found %v with room again", got)
	}
}

func TestWritingUntilTheDiskIsFullNeverEndsTheProcess(t *testing.T) {
	dir := smallDisk(t, 24)
	ix := open(t, Options{Dir: filepath.Join(dir, "index"), HotDocs: 64, MergeFactor: 2})
	var err error
	for n := 0; err == nil; n++ {
		if n > 100_000 {
			t.Fatal("24 MB hold 100,000 documents")
		}
		err = ix.Put(context.Background(), []Doc{long(n)})
	}
	if !errors.Is(err, ErrNoRoom) {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func TestClosingAndOpeningOnAFullDiskAreErrors(t *testing.T) {
	dir := smallDisk(t, 24)
	o := Options{Dir: filepath.Join(dir, "index")}
	ix := open(t, o)
	for n := range 200 {
		put(t, ix, long(n))
	}
	fillDisk(t, dir)
	if err := ix.Close(); !errors.Is(err, ErrNoRoom) {
		t.Errorf("close on a full disk: %v", err)
	}
	if _, err := ix.Search(t.Context(), Query{Text: "common", View: memory.View{All: true}}); err == nil {
		t.Error("a closed index answers")
	}
	if _, _, err := Open(o); !errors.Is(err, ErrNoRoom) {
		t.Errorf("open on a full disk: %v", err)
	}
}

func TestADeletedFolderIsToldAndCloseComesBack(t *testing.T) {
	o := Options{Dir: filepath.Join(t.TempDir(), "index")}
	ix := open(t, o)
	put(t, ix, long(0))
	if err := os.RemoveAll(o.Dir); err != nil {
		t.Fatal(err)
	}
	if err := ix.Put(context.Background(), []Doc{long(1)}); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), o.Dir) {
		t.Errorf("put without a folder: %v", err)
	}
	if err := ix.Close(); err == nil {
		t.Error("close tells nothing")
	}
	again, rebuild, err := Open(o)
	if err != nil || !rebuild {
		t.Fatalf("open again: rebuild %v, %v", rebuild, err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

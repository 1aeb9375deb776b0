//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestAnArchiveIsTheSameWhateverTheUmask(t *testing.T) {
	dir, made := t.TempDir(), time.Unix(1780000000, 0).UTC()
	page := filepath.Join(dir, "page")
	if err := os.WriteFile(page, []byte(".TH PAGE 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	under := func(mask int, name, ending string) []byte {
		defer syscall.Umask(syscall.Umask(mask))
		tr, to := tree{filepath.Join(dir, name)}, filepath.Join(dir, name+ending)
		if err := all(
			func() error { return tr.put(page, "bin/program", 0o755) },
			func() error { return tr.put(page, "share/page", 0o644) },
			func() error { return tr.zip(page, "share/man/page.gz") },
			func() error { return pack(tr.dir, to, made) },
		); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, ending := range []string{".tar.gz", ".zip"} {
		if !bytes.Equal(under(0o022, "open"+ending, ending), under(0o077, "closed"+ending, ending)) {
			t.Errorf("%s: who builds under another umask gets other bytes", ending)
		}
	}
	if list, err := entries(filepath.Join(dir, "closed.zip")); err != nil || len(list) != 6 || list[1].mode() != 0o755 || list[5].mode() != 0o644 || list[2].mode().Perm() != 0o755 {
		t.Errorf("%v %v", list, err)
	}
}

//go:build unix

package index

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// freeBytes is how many bytes this process may still write to the disk with a folder.
func freeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil //nolint:unconvert // the types differ between systems
}

// allocated is how many bytes a file has on the disk: fewer than its size where it has holes.
func allocated(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return info.Size()
}

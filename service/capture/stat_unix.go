//go:build unix

package capture

import (
	"os"
	"syscall"
)

// inode tells a file from one that took its name.
func inode(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino) //nolint:unconvert // its type differs between systems
	}
	return 0
}

// openShared opens a file for reading. It does not wait for the other end of a named pipe.
func openShared(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

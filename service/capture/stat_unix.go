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

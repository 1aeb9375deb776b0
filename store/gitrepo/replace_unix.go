//go:build unix

package gitrepo

import (
	"io/fs"
	"syscall"
)

// keepsNames says that a file can be told to have one name alone.
const keepsNames = true

// soleName reports whether a file is a regular one with one name.
func soleName(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && s.Nlink == 1
}

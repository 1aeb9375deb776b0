//go:build unix

package gitrepo

import (
	"os"
	"strconv"
	"syscall"
)

// owned reports whether a file or folder belongs to whoever runs us, also by way of sudo.
func owned(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	me := os.Geteuid()
	if me == 0 {
		if n, err := strconv.Atoi(os.Getenv("SUDO_UID")); err == nil && st.Uid == uint32(n) {
			return true
		}
	}
	return st.Uid == uint32(me)
}

// Package process tells which program a process is, and which process holds the lock on a file, where the system tells that.
//
// It only looks: it never ends a process and never takes a lock. What it does not know it says with 0 and "".
package process

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Name is the program of a process, without its folder; empty where the system does not tell, or the process is gone.
func Name(pid int) string {
	if pid <= 0 {
		return ""
	}
	path := name(pid)
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}

// Said is a process as people are told of it: its number and, where it is known, its program.
func Said(pid int) string {
	if n := Name(pid); n != "" {
		return fmt.Sprintf("process %d (%s)", pid, n)
	}
	return fmt.Sprintf("process %d", pid)
}

// IsOurs reports whether a process is a program of Dormouse: it is called so, or as this process. One whose program is not known is taken
// for ours, since on some systems none is.
func IsOurs(pid int) bool {
	n := Name(pid)
	if n == "" || strings.HasPrefix(strings.ToLower(n), "dormouse") {
		return true
	}
	own, err := os.Executable()
	return err == nil && n == filepath.Base(own)
}

// HowToEnd is the command with which a person ends a process.
func HowToEnd(pid int) string {
	if runtime.GOOS == "windows" {
		return fmt.Sprintf("taskkill /PID %d", pid)
	}
	return fmt.Sprintf("kill %d", pid)
}

package socket

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

func peerOf(fd int) peerProcess {
	cred, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return peerProcess{}
	}
	return peerProcess{known: true, uid: int(cred.Uid), pid: int(cred.Pid)}
}

// listenerAt finds the process that listens at a path without knocking, for one whose queue is full: the kernel's table names the socket,
// and the process that has it open is looked for among those that this user may look into.
func listenerAt(path string) int {
	table, err := os.ReadFile("/proc/net/unix") // proc_net_unix(5): ... FLAGS TYPE STATE INODE PATH
	if err != nil {
		return 0
	}
	inode := listening(string(table), path)
	if inode == "" {
		return 0
	}
	open, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range open {
		if to, err := os.Readlink(fd); err == nil && to == fmt.Sprintf("socket:[%s]", inode) {
			pid, _ := strconv.Atoi(strings.Split(fd, "/")[2])
			return pid
		}
	}
	return 0
}

// accepting is the flag of a socket that listens, in the kernel's table.
const accepting = "00010000"

// listening is the inode of the socket that listens at a path; empty where none does.
func listening(table, path string) string {
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) >= 8 && f[3] == accepting && slices.Equal(f[7:], strings.Fields(path)) {
			return f[6]
		}
	}
	return ""
}

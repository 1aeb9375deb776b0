package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// name is the program's file; of another user's process, or one of the kernel's, at least its short name.
func name(pid int) string {
	if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil {
		return strings.TrimSuffix(exe, " (deleted)") // replaced by an upgrade
	}
	short, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(short))
}

// Locker is the process that has locked a file with flock(2); 0 where none has, or the system does not tell.
func Locker(path string) int {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	locks, err := os.ReadFile("/proc/locks") // proc_locks(5)
	if err != nil {
		return 0
	}
	return lockerIn(string(locks), uint64(stat.Dev), stat.Ino)
}

// lockerIn looks a file up in the text of /proc/locks. Some file systems (Btrfs, overlays) name another device there than to stat(2): where
// the device is found nowhere, the number of the file alone has to do, if one process alone fits.
func lockerIn(locks string, dev, inode uint64) int {
	const fields = 6 // N: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE, the last two digits of the device in hex
	want := fmt.Sprintf("%02x:%02x:%d", unix.Major(dev), unix.Minor(dev), inode)
	alike := map[int]bool{}
	for line := range strings.Lines(locks) {
		f := strings.Fields(line)
		if len(f) < fields || f[1] != "FLOCK" { // those that wait have an arrow there
			continue
		}
		pid, err := strconv.Atoi(f[4])
		if err != nil || pid <= 0 { // of another container
			continue
		}
		if f[5] == want {
			return pid
		}
		if strings.HasSuffix(f[5], ":"+strconv.FormatUint(inode, 10)) {
			alike[pid] = true
		}
	}
	if len(alike) == 1 {
		for pid := range alike {
			return pid
		}
	}
	return 0
}

package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticks is how many of the kernel's ticks a second has, as far as /proc tells times.
const ticks = 100

// cpu is what CPU time a process took, in seconds.
func cpu(pid int) (float64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat cannot be read", pid)
	}
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return float64(user+system) / ticks, errors.Join(err1, err2)
}

// memory reads what a process holds.
func memory(pid int, f *figures) error {
	for file, want := range map[string]map[string]*int64{"status": {"VmRSS:": &f.Resident, "VmHWM:": &f.Peak}, "smaps_rollup": {"Private_Dirty:": &f.Private}} {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(b)) {
			fields := strings.Fields(line)
			if len(fields) < 2 || want[fields[0]] == nil {
				continue
			}
			kb, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return err
			}
			*want[fields[0]] = kb * 1024
		}
	}
	return nil
}

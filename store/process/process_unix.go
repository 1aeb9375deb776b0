//go:build unix && !linux

package process

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// name asks ps, which POSIX has everywhere.
func name(pid int) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

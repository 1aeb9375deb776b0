//go:build unix

package gitcmd

import (
	"os/exec"
	"syscall"
)

// alone takes a command off the terminal into a group of its own, which a cancel tells to end: git then puts its locks away.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// endRest ends what is left of a command's group.
func endRest(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // mostly nothing is left
	}
}

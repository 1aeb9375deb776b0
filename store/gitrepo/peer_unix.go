//go:build unix

package gitrepo

import (
	"os/exec"
	"syscall"
)

// detach takes a command off the terminal, so that ssh cannot ask there, and makes its end that of all it has started.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

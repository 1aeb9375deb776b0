package gitrepo

import (
	"os/exec"
	"syscall"
)

// noWindow is CREATE_NO_WINDOW: the command gets no console, which it could ask on and which would flash up.
const noWindow = 0x08000000

func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: noWindow}
}

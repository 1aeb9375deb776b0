package llm

import (
	"os/exec"
	"strconv"
	"syscall"
)

// noWindow is CREATE_NO_WINDOW: the command gets no console, which would flash up.
const noWindow = 0x08000000

// alone gives a command no console. A cancel ends it with all that it has started.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: noWindow}
	cmd.Cancel = func() error {
		end := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid))
		end.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: noWindow}
		if end.Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
}

// endRest has nothing to do: taskkill has ended everything.
func endRest(*exec.Cmd) {}

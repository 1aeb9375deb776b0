package osservice

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// Apart gives a program no console, neither this one's nor a window of its own.
func Apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}

// AskToEnd ends a program. Windows has no means to ask one without a window; at log-off it asks by itself.
func AskToEnd(p *os.Process) error { return p.Kill() }

package osservice

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// apart gives a program no console, neither this one's nor a window of its own.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}

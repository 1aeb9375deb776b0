//go:build unix

package osservice

import (
	"os"
	"syscall"
)

// Apart makes a program the head of a session of its own.
func Apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// AskToEnd asks a program that was started Apart to end in order.
func AskToEnd(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

//go:build unix

package osservice

import (
	"os"
	"syscall"
)

// Apart makes a program the head of a session of its own.
func Apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// AskToEnd asks a program to end in order. One that was stopped by a signal goes on for that, as systemd has it.
func AskToEnd(p *os.Process) error {
	if err := p.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.Signal(syscall.SIGCONT)
}

//go:build unix

package osservice

import "syscall"

// apart makes a program the head of a session of its own.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

package llm

import "syscall"

// endWithUs has a command end when the service is killed.
func endWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

package daemon

import (
	"time"

	"golang.org/x/sys/windows"
)

// cpu is the CPU time of this process so far.
func cpu() time.Duration {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0
	}
	return time.Duration(kernel.Nanoseconds() + user.Nanoseconds())
}

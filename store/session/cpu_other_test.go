//go:build !unix

package session

import "time"

var began = time.Now()

// cpuTime is wall time where the system has no simple way to ask.
func cpuTime() time.Duration { return time.Since(began) }

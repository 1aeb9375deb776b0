//go:build !unix

package redact

import "time"

var began = time.Now()

// cpuTime is the time since the program began, where the time on the processor is counted too coarsely.
func cpuTime() time.Duration { return time.Since(began) }

//go:build unix

package main

import (
	"context"
	"os"
	"time"
)

// orphaned calls stop when the process that started this one is gone: an agent that was killed may have left its end of the pipe
// open in another child.
func orphaned(ctx context.Context, stop func()) {
	parent := os.Getppid()
	tick := time.NewTicker(orphanEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent {
				stop()
				return
			}
		}
	}
}

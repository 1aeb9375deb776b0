// Command dormouse is the service and its command line: `dormouse up` runs the service, every other command asks the
// running one over its local socket and prints the answer, for people or as JSON.
//
// A command other than `up` never opens the state folder itself and never changes it but through the service.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(start()) }

// start runs the command line until it is done or told to end; a second signal ends the process at once.
func start() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, os.Args[1:], systemParams())
}

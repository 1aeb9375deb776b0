// Command dormouse-hook is what the agents' hooks call: it hands the hook's JSON from standard input to the service and
// ends.
//
//	dormouse-hook [EVENT] [--inject] [--agent NAME]
//
// EVENT is the event's name as the agent calls it, where its JSON does not say it. What the service cannot take is spooled,
// without anything that was said, and picked up later.
//
// It never keeps an agent waiting and never fails: after some 20 milliseconds it gives up, and with the service up, hung or gone it
// exits with 0. It prints nothing but, with --inject, what the service has for the agent, in the agent's own form, where that came whole
// and in time.
package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/service/socket"
)

// early is when a report is spooled while the service is still waited for, patience how long the service may take; lastMoment is when the process ends, whatever is under way. Both are short of 50 ms by
// what it may take on a busy machine until the process is begun and seen to have ended.
const (
	early      = 10 * time.Millisecond
	patience   = 20 * time.Millisecond
	lastMoment = 30 * time.Millisecond
)

func main() {
	home := stateFolder()
	if home == "" {
		return
	}
	h := hook{
		stdin:    os.Stdin,
		stdout:   os.Stdout,
		dial:     func(ctx context.Context) (net.Conn, error) { return socket.Dial(ctx, home) },
		spool:    filepath.Join(home, "run", "spool"),
		patience: patience,
		early:    early,
	}
	h.event, h.agent, h.inject = arguments(os.Args[1:])
	run(h)
}

// arguments reads the command line. What it does not know it passes over: a hook never fails.
func arguments(args []string) (event, agent string, inject bool) {
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--inject":
			inject = true
		case name == "--agent" && has:
			agent = value
		case name == "--agent" && i+1 < len(args):
			i++
			agent = args[i]
		case !strings.HasPrefix(args[i], "-") && event == "":
			event = args[i]
		}
	}
	return event, agent, inject
}

// stateFolder is $DORMOUSE_HOME, else ~/.dormouse, or nothing where there is no home folder.
func stateFolder() string {
	if dir := os.Getenv("DORMOUSE_HOME"); dir != "" {
		return dir
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(user, ".dormouse")
}

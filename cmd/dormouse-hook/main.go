// Command dormouse-hook is what the agents' hooks call: it hands the hook's JSON from standard input to the service and
// ends. Its one argument, which may be left out, is the name of the event.
//
// It never keeps an agent waiting and never fails: after 35 milliseconds it gives up, with the service up, hung or gone it
// exits with 0, and it prints nothing.
package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"time"

	"dormouse/service/socket"
)

// patience is how long an agent is kept waiting at most.
const patience = 35 * time.Millisecond

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	event := ""
	if len(os.Args) > 1 {
		event = os.Args[1]
	}
	run(ctx, event, os.Stdin, dial)
}

// dial knocks at the service of the state folder: $DORMOUSE_HOME, else ~/.dormouse.
func dial(ctx context.Context) (net.Conn, error) {
	if dir := os.Getenv("DORMOUSE_HOME"); dir != "" {
		return socket.Dial(ctx, dir)
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	return socket.Dial(ctx, filepath.Join(user, ".dormouse"))
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
)

// maxPayload is the longest hook JSON that is handed on, in bytes. A longer one is given up: its turn reaches the memory
// through the agent's transcript anyway.
const maxPayload = 4 << 20

// run hands stdin on and returns when that is done, has failed, or ctx has ended, whichever is first. What still waits
// then ends with the process.
func run(ctx context.Context, event string, stdin io.Reader, dial func(context.Context) (net.Conn, error)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // whatever is wrong with us is no business of the agent's
		_ = forward(ctx, event, stdin, dial)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// forward posts {event, payload} to the service and waits for the first line of its answer, which tells that the service
// has it. The request is written by hand: an HTTP client takes longer to start than everything else here.
func forward(ctx context.Context, event string, stdin io.Reader, dial func(context.Context) (net.Conn, error)) error {
	payload, err := io.ReadAll(io.LimitReader(stdin, maxPayload+1))
	if err != nil {
		return fmt.Errorf("read the hook's input: %w", err)
	}
	if len(payload) > maxPayload {
		return errors.New("the hook's input is too long")
	}
	body, err := json.Marshal(struct {
		Event   string          `json:"event"`
		Payload json.RawMessage `json:"payload"`
	}{event, payload})
	if err != nil {
		return fmt.Errorf("the hook's input is not JSON: %w", err)
	}
	conn, err := dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // nothing is to be done about it
	if until, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(until); err != nil {
			return err
		}
	}
	const head = "POST /v1/hook HTTP/1.1\r\nHost: dormouse\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
	if _, err := fmt.Fprintf(conn, head, len(body), body); err != nil {
		return err
	}
	_, err = bufio.NewReader(conn).ReadString('\n')
	return err
}

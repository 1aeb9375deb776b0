package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"dormouse/service/spool"
)

// maxPayload is the longest hook JSON that is handed on, in bytes. Of a longer one only what stands in front is: its turn
// reaches the memory through the agent's transcript anyway.
const maxPayload = 4 << 20

// hook is one call.
type hook struct {
	event, agent string
	inject       bool // the agent waits for what the service tells it
	stdin        io.Reader
	stdout       io.Writer
	dial         func(context.Context) (net.Conn, error)
	spool        string        // folder
	patience     time.Duration // how long the service may take
	early        time.Duration // after which the report is spooled while the service is waited for
}

// run hands stdin on, or spools what it may, and returns when that is done or the last moment has come. What still waits then
// ends with the process.
func run(h hook) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // whatever is wrong with us is no business of the agent's
		h.handOn()
	}()
	select {
	case <-done:
	case <-time.After(lastMoment):
	}
}

// handOn tries the service first. Its time runs while stdin is read, so that a slow agent does not wait for us as well. When it takes
// long the report is spooled already while it is waited for, so that nothing is left to be done at the end, and taken back if the
// service has it after all.
func (h hook) handOn() {
	ctx, cancel := context.WithTimeout(context.Background(), h.patience)
	defer cancel()
	payload, err := io.ReadAll(io.LimitReader(h.stdin, maxPayload+1))
	if err != nil {
		return
	}
	taken := make(chan taking, 1)
	go func() {
		defer func() {
			if recover() != nil {
				taken <- taking{err: errors.New("a fault of ours")}
			}
		}()
		answer, err := h.forward(ctx, payload)
		taken <- taking{answer, err}
	}()
	var got taking
	select {
	case got = <-taken:
		if got.err != nil {
			h.keep(payload)
		}
	case <-time.After(h.early):
		path := h.keep(payload)
		if got = <-taken; got.err == nil && path != "" {
			_ = os.Remove(path) // the service may have taken that one, too
		}
	}
	if h.inject && got.err == nil && len(got.answer) > 0 {
		_, _ = h.stdout.Write(got.answer) // at once, so that an agent gets all of it or nothing
	}
}

// taking is how the service took a report, and what it has to say to the agent.
type taking struct {
	answer []byte
	err    error
}

// keep spools what may be of the payload. It gives the file that it made, if any: nobody can be told of a failure.
func (h hook) keep(payload []byte) string {
	r := spool.Of(h.agent, h.event, payload, time.Now().UnixMilli())
	if r.Session == "" && r.Transcript == "" {
		return ""
	}
	path, _ := spool.Put(h.spool, r)
	return path
}

// forward posts {event, agent, payload} to the service and waits for its answer: its first line tells that the service has it, its body is
// what the agent is to be told, if that was asked for. The request is written by hand: an HTTP client takes longer to start than
// everything else here.
func (h hook) forward(ctx context.Context, payload []byte) (answer []byte, err error) {
	if len(payload) > maxPayload {
		return nil, errors.New("the hook's input is too long")
	}
	body, err := json.Marshal(struct {
		Event   string          `json:"event,omitempty"`
		Agent   string          `json:"agent,omitempty"`
		Inject  bool            `json:"inject,omitempty"`
		Payload json.RawMessage `json:"payload"`
	}{h.event, h.agent, h.inject, payload})
	if err != nil {
		return nil, fmt.Errorf("the hook's input is not JSON: %w", err)
	}
	conn, err := h.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close() //nolint:errcheck // nothing is to be done about it
	if until, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(until); err != nil {
			return nil, err
		}
	}
	const head = "POST /v1/hook HTTP/1.1\r\nHost: dormouse\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
	if _, err := fmt.Fprintf(conn, head, len(body), body); err != nil {
		return nil, err
	}
	r := bufio.NewReader(io.LimitReader(conn, maxAnswer))
	line, err := r.ReadString('\n')
	if err == nil && !strings.HasPrefix(line, "HTTP/1.1 2") {
		err = errors.New("the service refused it")
	}
	if err != nil || !h.inject {
		return nil, err
	}
	return told(r), nil
}

// maxAnswer is the longest answer that is read, in bytes, its head included.
const maxAnswer = 64 << 10

// told is the body of an answer whose first line was read; nil where it does not come whole: the report was taken all the same.
func told(r *bufio.Reader) []byte {
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Content-Length") {
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		}
	}
	if length <= 0 || length > maxAnswer {
		return nil
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil
	}
	return body
}

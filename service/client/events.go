package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"dormouse/service/api"
)

// maxMessage is the longest line of an event stream, in bytes.
const maxMessage = 1 << 20

// Events gives the service's changes as they come. It ends with ctx, and with one error when the service ends, drops a
// reader that is too slow, or falls silent (ErrHung); the caller then asks for everything anew and may call again.
func (c *Client) Events(ctx context.Context) iter.Seq2[api.Change, error] {
	return func(yield func(api.Change, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		silence := time.AfterFunc(c.o.Silence, func() { cancel(ErrHung) })
		defer silence.Stop()
		err := c.follow(ctx, func() { silence.Reset(c.o.Silence) }, func(ch api.Change) bool { return yield(ch, nil) })
		if err != nil && !errors.Is(err, errEnough) && !errors.Is(err, context.Canceled) {
			yield(api.Change{}, err)
		}
	}
}

// errEnough says that the reader has left the loop.
var errEnough = errors.New("enough")

// follow reads the stream, calls alive for every line and change for every change, until that returns false.
func (c *Client) follow(ctx context.Context, alive func(), change func(api.Change) bool) error {
	resp, err := c.open(ctx, http.MethodGet, api.PathEvents, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // given up
	if err := checkVersion(resp); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return failure(resp)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		alive()
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var ch api.Change
		if err := json.Unmarshal([]byte(data), &ch); err != nil {
			return fmt.Errorf("read the event stream: %w", err)
		}
		if !change(ch) {
			return errEnough
		}
	}
	err = lines.Err()
	if err == nil {
		err = io.EOF
	}
	return c.explain(ctx, fmt.Errorf("the event stream ended: %w", err))
}

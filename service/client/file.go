package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"dormouse/service/api"
)

// ErrTorn says that a file did not come whole, or not as it was stored.
var ErrTorn = errors.New("the file did not come as it was stored")

// SessionFile copies a text or an image of a session to a writer and returns how long it is, in bytes. It is never whole in memory and
// may take as long as it takes, but each piece of it no longer than an answer. What came is checked against the file's hash: after
// an error that wraps ErrTorn the writer has got what is not to be used. An error of the writer is returned as it is.
func (c *Client) SessionFile(ctx context.Context, q api.FileQuery, to io.Writer) (int64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(c.o.Timeout, func() { cancel(ErrHung) })
	defer silence.Stop()
	resp, err := c.open(ctx, http.MethodGet, api.PathSessionFile, q.Values())
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	if err := checkVersion(resp); err != nil {
		return 0, err
	}
	if resp.StatusCode != http.StatusOK {
		return 0, failure(resp)
	}
	sum := sha256.New()
	out := &keptWriter{w: to}
	n, err := io.Copy(io.MultiWriter(sum, out), &watched{r: resp.Body, before: func() { silence.Reset(c.o.Timeout) }, after: func() { silence.Stop() }})
	switch {
	case out.err != nil:
		return n, out.err
	case errors.Is(context.Cause(ctx), ErrHung), ctx.Err() != nil:
		return n, c.explain(ctx, err)
	case err != nil:
		return n, fmt.Errorf("%w: it ended after %d bytes; the service's log says why: %w", ErrTorn, n, err)
	}
	got, want := hex.EncodeToString(sum.Sum(nil)), resp.Header.Get(api.HeaderSHA256)
	if got != want || !strings.HasPrefix(got, q.SHA256) {
		return n, fmt.Errorf("%w: its SHA-256 is %s and not %s; git fsck in the session's folder says what is damaged", ErrTorn, got, want)
	}
	return n, nil
}

// watched tells when a piece is waited for and when it came. The time that its user takes for it does not count.
type watched struct {
	r             io.Reader
	before, after func()
}

func (w *watched) Read(p []byte) (int, error) {
	w.before()
	defer w.after()
	return w.r.Read(p)
}

// keptWriter keeps its error, which tells it from one of the reader.
type keptWriter struct {
	w   io.Writer
	err error
}

func (k *keptWriter) Write(p []byte) (int, error) {
	n, err := k.w.Write(p)
	k.err = err
	return n, err
}

// Package client asks the running service over its local socket: one typed call for each path of the local API.
//
// It never starts a service, never retries, and never formats an answer for a person. It tells a service that is not
// running from one that hangs and from one that refuses.
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"dormouse/service/api"
	"dormouse/service/socket"
)

// ErrNotRunning says that no service runs on the state folder.
var ErrNotRunning = errors.New("the Dormouse service is not running; start it with: dormouse up")

// ErrHung says that a service is there but does not answer.
var ErrHung = errors.New("the Dormouse service does not answer; if it stays like this: dormouse stop, which ends its process, then start it again with: dormouse up")

// ErrVersion says that the service is of another release, whose answers this one could misread.
var ErrVersion = errors.New("the running Dormouse service is of another release; restart it with this one: dormouse stop, then dormouse up")

// Options are what a Client is made of.
type Options struct {
	// Home is the state folder whose service is asked.
	Home string
	// Timeout is how long one answer may take; the default is 10 seconds. A session may take six times as long, since it can
	// have hundreds of megabytes, and a sleep as long as it takes.
	Timeout time.Duration
	// Silence is how long an event stream may be quiet before the service counts as hung; the default is 45 seconds.
	Silence time.Duration
}

// Client asks one state folder's service. It may be used from several goroutines.
type Client struct {
	o    Options
	http http.Client
}

// New makes a client. It does no I/O.
func New(o Options) *Client {
	o.Timeout = cmp.Or(o.Timeout, 10*time.Second)
	o.Silence = cmp.Or(o.Silence, 45*time.Second)
	c := &Client{o: o}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.http.Transport = &http.Transport{
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return socket.Dial(ctx, o.Home) },
		DisableCompression: true,
		IdleConnTimeout:    time.Minute,
	}
	return c
}

// Close ends connections that are kept for the next call.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Home is the state folder whose service is asked.
func (c *Client) Home() string { return c.o.Home }

// get asks path within the client's timeout.
func get[T any](ctx context.Context, c *Client, path string, query url.Values) (T, error) {
	return getWithin[T](ctx, c, c.o.Timeout, path, query)
}

func getWithin[T any](ctx context.Context, c *Client, limit time.Duration, path string, query url.Values) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrHung)
	defer cancel()
	var answer T
	err := c.call(ctx, http.MethodGet, path, query, &answer)
	return answer, err
}

// post is get for a path that changes something.
func post[T any](ctx context.Context, c *Client, path string, query url.Values) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.Timeout, ErrHung)
	defer cancel()
	var answer T
	err := c.call(ctx, http.MethodPost, path, query, &answer)
	return answer, err
}

// call sends one request and fills into, a pointer or nil, with its answer.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, into any) error {
	resp, err := c.open(ctx, method, path, query)
	if err != nil {
		return err
	}
	defer resp.Body.Close()   //nolint:errcheck // read to its end or given up
	if path != api.PathStop { // any release can be stopped
		if err := checkVersion(resp); err != nil {
			return err
		}
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return failure(resp)
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		return c.explain(ctx, fmt.Errorf("read the service's answer to %s: %w", path, err))
	}
	return nil
}

// open sends one request and returns the answer's head.
func (c *Client) open(ctx context.Context, method, path string, query url.Values) (*http.Response, error) {
	target := url.URL{Scheme: "http", Host: api.Host, Path: path, RawQuery: query.Encode()}
	req, err := http.NewRequestWithContext(ctx, method, target.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("ask the service for %s: %w", path, err)
	}
	if token, ok := ctx.Value(tokenKey{}).(string); ok {
		req.Header.Set(api.TokenHeader, token)
	}
	if end, ok := ctx.Deadline(); ok && method != http.MethodGet {
		req.Header.Set(api.HeaderUntil, strconv.FormatInt(end.UnixMilli(), 10))
	}
	resp, err := c.http.Do(req)
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err // its address means nothing to anyone
	}
	if err != nil {
		return nil, c.explain(ctx, fmt.Errorf("ask the service for %s: %w", path, err))
	}
	return resp, nil
}

// unanswered is the error of an exchange that failed for another reason than those that have an error of their own.
type unanswered struct{ error }

func (u unanswered) Unwrap() error { return u.error }

// Unanswered reports whether err, of a method of Client, means that no Dormouse service of this release answered: none runs, it hangs, it is of
// another release, or what came is no answer of one. An *api.Error is an answer, and what a caller makes of an answer is none of the service's.
func Unanswered(err error) bool {
	var u unanswered
	return errors.Is(err, ErrNotRunning) || errors.Is(err, ErrHung) || errors.Is(err, ErrVersion) || errors.As(err, &u)
}

// explain tells what a failed exchange means.
func (c *Client) explain(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, socket.ErrNoService):
		return fmt.Errorf("%w (state folder %s)", ErrNotRunning, c.o.Home)
	case errors.Is(context.Cause(ctx), ErrHung), errors.Is(err, socket.ErrBusy):
		return fmt.Errorf("%w (state folder %s)", ErrHung, c.o.Home)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case c.ended(ctx):
		return fmt.Errorf("%w (state folder %s)", ErrNotRunning, c.o.Home)
	}
	return unanswered{err}
}

// ended reports whether nobody listens any more: the service was stopped while it was asked.
func (c *Client) ended(ctx context.Context) bool {
	conn, err := socket.Dial(ctx, c.o.Home)
	if err != nil {
		return errors.Is(err, socket.ErrNoService)
	}
	_ = conn.Close()
	return false
}

func checkVersion(resp *http.Response) error {
	got := resp.Header.Get(api.HeaderVersion)
	if got == strconv.Itoa(api.Version) {
		return nil
	}
	return fmt.Errorf("%w (it speaks version %s of the local API, this one version %d)", ErrVersion, cmp.Or(got, "unknown"), api.Version)
}

// failure is the error that the service answered; it is an *api.Error.
func failure(resp *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	var e api.Error
	if err == nil && json.Unmarshal(body, &e) == nil && e.Message != "" {
		return &e
	}
	return &api.Error{Code: api.CodeInternal, Message: "the service answered " + resp.Status}
}

package llm

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// maxAnswer bounds what is read of a provider's answer, in bytes.
const maxAnswer = 16 << 20

// newHTTP is a client that follows no redirect, since that would carry the key elsewhere, and reads no answer without end.
func newHTTP() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 1
	t.IdleConnTimeout = 30 * time.Second
	return &http.Client{
		Transport:     bounded{t},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(r)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	}
	return resp, err
}

// after reads when a provider wants to be asked again.
func after(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e10 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e7 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// broke makes a failure of a call that got no answer.
func broke(err error, base string) *Failure {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // its own text shows the address, which may hold a password
	}
	where := ""
	if p, e := url.Parse(base); e == nil && p.Host != "" {
		where = p.Host + ": "
	}
	f := &Failure{Kind: Unreachable, Detail: where + line(err.Error(), "")}
	var dns *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.As(err, &dns):
	case isReading(err):
		f.Kind = Server // it had the request, and its answer broke off or is none
		f.unknown = errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || strings.HasSuffix(err.Error(), "EOF")
	}
	return f
}

// isReading reports whether an answer had begun.
func isReading(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || strings.Contains(err.Error(), "parsing response") ||
		strings.Contains(err.Error(), "decoding response") || strings.Contains(err.Error(), "invalid character")
}

package proxy

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
)

// route is a request on its way.
type route struct {
	client   string
	upstream string
	to       *url.URL
	rest     string // of the path, as it was escaped
	form     form
	read     bool // what passes is read
	call     *call
	talk     *conversation // that the request goes on with, where it was changed
	original []byte        // the request as the client made it, where it was changed
	asks     *asking       // what its model asks the memory, where it is offered that
	session  string        // of the agent, where the request names it
}

type routeKey struct{}

func routeOf(ctx context.Context) *route {
	r, _ := ctx.Value(routeKey{}).(*route)
	return r
}

// ServeHTTP passes one request on.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at, no := p.admit(r)
	if no != nil {
		p.count(func(s *Stats) { s.Refused++ })
		refuse(w, native(at.upstream), no.status, no.message)
		return
	}
	at.read = at.form != other && p.o.On() && r.Header.Get("Upgrade") == ""
	p.count(func(s *Stats) {
		s.Requests++
		if at.read {
			s.Read++
		}
	})
	if r.Body != nil {
		r.Body = http.MaxBytesReader(w, r.Body, p.o.MaxRequest)
	}
	if at.read {
		at.call = &call{Call: Call{Client: at.client, Upstream: at.upstream}, form: at.form}
		defer p.ended(&at)
		p.recorded(&at, r)
	}
	r = r.WithContext(context.WithValue(r.Context(), routeKey{}, &at))
	if at.read && (p.o.Page() || p.o.Tools()) {
		if err := p.pagedRequest(&at, r); err != nil {
			p.failed(w, r, err)
			return
		}
	}
	p.reverse.ServeHTTP(w, r)
}

// ownHeaders are taken off a request: they are for the proxy.
var ownHeaders = []string{Header}

// forwarding are headers that ReverseProxy drops, and that go on as a client set them.
var forwarding = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// rewrite addresses a request to its upstream. Nothing else of it changes, but the headers that are for one connection.
func rewrite(r *httputil.ProxyRequest) {
	at := routeOf(r.In.Context())
	u := r.Out.URL
	u.Scheme, u.Host = at.to.Scheme, at.to.Host
	escaped := strings.TrimSuffix(at.to.EscapedPath(), "/") + at.rest
	if path, err := url.PathUnescape(escaped); err == nil {
		u.Path, u.RawPath = path, escaped
	}
	u.RawQuery, u.ForceQuery = r.In.URL.RawQuery, r.In.URL.ForceQuery
	r.Out.Host = at.to.Host
	for _, name := range forwarding {
		if v, ok := r.In.Header[name]; ok {
			r.Out.Header[name] = v
		}
	}
	for _, name := range ownHeaders {
		r.Out.Header.Del(name)
	}
	if at.read { // an answer that is compressed could not be read
		r.Out.Header.Set("Accept-Encoding", "identity")
	}
}

// answered takes up the answer of an upstream before it goes to the client.
func (p *Proxy) answered(r *http.Response) error {
	at := routeOf(r.Request.Context())
	if at == nil || !at.read {
		return nil
	}
	at.call.Status = r.StatusCode
	if r.StatusCode != http.StatusOK {
		p.count(func(s *Stats) { s.Errors++ })
		return nil // as it is, with its Retry-After
	}
	if at.asks != nil {
		return p.hear(r, at)
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return nil
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "text/event-stream":
		if r.ContentLength < 0 { // else an event more would not fit
			at.call.streamed = true
			r.Body = &stream{src: r.Body, see: at.call.event, broke: func() []byte { return p.broke(r.Request.Context(), at) }}
		}
	case "application/json":
		r.Body = &whole{src: r.Body, done: at.call.body}
	}
	return nil
}

// broke is what a client is told of a stream that ended in its middle; nothing where the client itself left.
func (p *Proxy) broke(ctx context.Context, at *route) []byte {
	if ctx.Err() != nil {
		return nil
	}
	p.count(func(s *Stats) { s.Broken++ })
	p.o.Log.Warn("a stream broke", "upstream", at.upstream)
	return errorEvent(at.form, "the connection to "+at.to.Host+" broke in the middle of the answer", at.call.sequence+1)
}

// failed answers a request that did not reach its upstream, or of which the upstream said nothing.
func (p *Proxy) failed(w http.ResponseWriter, r *http.Request, err error) {
	at := routeOf(r.Context())
	f := at.form
	if f == other {
		f = native(at.upstream)
	}
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		p.count(func(s *Stats) { s.TooLong++ })
		refuse(w, f, http.StatusRequestEntityTooLarge, "the request is longer than Dormouse passes on")
	case r.Context().Err() != nil: // the client left, and nobody reads this
		w.WriteHeader(http.StatusBadGateway)
	default:
		p.count(func(s *Stats) { s.Unreached++ })
		p.o.Log.Warn("an upstream was not reached", "upstream", at.upstream, "error", plain(err))
		refuse(w, f, http.StatusBadGateway, "Dormouse could not reach "+at.to.Host+": "+plain(err))
	}
}

// plain is an error without the address of the request, which may hold a key.
func plain(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

package proxy

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestOnlyAgentsOnThisMachineWithATokenAreAnswered(t *testing.T) {
	reached := 0
	b := newBed(t, func(http.ResponseWriter, *http.Request) { reached++ })
	token, other := b.proxy.Token("agent"), b.proxy.Token("another")
	for _, c := range []struct {
		name, path string
		change     func(*http.Request)
		want       int
	}{
		{"the token in the address", "/agent/" + token + "/anthropic/v1/messages", nil, 200},
		{"the token in a header", "/anthropic/v1/messages", func(r *http.Request) { r.Header.Set(Header, "agent:"+token) }, 200},
		{"localhost", "/agent/" + token + "/anthropic/v1/messages", func(r *http.Request) { r.Host = "localhost:1" }, 200},
		{"IPv6", "/agent/" + token + "/anthropic/v1/messages", func(r *http.Request) { r.Host = "[::1]:1"; r.RemoteAddr = "[::1]:5" }, 200},
		{"Node says how it fetches", "/agent/" + token + "/anthropic/v1/messages", func(r *http.Request) { r.Header.Set("Sec-Fetch-Mode", "cors") }, 200},
		{"no token", "/anthropic/v1/messages", nil, 401},
		{"no token at the root", "/", nil, 401},
		{"an empty token", "/agent//anthropic/v1/messages", nil, 401},
		{"half of the token", "/agent/" + token[:16] + "/anthropic/v1/messages", nil, 401},
		{"another client's token", "/agent/" + other + "/anthropic/v1/messages", nil, 401},
		{"a wrong token in a header", "/anthropic/v1/messages", func(r *http.Request) { r.Header.Set(Header, "agent:"+other) }, 401},
		{"a name that is none", "/Agent%20X/" + b.proxy.Token("Agent%20X") + "/anthropic/v1/messages", nil, 401},
		{"an unknown provider", "/agent/" + token + "/elsewhere/v1/messages", nil, 404},
		{"an address as provider", "/agent/" + token + "/http:%2F%2Fexample.org/v1/messages", nil, 404},
		{"a page", "/agent/" + token + "/anthropic/v1/messages", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1") }, 403},
		{"a page of the same site", "/agent/" + token + "/anthropic/v1/messages", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }, 403},
		{"a rebound name", "/agent/" + token + "/anthropic/v1/messages", func(r *http.Request) { r.Host = "evil.example.org:38246" }, 403},
		{"a name that looks like it", "/agent/" + token + "/anthropic/v1/messages", func(r *http.Request) { r.Host = "127.0.0.1.example.org" }, 403},
		{"another machine", "/agent/" + token + "/anthropic/v1/messages", func(r *http.Request) { r.RemoteAddr = "192.0.2.7:5" }, 403},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, c.path, strings.NewReader("{}"))
		r.Host, r.RemoteAddr = "127.0.0.1:38246", "127.0.0.1:4000"
		if c.change != nil {
			c.change(r)
		}
		w, before := httptest.NewRecorder(), reached
		b.proxy.ServeHTTP(w, r)
		if w.Code != c.want || (reached > before) != (c.want == 200) {
			t.Errorf("%s: %d, want %d; the provider was asked: %v", c.name, w.Code, c.want, reached > before)
		}
		if c.want != 200 && strings.Contains(w.Body.String(), token) {
			t.Errorf("%s: the answer holds the token", c.name)
		}
	}
}

func TestEachClientHasATokenOfItsOwnThatStays(t *testing.T) {
	a, b := newBed(t, nil).proxy, newBed(t, nil).proxy
	other := newBed(t, nil, func(o *Options) { o.Secret = []byte("another") }).proxy
	if a.Token("x") != b.Token("x") || a.Token("x") == a.Token("y") || a.Token("x") == other.Token("x") || len(a.Token("x")) != 32 {
		t.Error(a.Token("x"), b.Token("x"), a.Token("y"), other.Token("x"))
	}
}

func TestAnUpstreamNeedsAnAddress(t *testing.T) {
	for _, at := range []string{"", "api.anthropic.com", "ftp://x", "http://", "http://[x"} {
		if _, err := New(Options{Upstreams: map[string]string{"name": at}}); err == nil || !strings.Contains(err.Error(), "name") {
			t.Errorf("%q: %v", at, err)
		}
	}
}

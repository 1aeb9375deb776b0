package proxy

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var start = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)

// secrets are what must be in no log: the key of the client, a word of what it asks, and what it is answered.
var secrets = []string{"sk-caller-key", "a word of the prompt", "a word of the answer"}

// bed is a proxy in front of a made-up provider.
type bed struct {
	t     *testing.T
	proxy *Proxy
	url   string // of the proxy, for a client of the name "agent" up to the upstream's name
	log   *safeBuffer

	mu    sync.Mutex
	off   bool
	calls []Call
	asked []asked
}

// asked is a request as the provider got it.
type asked struct {
	method, path, query, host string
	header                    http.Header
	body                      []byte
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// newBed begins a provider that answers with a handler, after its request was read whole and noted, and a proxy before it.
func newBed(t *testing.T, answer http.HandlerFunc, change ...func(*Options)) *bed {
	t.Helper()
	b := &bed{t: t, log: &safeBuffer{}}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			b.mu.Lock()
			b.asked = append(b.asked, asked{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Host, r.Header.Clone(), body})
			b.mu.Unlock()
		}
		answer(w, r)
	}))
	t.Cleanup(upstream.Close)
	o := Options{Secret: []byte("secret of the test"), Upstreams: map[string]string{}, Now: func() time.Time { return start },
		Log: slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		On:  func() bool { b.mu.Lock(); defer b.mu.Unlock(); return !b.off },
		Meter: func(c Call) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.calls = append(b.calls, c)
		}}
	for name := range Upstreams() {
		o.Upstreams[name] = upstream.URL
	}
	for _, f := range change {
		f(&o)
	}
	var err error
	if b.proxy, err = New(o); err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(b.proxy)
	t.Cleanup(front.Close)
	t.Cleanup(func() {
		for _, s := range append(secrets, b.proxy.Token("agent")) {
			if strings.Contains(b.log.String(), s) {
				t.Errorf("the log holds %q", s)
			}
		}
	})
	b.url = front.URL + "/agent/" + b.proxy.Token("agent") + "/"
	return b
}

// ask sends a request by a client that changes nothing itself.
func (b *bed) ask(method, path, body string, header http.Header) *http.Response {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for k, v := range header {
		r.Header[k] = v
	}
	resp, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// post asks as agents do.
func (b *bed) post(path, body string) (int, string) {
	b.t.Helper()
	resp := b.ask(http.MethodPost, path, body, http.Header{"Content-Type": {"application/json"}, "X-Api-Key": {secrets[0]}})
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp.StatusCode, string(got)
}

func (b *bed) last() asked {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.asked) == 0 {
		b.t.Fatal("the provider was not asked")
	}
	return b.asked[len(b.asked)-1]
}

// metered waits for nothing: the meter is told before the answer's last byte can be read, or a moment after it.
func (b *bed) metered(n int) []Call {
	b.t.Helper()
	for range 1000 {
		b.mu.Lock()
		got := append([]Call(nil), b.calls...)
		b.mu.Unlock()
		if len(got) >= n {
			return got
		}
		time.Sleep(5 * time.Millisecond)
	}
	b.t.Fatalf("%d calls were never metered", n)
	return nil
}

func golden(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// streams are how each form is asked for a stream, the answer that it gives, and what that took.
var streams = []struct {
	name, path, file, model, id string
	form                        form
	usage                       Usage
}{
	{"Messages", "anthropic/v1/messages", "messages.sse", "claude-x-1", "msg_01A", messages, Usage{25, 2000, 100, 15}},
	{"Chat Completions", "openai/v1/chat/completions", "chat.sse", "gpt-x-1", "chatcmpl-1", chat, Usage{56, 64, 0, 7}},
	{"Responses", "openai/v1/responses", "responses.sse", "gpt-x-1", "resp_1", responses, Usage{44, 256, 0, 9}},
	{"generateContent", "gemini/v1beta/models/gemini-x-1:streamGenerateContent?alt=sse", "generate.sse", "gemini-x-1", "g1", generate, Usage{10, 30, 0, 8}},
}

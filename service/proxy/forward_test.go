package proxy

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestBytesPassBothWays(t *testing.T) {
	const odd = "{\"model\" : \"m\",\n \"unknown\":[1e5,{\"a\":\"\\u00e4\"}],  \"messages\":[] }\n\n"
	for _, c := range []struct{ method, path, body string }{
		{"POST", "anthropic/v1/messages?beta=true", odd},
		{"POST", "anthropic/v1/messages/count_tokens", odd},
		{"POST", "openai/v1/chat/completions", odd},
		{"POST", "openai/v1/responses", "\xff\xfe not JSON at all"},
		{"POST", "gemini/v1beta/models/m:generateContent?key=" + secrets[0] + "&a=1;b=2", odd},
		{"POST", "anthropic/v1/files", strings.Repeat("--part\r\n\x00\x01", 40_000)},
		{"GET", "openai/v1/models/a%2Fb%20c//d/../e?x=%20&y", ""},
		{"DELETE", "openai/v1/responses/resp_1", ""},
		{"PATCH", "gemini/", "x"},
	} {
		for _, off := range []bool{false, true} {
			b := newBed(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header()["X-Odd"] = []string{"1", "2"}
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				w.Header().Set("Request-Id", "req_1")
				w.Header().Set("Connection", "X-For-Us")
				w.Header().Set("X-For-Us", "alone")
				w.WriteHeader(http.StatusCreated)
				_, _ = io.WriteString(w, odd+secrets[2])
			})
			b.off = off
			sent := http.Header{"X-Api-Key": {secrets[0]}, "Anthropic-Beta": {"a,b", "c"}, "Accept-Encoding": {"gzip, br"}, "X-Forwarded-For": {"10.0.0.1"},
				"Connection": {"X-Mine"}, "X-Mine": {"1"}, "Proxy-Authorization": {"Basic x"}, "Cookie": {"a=b"}, Header: {"agent:x"}}
			resp := b.ask(c.method, c.path, c.body, sent)
			body, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != http.StatusCreated || string(body) != odd+secrets[2] {
				t.Errorf("%s: %d %q %v", c.path, resp.StatusCode, body, err)
			}
			if got := resp.Header; !reflect.DeepEqual(got["X-Odd"], []string{"1", "2"}) || got.Get("Request-Id") != "req_1" || got.Get("X-For-Us") != "" {
				t.Errorf("%s: headers %v", c.path, got)
			}
			got := b.last()
			_, at, _ := strings.Cut(c.path, "/")
			path, query, _ := strings.Cut("/"+at, "?")
			if got.method != c.method || got.path != path || got.query != query || string(got.body) != c.body {
				t.Errorf("the provider got %s %s?%s, %d bytes; sent %s", got.method, got.path, got.query, len(got.body), c.path)
			}
			h := got.header
			if h.Get("X-Api-Key") != secrets[0] || !reflect.DeepEqual(h["Anthropic-Beta"], sent["Anthropic-Beta"]) || h.Get("Cookie") != "a=b" ||
				h.Get("X-Forwarded-For") != "10.0.0.1" || h.Get("User-Agent") != "Go-http-client/1.1" {
				t.Errorf("%s: the provider got the headers %v", c.path, h)
			}
			for _, name := range []string{"X-Mine", "Proxy-Authorization", Header} {
				if h.Get(name) != "" {
					t.Errorf("%s: %s went on to the provider", c.path, name)
				}
			}
			if enc := h.Get("Accept-Encoding"); off && enc != "gzip, br" {
				t.Errorf("%s: switched off, it asks for the encoding %q", c.path, enc)
			}
		}
	}
}

func TestAnUpstreamMayHaveAPathOfItsOwn(t *testing.T) {
	b := newBed(t, func(http.ResponseWriter, *http.Request) {}, func(o *Options) { o.Upstreams["router"] = o.Upstreams[OpenAI] + "/api/x%2Fy/" })
	b.post("router/v1/chat/completions", "{}")
	if got := b.last().path; got != "/api/x%2Fy/v1/chat/completions" {
		t.Errorf("asked at %s", got)
	}
}

func TestErrorsOfTheProviderPass(t *testing.T) {
	for _, status := range []int{400, 401, 403, 429, 500, 529} {
		body := fmt.Sprintf(`{"type":"error","error":{"type":"x_%d","message":"no"}}`, status)
		b := newBed(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "17")
			w.Header().Set("X-Should-Retry", "true")
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
		resp := b.ask("POST", "anthropic/v1/messages", "{}", nil)
		got, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != status || string(got) != body || resp.Header.Get("Retry-After") != "17" || resp.Header.Get("X-Should-Retry") != "true" {
			t.Errorf("%d %q %v", resp.StatusCode, got, resp.Header)
		}
		if s := b.proxy.Stats(); s.Errors != 1 || s.Calls != 0 || s.Untold != 0 {
			t.Errorf("%+v", s)
		}
	}
}

// A stream is passed on as it is written: the provider goes on only when its first event has arrived.
func TestStreamsComeAsTheyAreWritten(t *testing.T) {
	for _, s := range streams {
		for _, off := range []bool{false, true} {
			text := golden(t, s.file)
			first := eventEnd([]byte(text))
			arrived := make(chan struct{})
			b := newBed(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
				_, _ = io.WriteString(w, text[:first])
				w.(http.Flusher).Flush()
				select {
				case <-arrived:
				case <-r.Context().Done():
				}
				_, _ = io.WriteString(w, text[first:])
			})
			b.off = off
			resp := b.ask("POST", s.path, `{"stream":true}`, nil)
			head := make([]byte, first)
			if _, err := io.ReadFull(resp.Body, head); err != nil {
				t.Fatal(err)
			}
			close(arrived)
			rest, err := io.ReadAll(resp.Body)
			if err != nil || string(head)+string(rest) != text {
				t.Errorf("%s: %v, got %q", s.name, err, string(head)+string(rest))
			}
		}
	}
}

// cut answers with the beginning of a stream and breaks the connection.
func cut(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func TestAStreamThatBreaksEndsInAnErrorOfItsFormat(t *testing.T) {
	for _, s := range streams {
		text := golden(t, s.file)
		first := eventEnd([]byte(text))
		b := newBed(t, cut(text[:first+20])) // in the middle of the second event
		resp := b.ask("POST", s.path, `{"stream":true}`, nil)
		got, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatalf("%s: the client's connection broke, too: %v", s.name, err)
		}
		rest, ok := strings.CutPrefix(string(got), text[:first])
		if !ok {
			t.Fatalf("%s: got %q", s.name, got)
		}
		if end := eventEnd([]byte(rest)); end != len(rest) {
			t.Errorf("%s: not one event: %q", s.name, rest)
		}
		var e struct {
			Type     string
			Sequence *int `json:"sequence_number"`
			Message  string
			Error    struct {
				Type, Message, Status string
				Code                  any
			}
		}
		if err := json.Unmarshal(dataOf([]byte(rest)), &e); err != nil {
			t.Fatalf("%s: %v in %q", s.name, err, rest)
		}
		said := e.Error.Message + e.Message
		if !strings.Contains(said, "broke in the middle") {
			t.Errorf("%s: %q", s.name, rest)
		}
		switch s.form {
		case messages:
			if e.Type != "error" || e.Error.Type != "api_error" || !strings.HasPrefix(rest, "event: error\n") {
				t.Errorf("%q", rest)
			}
		case responses:
			if e.Type != "error" || e.Sequence == nil || *e.Sequence != 1 {
				t.Errorf("%q", rest)
			}
		case chat:
			if e.Error.Type != "server_error" {
				t.Errorf("%q", rest)
			}
		case generate:
			if e.Error.Status != "UNAVAILABLE" {
				t.Errorf("%q", rest)
			}
		}
		if st := b.proxy.Stats(); st.Broken != 1 {
			t.Errorf("%s: %+v", s.name, st)
		}
	}
}

func TestSwitchedOffABrokenStreamBreaks(t *testing.T) {
	text := golden(t, "messages.sse")[:400]
	b := newBed(t, cut(text))
	b.off = true
	got, err := io.ReadAll(b.ask("POST", "anthropic/v1/messages", "{}", nil).Body)
	if !errors.Is(err, io.ErrUnexpectedEOF) || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
	if s := b.proxy.Stats(); s.Requests != 1 || s.Read != 0 || s.Broken != 0 {
		t.Errorf("%+v", s)
	}
}

func TestAnAnswerThatIsCutOffIsNotTakenForWhole(t *testing.T) {
	b := newBed(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"id":"msg_1"`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	if got, err := io.ReadAll(b.ask("POST", "anthropic/v1/messages", "{}", nil).Body); err == nil {
		t.Errorf("took %q for whole", got)
	}
}

func TestAClientThatLeavesIsLeftByTheUpstream(t *testing.T) {
	left := make(chan struct{})
	b := newBed(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "event: ping\ndata: {}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(left)
	})
	ctx, leave := context.WithCancel(t.Context())
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, b.url+"anthropic/v1/messages", strings.NewReader("{}"))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	leave()
	<-left
	_ = resp.Body.Close()
	if s := b.proxy.Stats(); s.Broken != 0 {
		t.Errorf("%+v", s)
	}
}

func TestAProviderThatIsNotReachedIsSaidInItsFormat(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := "http://" + ln.Addr().String()
	_ = ln.Close()
	b := newBed(t, func(http.ResponseWriter, *http.Request) {}, func(o *Options) {
		for name := range o.Upstreams {
			o.Upstreams[name] = gone
		}
	})
	for path, want := range map[string]string{
		"anthropic/v1/messages":                         `"type":"api_error"`,
		"anthropic/v1/models":                           `"type":"api_error"`,
		"openai/v1/chat/completions":                    `"type":"server_error"`,
		"openai/v1/responses":                           `"type":"server_error"`,
		"gemini/v1/m:generateContent?key=" + secrets[0]: `"status":"UNAVAILABLE"`,
	} {
		status, got := b.post(path, secrets[1])
		if status != http.StatusBadGateway || !strings.Contains(got, want) || !json.Valid([]byte(got)) || strings.Contains(got, secrets[0]) {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
	if s := b.proxy.Stats(); s.Unreached != 5 || s.Calls != 0 {
		t.Errorf("%+v", s)
	}
}

func TestARequestHasABound(t *testing.T) {
	b := newBed(t, func(http.ResponseWriter, *http.Request) {}, func(o *Options) { o.MaxRequest = 1000 })
	for path, want := range map[string]string{"anthropic/v1/messages": "request_too_large", "openai/v1/files": "invalid_request_error"} {
		if status, got := b.post(path, strings.Repeat("x", 1001)); status != http.StatusRequestEntityTooLarge || !strings.Contains(got, want) {
			t.Errorf("%s: %d %s", path, status, got)
		}
		if status, _ := b.post(path, strings.Repeat("x", 1000)); status != http.StatusOK {
			t.Errorf("%s: a request of the bound is refused: %d", path, status)
		}
	}
	if s := b.proxy.Stats(); s.TooLong != 2 {
		t.Errorf("%+v", s)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

// provider is the scripted model behind the three formats that the agents speak.
type provider struct {
	server http.Server
	url    string

	mu    sync.Mutex
	log   []string // what was asked and answered, a line each
	count int
	told  []telling // what was told to the model beside the conversation, a request each

	thinks  chan struct{} // closed when a request came that is not to be answered; nil while all are answered
	forever chan struct{} // closed when those that wait are to be let go
}

// hold has the model think without end about what an agent's tools answered to hangPrompt. What it gives is closed when it begins to.
func (p *provider) hold() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.thinks, p.forever = make(chan struct{}), make(chan struct{})
	return p.thinks
}

// release ends what hold began.
func (p *provider) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.forever)
	p.thinks = nil
}

// think waits where hold wants it.
func (p *provider) think(a asked) {
	if a.results == 0 || !strings.Contains(a.first, hangMark) {
		return
	}
	p.mu.Lock()
	forever := p.forever
	if p.thinks == nil {
		p.mu.Unlock()
		return
	}
	select {
	case <-p.thinks: // another request thinks already
	default:
		close(p.thinks)
	}
	p.mu.Unlock()
	<-forever
}

// telling is a request to the model, as far as it matters who was told of the memory.
type telling struct {
	main, sub bool // whose conversation it is
	asks      bool // the one that asks the memory
	tools     []string
	times     int    // how often the memory is in it
	body      string // with JSON's escapes taken back
}

// begin forgets the requests of earlier runs.
func (p *provider) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = nil
}

// requests are those since begin.
func (p *provider) requests() []telling {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.told)
}

func (p *provider) see(a asked, body []byte) {
	text := unescaped(body)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, telling{asks: strings.Contains(a.first, askMark), tools: a.tools, main: strings.Contains(a.first, mainMark), sub: strings.Contains(a.first, subMark),
		times: strings.Count(text, beginMark), body: text})
}

// unescaped are the strings of a JSON document, one after the other.
func unescaped(body []byte) string {
	var b strings.Builder
	var walk func(v gjson.Result)
	walk = func(v gjson.Result) {
		if v.IsObject() || v.IsArray() {
			v.ForEach(func(_, v gjson.Result) bool { walk(v); return true })
			return
		}
		b.WriteString(v.String() + "\x00")
	}
	walk(gjson.ParseBytes(body))
	return b.String()
}

func newProvider() (*provider, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &provider{url: "http://" + ln.Addr().String()}
	p.server.Handler = http.HandlerFunc(p.serve)
	go func() { _ = p.server.Serve(ln) }() // ends with close
	return p, nil
}

func (p *provider) close() { _ = p.server.Close() }

func (p *provider) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var format interface {
		ask([]byte) (asked, error)
		answer(w stream, n int, r reply)
	}
	path := r.URL.Path
	switch {
	case strings.HasSuffix(path, "/messages/count_tokens"):
		_, _ = io.WriteString(w, `{"input_tokens":100}`)
		return
	case strings.HasSuffix(path, "/messages"):
		format = anthropic{}
	case strings.HasSuffix(path, "/responses"):
		format = responses{}
	case strings.Contains(path, "enerateContent"):
		format = gemini{}
	default:
		p.note("refused " + r.Method + " " + path)
		http.NotFound(w, r)
		return
	}
	a, err := format.ask(body)
	if err != nil {
		p.note("cannot read " + path + ": " + err.Error())
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.see(a, body)
	p.think(a)
	says := next(a)
	p.mu.Lock()
	p.count++
	n := p.count
	p.mu.Unlock()
	p.note(fmt.Sprintf("%s: %d results, %d tools -> %q %s", path, a.results, len(a.tools), says.text, says.tool))
	format.answer(newStream(w, body, path), n, says)
}

func (p *provider) note(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, s)
}

// stream writes an answer: as server-sent events where they were asked for, else only what whole takes.
type stream struct {
	w      http.ResponseWriter
	events bool
}

func newStream(w http.ResponseWriter, body []byte, path string) stream {
	var asks struct{ Stream bool }
	_ = json.Unmarshal(body, &asks)
	s := stream{w: w, events: asks.Stream || strings.Contains(path, "streamGenerateContent")}
	if s.events {
		w.Header().Set("Content-Type", "text/event-stream")
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	return s
}

// event sends one event. A format without names of events leaves name empty.
func (s stream) event(name string, v any) {
	if !s.events {
		return
	}
	b, _ := json.Marshal(v)
	if name != "" {
		_, _ = fmt.Fprintf(s.w, "event: %s\n", name)
	}
	_, _ = fmt.Fprintf(s.w, "data: %s\n\n", b)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

// whole is the answer where no events were asked for.
func (s stream) whole(v any) {
	if !s.events {
		_ = json.NewEncoder(s.w).Encode(v)
	}
}

type object = map[string]any

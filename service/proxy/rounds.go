package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/tidwall/gjson"
)

// hearer takes the events of an answer, over all of its rounds, and says what of each its client is shown.
type hearer interface {
	// event takes an event, nil where the stream ended. over says that the round is over and another one has to follow.
	event(event []byte) (shown []byte, over bool)
	// entries are the round that is over as the next request has it.
	entries() []byte
	// begin is called before the first event of the next round.
	begin()
}

// hear has the memory be asked in an answer. An error is that of the request.
func (p *Proxy) hear(r *http.Response, at *route) error {
	kind, ok := readable(r)
	if !ok || r.StatusCode != http.StatusOK {
		return nil
	}
	if kind == "application/json" {
		return p.hearWhole(r, at)
	}
	r.ContentLength = -1
	r.Header.Del("Content-Length")
	at.call.streamed = true
	h := p.hearerOf(r, at)
	broke := func() []byte { return p.broke(r.Request.Context(), at) }
	r.Body = &stream{src: r.Body, see: func(e []byte) { at.call.event(e) }, broke: broke, pass: h.event,
		next: func() (io.ReadCloser, []byte) { return p.nextStream(r.Request, at, h) }}
	return nil
}

func (p *Proxy) hearerOf(r *http.Response, at *route) hearer {
	switch at.form {
	case chat:
		return newChatHearer(p, r.Request.Context(), at)
	case responses:
		return newResponsesHearer(p, r.Request.Context(), at)
	case generate:
		return &geminiHearer{p: p, ctx: r.Request.Context(), at: at}
	}
	return newMessagesHearer(p, r.Request.Context(), at)
}

// nextStream is the next round of an answer, or what the client is told where there is none.
func (p *Proxy) nextStream(r *http.Request, at *route, h hearer) (io.ReadCloser, []byte) {
	resp, err := p.again(r, at, h.entries())
	if err != nil {
		return nil, p.broke(r.Context(), at)
	}
	if kind, ok := readable(resp); ok && kind == "text/event-stream" && resp.StatusCode == http.StatusOK {
		h.begin()
		return resp.Body, nil
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	p.count(func(s *Stats) { s.Errors++ })
	said, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // what of it came
	return nil, errorAsEvent(at.form, resp.StatusCode, said, at.call.sequence+1)
}

// errorAsEvent tells an error of the provider in a stream that has begun.
func errorAsEvent(f form, status int, body []byte, sequence int64) []byte {
	e := gjson.GetBytes(body, "error")
	if !gjson.ValidBytes(body) || !e.IsObject() {
		return errorEvent(f, fmt.Sprintf("the provider answered %d in the middle of the answer", status), sequence)
	}
	if f == responses {
		return errorEvent(f, e.Get("message").String(), sequence)
	}
	var line bytes.Buffer
	if json.Compact(&line, body) != nil {
		return errorEvent(f, e.Get("message").String(), sequence)
	}
	if f == messages {
		return fmt.Appendf(nil, "event: error\ndata: %s\n\n", line.Bytes())
	}
	return fmt.Appendf(nil, "data: %s\n\n", line.Bytes())
}

// wholeHearer is the same for answers that are one document.
type wholeHearer interface {
	// document takes a round's answer. over says that another round has to follow; else it gives what the client is shown.
	document(doc []byte) (shown []byte, over bool, err error)
	entries() []byte
}

// hearWhole reads an answer whole, and all of its rounds.
func (p *Proxy) hearWhole(r *http.Response, at *route) error {
	var h wholeHearer
	switch at.form {
	case chat:
		h = &chatWhole{p: p, ctx: r.Request.Context(), at: at}
	case responses:
		h = &responsesWhole{p: p, ctx: r.Request.Context(), at: at}
	case generate:
		h = &geminiHearer{p: p, ctx: r.Request.Context(), at: at}
	default:
		h = &messagesWhole{p: p, ctx: r.Request.Context(), at: at}
	}
	resp := r
	for {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxRead+1))
		_ = resp.Body.Close()
		switch {
		case err != nil:
			return err
		case len(body) > maxRead:
			return errors.New("the answer is longer than Dormouse reads")
		}
		if resp != r {
			if kind, ok := readable(resp); !ok || kind != "application/json" || resp.StatusCode != http.StatusOK {
				p.count(func(s *Stats) { s.Errors++ })
				instead(r, resp, body)
				return nil
			}
		}
		at.call.body(body)
		shown, over, err := h.document(body)
		if err != nil {
			return err
		}
		if !over {
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(shown)), int64(len(shown))
			r.Header.Set("Content-Length", fmt.Sprint(len(shown)))
			return nil
		}
		if resp, err = p.again(r.Request, at, h.entries()); err != nil {
			return err
		}
	}
}

// instead puts an answer in the place of another one.
func instead(r, other *http.Response, body []byte) {
	r.StatusCode, r.Status, r.Header, r.Trailer = other.StatusCode, other.Status, other.Header, nil
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Length", fmt.Sprint(len(body)))
}

// dataEvent is an event again, with other data.
func dataEvent(event, data []byte) []byte {
	out := make([]byte, 0, len(event)+len(data))
	if name := nameOf(event); name != nil {
		out = append(append(append(out, "event: "...), name...), '\n')
	}
	return append(append(append(out, "data: "...), data...), "\n\n"...)
}

// nameOf is what kind of event one says it is.
func nameOf(event []byte) []byte {
	for line := range bytes.Lines(event) {
		if rest, ok := bytes.CutPrefix(line, []byte("event:")); ok {
			return bytes.TrimSpace(rest)
		}
	}
	return nil
}

// replacedIn puts other values in the place of some of an object's, by their paths: fields parted by a point. What is not there is left.
func replacedIn(doc []byte, values map[string][]byte) []byte {
	root, err := spansOf(doc)
	if err != nil {
		return doc
	}
	var edits []edit
	for path, v := range values {
		at := root
		for _, f := range bytes.Split([]byte(path), []byte(".")) {
			at = at.field(string(f))
		}
		if at.kind != 0 {
			edits = append(edits, edit{at.at, at.end, v})
		}
	}
	return edited(doc, edits)
}

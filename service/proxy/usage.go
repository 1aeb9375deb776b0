package proxy

import (
	"bytes"
	"time"

	"github.com/tidwall/gjson"
)

// Call is what is known of one call of a model when it ended. It holds no word of what was asked or answered.
type Call struct {
	Client   string
	Upstream string
	Model    string    // as the answer names it; empty where it does not
	ID       string    // of the answer, as the provider has it; empty where it has none
	Status   int       // of the answer; 0 where there was none
	At       time.Time // when it ended
	Usage
	// Told says that the provider told what the call took. Else Output is the most that it can have been, and Input is told where
	// Begun is set.
	Told, Begun bool
	// CacheDefaults says that the provider prices what its cache holds as Anthropic does: a tenth to read, a quarter more to write.
	CacheDefaults bool
}

// Usage is in tokens. Input counts what was neither read from the provider's cache nor written into it.
type Usage struct {
	Input, CacheRead, CacheWrite, Output int64
}

// call is a call under way.
type call struct {
	Call
	form     form
	streamed bool
	sequence int64 // of the newest event, where events are numbered
}

// body reads an answer that is one JSON document.
func (c *call) body(b []byte) {
	if !gjson.ValidBytes(b) {
		return
	}
	v := gjson.ParseBytes(b)
	switch c.form {
	case messages:
		c.anthropic(v, v.Get("usage"))
		c.Told = c.Begun
	case chat:
		c.openAI(v, "prompt_tokens", "completion_tokens")
	case responses:
		c.openAI(v, "input_tokens", "output_tokens")
	case generate:
		if v.IsArray() { // a stream without events
			v.ForEach(func(_, part gjson.Result) bool { c.gemini(part); return true })
			return
		}
		c.gemini(v)
	}
}

// event reads one event of a stream.
func (c *call) event(event []byte) {
	data := dataOf(event)
	if len(data) == 0 || data[0] != '{' {
		return
	}
	switch c.form {
	case messages:
		c.anthropicEvent(data)
	case chat:
		if bytes.Contains(data, []byte(`"usage"`)) || c.Model == "" {
			c.openAI(gjson.ParseBytes(data), "prompt_tokens", "completion_tokens")
		}
	case responses:
		c.responsesEvent(data)
	case generate:
		c.gemini(gjson.ParseBytes(data))
	}
}

func (c *call) anthropicEvent(data []byte) {
	switch v := gjson.ParseBytes(data); v.Get("type").String() {
	case "message_start":
		m := v.Get("message")
		c.anthropic(m, m.Get("usage"))
		c.Output = 0 // counted by what comes, until it is told
	case "content_block_delta":
		d := v.Get("delta")
		c.Output += int64(len(d.Get("text").String()) + len(d.Get("thinking").String()) + len(d.Get("partial_json").String()))
	case "message_delta":
		if u := v.Get("usage"); u.IsObject() {
			c.anthropic(gjson.Result{}, u)
			c.Told = true
		}
	}
}

// anthropic takes the fields that are there over: later events repeat some of them, with the sums so far.
func (c *call) anthropic(message, u gjson.Result) {
	if id := message.Get("id").String(); id != "" {
		c.ID, c.Model = id, message.Get("model").String()
	}
	if !u.IsObject() {
		return
	}
	c.Begun, c.CacheDefaults = true, true
	for name, at := range map[string]*int64{"input_tokens": &c.Input, "cache_read_input_tokens": &c.CacheRead,
		"cache_creation_input_tokens": &c.CacheWrite, "output_tokens": &c.Output} {
		if n := u.Get(name); n.Type == gjson.Number {
			*at = max(0, n.Int())
		}
	}
}

func (c *call) responsesEvent(data []byte) {
	v := gjson.ParseBytes(data)
	c.sequence = v.Get("sequence_number").Int()
	if r := v.Get("response"); r.IsObject() {
		c.openAI(r, "input_tokens", "output_tokens")
	}
}

func (c *call) openAI(v gjson.Result, in, out string) {
	if id := v.Get("id").String(); id != "" {
		c.ID = id
	}
	if m := v.Get("model").String(); m != "" {
		c.Model = m
	}
	u := v.Get("usage")
	if !u.IsObject() {
		return
	}
	c.CacheRead = max(0, u.Get(in+"_details.cached_tokens").Int())
	c.Input, c.Output = max(0, u.Get(in).Int()-c.CacheRead), max(0, u.Get(out).Int())
	c.Told = true
}

func (c *call) gemini(v gjson.Result) {
	if id := v.Get("responseId").String(); id != "" {
		c.ID = id
	}
	if m := v.Get("modelVersion").String(); m != "" {
		c.Model = m
	}
	u := v.Get("usageMetadata")
	if !u.IsObject() {
		return
	}
	c.CacheRead = max(0, u.Get("cachedContentTokenCount").Int())
	c.Input = max(0, u.Get("promptTokenCount").Int()+u.Get("toolUsePromptTokenCount").Int()-c.CacheRead)
	c.Output = max(0, u.Get("candidatesTokenCount").Int()+u.Get("thoughtsTokenCount").Int())
	c.Told = true
}

// ended keeps what is to be kept of a request, and tells the meter of a call that a model answered.
func (p *Proxy) ended(at *route) {
	if at.talk != nil {
		p.paging.save(at.talk)
	}
	p.meter(at)
}

// meter counts a call, and tells the meter.
func (p *Proxy) meter(at *route) {
	c := at.call
	c.At = p.o.Now()
	switch {
	case c.Status != 200:
		return
	case !c.Told && !c.Begun:
		p.count(func(s *Stats) { s.Untold++ })
		return
	}
	p.count(func(s *Stats) {
		s.Calls++
		s.Input, s.Output = s.Input+c.Input+c.CacheRead+c.CacheWrite, s.Output+c.Output
		s.CacheRead += c.CacheRead
	})
	p.o.Meter(c.Call)
}

package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"dormouse/service/proxy/proxytest"
)

// joinText adds a text to an answer's parts; what follows a text goes on with it.
func joinText(parts []string, text string) []string {
	if k := len(parts); k > 0 && strings.HasPrefix(parts[k-1], "text ") {
		parts[k-1] += text
		return parts
	}
	if text == "" {
		return parts
	}
	return append(parts, "text "+text)
}

// geminiCallID is the id that the model gives to a call: to some it gives none.
func geminiCallID(x says) string {
	switch x.name {
	case toolRestore, toolRelease, "Grep":
		return x.id
	}
	return ""
}

// geminiParts are an answer as Gemini gives it: the first call has a signature.
func geminiParts(reply []says) (out []any) {
	signed := false
	for _, x := range reply {
		switch x.kind {
		case "think":
			out = append(out, map[string]any{"text": x.text, "thought": true})
		case "text":
			out = append(out, geminiText(x.text))
		case "call":
			call := map[string]any{"name": x.name, "args": plainJSON(x.args)}
			if id := geminiCallID(x); id != "" {
				call["id"] = id
			}
			p := map[string]any{"functionCall": call}
			if !signed {
				p["thoughtSignature"] = proxytest.SignCall(x.name, plainJSON(x.args))
			}
			signed = true
			out = append(out, p)
		}
	}
	return out
}

func geminiText(s string) map[string]any { return map[string]any{"text": s} }

func (s *script) geminiAnswer(parts []any, finish any, out int) map[string]any {
	c := map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "index": 0}
	if finish != nil {
		c["finishReason"] = finish
	}
	return map[string]any{"candidates": []any{c}, "modelVersion": "gemini-x-1", "responseId": fmt.Sprint("g", s.n),
		"usageMetadata": map[string]any{"promptTokenCount": 100, "cachedContentTokenCount": 10, "candidatesTokenCount": out, "thoughtsTokenCount": 2, "totalTokenCount": 102 + out}}
}

// geminiStream tells the end with the last part, or after it, by the length of the pieces.
func (s *script) geminiStream(reply []says) string {
	var b strings.Builder
	put := func(v any) { fmt.Fprintf(&b, "data: %s\r\n\r\n", encoded(v)) }
	var chunks [][]any
	for i, p := range geminiParts(reply) {
		if x := reply[i]; x.kind != "call" {
			for _, piece := range cutUp(x.text, s.piece) {
				q := map[string]any{"text": piece}
				if x.kind == "think" {
					q["thought"] = true
				}
				chunks = append(chunks, []any{q})
			}
			continue
		}
		if k := len(chunks); k > 0 && s.piece > 1 { // with what was before, as Gemini often does
			chunks[k-1] = append(chunks[k-1], p)
			continue
		}
		chunks = append(chunks, []any{p})
	}
	if len(chunks) == 0 || s.piece == 5 {
		chunks = append(chunks, []any{geminiText("")})
	}
	for i, c := range chunks {
		if i == len(chunks)-1 {
			put(s.geminiAnswer(c, "STOP", 5))
		} else {
			put(s.geminiAnswer(c, nil, 1))
		}
	}
	return b.String()
}

func (s *script) geminiWhole(reply []says) []byte {
	parts := geminiParts(reply)
	if len(parts) == 0 {
		parts = []any{geminiText("")}
	}
	return encoded(s.geminiAnswer(parts, "STOP", 5))
}

// geminiFlat is what a request says, part by part; thoughts may be there or not.
func geminiFlat(body []byte) (out []string) {
	gjson.GetBytes(body, "contents").ForEach(func(_, m gjson.Result) bool {
		joins := false
		m.Get("parts").ForEach(func(_, p gjson.Result) bool {
			t := p.Get("text")
			switch {
			case p.Get("thought").Bool() || t.Exists() && t.String() == "":
				return true
			case t.Exists() && joins:
				out[len(out)-1] += t.String()
			case t.Exists():
				out = append(out, strings.Replace(m.Get("role").String(), "model", "assistant", 1)+" says "+t.String())
			case p.Get("functionCall").Exists():
				out = append(out, "calls "+string(encoded(plainJSON(p.Raw))))
			case p.Get("functionResponse").Exists():
				out = append(out, "result "+strings.ToLower(p.Get("functionResponse.name").String()+p.Get("functionResponse.id").String())+"["+p.Get("functionResponse.response").Raw)
			}
			joins = t.Exists()
			return true
		})
		return true
	})
	return out
}

func geminiFlatReply(reply []says) (out []string) {
	joins := false
	for i, p := range geminiParts(reply) {
		x := reply[i]
		switch {
		case x.kind == "think" || x.kind == "text" && x.text == "":
			continue
		case x.kind == "text" && joins:
			out[len(out)-1] += x.text
		case x.kind == "text":
			out = append(out, "assistant says "+x.text)
		default:
			out = append(out, "calls "+string(encoded(p)))
		}
		joins = x.kind == "text"
	}
	return out
}

// geminiResultOf is the text of the result of a call with an id.
func geminiResultOf(body []byte, id string) (out string) {
	gjson.GetBytes(body, "contents").ForEach(func(_, m gjson.Result) bool {
		m.Get("parts").ForEach(func(_, p gjson.Result) bool {
			if p.Get("functionResponse.id").String() == id {
				out = p.Get("functionResponse.response.output").String()
			}
			return true
		})
		return true
	})
	return out
}

// geminiLibrary is a client that writes as Gemini's own do: answers go back as their parts came, of streams without what was thought.
type geminiLibrary struct {
	b        *bed
	url      string
	stream   bool
	contents []any
}

func (l *geminiLibrary) user(s string) {
	l.contents = append(l.contents, map[string]any{"role": "user", "parts": []any{geminiText(s)}})
}

func (l *geminiLibrary) results(calls []says, s string) {
	var parts []any
	for _, c := range calls {
		r := map[string]any{"name": c.name, "response": map[string]any{"output": s}}
		if c.id != "" {
			r["id"] = c.id
		}
		parts = append(parts, map[string]any{"functionResponse": r})
	}
	l.contents = append(l.contents, map[string]any{"role": "user", "parts": parts})
}

func (l *geminiLibrary) request() []byte {
	return encoded(map[string]any{"contents": l.contents, "systemInstruction": map[string]any{"parts": []any{geminiText("be kind")}},
		"tools": []any{map[string]any{"functionDeclarations": []any{map[string]any{"name": "Read"}, map[string]any{"name": "Grep"}, map[string]any{"name": "memory_query_log"}}}}})
}

func (l *geminiLibrary) ask(ctx context.Context) (g got, err error) {
	path := "gemini/v1beta/models/gemini-x-1:generateContent"
	if l.stream {
		path = "gemini/v1beta/models/gemini-x-1:streamGenerateContent?alt=sse"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+path, bytes.NewReader(l.request()))
	if err != nil {
		return g, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Goog-Api-Key", secrets[0])
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return g, err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return g, errors.Join(err, fmt.Errorf("%d %s", resp.StatusCode, body))
	}
	var docs [][]byte
	if !l.stream {
		docs = [][]byte{body}
	}
	for l.stream && len(body) > 0 {
		n := eventEnd(body)
		if n < 0 {
			return g, fmt.Errorf("an event is not whole: %q", body)
		}
		docs, body = append(docs, dataOf(body[:n])), body[n:]
	}
	return l.heard(docs)
}

// heard puts an answer together.
func (l *geminiLibrary) heard(docs [][]byte) (g got, err error) {
	var back []any
	id := ""
	for _, d := range docs {
		if e := gjson.GetBytes(d, "error"); e.Exists() || !json.Valid(d) {
			return g, fmt.Errorf("told: %s", d)
		}
		if now := gjson.GetBytes(d, "responseId").String(); id != "" && now != id {
			return g, fmt.Errorf("the answer's id changes from %s to %s", id, now)
		} else if id = now; g.stop != "" {
			return g, fmt.Errorf("after the end comes %s", d)
		}
		u := gjson.GetBytes(d, "usageMetadata")
		g.in, g.out = u.Get("promptTokenCount").Int(), u.Get("candidatesTokenCount").Int()+u.Get("thoughtsTokenCount").Int()
		g.stop = gjson.GetBytes(d, "candidates.0.finishReason").String()
		gjson.GetBytes(d, "candidates.0.content.parts").ForEach(func(_, p gjson.Result) bool {
			back = l.part(&g, back, p)
			return true
		})
	}
	if g.stop == "" {
		return g, fmt.Errorf("no end")
	}
	if len(back) > 0 {
		l.contents = append(l.contents, map[string]any{"role": "model", "parts": back})
	}
	return g, nil
}

func (l *geminiLibrary) part(g *got, back []any, p gjson.Result) []any {
	raw := json.RawMessage(p.Raw)
	c := p.Get("functionCall")
	switch {
	case c.Exists():
		g.parts = append(g.parts, "call "+c.Get("name").String()+" "+c.Get("id").String()+" "+c.Get("args").Raw)
		g.calls = append(g.calls, says{id: c.Get("id").String(), name: c.Get("name").String()})
	case p.Get("thought").Bool():
		if k := len(g.parts); k > 0 && strings.HasPrefix(g.parts[k-1], "think ") && l.stream {
			g.parts[k-1] += p.Get("text").String()
		} else {
			g.parts = append(g.parts, "think "+p.Get("text").String())
		}
		if l.stream {
			return back
		}
	case p.Get("text").String() == "":
		return back
	default:
		g.parts = joinText(g.parts, p.Get("text").String())
	}
	return append(back, raw)
}

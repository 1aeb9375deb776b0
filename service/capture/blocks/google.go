package blocks

import (
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Google reads a content: a string, a part, or a list of parts.
func Google(v gjson.Result) Content {
	var c Content
	if !v.IsArray() {
		c.part(v)
		return c
	}
	v.ForEach(func(_, p gjson.Result) bool {
		c.part(p)
		return true
	})
	return c
}

func (c *Content) part(p gjson.Result) {
	if p.Type == gjson.String {
		c.say(p.Str)
		return
	}
	if t := p.Get("text"); t.Exists() {
		if p.Get("thought").Bool() {
			c.think(t.String())
		} else {
			c.say(t.String())
		}
	}
	if call := p.Get("functionCall"); call.IsObject() {
		c.Calls = append(c.Calls, chain.Call{ID: strings.Clone(call.Get("id").String()), Name: strings.Clone(call.Get("name").String()), Input: Input(call.Get("args"))})
	}
	if r := p.Get("functionResponse"); r.IsObject() {
		c.Results = append(c.Results, response(r))
	}
	if d := p.Get("inlineData"); d.IsObject() {
		c.Images = append(c.Images, transcript.Image(strings.Clone(d.Get("mimeType").String()), d.Get("data").String()))
	}
	if d := p.Get("fileData"); d.IsObject() {
		c.Images = append(c.Images, transcript.Image(strings.Clone(d.Get("mimeType").String()), d.Get("fileUri").String()))
	}
}

// response is the answer to a function call.
func response(r gjson.Result) Result {
	body := r.Get("response")
	out := Result{CallID: strings.Clone(r.Get("id").String()), Name: strings.Clone(r.Get("name").String())}
	text, failed := body.Get("output"), body.Get("error")
	switch {
	case failed.Exists() && failed.Type != gjson.Null && failed.String() != "":
		out.Text, out.Status = strings.Clone(failed.String()), memory.StatusError
	case text.Exists():
		out.Text = strings.Clone(text.String())
	case body.IsObject() && body.Get("content").Exists():
		c := Google(body.Get("content"))
		out.Text, out.Images = c.Text(), c.Images
	default:
		out.Text = strings.Clone(body.Raw)
	}
	if code := body.Get("exitCode"); code.Type == gjson.Number {
		n := int(code.Int())
		out.Exit = &n
	}
	r.Get("parts").ForEach(func(_, p gjson.Result) bool {
		var c Content
		c.part(p)
		out.Images = append(out.Images, c.Images...)
		return true
	})
	return out
}

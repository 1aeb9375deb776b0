package chatgpt

import (
	"strings"

	"dormouse/service/capture/archive"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// content is what a message holds.
type content struct {
	text     string
	thoughts string
	images   []memory.Image
	context  bool   // the person's standing instructions, put there by the client
	code     bool   // the text is code
	silent   bool   // nothing that anyone said: a label of the page
	failed   bool   // a tool's error
	unknown  string // kind of content that is not known
}

// contentOf reads a message's content by its kind. One that is not known is read for the fields that the others have.
func contentOf(v gjson.Result) (c content) {
	kind := v.Get("content_type").String()
	switch kind {
	case "text", "multimodal_text":
		c.parts(v)
	case "code":
		c.text, c.code = v.Get("text").String(), true
	case "execution_output", "tether_quote", "tether_browsing_display", "tether_browsing_code", "sonic_webpage", "computer_output":
		c.text = said(v, "title", "url", "domain", "text", "result", "summary")
	case "system_error":
		c.text, c.failed = said(v, "name", "text"), true
	case "thoughts":
		c.think(v)
	case "reasoning_recap":
		c.silent = true
	case "user_editable_context", "model_editable_context":
		c.text, c.context = said(v, "user_profile", "user_instructions", "model_set_context"), true
	default:
		c.unknown = "content " + kind
		c.parts(v)
		if c.text == "" {
			c.text = said(v, "text", "result")
		}
	}
	return c
}

// parts takes texts, and images by what points to them.
func (c *content) parts(v gjson.Result) {
	var texts []string
	v.Get("parts").ForEach(func(_, p gjson.Result) bool {
		switch kind := p.Get("content_type").String(); {
		case p.Type == gjson.String:
			texts = append(texts, p.Str)
		case kind == "audio_transcription" || kind == "text":
			texts = append(texts, p.Get("text").String())
		case p.Get("asset_pointer").Exists() && strings.HasPrefix(kind, "image"):
			i := transcript.Image("", p.Get("asset_pointer").String())
			i.Bytes = int(max(p.Get("size_bytes").Int(), 0))
			c.images = append(c.images, i)
		}
		return true
	})
	c.text = strings.Join(whole(texts), "\n\n")
}

// assets are the images of a conversation. A pointer such as file-service://file-x or sediment://file_x has the beginning of the
// file's name.
func assets(raw []byte) (out []archive.Asset) {
	gjson.GetBytes(raw, "mapping").ForEach(func(_, m gjson.Result) bool {
		m.Get("message.content.parts").ForEach(func(_, p gjson.Result) bool {
			if pointer := p.Get("asset_pointer").String(); strings.HasPrefix(p.Get("content_type").String(), "image") {
				_, id, _ := strings.Cut(pointer, "://")
				id, _, _ = strings.Cut(id, "?")
				out = append(out, archive.Asset{Named: transcript.Image("", pointer).SHA256, File: id})
			}
			return true
		})
		return true
	})
	return out
}

// think takes thoughts: a list with summaries, or parts.
func (c *content) think(v gjson.Result) {
	var all []string
	v.Get("thoughts").ForEach(func(_, t gjson.Result) bool {
		all = append(all, said(t, "summary", "content"))
		return true
	})
	if all = whole(all); len(all) == 0 {
		c.parts(v)
		all, c.text = []string{c.text}, ""
	}
	c.thoughts = strings.Join(all, "\n\n")
}

// said is the texts of some fields, a line each.
func said(v gjson.Result, fields ...string) string {
	var all []string
	for _, f := range fields {
		if r := v.Get(f); r.Type == gjson.String {
			all = append(all, r.Str)
		}
	}
	return strings.Join(whole(all), "\n")
}

// whole leaves out the empty ones.
func whole(texts []string) (out []string) {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			out = append(out, t)
		}
	}
	return out
}

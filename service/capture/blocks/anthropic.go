package blocks

import (
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Anthropic reads a content: a string or a list of blocks. Names of fields that agents write in another case are read too.
func Anthropic(v gjson.Result) Content {
	var c Content
	if !v.IsArray() {
		c.say(v.String())
		return c
	}
	v.ForEach(func(_, b gjson.Result) bool {
		c.block(b)
		return true
	})
	return c
}

func (c *Content) block(b gjson.Result) {
	switch b.Get("type").String() {
	case "text", "":
		if b.Type == gjson.String {
			c.say(b.Str)
		} else {
			c.say(b.Get("text").String())
		}
	case "thinking", "reasoning":
		c.think(first(b.Get("thinking"), b.Get("text"), b.Get("reasoning")))
	case "image", "document":
		c.Images = append(c.Images, image(b))
	case "tool_use", "toolCall", "tool_call", "server_tool_use", "mcp_tool_use":
		args := b.Get("input")
		if !args.Exists() {
			args = b.Get("arguments")
		}
		c.Calls = append(c.Calls, chain.Call{ID: strings.Clone(b.Get("id").String()), Name: strings.Clone(b.Get("name").String()), Input: Input(args)})
	case "tool_result", "web_search_tool_result", "mcp_tool_result":
		c.Results = append(c.Results, result(b))
	}
}

func result(b gjson.Result) Result {
	out := Result{CallID: strings.Clone(first(b.Get("tool_use_id"), b.Get("toolUseID"), b.Get("toolCallId")))}
	inner := Anthropic(b.Get("content"))
	out.Text, out.Images = strings.Join(inner.Texts, "\n"), inner.Images
	if c := b.Get("content"); len(inner.Texts) == 0 && len(inner.Images) == 0 && (c.IsObject() || len(c.Raw) > 2 && c.IsArray()) {
		out.Text = strings.Clone(b.Get("content").Raw)
	}
	if b.Get("is_error").Bool() || b.Get("isError").Bool() {
		out.Status = memory.StatusError
	}
	return out
}

func image(b gjson.Result) memory.Image {
	src := b.Get("source")
	if !src.IsObject() {
		src = b
	}
	typ := first(src.Get("media_type"), src.Get("mediaType"), src.Get("mimeType"))
	return transcript.Image(strings.Clone(typ), first(src.Get("data"), src.Get("url"), src.Get("path"), src.Get("file_id")))
}

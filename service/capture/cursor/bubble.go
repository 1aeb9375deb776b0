package cursor

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

func get(raw json.RawMessage, field string) string { return gjson.GetBytes(raw, field).String() }

// bubble tells one bubble.
func (c *conversation) bubble(s *chain.Stream, at chain.At, b value, id string) {
	text := first(b.Get("text").String(), b.Get("rawText").String())
	switch typ := b.Get("type").String(); typ {
	case "1", "user":
		c.thought = ""
		if dir := workspaceOf(b); dir != "" && s.Cwd == "" {
			s.Cwd = dir
			c.chain.Facts.Cwd = first(c.chain.Facts.Cwd, dir)
		}
		c.ask(s, at, text, pictures(b), id)
	case "2", "ai":
		s.GiveUp(memory.StatusPending)
		m := chain.Message{Text: text, Model: first(b.Get("modelInfo.modelName").String(), b.Get("modelType").String()), Usage: tokens(b)}
		m.Thinking = strings.TrimSpace(first(b.Get("thinking.text").String(), b.Get("thinking").String()))
		if b.Get("thinking").IsObject() {
			m.Thinking = b.Get("thinking.text").String()
		}
		if call := b.Get("toolFormerData"); call.IsObject() && (call.Get("name").String() != "" || call.Get("tool").Exists()) {
			m.Calls = []chain.Call{callOf(call, id)}
		}
		if strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0 {
			c.thought = joined(c.thought, m.Thinking)
			if m.Usage == nil {
				return // a thought, or nothing: it goes to what follows
			}
			m.Thinking = ""
		}
		m.Thinking, c.thought = joined(c.thought, m.Thinking), ""
		s.Say(at, m, id)
	default:
		c.chain.Unknown(at, "bubble of type "+typ, len(b.Raw))
	}
}

// flushThought tells a thought that nothing followed.
func (c *conversation) flushThought(s *chain.Stream, at chain.At) {
	if c.thought != "" && c.how == transcript.Over {
		s.Say(at, chain.Message{Thinking: c.thought}, "thought", digest(c.thought))
	}
	c.thought = ""
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

func tokens(b value) *memory.Usage {
	u := memory.Usage{Input: b.Get("tokenCount.inputTokens").Int(), Output: b.Get("tokenCount.outputTokens").Int()}
	if u == (memory.Usage{}) {
		return nil
	}
	return &u
}

// pictures are the images of a prompt. Their content is mostly not stored; then the file's name stands for it.
func pictures(b value) []memory.Image {
	var out []memory.Image
	for _, list := range []string{"images", "selectedImages", "context.selectedImages"} {
		b.Get(list).ForEach(func(_, i value) bool {
			name := i.Get("path").String()
			typ := strings.TrimPrefix(path.Ext(strings.ReplaceAll(name, `\`, "/")), ".")
			if typ != "" {
				typ = "image/" + typ
			}
			out = append(out, transcript.Image(typ, strings.Clone(first(i.Get("data").String(), name, i.Get("uuid").String()))))
			return true
		})
		if len(out) > 0 {
			break
		}
	}
	return out
}

// callOf is a call with its result, where it has one. Its id is that of the bubble, which sub-agents are matched by.
func callOf(v value, bubbleID string) chain.Call {
	args := v.Get("rawArgs")
	if s := strings.TrimSpace(args.String()); s == "" || s == "{}" {
		args = v.Get("params")
	}
	c := chain.Call{ID: bubbleID, Name: strings.Clone(first(v.Get("name").String(), "tool "+v.Get("tool").String())), Input: blocks.Input(args)}
	status, decision := v.Get("status").String(), v.Get("userDecision").String()
	result := v.Get("result")
	if status == "loading" || status == "pending" || status == "" && !result.Exists() {
		return c
	}
	r := &chain.Result{}
	doc := result
	if result.Type == gjson.String && transcript.Valid([]byte(result.Str)) {
		doc = gjson.Parse(result.Str)
	}
	r.Text = first(resultText(doc), v.Get("error").String())
	for _, f := range []string{"exitCodeV2", "exitCode", "exit_code"} {
		if code := doc.Get(f); code.Type == gjson.Number && r.Exit == nil {
			n := int(code.Int())
			r.Exit = &n
		}
	}
	switch {
	case decision == "rejected" || doc.Get("rejected").Bool() || status == "cancelled":
		r.Status = memory.StatusInterrupted
	case status == "error" || v.Get("additionalData.status").String() == "error":
		r.Status = memory.StatusError
	}
	r.Edits = diffs(doc, first(get(c.Input, "target_file"), get(c.Input, "file_path"), get(c.Input, "path"), gjson.Get(v.Get("params").String(), "relativeWorkspacePath").String()))
	c.Result = r
	return c
}

// resultText is the text of a result: what the tool printed or read, else the whole document.
func resultText(doc value) string {
	if !doc.IsObject() {
		return doc.String()
	}
	for _, f := range []string{"output", "contents", "content", "result", "text"} {
		if t := doc.Get(f); t.Type == gjson.String {
			return t.Str
		}
	}
	return doc.Raw
}

// diffs is the change that a result shows.
func diffs(doc value, file string) []memory.Edit {
	chunks := doc.Get("diff.chunks")
	if !chunks.IsArray() || file == "" {
		return nil
	}
	var b strings.Builder
	chunks.ForEach(func(_, ch value) bool {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n%s\n", ch.Get("oldStart").Int(), ch.Get("oldLines").Int(), ch.Get("newStart").Int(), ch.Get("newLines").Int(),
			strings.TrimRight(ch.Get("diffString").String(), "\n"))
		return true
	})
	e := chain.Diffed(strings.Clone(file), b.String())
	if doc.Get("isNewFile").Bool() {
		e.Op = "create"
	}
	return []memory.Edit{e}
}

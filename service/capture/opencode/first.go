package opencode

import (
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// at is the place of a message.
func (m *message) at() chain.At {
	return chain.At{File: m.file, Line: m.line, Time: m.data.Get("time.created").Int() / 1000, Source: m.id}
}

// first tells a message of the tree, of the first form of the database, or of an export.
func (t *teller) first(s *chain.Stream, m *message) {
	if cwd := m.data.Get("path.cwd").String(); cwd != "" {
		s.Cwd = strings.Clone(cwd)
	}
	switch role := m.data.Get("role").String(); role {
	case "user":
		t.asked(s, m)
	case "assistant":
		t.answered(s, m)
	default:
		t.chain.Unknown(m.at(), "message of "+role, len(m.data.Raw))
	}
}

// asked tells a message of the user: the person's words, and what the client put beside them.
func (t *teller) asked(s *chain.Stream, m *message) {
	var words []string
	var around []part // what the client put beside the words
	var images []memory.Image
	for _, p := range m.parts {
		switch typ := p.data.Get("type").String(); typ {
		case "text":
			text := p.data.Get("text").String()
			if p.data.Get("synthetic").Bool() || p.data.Get("ignored").Bool() {
				around = append(around, p)
			} else if strings.TrimSpace(text) != "" {
				words = append(words, text)
			}
		case "file":
			if i, ok := image(p.data); ok {
				images = append(images, i)
			}
		case "subtask":
			words = append(words, first(p.data.Get("prompt").String(), p.data.Get("description").String()))
		case "compaction":
			t.compacts[s] = t.compaction(p.data)
		case "agent", "patch", "snapshot", "step-start", "step-finish":
		default:
			t.chain.Unknown(m.at(), "part "+typ, len(p.data.Raw))
		}
	}
	s.Prompt(m.at(), strings.Join(words, "\n\n"), images, m.id)
	for _, p := range around {
		s.Client(m.at(), memory.KindHarness, p.data.Get("text").String(), m.id, p.id)
	}
}

// compaction is what the part says that asks for one: who wanted it, and from which message on the messages stay as they are.
func (t *teller) compaction(p value) memory.Compaction {
	c := memory.Compaction{Trigger: "manual", Last: t.before[p.Get("tail_start_id").String()]}
	if p.Get("auto").Bool() {
		c.Trigger = "auto"
	}
	return c
}

// image is the fingerprint of a file part that is an image.
func image(p value) (i memory.Image, ok bool) {
	mime := p.Get("mime").String()
	if !strings.HasPrefix(mime, "image/") {
		return i, false
	}
	return transcript.Image(strings.Clone(mime), p.Get("url").String()), true
}

// answered tells a message of the model.
func (t *teller) answered(s *chain.Stream, m *message) {
	var texts, thoughts []string
	out := chain.Message{Model: m.data.Get("modelID").String(), Usage: usage(m)}
	for _, p := range m.parts {
		switch typ := p.data.Get("type").String(); typ {
		case "text":
			texts = say(texts, p.data.Get("text").String())
		case "reasoning":
			thoughts = say(thoughts, p.data.Get("text").String())
		case "tool":
			out.Calls = append(out.Calls, call(m, p))
		case "file":
			if i, ok := image(p.data); ok {
				out.Images = append(out.Images, i)
			}
		case "retry":
			s.Failed(m.at(), "retry: "+errorText(p.data.Get("error")), m.id, p.id)
		case "step-start", "step-finish", "snapshot", "patch", "agent", "compaction":
		default:
			t.chain.Unknown(m.at(), "part "+typ, len(p.data.Raw))
		}
	}
	out.Text, out.Thinking = strings.Join(texts, "\n\n"), strings.Join(thoughts, "\n\n")
	if m.data.Get("summary").Type == gjson.True {
		if out.Text == "" {
			return
		}
		s.Compact(m.at(), out.Text, t.compacts[s], m.id)
		return
	}
	t.say(s, m, out)
}

// say tells what the model said, and how it ended.
func (t *teller) say(s *chain.Stream, m *message, out chain.Message) {
	failed := m.data.Get("error")
	if failed.IsObject() {
		out.Status = memory.StatusError
		if strings.Contains(failed.Get("name").String(), "Abort") {
			out.Status = memory.StatusInterrupted
		}
	}
	for i := range out.Calls {
		if failed.IsObject() && out.Calls[i].Result == nil { // none will come
			out.Calls[i].Result = &chain.Result{Status: memory.StatusInterrupted}
		}
	}
	s.GiveUp(memory.StatusPending) // a call of an earlier message that is still without its result was left
	rest := t.rest(m, &out)
	s.Say(m.at(), out, m.id)
	if rest != "" {
		s.Say(m.at(), chain.Message{Text: rest, Model: out.Model}, m.id, "rest")
	}
	if failed.IsObject() && out.Status == memory.StatusError {
		s.Failed(m.at(), errorText(failed), m.id, "error")
	}
}

// rest parts from a message what was added after it was stored, which happens when it stood still for so long that it counted as
// given up.
func (t *teller) rest(m *message, out *chain.Message) string {
	if t.opts.Known == nil {
		return ""
	}
	stored, ok := t.opts.Known(t.chain.ID(m.id, "say"))
	if !ok || stored.Metadata.Redacted > 0 || stored.Metadata.Clipped != nil {
		return ""
	}
	more, grown := strings.CutPrefix(out.Text, stored.Output)
	if !grown || strings.TrimSpace(more) == "" {
		return ""
	}
	out.Text = stored.Output
	return more
}

func say(list []string, text string) []string {
	if strings.TrimSpace(text) == "" {
		return list
	}
	return append(list, text)
}

func errorText(e value) string {
	return first(e.Get("data.message").String(), e.Get("message").String(), e.Get("name").String(), e.String())
}

// usage is the tokens of a message: its own count, else that of its steps.
func usage(m *message) *memory.Usage {
	if u := tokens(m.data.Get("tokens")); u != nil {
		return u
	}
	var sum *memory.Usage
	for _, p := range m.parts {
		u := tokens(p.data.Get("tokens"))
		if u == nil || p.data.Get("type").String() != "step-finish" {
			continue
		}
		if sum == nil {
			sum = &memory.Usage{}
		}
		sum.Input, sum.Output = sum.Input+u.Input, sum.Output+u.Output
		sum.CacheRead, sum.CacheWrite = sum.CacheRead+u.CacheRead, sum.CacheWrite+u.CacheWrite
	}
	return sum
}

// tokens is nil where none were counted.
func tokens(v value) *memory.Usage {
	u := memory.Usage{Input: v.Get("input").Int(), Output: v.Get("output").Int(), CacheRead: v.Get("cache.read").Int(), CacheWrite: v.Get("cache.write").Int()}
	if u == (memory.Usage{}) {
		return nil
	}
	return &u
}

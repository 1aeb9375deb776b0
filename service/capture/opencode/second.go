package opencode

import (
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/store/memory"
)

// second tells a message of the second form of the database.
func (t *teller) second(s *chain.Stream, m *message) {
	d := m.data
	switch typ := d.Get("type").String(); typ {
	case "user":
		var images []memory.Image
		d.Get("files").ForEach(func(_, f value) bool {
			if i, ok := image(f); ok {
				images = append(images, i)
			}
			return true
		})
		s.Prompt(m.at(), d.Get("text").String(), images, m.id)
	case "assistant":
		t.spoken(s, m)
	case "shell":
		text := "$ " + d.Get("command").String() + "\n" + first(d.Get("output").String(), d.Get("result").String())
		s.Client(m.at(), memory.KindHarness, text, m.id)
	case "synthetic", "system", "skill":
		s.Client(m.at(), memory.KindHarness, first(d.Get("text").String(), d.Get("content").String()), m.id)
	case "compaction":
		if summary := d.Get("summary").String(); summary != "" {
			s.Compact(m.at(), summary, memory.Compaction{Trigger: d.Get("reason").String()}, m.id)
		}
	case "location-switched":
		if dir := first(d.Get("directory").String(), d.Get("location.directory").String()); dir != "" {
			s.Cwd = strings.Clone(dir)
		}
	case "model-switched":
		s.Model = strings.Clone(d.Get("model.id").String())
	case "idle", "agent-switched":
	default:
		t.chain.Unknown(m.at(), typ, len(d.Raw))
	}
}

// spoken tells a message of the model.
func (t *teller) spoken(s *chain.Stream, m *message) {
	var texts, thoughts []string
	out := chain.Message{Model: m.data.Get("model.id").String(), Usage: tokens(m.data.Get("tokens"))}
	m.data.Get("content").ForEach(func(_, c value) bool {
		switch typ := c.Get("type").String(); typ {
		case "text":
			texts = say(texts, c.Get("text").String())
		case "reasoning":
			thoughts = say(thoughts, c.Get("text").String())
		case "tool":
			out.Calls = append(out.Calls, call(m, part{c.Get("id").String(), c}))
		case "file":
			if i, ok := image(c); ok {
				out.Images = append(out.Images, i)
			}
		default:
			t.chain.Unknown(m.at(), "content "+typ, len(c.Raw))
		}
		return true
	})
	out.Text, out.Thinking = strings.Join(texts, "\n\n"), strings.Join(thoughts, "\n\n")
	t.say(s, m, out)
}

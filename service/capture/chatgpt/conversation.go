package chatgpt

import (
	"encoding/json"
	"slices"
	"strings"

	"dormouse/service/capture/archive"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// conversation is one that is being read.
type conversation struct {
	b    *chain.Session
	s    *chain.Stream
	file string
	id   string
	tips map[string]string // message -> the node that what follows it hangs on
	open map[string]string // message -> the call above it that has no result
	done map[string]bool   // calls that have their result
	n    int
}

// read makes the nodes of a conversation.
func read(file string, raw []byte, how transcript.Settle, o transcript.Options) ([]memory.Node, transcript.Facts) {
	v := gjson.ParseBytes(raw)
	c := &conversation{b: chain.New(Agent, o), file: file, id: entry(raw).Session, tips: map[string]string{}, open: map[string]string{}, done: map[string]bool{}}
	c.s = c.b.Main()
	c.b.Seen(v.Get("create_time").Int())
	if t := v.Get("title").String(); t != "" {
		c.b.Facts.Title, c.b.Facts.TitleBy = strings.Clone(t), "agent"
	}
	c.s.Model = strings.Clone(v.Get("default_model_slug").String())
	var items []archive.Item
	var all []gjson.Result
	v.Get("mapping").ForEach(func(key, m gjson.Result) bool {
		items, all = append(items, archive.Item{ID: key.String(), Parent: m.Get("parent").String()}), append(all, m)
		return true
	})
	archive.Walk(items, v.Get("current_node").String(), func(i int) {
		id, up := items[i].ID, items[i].Parent
		c.n++
		c.s.Move(c.tips[up])
		if waiting, ok := c.open[up]; ok {
			c.open[id] = waiting
		}
		c.message(id, all[i].Get("message"))
		c.tips[id] = c.s.Tip
	})
	nodes := c.b.Drain(how)
	return nodes, c.b.Facts
}

// message takes one message; there is none at the root.
func (c *conversation) message(id string, m gjson.Result) {
	if !m.IsObject() {
		return
	}
	at := chain.At{File: c.file, Line: c.n, Time: m.Get("create_time").Int(), Source: id}
	content := contentOf(m.Get("content"))
	if content.unknown != "" {
		c.b.Unknown(at, content.unknown, len(m.Raw))
	}
	key := []string{c.id, id}
	role := m.Get("author.role").String()
	switch hidden := m.Get("metadata.is_visually_hidden_from_conversation").Bool(); {
	case role == "system" || role == "user" && (hidden || content.context):
		c.s.Client(at, memory.KindHarness, content.text, key...)
	case role == "user":
		delete(c.open, id)
		c.s.Client(at, memory.KindHarness, attached(m), append(slices.Clone(key), "attached")...)
		c.s.Prompt(at, content.text, content.images, key...)
	case role == "assistant":
		c.say(at, m, content, key)
	case role == "tool":
		c.result(at, id, m, content)
	default:
		c.b.Unknown(at, role, len(m.Raw))
	}
}

// say takes a message of the model: an answer, a thought, or a call.
func (c *conversation) say(at chain.At, m gjson.Result, content content, key []string) {
	out := chain.Message{Text: content.text, Thinking: content.thoughts, Images: content.images, Model: m.Get("metadata.model_slug").String()}
	switch m.Get("status").String() {
	case "in_progress", "finished_partial_completion":
		out.Status, out.Version = memory.StatusInterrupted, "part" // a later export may have the rest
	}
	if to := m.Get("recipient").String(); to != "" && to != "all" && !content.silent {
		out.Text, out.Status = "", ""
		out.Calls = []chain.Call{{ID: key[1], Name: strings.Clone(to), Input: arguments(content)}}
		c.open[key[1]] = key[1]
	}
	if out.Text != "" || out.Thinking != "" || len(out.Images) > 0 || len(out.Calls) > 0 {
		c.s.Say(at, out, key...)
	}
}

// arguments are those of a call: JSON, or else the text as it is.
func arguments(content content) json.RawMessage {
	text := strings.TrimSpace(content.text)
	if gjson.Valid(text) && strings.HasPrefix(text, "{") {
		return json.RawMessage(strings.Clone(text))
	}
	field := "text"
	if content.code {
		field = "code"
	}
	b, err := json.Marshal(map[string]string{field: content.text})
	if err != nil {
		return nil // a text can always be written
	}
	return b
}

// result takes what a tool answered: to the call above it where that waits, else on its own.
func (c *conversation) result(at chain.At, id string, m gjson.Result, content content) {
	tool := m.Get("author.name").String()
	r := chain.Result{Text: content.text, Images: content.images, Source: id}
	if content.failed {
		r.Status = memory.StatusError
	}
	waiting, ok := c.open[id]
	delete(c.open, id)
	if ok && !c.done[waiting] { // on another branch it may have been answered
		c.done[waiting] = true
		c.b.Answer(c.s, at, waiting, r)
		return
	}
	if r.Text != "" || len(r.Images) > 0 {
		c.s.Say(at, chain.Message{Calls: []chain.Call{{ID: id, Name: strings.Clone(tool), Result: &r}}}, c.id, id)
		c.s.Close()
	}
}

// attached names the files that a prompt came with.
func attached(m gjson.Result) string {
	var names []string
	m.Get("metadata.attachments").ForEach(func(_, f gjson.Result) bool {
		if name := f.Get("name").String(); name != "" {
			names = append(names, "Attached: "+name)
		}
		return true
	})
	return strings.Join(names, "\n")
}

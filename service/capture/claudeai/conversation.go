package claudeai

import (
	"slices"
	"strconv"
	"strings"

	"dormouse/service/capture/archive"
	"dormouse/service/capture/blocks"
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
	n    int
}

// read makes the nodes of a conversation.
func read(file string, raw []byte, how transcript.Settle, o transcript.Options) ([]memory.Node, transcript.Facts) {
	v := gjson.ParseBytes(raw)
	c := &conversation{b: chain.New(Agent, o), file: file, id: entry(raw).Session, tips: map[string]string{}}
	c.s = c.b.Main()
	c.b.Look(v.Raw)
	c.b.Seen(unix(v.Get("created_at")))
	for _, field := range []string{"name", "title"} {
		if t := v.Get(field).String(); t != "" {
			c.b.Facts.Title, c.b.Facts.TitleBy = strings.Clone(t), "agent"
			break
		}
	}
	c.s.Model = strings.Clone(v.Get("model").String())
	all := v.Get("chat_messages").Array()
	items, active := itemsOf(all)
	archive.Walk(items, active, func(i int) {
		c.n++
		c.s.Move(c.tips[items[i].Parent])
		c.message(items[i].ID, all[i])
		c.tips[items[i].ID] = c.s.Tip
	})
	nodes := c.b.Drain(how)
	return nodes, c.b.Facts
}

// itemsOf says what each message hangs on, and which is the newest.
func itemsOf(all []gjson.Result) (items []archive.Item, active string) {
	linked := slices.ContainsFunc(all, func(m gjson.Result) bool { return m.Get("parent_message_uuid").String() != "" })
	newest := int64(-1)
	for i, m := range all {
		it := archive.Item{ID: m.Get("uuid").String(), Parent: m.Get("parent_message_uuid").String()}
		if it.ID == "" {
			it.ID = "#" + strconv.Itoa(i)
		}
		if !linked && i > 0 {
			it.Parent = items[i-1].ID
		}
		items = append(items, it)
		if t := unix(m.Get("created_at")); t >= newest || !linked {
			newest, active = t, it.ID
		}
	}
	return items, active
}

// message takes one message.
func (c *conversation) message(id string, m gjson.Result) {
	at := chain.At{File: c.file, Line: c.n, Time: unix(m.Get("created_at")), Source: id}
	key := []string{c.id, id}
	switch sender := m.Get("sender").String(); sender {
	case "human":
		c.s.Client(at, memory.KindHarness, attached(m), append(slices.Clone(key), "attached")...)
		content := blocks.Anthropic(m.Get("content"))
		text := content.Text()
		if text == "" {
			text = m.Get("text").String()
		}
		c.s.Prompt(at, text, content.Images, key...)
	case "assistant":
		c.answer(at, m, key)
	default:
		c.b.Unknown(at, "sender "+sender, len(m.Raw))
	}
}

// answer takes a message of the model, block by block.
func (c *conversation) answer(at chain.At, m gjson.Result, key []string) {
	list := m.Get("content").Array()
	if len(list) == 0 {
		c.s.Say(at, chain.Message{Text: m.Get("text").String()}, key...)
		return
	}
	a := &answer{c: c, at: at, key: key}
	for i, b := range list {
		a.block(i, b)
	}
	a.say()
	if len(a.known) == 0 && !a.said && m.Get("text").String() != "" { // blocks of kinds that are not known
		c.s.Say(at, chain.Message{Text: m.Get("text").String()}, key...)
	}
}

// answer is a message of the model that is being read.
type answer struct {
	c       *conversation
	at      chain.At
	key     []string
	held    blocks.Content // texts and calls that are not told yet
	said    bool
	n       int      // messages that were told
	known   []string // ids of calls
	pending []chain.Call
}

func (a *answer) block(i int, b gjson.Result) {
	content := blocks.Anthropic(gjson.Parse("[" + b.Raw + "]"))
	switch {
	case len(content.Calls) > 0:
		for _, call := range content.Calls {
			if call.ID == "" {
				call.ID = a.key[1] + "#" + strconv.Itoa(i)
			}
			if t := unix(b.Get("start_timestamp")); t > 0 {
				call.Time = t
			}
			a.known, a.pending = append(a.known, call.ID), append(a.pending, call)
			a.held.Calls = append(a.held.Calls, call)
		}
	case len(content.Results) > 0:
		a.say()
		for _, r := range content.Results {
			a.result(b, r)
		}
	case len(content.Texts)+len(content.Thoughts)+len(content.Images) > 0:
		if len(a.held.Calls) > 0 || len(content.Thoughts) > 0 && len(a.held.Texts) > 0 {
			a.say()
		}
		a.held.Texts, a.held.Thoughts = append(a.held.Texts, content.Texts...), append(a.held.Thoughts, content.Thoughts...)
		a.held.Images = append(a.held.Images, content.Images...)
	case b.Get("type").String() == "voice_note":
		a.held.Texts = append(a.held.Texts, b.Get("text").String())
	case !quiet[b.Get("type").String()]:
		a.c.b.Unknown(a.at, "block "+b.Get("type").String(), len(b.Raw))
	}
}

// quiet are blocks that hold nothing that anyone said; a text may be empty.
var quiet = map[string]bool{"token_budget": true, "flag": true, "text": true, "thinking": true, "": true}

// say tells what is held as one message.
func (a *answer) say() {
	h := a.held
	a.held = blocks.Content{}
	if len(h.Texts)+len(h.Thoughts)+len(h.Images)+len(h.Calls) == 0 {
		return
	}
	key := a.key
	if a.n > 0 {
		key = append(slices.Clone(key), strconv.Itoa(a.n))
	}
	a.n, a.said = a.n+1, a.said || len(h.Texts) > 0
	a.c.s.Say(a.at, chain.Message{Text: h.Text(), Thinking: h.Thinking(), Images: h.Images, Calls: h.Calls}, key...)
	a.c.s.Close()
}

// result takes the result of a call: the one that it names, else the first of that tool that waits.
func (a *answer) result(b gjson.Result, r blocks.Result) {
	i := slices.IndexFunc(a.pending, func(c chain.Call) bool { return c.ID == r.CallID })
	if i < 0 && r.CallID == "" {
		i = slices.IndexFunc(a.pending, func(c chain.Call) bool { return c.Name == b.Get("name").String() })
	}
	id := r.CallID
	if i >= 0 {
		id = a.pending[i].ID
		a.pending = slices.Delete(a.pending, i, i+1)
	}
	if from, to := unix(b.Get("start_timestamp")), unix(b.Get("stop_timestamp")); from > 0 && to > from {
		r.MS = (to - from) * 1000
	}
	a.c.b.Answer(a.c.s, a.at, id, r.Result)
}

// attached is the files that a prompt came with: the text that was taken from them, or their names.
func attached(m gjson.Result) string {
	var all []string
	for _, list := range []string{"attachments", "files", "files_v2"} {
		m.Get(list).ForEach(func(_, f gjson.Result) bool {
			name := f.Get("file_name").String()
			if name == "" && f.Get("extracted_content").String() == "" {
				return true
			}
			text := strings.TrimRight("Attached: "+name+"\n"+f.Get("extracted_content").String(), "\n")
			if !slices.Contains(all, text) { // newer exports have two lists
				all = append(all, text)
			}
			return true
		})
	}
	return strings.Join(all, "\n\n")
}

package goose

import (
	"strconv"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

type value = gjson.Result

// message is one message of a session.
type message struct {
	id, role string
	created  int64 // Unix seconds
	content  value
	about    value // metadata
	usage    *memory.Usage
	file     string
	line     int
}

func (m *message) at() chain.At {
	return chain.At{File: m.file, Line: m.line, Time: m.created, Source: m.id}
}

// items is what the items of a message hold.
type items struct {
	texts   []string
	thought strings.Builder
	images  []memory.Image
	calls   []chain.Call
	results []result
	notes   []string // of the client
}

type result struct {
	call string
	chain.Result
}

// teller tells a session as nodes.
type teller struct {
	chain    *chain.Session
	session  string
	unseen   bool     // a message before was taken from the model's context
	launched []string // calls that start sub-agents, of the newest message
}

// tell tells one message on a stream.
func (t *teller) tell(s *chain.Stream, m *message) {
	t.launched = nil
	t.chain.Look(m.content.Raw)
	key := []string{t.session, m.id, strconv.FormatInt(m.created, 10)}
	if m.id == "" {
		key = append(key, m.role, strconv.Itoa(m.line))
	}
	var in items
	m.content.ForEach(func(_, i value) bool {
		t.item(&in, m, i)
		return true
	})
	for _, r := range in.results {
		t.chain.Answer(s, m.at(), r.call, r.Result)
	}
	text := strings.Join(in.texts, "\n\n")
	hidden := m.about.Get("userVisible").Type == gjson.False
	switch {
	case hidden && t.unseen && text != "":
		s.Compact(m.at(), text, memory.Compaction{}, key...)
		t.unseen = false
	case hidden && m.role == "user":
		s.Client(m.at(), memory.KindHarness, text, key...)
	case m.role == "assistant":
		s.Say(m.at(), chain.Message{Text: text, Thinking: in.thought.String(), Usage: m.usage, Images: in.images, Calls: in.calls}, key...)
	case m.role == "user" && (text != "" || len(in.images) > 0):
		s.Prompt(m.at(), text, in.images, key...)
	}
	for i, n := range in.notes {
		s.Client(m.at(), memory.KindHarness, n, append(key, "note", strconv.Itoa(i))...)
	}
	t.unseen = t.unseen || m.about.Get("agentVisible").Type == gjson.False
}

func (t *teller) item(in *items, m *message, i value) {
	switch typ := i.Get("type").String(); typ {
	case "text":
		if s := i.Get("text").String(); strings.TrimSpace(s) != "" {
			in.texts = append(in.texts, s)
		}
	case "thinking", "reasoning":
		in.thought.WriteString(first(i.Get("thinking").String(), i.Get("text").String()))
	case "image":
		in.images = append(in.images, transcript.Image(strings.Clone(i.Get("mimeType").String()), i.Get("data").String()))
	case "toolRequest", "frontendToolRequest":
		t.request(in, m, i)
	case "toolResponse":
		in.results = append(in.results, result{strings.Clone(i.Get("id").String()), outcome(i.Get("toolResult"))})
	case "systemNotification", "conversationCompacted", "contextLengthExceeded":
		in.notes = append(in.notes, strings.Clone(i.Get("msg").String()))
	case "redactedThinking", "toolConfirmationRequest", "summarizationRequested", "actionRequired":
	default:
		t.chain.Unknown(m.at(), "item "+typ, len(i.Raw))
	}
}

func (t *teller) request(in *items, m *message, i value) {
	id, call := strings.Clone(i.Get("id").String()), i.Get("toolCall.value")
	c := chain.Call{ID: id, Name: strings.Clone(call.Get("name").String()), Input: blocks.Input(call.Get("arguments"))}
	if failed := i.Get("toolCall.error"); failed.Exists() { // the model's call could not be understood
		c.Name = first(c.Name, "unknown")
		c.Result = &chain.Result{Text: strings.Clone(failed.String()), Status: memory.StatusError}
	}
	in.calls = append(in.calls, c)
	if starts(c.Name) {
		t.launched = append(t.launched, id)
	}
}

// starts reports whether a tool starts a sub-agent.
func starts(name string) bool {
	tool := name[strings.LastIndex(name, "__")+1:]
	return strings.Contains(tool, "delegate") || strings.Contains(tool, "subagent") || strings.Contains(tool, "dynamic_task")
}

// outcome is the result of a call.
func outcome(r value) chain.Result {
	var out chain.Result
	if r.Get("status").String() == "error" || r.Get("error").Exists() {
		return chain.Result{Text: strings.Clone(r.Get("error").String()), Status: memory.StatusError}
	}
	v := r.Get("value")
	list := v
	if v.IsObject() {
		list = v.Get("content")
	}
	var texts []string
	list.ForEach(func(_, b value) bool {
		switch b.Get("type").String() {
		case "image":
			out.Images = append(out.Images, transcript.Image(strings.Clone(b.Get("mimeType").String()), b.Get("data").String()))
		case "resource":
			texts = append(texts, b.Get("resource.text").String())
		default:
			texts = append(texts, b.Get("text").String())
		}
		return true
	})
	out.Text = strings.Clone(strings.Join(texts, "\n"))
	if v.Get("isError").Bool() {
		out.Status = memory.StatusError
	}
	for _, f := range []string{"structuredContent.exit_code", "structuredContent.exitCode"} {
		if code := v.Get(f); code.Type == gjson.Number {
			n := int(code.Int())
			out.Exit = &n
		}
	}
	return out
}

// usage is what the metadata of a message says of its tokens; nil where nothing.
func usage(about value) *memory.Usage {
	u := about.Get("usage")
	if !u.IsObject() {
		return nil
	}
	return &memory.Usage{Input: u.Get("inputTokens").Int(), Output: u.Get("outputTokens").Int(),
		CacheRead: first64(u, "cacheReadTokens", "cacheReadInputTokens"), CacheWrite: first64(u, "cacheWriteTokens", "cacheCreationInputTokens")}
}

func first64(v value, names ...string) int64 {
	for _, n := range names {
		if f := v.Get(n); f.Type == gjson.Number {
			return f.Int()
		}
	}
	return 0
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}

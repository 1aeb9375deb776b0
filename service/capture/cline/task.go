package cline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// reader reads a task and those that it started.
type reader struct {
	ctx     context.Context
	b       *chain.Session
	how     transcript.Settle
	use     func(memory.Node) error
	opts    transcript.Options
	started map[string]string // task that was given -> call that gave it
}

// task is one task that is being read.
type task struct {
	*reader
	id       string
	s        *chain.Stream
	met      map[string]int  // message -> times
	open     []open          // calls of the newest message, without a result
	speech   map[string]bool // calls that only spoke
	requests []request       // calls of the provider, whose tokens were not given to a message yet
	typed    map[string]bool // texts that were typed, by their hash
	n        int
}

// open is a call that waits for its result.
type open struct{ id, name string }

func newTask(r *reader, id string, s *chain.Stream) *task {
	return &task{reader: r, id: id, s: s, met: map[string]int{}, speech: map[string]bool{}, typed: map[string]bool{}}
}

// drainEvery is after how many messages their nodes are handed on.
const drainEvery = 20

// read reads the list of messages. The newest may still be changed while the list grows.
func (t *task) read(in io.Reader, path string) error {
	var last []byte
	err := document.Source{File: path, In: in, Opts: t.opts}.Elements(map[string]bool{"messages": true}, func(string, []byte) {}, func(raw []byte) error {
		if last != nil {
			t.message(path, last)
		}
		last = raw
		if t.n%drainEvery != 0 && len(raw) < document.Much {
			return nil
		}
		return document.HandOn(t.ctx, t.b.Drain(transcript.Growing), t.use)
	})
	if err == nil && last != nil && t.how != transcript.Growing {
		t.message(path, last)
	}
	return err
}

// message takes one message.
func (t *task) message(path string, raw []byte) {
	m := gjson.ParseBytes(raw)
	t.b.Look(m.Raw)
	t.n++
	at := chain.At{File: path, Line: t.n, Source: strconv.Itoa(t.n - 1)}
	if ms := m.Get("ts"); ms.Type == gjson.Number {
		at.Time = ms.Int() / 1000
	}
	role := m.Get("role").String()
	key := []string{t.id, role, m.Get("ts").Raw, hash(m.Get("content").Raw)}
	id := strings.Join(key, "\x00")
	if n := t.met[id]; n > 0 {
		key = append(key, strconv.Itoa(n))
	}
	t.met[id]++
	c := blocks.Anthropic(m.Get("content"))
	switch {
	case m.Get("isSummary").Bool():
		t.s.Compact(at, c.Text(), memory.Compaction{}, key...)
	case m.Get("isTruncationMarker").Bool():
		t.s.Client(at, memory.KindHarness, c.Text(), key...)
	case role == "assistant":
		t.say(at, m, &c, key)
	case role == "user":
		t.user(at, &c, key)
	default:
		t.b.Unknown(at, role, len(raw))
	}
}

// say takes a message of the model.
func (t *task) say(at chain.At, m gjson.Result, c *blocks.Content, key []string) {
	msg := chain.Message{Thinking: c.Thinking(), Images: c.Images, Model: first(m.Get("modelInfo.modelId").String(), m.Get("modelInfo.id").String())}
	text := c.Text()
	if thought, rest, ok := tagged(text, "thinking"); ok {
		msg.Thinking, text = first(msg.Thinking, thought), rest
	}
	calls := c.Calls
	if len(calls) == 0 {
		text, calls = tagCalls(text, strings.Join(key, "/"))
	}
	var when int64
	msg.Usage, when = t.spent(m.Get("ts").Int())
	if at.Time == 0 {
		at.Time = when
	}
	t.open = nil
	said := []string{strings.TrimSpace(text)}
	for _, call := range calls {
		t.open = append(t.open, open{call.ID, call.Name})
		if words, only := speaks(call); only {
			t.speech[call.ID] = true
			said = append(said, words)
			continue
		}
		msg.Calls = append(msg.Calls, call)
		if call.Name == "new_task" {
			t.started[strings.TrimSpace(gjson.GetBytes(call.Input, "message").String())] = call.ID
		}
	}
	msg.Text = strings.TrimSpace(strings.Join(said, "\n\n"))
	t.s.Say(at, msg, key...)
	t.s.Close()
}

// spoken are the tools that only speak, with the field of what they say.
var spoken = map[string]string{"attempt_completion": "result", "ask_followup_question": "question", "plan_mode_respond": "response"}

// speaks is what a call says that does nothing else.
func speaks(c chain.Call) (words string, only bool) {
	field, only := spoken[c.Name]
	if !only {
		return "", false
	}
	return strings.TrimSpace(gjson.GetBytes(c.Input, field).String()), true
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

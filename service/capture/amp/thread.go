package amp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"time"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// thread is one thread that is being read.
type thread struct {
	b     *chain.Session
	s     *chain.Stream
	path  string
	id    string
	how   transcript.Settle
	n     int
	ended bool             // a message that is being written was met
	ran   map[string]int64 // message -> how long its tools ran, in milliseconds
	alone map[string]int64 // call that is its message's only one -> the same
}

// drainEvery is after how many messages their nodes are handed on.
const drainEvery = 20

var messages = map[string]bool{"messages": true}

// read reads a thread.
func read(ctx context.Context, path string, in io.ReadSeeker, how transcript.Settle, o transcript.Options, use func(memory.Node) error) (transcript.Facts, error) {
	t := &thread{b: chain.New(Agent, o), path: path, how: how, ran: map[string]int64{}, alone: map[string]int64{}}
	t.s = t.b.Main()
	err := document.Source{In: in}.Elements(messages, t.about, func([]byte) error { return nil })
	if err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = document.Source{File: path, In: in, Opts: o}.Elements(messages, func(string, []byte) {}, func(raw []byte) error {
			m := gjson.ParseBytes(raw)
			t.b.Look(m.Raw)
			t.message(m)
			if t.n%drainEvery != 0 && len(raw) < document.Much {
				return nil
			}
			return document.HandOn(ctx, t.b.Drain(transcript.Growing), use)
		})
	}
	if err == nil {
		err = document.HandOn(ctx, t.b.Drain(how), use)
	}
	return t.b.Facts, err
}

// about takes a field of the thread that is not its messages.
func (t *thread) about(name string, raw []byte) {
	f, v := &t.b.Facts, gjson.ParseBytes(raw)
	switch name {
	case "id":
		t.id = v.String()
	case "created":
		t.b.Seen(v.Int() / 1000)
	case "title":
		if v.String() != "" {
			f.Title, f.TitleBy = strings.Clone(v.String()), "agent"
		}
	case "env":
		tree := v.Get("initial.trees.0")
		f.Cwd = strings.Clone(filePath(tree.Get("uri").String()))
		f.RepositoryURL = strings.Clone(tree.Get("repository.url").String())
		f.GitBranch = strings.Clone(strings.TrimPrefix(tree.Get("repository.ref").String(), "refs/heads/"))
		t.s.Cwd, t.s.Branch, t.s.Commit = f.Cwd, f.GitBranch, strings.Clone(tree.Get("repository.sha").String())
	case "originThreadID", "forkedFromThreadID":
		f.ForkOf = strings.Clone(v.String())
	case "meta":
		t.traces(v.Get("traces"))
	}
}

// traces takes how long the tools of each message ran.
func (t *thread) traces(list gjson.Result) {
	list.ForEach(func(_, s gjson.Result) bool {
		from, err := time.Parse(time.RFC3339Nano, s.Get("startTime").String())
		to, err2 := time.Parse(time.RFC3339Nano, s.Get("endTime").String())
		if s.Get("name").String() == "tools" && err == nil && err2 == nil {
			t.ran[s.Get("context.messageId").Raw] = to.Sub(from).Milliseconds()
		}
		return true
	})
}

// message takes one message.
func (t *thread) message(m gjson.Result) {
	t.n++
	number := first(m.Get("messageId").Raw, m.Get("id").String())
	at := chain.At{File: t.path, Line: t.n, Source: number}
	role := m.Get("role").String()
	if t.ended = t.ended || t.growing(m, role); t.ended && t.how != transcript.Over {
		return
	}
	c := blocks.Anthropic(m.Get("content"))
	key := []string{t.id, number, role}
	switch role {
	case "user":
		at.Time = m.Get("meta.sentAt").Int() / 1000
		t.user(at, m, &c, key)
	case "assistant":
		t.say(at, m, &c, key)
	case "info":
		t.info(at, m, &c, key)
	default:
		t.b.Unknown(at, role, len(m.Raw))
	}
}

// growing reports whether a message is still being written.
func (t *thread) growing(m gjson.Result, role string) bool {
	state := m.Get("state.type").String()
	return role == "assistant" && state != "" && state != "complete" && state != "cancelled" && state != "error"
}

// say takes a message of the model.
func (t *thread) say(at chain.At, m gjson.Result, c *blocks.Content, key []string) {
	at.Time = transcript.Unix(m.Get("usage.timestamp").String())
	text := c.Text()
	out := chain.Message{Text: text, Thinking: c.Thinking(), Images: c.Images, Calls: c.Calls, Version: hash(text), Model: m.Get("usage.model").String()}
	if u := m.Get("usage"); u.IsObject() {
		out.Usage = &memory.Usage{Input: u.Get("inputTokens").Int(), CacheRead: u.Get("cacheReadInputTokens").Int(),
			CacheWrite: u.Get("cacheCreationInputTokens").Int(), Output: u.Get("outputTokens").Int()}
	}
	switch m.Get("state.type").String() {
	case "cancelled":
		out.Status = memory.StatusInterrupted
	case "error":
		out.Status = memory.StatusError
	}
	if len(c.Calls) == 1 {
		t.alone[c.Calls[0].ID] = t.ran[key[1]]
	}
	t.s.Say(at, out, key...)
	t.s.Close()
}

// user takes a message of the person, or the results of calls.
func (t *thread) user(at chain.At, m gjson.Result, c *blocks.Content, key []string) {
	m.Get("content").ForEach(func(_, b gjson.Result) bool {
		if b.Get("type").String() == "tool_result" && b.Get("run").IsObject() {
			t.result(at, b)
		}
		return true
	})
	for _, r := range c.Results {
		if r.Text != "" || r.Status != "" { // early threads held results as the provider's interface has them
			t.b.Answer(t.s, at, r.CallID, r.Result)
		}
	}
	text := c.Text()
	if len(c.Texts) > 0 {
		t.s.GiveUp(memory.StatusPending)
	}
	var files []string
	m.Get("fileMentions.files").ForEach(func(_, f gjson.Result) bool {
		files = append(files, f.Get("uri").String()+"\n"+f.Get("content").String())
		return true
	})
	t.s.Client(at, memory.KindHarness, strings.Join(files, "\n\n"), append(key, "files")...)
	t.s.Prompt(at, text, c.Images, append(key, hash(text))...)
}

// info takes a message of the client: a summary, or a command that the person ran.
func (t *thread) info(at chain.At, m gjson.Result, c *blocks.Content, key []string) {
	m.Get("content").ForEach(func(_, b gjson.Result) bool {
		switch b.Get("type").String() {
		case "summary":
			text := first(b.Get("summary.summary").String(), b.Get("summary.thread").String())
			t.s.Compact(at, text, memory.Compaction{}, append(key, "summary")...)
		case "manual_bash_invocation":
			r := outcome(b.Get("toolRun"))
			t.s.Say(at, chain.Message{Calls: []chain.Call{{ID: key[1], Name: "Bash", Input: blocks.Input(b.Get("args")), Result: &r}}}, key...)
			t.s.Close()
		}
		return true
	})
	t.s.Client(at, memory.KindHarness, c.Text(), append(key, hash(c.Text()))...)
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

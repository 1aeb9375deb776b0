package gemini

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// chat is one file and the chain that it makes.
type chat struct {
	p    *Parser
	s    *chain.Stream
	file string
	last *pending
	// before is where the chain stood before a message: where a message that replaces it hangs, or what comes after it was taken back.
	before map[string]string
	// keys are the messages of one content, by its hash. A snapshot may tell messages anew under other ids.
	keys map[string][]string
	told map[string]int // how many of them the snapshot that is being read has told
	// compacted is the end of the chain when a snapshot replaced it.
	compacted string
}

// pending is the newest message, which may be replaced.
type pending struct {
	at  chain.At
	id  string
	msg gjson.Result
}

func newChat(p *Parser, s *chain.Stream, file string) *chat {
	return &chat{p: p, s: s, file: file, before: map[string]string{}, keys: map[string][]string{}}
}

// about takes the facts of the chat.
func (c *chat) about(r gjson.Result) {
	f := &c.p.b.Facts
	c.p.b.Seen(transcript.Unix(r.Get("startTime").String()))
	if c.s.Agent() != "" {
		c.p.call(c, r.Get("sessionId").String())
		return
	}
	if dir := r.Get("directories.0").String(); dir != "" && f.Cwd == "" {
		f.Cwd = strings.Clone(dir)
		c.s.Cwd = f.Cwd
	}
	if t := r.Get("summary").String(); t != "" {
		f.Title, f.TitleBy = strings.Clone(t), "agent"
	}
}

// message takes a message. It waits until another one comes, because the same id again replaces it.
func (c *chat) message(at chain.At, msg gjson.Result) {
	id := msg.Get("id").String()
	if c.last != nil && (c.last.id != id || id == "") {
		c.flush()
	}
	c.last = &pending{at: at, id: id, msg: msg}
}

// flush makes the nodes of the newest message.
func (c *chat) flush() {
	l := c.last
	c.last = nil
	if l == nil {
		return
	}
	msg, at := l.msg, l.at
	at.Time, at.Source = transcript.Unix(msg.Get("timestamp").String()), l.id
	key := c.key(l)
	if up, again := c.before[key]; again {
		c.s.Close()
		c.s.Tip = up // it stands beside its first version
	} else {
		c.before[key] = c.s.Tip
	}
	switch typ := msg.Get("type").String(); typ {
	case "user":
		c.user(at, msg, key)
	case "gemini", "model", "assistant":
		c.say(at, msg, key)
	case "info", "warning":
		c.s.Client(at, memory.KindHarness, text(msg.Get("content")), key, typ)
	case "error":
		c.s.Failed(at, text(msg.Get("content")), key, typ)
	default:
		c.p.b.Unknown(at, typ, len(msg.Raw))
	}
}

// key is what a message is known by: its id, or that of an earlier one that a snapshot tells anew.
func (c *chat) key(l *pending) string {
	content := hash(l.msg.Get("type").String() + l.msg.Get("content").Raw + l.msg.Get("toolCalls.#.id").Raw)
	_, known := c.p.met[l.id]
	if n := c.told[content]; c.told != nil && !known && n < len(c.keys[content]) {
		c.told[content]++
		return c.keys[content][n]
	}
	key := strings.Clone(l.id) // it is kept, and the message is not
	if key == "" {
		key = content
	}
	if !known {
		c.p.met[key] = true
		c.keys[content] = append(c.keys[content], key)
	}
	if c.told != nil {
		c.told[content]++
	}
	return key
}

// boilerplate begins what the client itself tells the model at the start.
var boilerplate = []string{"This is the Gemini CLI. We are setting up the context", "<session_context>", "My setup is complete. I will provide my first command"}

// user takes a message of the person. Where the client shows something else than it sent, what it shows are the person's words.
func (c *chat) user(at chain.At, msg gjson.Result, key string) {
	content := blocks.Google(msg.Get("content"))
	sent, shown := content.Text(), text(msg.Get("displayContent"))
	for _, r := range content.Results {
		c.p.b.Answer(c.s, at, r.CallID, r.Result)
	}
	switch {
	case transcript.StartsWithAny(strings.TrimSpace(sent), boilerplate):
		c.s.Client(at, memory.KindHarness, sent, key, "user", hash(sent))
	case strings.Contains(sent, "<state_snapshot>"):
		if c.compacted != "" {
			c.s.Tip = c.compacted
		}
		c.s.Compact(at, sent, memory.Compaction{}, key, "compaction", hash(sent))
	case shown != "" && shown != sent:
		c.s.GiveUp(memory.StatusPending)
		c.s.Client(at, memory.KindHarness, strings.TrimSpace(strings.Replace(sent, shown, "", 1)), key, "sent", hash(sent))
		c.s.Prompt(at, shown, content.Images, key, "user", hash(shown))
	default:
		c.s.Prompt(at, sent, content.Images, key, "user", hash(sent))
	}
}

// say takes a message of the model with its calls and their results.
func (c *chat) say(at chain.At, msg gjson.Result, key string) {
	content := blocks.Google(msg.Get("content"))
	m := chain.Message{Text: content.Text(), Images: content.Images, Model: msg.Get("model").String(), Usage: usage(msg.Get("tokens"))}
	thoughts := content.Thoughts
	msg.Get("thoughts").ForEach(func(_, t gjson.Result) bool {
		thoughts = append(thoughts, strings.TrimSpace(t.Get("subject").String()+"\n"+t.Get("description").String()))
		return true
	})
	m.Thinking = strings.Join(thoughts, "\n\n")
	m.Version = hash(m.Text + "\x00" + m.Thinking)
	msg.Get("toolCalls").ForEach(func(_, t gjson.Result) bool {
		m.Calls = append(m.Calls, toolCall(t))
		return true
	})
	c.s.Say(at, m, key)
	c.s.Close()
	msg.Get("toolCalls").ForEach(func(_, t gjson.Result) bool {
		if agent := t.Get("agentId").String(); agent != "" {
			c.p.started(agent, named{callID(t), strings.Clone(first(t.Get("args.agent_name").String(), t.Get("name").String()))})
		}
		return true
	})
}

// rewind takes back a message and all behind it.
func (c *chat) rewind(at chain.At, id string) {
	c.flush()
	up, ok := c.before[id]
	if !ok {
		up = "" // the client clears the chat
	}
	c.s.Rewind(at, up, "rewind", c.s.Tip, id)
}

// snapshot takes the whole chat anew: what it holds already only moves the end of the chain.
func (c *chat) snapshot(at chain.At, list gjson.Result) {
	c.flush()
	c.s.Close()
	c.compacted, c.s.Tip = c.s.Tip, ""
	c.before, c.told = map[string]string{}, map[string]int{}
	list.ForEach(func(_, m gjson.Result) bool {
		if m.IsObject() {
			c.message(at, m)
		}
		return true
	})
	c.flush()
	c.compacted, c.told = "", nil
}

func text(v gjson.Result) string {
	c := blocks.Google(v)
	return c.Text()
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// usage are the tokens of a message. The provider counts what came from a cache as input too, and thoughts apart from output.
func usage(t gjson.Result) *memory.Usage {
	if !t.IsObject() {
		return nil
	}
	cached := t.Get("cached").Int()
	return &memory.Usage{Input: max(t.Get("input").Int()-cached, 0) + t.Get("tool").Int(), CacheRead: cached,
		Output: t.Get("output").Int() + t.Get("thoughts").Int()}
}

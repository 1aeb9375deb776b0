package opencode

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"maps"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

type value = gjson.Result

func mapKeys(m map[string]bool) iter.Seq[string] { return maps.Keys(m) }

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}

// message is one message of a session with what it consists of.
type message struct {
	id    string
	data  value
	parts []part
	last  bool   // no other message of the session follows
	file  string // that it lies in
	line  int    // its number there, from 1
	bytes int    // of its parts
}

// add adds a part. Parts that are too long together are left out and counted.
func (m *message) add(p part, o transcript.Options) {
	before := m.bytes
	if m.bytes += len(p.data.Raw); m.bytes > maxDocument {
		o.Skip(transcript.Skip{Reason: transcript.TooLong, File: m.file, Line: m.line, Bytes: int64(len(p.data.Raw))})
		return
	}
	if before <= muchOfParts && m.bytes > muchOfParts {
		o.Waiting()
	}
	m.parts = append(m.parts, p)
}

// muchOfParts is how much the parts of a message have together that takes much memory, in bytes.
const muchOfParts = 4 << 20

type part struct {
	id   string
	data value
}

// source reads the messages of a session in their order.
type source interface {
	messages(ctx context.Context, s *about, use func(*message) error) error
}

// teller tells a family of sessions as nodes.
type teller struct {
	ctx      context.Context
	from     source
	fam      *family
	how      transcript.Settle
	opts     transcript.Options
	use      func(memory.Node) error
	chain    *chain.Session
	told     map[string]bool                     // sessions
	before   map[string]string                   // message -> the node before it
	compacts map[*chain.Stream]memory.Compaction // what the newest message that asked for one said
	head     string                              // where the conversation was taken back to
	isBack   bool
}

// tell hands the nodes of a family of sessions of an agent to use.
func tell(ctx context.Context, of Variant, from source, fam *family, root string, how transcript.Settle, o transcript.Options, use func(memory.Node) error) (transcript.Facts, error) {
	members := fam.members(root)
	if len(members) == 0 {
		return transcript.Facts{}, errNoSession
	}
	t := &teller{ctx: ctx, from: from, fam: fam, how: how, opts: o, use: use, chain: chain.New(of.Agent, o), told: map[string]bool{},
		before: map[string]string{}, compacts: map[*chain.Stream]memory.Compaction{}}
	if s := fam.by[root]; s != nil {
		f := &t.chain.Facts
		f.Cwd, f.ForkOf = s.directory, s.fork
		if s.title != "" && !defaultTitle(s.title) {
			f.Title, f.TitleBy = s.title, "agent"
		}
	}
	for _, s := range members { // the root first; then those whose call was not found
		if err := t.session(s); err != nil {
			return t.chain.Facts, err
		}
	}
	err := t.handOn(t.how)
	facts := t.chain.Facts
	for _, s := range members {
		t.chain.Seen(s.created / 1000)
		facts.Updated = max(facts.Updated, s.updated/1000)
	}
	facts.Created = t.chain.Facts.Created
	if t.isBack {
		facts.Head = t.head
	}
	return facts, err
}

// defaultTitle reports whether a title is the one that a session has before it got its own.
func defaultTitle(s string) bool {
	return strings.HasPrefix(s, "New session - ") || strings.HasPrefix(s, "Child session - ")
}

func (t *teller) handOn(how transcript.Settle) error {
	for _, n := range t.chain.Drain(how) {
		n.Reads = append(n.Reads, reads(&n)...)
		if err := t.use(n); err != nil {
			return err
		}
	}
	return t.ctx.Err()
}

// session tells one session: the person's as the main conversation, another as a sub-agent's branch.
func (t *teller) session(s *about) error {
	if t.told[s.id] {
		return nil
	}
	t.told[s.id] = true
	stream := t.chain.Main()
	if s.parent != "" && s.parent != s.id {
		stream = t.chain.Stream(s.id)
	}
	stream.Cwd = s.directory
	return t.from.messages(t.ctx, s, func(m *message) error {
		t.before[m.id] = stream.Tip
		if m.id == s.revert && s.revert != "" && stream == t.chain.Main() {
			t.isBack, t.head = true, stream.Tip
		}
		if m.last && t.how != transcript.Over && !complete(m.data) {
			return nil
		}
		t.chain.Look(m.data.Raw)
		for _, p := range m.parts {
			t.chain.Look(p.data.Raw)
		}
		if s.second {
			t.second(stream, m)
		} else {
			t.first(stream, m)
		}
		stream.Close()
		if err := t.handOn(transcript.Growing); err != nil {
			return err
		}
		return t.started(stream, m)
	})
}

// complete reports whether a message of the model will not change any more; those of others never do.
func complete(data value) bool {
	if r := data.Get("role").String(); r == "user" {
		return true
	}
	done := data.Get("time.completed")
	return done.Exists() && done.Int() > 0 || data.Get("finish").String() != "" || data.Get("error").IsObject() ||
		!data.Get("role").Exists() && !data.Get("content").Exists() // of the second form: not of the model
}

// started tells the sessions that the calls of a message started.
func (t *teller) started(stream *chain.Stream, m *message) error {
	calls := m.parts
	if len(calls) == 0 {
		m.data.Get("content").ForEach(func(_, c value) bool {
			calls = append(calls, part{c.Get("id").String(), c})
			return true
		})
	}
	for _, p := range calls {
		if p.data.Get("type").String() != "tool" {
			continue
		}
		meta := p.data.Get("state.metadata")
		child := t.fam.by[first(meta.Get("sessionId").String(), meta.Get("sessionID").String())]
		if child == nil || t.told[child.id] {
			continue
		}
		sub := t.chain.Stream(child.id)
		input := p.data.Get("state.input")
		sub.Caller, sub.Type = callID(m.id, p), first(input.Get("subagent_type").String(), input.Get("agent").String())
		if err := t.session(child); err != nil {
			return err
		}
	}
	return nil
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}

// callID names a call: by its message and the model's id of it, which tree, databases and exports have in common.
func callID(message string, p part) string {
	return message + "/" + first(p.data.Get("callID").String(), p.id)
}

// reads are the files that a call read.
func reads(n *memory.Node) []string {
	if n.Role != memory.RoleTool || !strings.HasPrefix(strings.ToLower(n.Name), "read") {
		return nil
	}
	for _, f := range []string{"filePath", "path", "file_path"} {
		if p := gjson.GetBytes(n.Input, f).String(); p != "" {
			return []string{"file:" + p}
		}
	}
	return nil
}

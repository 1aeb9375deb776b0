package gemini

import (
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Parser turns the lines of one session's files into nodes. See transcript.Parser.
type Parser struct {
	b     *chain.Session
	opts  transcript.Options
	files map[string]*chat
	order []*chat
	alias map[string]*chat // id that a call may name a sub-agent by
	named map[string]named // the same id -> call that named it
	met   map[string]bool  // messages
}

// named is a call that named a sub-agent.
type named struct{ call, typ string }

// New is a parser of one session.
func New(o transcript.Options) *Parser { return newParser(Agent, o) }

func newParser(agent string, o transcript.Options) *Parser {
	return &Parser{b: chain.New(agent, o), opts: o, files: map[string]*chat{}, alias: map[string]*chat{}, named: map[string]named{}, met: map[string]bool{}}
}

// Open announces a file.
func (p *Parser) Open(f transcript.File) {
	c := p.files[f.Path]
	if c == nil {
		c = newChat(p, p.b.Stream(f.AgentID), f.Path)
		p.files[f.Path] = c
		p.order = append(p.order, c)
	}
	c.s.Cwd = f.Cwd
	if f.AgentID == "" {
		p.b.Facts.Cwd = first(p.b.Facts.Cwd, f.Cwd)
		return
	}
	c.s.Await = true
	p.call(c, f.AgentID)
}

// call says that a sub-agent's chat is known by an id.
func (p *Parser) call(c *chat, id string) {
	if id == "" || c.s.Agent() == "" {
		return
	}
	p.alias[strings.Clone(id)] = c
	if n, ok := p.named[id]; ok {
		c.s.Started(n.call, n.typ)
	}
}

// started notes that a call names the sub-agent that it started.
func (p *Parser) started(agent string, n named) {
	if _, again := p.named[agent]; again {
		return
	}
	p.named[strings.Clone(agent)] = n
	if c := p.alias[agent]; c != nil {
		c.s.Started(n.call, n.typ)
	}
}

// Feed takes one line.
func (p *Parser) Feed(l transcript.Line) {
	if p.files[l.File] == nil {
		p.Open(transcript.File{Path: l.File})
	}
	c := p.files[l.File]
	transcript.Objects(l, func(obj []byte) {
		c.record(chain.At{File: l.File, Line: l.Number}, gjson.ParseBytes(obj))
	}, func(s transcript.Skip) { p.b.Skip(chain.At{File: s.File, Line: s.Line}, s.Reason, int(s.Bytes)) })
}

// record takes one line's object: a message, a change of the chat's facts, or messages that are taken back.
func (c *chat) record(at chain.At, r gjson.Result) {
	switch {
	case r.Get("$rewindTo").Exists():
		c.rewind(at, r.Get("$rewindTo").String())
	case r.Get("$set").IsObject():
		set := r.Get("$set")
		c.about(set)
		if list := set.Get("messages"); list.IsArray() {
			c.snapshot(at, list)
		}
	case r.Get("type").Exists() && (r.Get("id").Exists() || r.Get("content").Exists()):
		c.message(at, r)
	case r.Get("sessionId").Exists():
		c.about(r)
		if list := r.Get("messages"); list.IsArray() {
			c.snapshot(at, list)
		}
	default:
		c.p.b.Skip(at, transcript.BadShape, len(r.Raw))
	}
}

// Drain hands over what is final.
func (p *Parser) Drain(how transcript.Settle) []memory.Node {
	if how != transcript.Growing {
		for _, c := range p.order {
			c.flush()
		}
	}
	return p.b.Drain(how)
}

// Facts is what is known of the session so far.
func (p *Parser) Facts() transcript.Facts { return p.b.Facts }

package copilot

import (
	"strings"
	"time"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Parser turns the events of one session into nodes. See transcript.Parser.
type Parser struct {
	b        *chain.Session
	before   map[string]string    // event of a message -> where the chain stood before it
	thoughts map[string]string    // stream -> thoughts whose message has not come
	begun    map[string]time.Time // call -> when it started, until it ends
}

// New is a parser of one session.
func New(o transcript.Options) *Parser {
	return &Parser{b: chain.New(Agent, o), before: map[string]string{}, thoughts: map[string]string{}, begun: map[string]time.Time{}}
}

// Open announces a file. A session has one.
func (p *Parser) Open(transcript.File) {}

// event is one event of a log.
type event struct {
	chain.At
	typ   string
	id    string
	data  gjson.Result
	agent string // sub-agent that it belongs to
	stamp time.Time
	size  int
}

// Feed takes one line.
func (p *Parser) Feed(l transcript.Line) {
	transcript.Objects(l, func(obj []byte) {
		r := gjson.ParseBytes(obj)
		e := event{typ: r.Get("type").String(), id: r.Get("id").String(), data: r.Get("data"), agent: r.Get("agentId").String(), size: len(obj)}
		e.At = chain.At{File: l.File, Line: l.Number, Time: transcript.Unix(r.Get("timestamp").String()), Source: e.id}
		e.stamp, _ = time.Parse(time.RFC3339Nano, r.Get("timestamp").String()) // none is the zero time
		if e.agent == "" {
			e.agent = e.data.Get("parentToolCallId").String()
		}
		p.event(&e)
	}, func(s transcript.Skip) { p.b.Skip(chain.At{File: s.File, Line: s.Line}, s.Reason, int(s.Bytes)) })
}

func (p *Parser) event(e *event) {
	p.b.Seen(e.Time)
	s := p.stream(e)
	switch e.typ {
	case "user.message":
		p.before[strings.Clone(e.id)] = s.Tip
		p.user(s, e)
	case "assistant.message":
		p.before[strings.Clone(e.id)] = s.Tip
		p.say(s, e)
	case "assistant.reasoning":
		p.thoughts[s.Agent()] = strings.Clone(e.data.Get("content").String())
	case "tool.execution_start":
		p.start(s, e)
	case "tool.execution_complete":
		p.complete(s, e)
	case "abort":
		s.GiveUp(memory.StatusInterrupted)
	case "subagent.started":
		p.started(e)
	case "system.message":
		s.Client(e.At, memory.KindHarness, e.data.Get("content").String(), e.id, "system")
	case "system.notification":
		s.Client(e.At, memory.KindHarness, e.data.Get("content").String(), e.id, "notice")
	case "session.info", "session.warning":
		s.Client(e.At, memory.KindHarness, e.data.Get("message").String(), e.id, "info")
	case "session.error":
		s.Failed(e.At, e.data.Get("message").String(), e.id, "error")
	case "skill.invoked":
		s.Client(e.At, memory.KindHarness, e.data.Get("content").String(), e.id, "skill")
	default:
		p.state(s, e)
	}
}

// stream is the chain that an event belongs to.
func (p *Parser) stream(e *event) *chain.Stream {
	s := p.b.Stream(e.agent)
	s.Linear = true
	if e.agent != "" && s.Caller == "" && p.b.HasCall(e.agent) {
		s.Started(e.agent, "")
	}
	if e.agent != "" && s.Tip == "" {
		s.Await = true
	}
	return s
}

// started takes the event that says which call started a sub-agent. Its events name it by an id of its own, or by the call's.
func (p *Parser) started(e *event) {
	call, kind := e.data.Get("toolCallId").String(), e.data.Get("agentName").String()
	id := e.agent
	if id == "" {
		id = call
	}
	if id != "" {
		p.b.Stream(id).Started(call, kind)
	}
}

// Drain hands over what is final.
func (p *Parser) Drain(how transcript.Settle) []memory.Node { return p.b.Drain(how) }

// Facts is what is known of the session so far.
func (p *Parser) Facts() transcript.Facts { return p.b.Facts }

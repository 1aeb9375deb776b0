package antigravity

import (
	"strconv"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Parser turns the lines of one conversation into nodes. See transcript.Parser.
type Parser struct {
	b       *chain.Session
	session string
	last    *step
	open    []call // of the newest plan, without a result
}

// step is one step of the conversation.
type step struct {
	chain.At
	v     gjson.Result
	index string
	typ   string
}

// call is a call that waits for its answer.
type call struct {
	id, typ, path string
}

// New is a parser of one conversation.
func New(o transcript.Options) *Parser {
	p := &Parser{b: chain.New(Agent, o)}
	p.b.Main().Linear = true
	return p
}

// Open announces a file. A conversation has one.
func (p *Parser) Open(f transcript.File) {
	p.session = f.Session
	p.b.Main().Cwd = f.Cwd
	p.b.Facts.Cwd = f.Cwd
}

// Feed takes one line.
func (p *Parser) Feed(l transcript.Line) {
	transcript.Objects(l, func(obj []byte) {
		v := gjson.ParseBytes(obj)
		s := &step{v: v, index: strings.Clone(v.Get("step_index").Raw), typ: v.Get("type").String()}
		s.At = chain.At{File: l.File, Line: l.Number, Time: transcript.Unix(v.Get("created_at").String()), Source: s.index}
		if s.index == "" || s.typ == "" {
			p.b.Skip(s.At, transcript.BadShape, len(obj))
			return
		}
		if p.last != nil && p.last.index != s.index {
			p.flush()
		}
		p.last = s
	}, func(s transcript.Skip) { p.b.Skip(chain.At{File: s.File, Line: s.Line}, s.Reason, int(s.Bytes)) })
}

// flush makes the nodes of the newest step.
func (p *Parser) flush() {
	s := p.last
	p.last = nil
	if s == nil {
		return
	}
	p.b.Seen(s.Time)
	main := p.b.Main()
	key := []string{p.session, s.index}
	text := s.v.Get("content").String()
	switch s.typ {
	case "USER_INPUT":
		p.open = nil
		p.prompt(s, text, key)
	case "PLANNER_RESPONSE":
		p.plan(s, text, key)
	case "CHECKPOINT":
		main.Compact(s.At, text, memory.Compaction{}, append(key, "checkpoint", hash(text))...)
	case "CONVERSATION_HISTORY", "SYSTEM_MESSAGE", "EPHEMERAL_MESSAGE", "USER_INFORMATION", "KNOWLEDGE_ARTIFACTS":
		main.Client(s.At, memory.KindHarness, text, append(key, "system", hash(text))...)
	case "ERROR_MESSAGE":
		p.failed(s, text, key)
	default:
		p.answer(s, text)
	}
}

// prompt takes what the person asked for.
func (p *Parser) prompt(s *step, text string, key []string) {
	main := p.b.Main()
	words, around := request(text)
	if src := s.v.Get("source").String(); src != "" && !strings.HasPrefix(src, "USER") {
		main.Client(s.At, memory.KindHarness, text, append(key, "user", hash(text))...)
		return
	}
	main.GiveUp(memory.StatusPending)
	main.Client(s.At, memory.KindHarness, around, append(key, "around", hash(around))...)
	main.Prompt(s.At, words, nil, append(key, "user", hash(words))...)
}

// request parts a prompt into what the person asked for and what the client put around it.
func request(text string) (words, around string) {
	const begin, end = "<USER_REQUEST>", "</USER_REQUEST>"
	before, rest, ok := strings.Cut(text, begin)
	if !ok {
		return text, ""
	}
	words, after, _ := strings.Cut(rest, end)
	return strings.TrimSpace(words), strings.TrimSpace(strings.TrimSpace(before) + "\n\n" + strings.TrimSpace(after))
}

// Drain hands over what is final.
func (p *Parser) Drain(how transcript.Settle) []memory.Node {
	running := p.last != nil && p.last.v.Get("status").String() == "RUNNING"
	if how == transcript.Over || how == transcript.Quiet && !running {
		p.flush()
	}
	return p.b.Drain(how)
}

// Facts is what is known of the session so far.
func (p *Parser) Facts() transcript.Facts { return p.b.Facts }

func callID(s *step, i int) string { return s.index + "." + strconv.Itoa(i) }

package pi

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Parser turns the lines of one session's files into nodes. See transcript.Parser.
type Parser struct {
	b     *chain.Session
	files map[string]*file
	order []*file
	tasks map[string]string // name of a sub-agent -> call that started it
}

// file is one file and the tree that its entries form.
type file struct {
	transcript.File
	s  *chain.Stream
	at map[string]string // entry -> end of the chain behind it
}

// New is a parser of one session of pi.
func New(o transcript.Options) *Parser { return newParser(Agent, o) }

// NewOmp is a parser of one session of omp.
func NewOmp(o transcript.Options) *Parser { return newParser(OmpAgent, o) }

func newParser(agent string, o transcript.Options) *Parser {
	return &Parser{b: chain.New(agent, o), files: map[string]*file{}, tasks: map[string]string{}}
}

// Open announces a file.
func (p *Parser) Open(f transcript.File) {
	if p.files[f.Path] != nil {
		return
	}
	s := p.b.Stream(f.AgentID)
	if f.AgentID != "" {
		s.Type, s.Await = f.AgentType, true
		s.Started(p.tasks[taskName(f.AgentID)], "")
	}
	p.files[f.Path] = &file{File: f, s: s, at: map[string]string{}}
	p.order = append(p.order, p.files[f.Path])
}

// taskName is the name that a call gave to a sub-agent; its file's has a number in front of it.
func taskName(agentID string) string { return strings.TrimLeft(agentID, "0123456789-") }

// Feed takes one line.
func (p *Parser) Feed(l transcript.Line) {
	if p.files[l.File] == nil {
		p.Open(transcript.File{Path: l.File})
	}
	f := p.files[l.File]
	transcript.Objects(l, func(obj []byte) {
		v := gjson.ParseBytes(obj)
		at := chain.At{File: l.File, Line: l.Number, Time: transcript.Unix(v.Get("timestamp").String()), Source: v.Get("id").String()}
		p.b.Seen(at.Time)
		p.entry(f, at, v)
	}, func(s transcript.Skip) { p.b.Skip(chain.At{File: s.File, Line: s.Line}, s.Reason, int(s.Bytes)) })
}

// entry puts an entry into the tree.
func (p *Parser) entry(f *file, at chain.At, v gjson.Result) {
	typ := v.Get("type").String()
	if typ == "session" {
		p.header(f, v)
		return
	}
	up, id := v.Get("parentId"), v.Get("id").String()
	if tip, known := f.at[up.String()]; known && up.String() != id {
		f.s.Close()
		f.s.Tip = tip
	} else if up.Type == gjson.Null && up.Exists() {
		f.s.Close()
		f.s.Tip = ""
	}
	switch typ {
	case "message":
		p.message(f, at, v.Get("message"))
	case "model_change":
		f.s.Model = strings.Clone(first(v.Get("modelId").String(), v.Get("model").String()))
	case "compaction", "compactionSummary":
		p.compact(f, at, v)
	case "branch_summary", "branchSummary":
		text := v.Get("summary").String()
		f.s.Client(at, memory.KindHarness, text, "branch", v.Get("timestamp").String(), hash(text))
	case "custom_message":
		c := contentText(v.Get("content"))
		f.s.Client(at, memory.KindHarness, c, "custom", v.Get("timestamp").String(), hash(c))
	case "session_init":
		f.s.Type = first(f.s.Type, strings.Clone(v.Get("agent").String()))
		c := v.Get("systemPrompt").String()
		f.s.Client(at, memory.KindHarness, c, "system", v.Get("timestamp").String(), hash(c))
	default:
		p.state(f, at, typ, v)
	}
	if id != "" {
		f.at[strings.Clone(id)] = f.s.Tip
	}
}

// header takes the record that a session begins with.
func (p *Parser) header(f *file, v gjson.Result) {
	facts := &p.b.Facts
	f.s.Cwd = strings.Clone(v.Get("cwd").String())
	if f.AgentID != "" {
		return
	}
	facts.Cwd = first(facts.Cwd, f.s.Cwd)
	if from := first(v.Get("parentSession").String(), v.Get("branchedFrom").String()); from != "" {
		stem := strings.TrimSuffix(filepath.Base(filepath.FromSlash(strings.ReplaceAll(from, `\`, "/"))), ".jsonl")
		_, id, ok := strings.Cut(stem, "_")
		if !ok {
			id = stem
		}
		facts.ForkOf = strings.Clone(id)
	}
	if t := v.Get("title").String(); t != "" {
		facts.Title, facts.TitleBy = strings.Clone(t), "agent"
	}
}

// state takes an entry of the client's own state.
func (p *Parser) state(f *file, at chain.At, typ string, v gjson.Result) {
	switch typ {
	case "session_info", "title":
		if t := first(v.Get("name").String(), v.Get("title").String()); t != "" && f.AgentID == "" {
			p.b.Facts.Title, p.b.Facts.TitleBy = strings.Clone(t), "agent"
			if typ == "session_info" {
				p.b.Facts.TitleBy = "user"
			}
		}
	case "thinking_level_change", "custom", "label", "credential_pin", "context_edit", "mode_change", "service_tier_change", "todo_change":
	default:
		p.b.Unknown(at, typ, len(v.Raw))
	}
}

func (p *Parser) compact(f *file, at chain.At, v gjson.Result) {
	c := memory.Compaction{PreTokens: v.Get("tokensBefore").Int()}
	text := v.Get("summary").String()
	f.s.Compact(at, text, c, "compaction", v.Get("timestamp").String(), hash(text))
}

// Drain hands over what is final.
func (p *Parser) Drain(how transcript.Settle) []memory.Node { return p.b.Drain(how) }

// Facts is what is known of the session so far.
func (p *Parser) Facts() transcript.Facts { return p.b.Facts }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

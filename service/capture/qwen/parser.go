package qwen

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Parser turns the lines of one session's files into nodes. See transcript.Parser.
type Parser struct {
	b       *chain.Session
	at      map[string]string // record -> end of the chain behind it
	counted map[string]bool   // messages whose tokens were counted
	ran     map[string]int64  // call -> how long it ran, in milliseconds
}

// New is a parser of one session.
func New(o transcript.Options) *Parser {
	return &Parser{b: chain.New(Agent, o), at: map[string]string{}, counted: map[string]bool{}, ran: map[string]int64{}}
}

// Open announces a file.
func (p *Parser) Open(transcript.File) {}

// record is one line of a chat.
type record struct {
	chain.At
	v    gjson.Result
	id   string
	kind string // its type
	s    *chain.Stream
	was  string // end of the chain before it
}

// Feed takes one line.
func (p *Parser) Feed(l transcript.Line) {
	transcript.Objects(l, func(obj []byte) {
		v := gjson.ParseBytes(obj)
		r := record{v: v, id: strings.Clone(v.Get("uuid").String()), kind: v.Get("type").String(), s: p.b.Stream(v.Get("agentId").String())}
		r.At = chain.At{File: l.File, Line: l.Number, Time: transcript.Unix(v.Get("timestamp").String()), Source: r.id}
		if r.id == "" {
			r.id = hash(v.Raw)
		}
		p.take(&r)
	}, func(s transcript.Skip) { p.b.Skip(chain.At{File: s.File, Line: s.Line}, s.Reason, int(s.Bytes)) })
}

// take puts a record into the tree.
func (p *Parser) take(r *record) {
	p.b.Seen(r.Time)
	p.place(r)
	r.was = r.s.Tip
	up := r.v.Get("parentUuid")
	if tip, again := p.at[r.id]; again { // another part of a message
		r.s.Close()
		r.s.Tip = tip
	} else if tip, known := p.at[up.String()]; known {
		r.s.Close()
		r.s.Tip = tip
	} else if up.Type == gjson.Null && up.Exists() {
		r.s.Close()
		r.s.Tip = ""
	}
	switch r.kind {
	case "user":
		p.user(r)
	case "assistant", "model":
		p.say(r)
	case "tool_result":
		p.result(r)
	case "system":
		p.system(r)
	default:
		p.b.Unknown(r.At, r.kind, len(r.v.Raw))
	}
	p.at[r.id] = r.s.Tip
}

// place takes where the record was written.
func (p *Parser) place(r *record) {
	f := &p.b.Facts
	if cwd := r.v.Get("cwd").String(); cwd != "" && cwd != r.s.Cwd {
		r.s.Cwd = strings.Clone(cwd)
		if f.Cwd == "" {
			f.Cwd = r.s.Cwd
		}
	}
	if b := r.v.Get("gitBranch").String(); b != "" && b != r.s.Branch {
		r.s.Branch = strings.Clone(b)
		f.GitBranch = r.s.Branch
	}
}

// Drain hands over what is final.
func (p *Parser) Drain(how transcript.Settle) []memory.Node { return p.b.Drain(how) }

// Facts is what is known of the session so far.
func (p *Parser) Facts() transcript.Facts { return p.b.Facts }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

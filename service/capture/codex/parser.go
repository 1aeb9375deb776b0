package codex

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

type value = gjson.Result

// Parser turns the files of one session into nodes. See transcript.Parser.
type Parser struct {
	opts    transcript.Options
	files   map[string]*source
	streams map[string]*stream // thread of a sub-agent, "" = the person's thread
	order   []*stream
	calls   map[string][]*call // call id -> calls, in file order
	spawns  []*call            // calls that may have started a sub-agent
	started map[string]*call   // thread of a sub-agent -> call that started it
	have    map[string]bool    // nodes that were made
	parent  map[string]string  // node -> parent
	prompt  map[string]bool    // nodes that start a turn
	marks   map[string][]mark  // part -> ends of the chain in it
	given   map[string]bool
	out     []memory.Node
	facts   transcript.Facts
}

// source is one file and where the reading of it stands.
type source struct {
	transcript.File
	stream *stream
	thread string         // of the newest session_meta: a fork replays those of its parents
	turn   string         // of the newest turn
	times  map[string]int // how often a name was given in this file
	events bool           // the file tells by events which texts are the person's
	metas  int
	total  int64 // tokens in all, of the newest count
}

// mark is the end of a chain after the record that ends at a byte offset.
type mark struct {
	end int64
	tip string
}

// record is one object of a rollout.
type record struct {
	line    transcript.Line
	typ     string
	payload value
	kind    string // payload.type
	time    int64
	turn    string
}

// New is a parser of one session.
func New(o transcript.Options) *Parser {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	return &Parser{opts: o, files: map[string]*source{}, streams: map[string]*stream{}, calls: map[string][]*call{},
		started: map[string]*call{}, have: map[string]bool{}, parent: map[string]string{}, prompt: map[string]bool{},
		marks: map[string][]mark{}, given: map[string]bool{}}
}

// Open announces a file. A file that goes on from a place in an earlier one starts at the end that the chain had there.
func (p *Parser) Open(f transcript.File) {
	s := p.streams[f.AgentID]
	if s == nil {
		s = &stream{agent: f.AgentID, typ: f.AgentType}
		p.streams[f.AgentID] = s
		p.order = append(p.order, s)
	}
	if f.Base != "" {
		p.settle(s, transcript.Over)
		tip := ""
		for _, m := range p.marks[f.Base] {
			if f.BaseEnd == 0 || m.end <= f.BaseEnd {
				tip = m.tip
			}
		}
		if tip != "" {
			s.tip = tip
		}
	}
	p.files[f.Path] = &source{File: f, stream: s, thread: f.Session, times: map[string]int{}}
}

// Feed takes one line.
func (p *Parser) Feed(l transcript.Line) {
	src := p.files[l.File]
	if src == nil {
		p.Open(transcript.File{Path: l.File})
		src = p.files[l.File]
	}
	before := src.stream.tip
	transcript.Objects(l, func(obj []byte) { p.object(src, obj, l) }, p.opts.Skip)
	if src.stream.tip != before && src.Part != "" {
		p.marks[src.Part] = append(p.marks[src.Part], mark{end: l.Offset + int64(len(l.Data)), tip: src.stream.tip})
	}
}

func (p *Parser) object(src *source, obj []byte, l transcript.Line) {
	rec := gjson.ParseBytes(obj)
	r := record{line: l, typ: rec.Get("type").String(), payload: rec.Get("payload"), time: transcript.Unix(rec.Get("timestamp").String())}
	if !r.payload.IsObject() {
		r.payload, r.typ = rec, bareType(rec, r.typ)
	}
	r.kind = r.payload.Get("type").String()
	r.turn = first(r.payload.Get("internal_chat_message_metadata_passthrough.turn_id").String(), src.turn)
	if r.time > 0 && (p.facts.Created == 0 || r.time < p.facts.Created) {
		p.facts.Created = r.time
	}
	switch r.typ {
	case "session_meta":
		p.meta(src, &r)
	case "turn_context":
		p.context(src, &r)
	case "response_item":
		p.item(src, &r, len(obj))
	case "event_msg":
		p.event(src, &r, len(obj))
	case "compacted":
		p.compacted(src, &r)
	case "world_state", "inter_agent_communication", "inter_agent_communication_metadata", "token_usage_record", "state", "rollout_reference":
	default:
		p.skip(&r, transcript.UnknownType+" "+cut(r.typ), len(obj))
	}
}

// bareType is the type of a record without an envelope, as early versions wrote them.
func bareType(rec value, typ string) string {
	switch {
	case typ == "" && rec.Get("id").Exists() && rec.Get("timestamp").Exists():
		return "session_meta"
	case rec.Get("record_type").Exists():
		return "state"
	case typ == "":
		return ""
	case envelopes[typ]:
		return "" // an envelope without a payload
	default:
		return "response_item"
	}
}

var envelopes = map[string]bool{"session_meta": true, "turn_context": true, "response_item": true, "event_msg": true, "compacted": true}

func cut(s string) string {
	if s == "" {
		return "(none)"
	}
	return s[:min(len(s), 40)]
}

func (p *Parser) skip(r *record, reason string, n int) {
	p.opts.Skip(transcript.Skip{Reason: reason, File: r.line.File, Line: r.line.Number, Bytes: int64(n)})
}

// meta takes a session_meta. The first one of a file is about the file; later ones with its id are newer facts; others belong
// to the parents whose records a fork replays.
func (p *Parser) meta(src *source, r *record) {
	m := r.payload
	thread := m.Get("id").String()
	src.metas++
	if thread != "" {
		src.thread = strings.Clone(thread)
	}
	mine := src.metas == 1 || thread == src.Part || thread == src.Session
	if src.AgentID != "" || src.Prefix || !mine {
		return
	}
	f := &p.facts
	if cwd := m.Get("cwd").String(); cwd != "" && f.Cwd == "" {
		f.Cwd = strings.Clone(cwd)
	}
	if b := m.Get("git.branch").String(); b != "" {
		f.GitBranch = strings.Clone(b)
	}
	if url := m.Get("git.repository_url").String(); url != "" {
		f.RepositoryURL = strings.Clone(url)
	}
	if from := m.Get("forked_from_id").String(); from != "" && from != src.Session {
		f.ForkOf = strings.Clone(from)
	}
	src.stream.branch = strings.Clone(m.Get("git.branch").String())
	src.stream.commit = strings.Clone(m.Get("git.commit_hash").String())
}

// context takes a turn_context: the turn that begins, where and with which model.
func (p *Parser) context(src *source, r *record) {
	c := r.payload
	if t := c.Get("turn_id").String(); t != "" {
		src.turn = strings.Clone(t)
	}
	if cwd := c.Get("cwd").String(); cwd != "" {
		src.stream.cwd = strings.Clone(cwd)
		if p.facts.Cwd == "" && src.AgentID == "" && !src.Prefix {
			p.facts.Cwd = src.stream.cwd
		}
	}
	if model := c.Get("model").String(); model != "" {
		src.stream.model = strings.Clone(model)
		if src.AgentID == "" {
			p.facts.Model = src.stream.model
		}
	}
}

// name is the id of a node: its turn or thread, what it is, its key, and how often that was met before in the file.
func (p *Parser) name(src *source, r *record, what, key string) string {
	scope := first(r.turn, src.thread, src.Session)
	full := scope + "\x00" + what + "\x00" + key
	n := src.times[full]
	src.times[full]++
	parts := []string{scope, what, key}
	if n > 0 {
		parts = append(parts, strconv.Itoa(n))
	}
	return memory.NodeID(Agent, parts...)
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(s)))
	return hex.EncodeToString(sum[:12])
}

// Facts is what is known of the session so far.
func (p *Parser) Facts() transcript.Facts { return p.facts }

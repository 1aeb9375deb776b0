package claudecode

import (
	"path/filepath"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Parser turns the files of one session into nodes. See transcript.Parser.
type Parser struct {
	opts    transcript.Options
	files   map[string]transcript.File
	bare    map[string]map[string]int // file -> content -> times met
	first   map[string]string         // record without an id -> the file that it was met in first
	at      map[string]place          // record's uuid -> where it hangs
	msgs    map[string]*message       // message id -> message
	calls   map[string]*call          // call id -> call
	named   []*call                   // calls that are records of their own
	streams map[string]*stream        // agent id ("" = the main conversation) -> stream
	order   []*stream                 // streams in the order of their first record
	prompts map[string][]*call        // prompt of a sub-agent -> calls that gave it and are not taken
	started map[string]string         // agent id -> call id that started it
	inline  map[string]string         // uuid of an inline sub-agent's record -> its agent id
	parent  map[string]string         // node -> parent, of the main conversation
	given   map[string]bool           // nodes of the main conversation that were handed over
	out     []memory.Node
	facts   transcript.Facts
	leaf    string // node that the client chose as the end of the active branch, where it is on another branch than head
	byOwner bool   // the title was given by the person
}

// place is where a record hangs in the DAG: on a message and its calls, or on one node.
type place struct {
	stream *stream
	msg    *message
	node   string
}

func (p place) tip() string {
	if p.msg != nil {
		return p.msg.link
	}
	return p.node
}

// New is a parser of one session.
func New(o transcript.Options) *Parser {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	return &Parser{opts: o, files: map[string]transcript.File{}, bare: map[string]map[string]int{}, first: map[string]string{}, at: map[string]place{},
		msgs: map[string]*message{}, calls: map[string]*call{}, streams: map[string]*stream{}, prompts: map[string][]*call{},
		started: map[string]string{}, inline: map[string]string{}, parent: map[string]string{},
		given: map[string]bool{}}
}

// Open announces a file.
func (p *Parser) Open(f transcript.File) { p.files[f.Path] = f }

// Feed takes one line.
func (p *Parser) Feed(l transcript.Line) {
	transcript.Objects(l, func(obj []byte) { p.object(obj, l) }, p.opts.Skip)
}

func (p *Parser) object(obj []byte, l transcript.Line) {
	r := parse(obj, l)
	switch r.typ {
	case "assistant", "user", "attachment", "system", "progress":
		p.treeRecord(&r, obj)
	case "custom-title", "ai-title", "summary", "last-prompt", "agent-name":
		p.stateRecord(&r)
	case "tool_use", "tool_result":
		p.bareRecord(&r, obj)
	default:
		if !stateTypes[r.typ] {
			p.skip(&r, transcript.UnknownType+" "+cut(r.typ), len(obj))
		}
	}
}

// stateTypes are record types that hold the client's own state and nothing of the conversation.
var stateTypes = map[string]bool{"file-history-snapshot": true, "file-history-delta": true, "queue-operation": true,
	"agent-color": true, "agent-setting": true, "mode": true, "permission-mode": true, "pr-link": true, "bridge-session": true,
	"atis-latch": true, "frame-link": true, "worktree-state": true, "relocated": true, "tag": true, "cost-state": true,
	"continued-in": true, "fork-context-ref": true, "content-replacement": true, "attribution-snapshot": true,
	"artifact-autoreact-ledger": true, "artifact-comment-monitor": true, "ended-by-model": true, "history-suppression": true,
	"isolation-latch": true, "observer-ref": true, "session-name": true, "slug": true, "started": true, "result": true,
	"failed": true, "launched": true}

func cut(s string) string {
	if s == "" {
		return "(none)"
	}
	return s[:min(len(s), 40)]
}

func (p *Parser) skip(r *record, reason string, n int) {
	p.opts.Skip(transcript.Skip{Reason: reason, File: r.line.File, Line: r.line.Number, Bytes: int64(n)})
}

// treeRecord takes a record of the conversation. A record whose uuid was seen is a copy and hangs where the first one does.
func (p *Parser) treeRecord(r *record, obj []byte) {
	if p.copied(r, obj) {
		return
	}
	s := p.streamOf(r)
	p.note(r)
	up := p.resolve(r, s)
	var here place
	switch r.typ {
	case "assistant":
		here = p.assistant(r, obj, s, up)
	case "user":
		here = p.user(r, obj, s, up)
	case "attachment":
		here = p.attach(r, obj, s, up)
	case "system":
		here = p.system(r, obj, s, up)
	default:
		p.progress(r)
		here = up
	}
	here.stream = s
	if r.uuid != "" {
		p.at[strings.Clone(r.uuid)] = here
	}
}

// resolve is where the record's parent hangs. Where the transcript does not say (a slice without its beginning, an old
// record without ids), it is the end of the stream so far.
func (p *Parser) resolve(r *record, s *stream) place {
	switch up, known := p.at[r.parent]; {
	case r.parent != "" && r.parent != r.uuid && known && up.stream == s:
		return up
	case r.parent != "" && known:
		return place{stream: s, node: s.tip} // a sub-agent that goes on from its parent's context starts a chain of its own
	case r.nullParent && r.typ != "assistant" && !isAnswer(r):
		return place{stream: s}
	default:
		return place{stream: s, node: s.tip}
	}
}

// isAnswer reports whether a user record answers a call.
func isAnswer(r *record) bool {
	found := false
	if r.typ == "user" {
		blocks(r.message, func(typ string, _ gjson.Result) { found = found || typ == "tool_result" })
	}
	return found
}

// note takes the facts that any record may tell.
func (p *Parser) note(r *record) {
	f := &p.facts
	if r.cwd != "" && f.Cwd == "" && p.files[r.line.File].AgentID == "" {
		f.Cwd = strings.Clone(r.cwd)
	}
	if r.branch != "" && r.branch != f.GitBranch && !r.sidechain {
		f.GitBranch = strings.Clone(r.branch)
	}
	if r.time > 0 && (f.Created == 0 || r.time < f.Created) {
		f.Created = r.time
	}
	if from := r.forkedFrom.Get("sessionId").String(); from != "" && f.ForkOf == "" {
		f.ForkOf = strings.Clone(from)
	}
}

// streamOf is the chain that the record belongs to: the main conversation, or a sub-agent's.
func (p *Parser) streamOf(r *record) *stream {
	file := p.files[r.line.File]
	id, typ := file.AgentID, file.AgentType
	if id == "" && r.sidechain {
		id = r.agentID
		if id == "" {
			id = p.inlineAgent(r)
		}
	}
	s := p.streams[id]
	if s == nil {
		s = &stream{agent: strings.Clone(id), calledBy: file.CalledBy, order: len(p.order)}
		if id != "" && s.agent == "" {
			s.agent = strings.TrimSuffix(filepath.Base(r.line.File), ".jsonl")
		}
		p.streams[s.agent] = s
		p.order = append(p.order, s)
	}
	if s.typ == "" && s.agent != "" {
		s.typ = strings.Clone(first(typ, r.attribution, r.agentName))
	}
	return s
}

// inlineAgent is the id of a sub-agent whose records stand in the main file without one: the first record of its chain.
func (p *Parser) inlineAgent(r *record) string {
	id, known := p.inline[r.parent]
	if !known {
		id = strings.Clone(first(r.uuid, "inline"))
	}
	if r.uuid != "" {
		p.inline[strings.Clone(r.uuid)] = id
	}
	return id
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}

// Facts is what is known of the session so far.
func (p *Parser) Facts() transcript.Facts { return p.facts }

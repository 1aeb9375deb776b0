package claudecode

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// record is one object of a transcript, with the fields that are used. Strings share the line's memory: what is kept longer
// than a round is cloned.
type record struct {
	line                     transcript.Line // Data is not to be used
	typ, subtype             string
	uuid, parent, logical    string
	hasParent, nullParent    bool
	time                     int64
	cwd, branch, agentID     string
	agentName, attribution   string
	requestID, promptSource  string
	origin, aiTitle, custom  string
	summary, leaf            string
	sidechain, meta          bool
	compact, plan            bool
	apiError, aborted        bool
	message, result          gjson.Result
	attachment, data         gjson.Result
	compactMeta, forkedFrom  gjson.Result
	clearMeta                gjson.Result
	content                  string
	cleared                  []string // nodes of calls
	sourceCall, sourceAgent  string
	toolUseID, parentToolUse string
	bare                     string // names a record without an id
}

// parse reads the top level of one object. The object's text is copied once.
func parse(obj []byte, l transcript.Line) record {
	r := record{line: l}
	gjson.ParseBytes(obj).ForEach(func(k, v gjson.Result) bool {
		r.set(k.Str, v)
		return true
	})
	return r
}

func (r *record) set(key string, v gjson.Result) {
	switch key {
	case "type":
		r.typ = v.String()
	case "subtype":
		r.subtype = v.String()
	case "uuid":
		r.uuid = v.String()
	case "parentUuid":
		r.hasParent, r.nullParent, r.parent = true, v.Type == gjson.Null, v.String()
	case "logicalParentUuid":
		r.logical = v.String()
	case "timestamp":
		r.time = transcript.Unix(v.String())
	case "cwd":
		r.cwd = v.String()
	case "gitBranch":
		r.branch = v.String()
	case "isSidechain":
		r.sidechain = v.Bool()
	case "isMeta":
		r.meta = v.Bool()
	case "agentId":
		r.agentID = v.String()
	case "requestId":
		r.requestID = v.String()
	case "message":
		r.message = v
	case "toolUseResult":
		r.result = v
	case "attachment":
		r.attachment = v
	case "data":
		r.data = v
	default:
		r.setRare(key, v)
	}
}

func (r *record) setRare(key string, v gjson.Result) {
	switch key {
	case "promptSource":
		r.promptSource = v.String()
	case "origin":
		r.origin = v.Get("kind").String()
	case "isCompactSummary":
		r.compact = v.Bool()
	case "planContent":
		r.plan = v.String() != ""
	case "compactMetadata":
		r.compactMeta = v
	case "microcompactMetadata":
		r.clearMeta = v
	case "content":
		r.content = v.String()
	case "isApiErrorMessage":
		r.apiError = v.Bool()
	case "isAbortedMidStream":
		r.aborted = v.Bool()
	case "forkedFrom":
		r.forkedFrom = v
	case "aiTitle":
		r.aiTitle = v.String()
	case "customTitle":
		r.custom = v.String()
	case "summary":
		r.summary = v.String()
	case "leafUuid":
		r.leaf = v.String()
	case "sourceToolUseID":
		r.sourceCall = v.String()
	case "sourceToolAssistantUUID":
		r.sourceAgent = v.String()
	case "toolUseID":
		r.toolUseID = v.String()
	case "parentToolUseID":
		r.parentToolUse = v.String()
	case "agentName":
		r.agentName = v.String()
	case "attributionAgent":
		r.attribution = v.String()
	}
}

// id is the agent's own id of the record that nodes are named after: of a copy made by a fork, the id of the original. A
// record without an id is named by its content, told apart from equal ones by its number among them.
func (p *Parser) id(r *record, obj []byte) string {
	if orig := r.forkedFrom.Get("messageUuid").String(); orig != "" {
		return strings.Clone(orig)
	}
	if r.uuid != "" {
		return strings.Clone(r.uuid)
	}
	if r.bare == "" {
		sum := sha256.Sum256(obj)
		key := hex.EncodeToString(sum[:12])
		r.bare = "x" + key + "-" + strconv.Itoa(p.seen(r.line.File, key))
	}
	return r.bare
}

// copied reports whether a record stands in the session's files already: under its id or, without one, as the same one of equal records of
// another file. A session whose folder was copied has each record twice.
func (p *Parser) copied(r *record, obj []byte) bool {
	if r.uuid != "" {
		_, again := p.at[r.uuid]
		return again
	}
	file, again := p.first[p.id(r, obj)]
	if !again {
		p.first[r.bare] = r.line.File
	}
	return again && r.bare != "" && file != r.line.File
}

// seen counts, for each file, how often a record without an id was met before.
func (p *Parser) seen(file, key string) int {
	m := p.bare[file]
	if m == nil {
		m = map[string]int{}
		p.bare[file] = m
	}
	m[key]++
	return m[key]
}

// blocks calls use with each block of a message's content; a plain string is one text block.
func blocks(message gjson.Result, use func(typ string, b gjson.Result)) {
	c := message.Get("content")
	if c.Type == gjson.String {
		use("text", c)
		return
	}
	if !c.IsArray() {
		return
	}
	c.ForEach(func(_, b gjson.Result) bool {
		if b.Type == gjson.String {
			use("text", b)
		} else {
			use(b.Get("type").String(), b)
		}
		return true
	})
}

// textOf is the text of a text block or of a plain string.
func textOf(b gjson.Result) string {
	if b.Type == gjson.String {
		return b.String()
	}
	return b.Get("text").String()
}

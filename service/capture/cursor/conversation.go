package cursor

import (
	"fmt"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/sqlite"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// conversation is the reading of one conversation from one state of a database.
type conversation struct {
	*teller
	x       *state
	db      *sqlite.DB
	how     transcript.Settle
	told    map[string]bool
	updated int64  // Unix milliseconds
	thought string // of a bubble of its own, for the next one
}

// document is a document by its key; ok is false where there is none. One that cannot be used is counted, and is an empty one.
func (c *conversation) document(key string) (v value, ok bool, err error) {
	err = c.db.Query(c.ctx, func(r sqlite.Row) (err error) {
		text, bytes := r.Text(0), r.Int(1)
		ok = !r.Null(1)
		switch {
		case r.Null(0) && bytes > longest:
			c.x.opts.Skip(transcript.Skip{Reason: transcript.TooLong, File: c.x.path, Bytes: bytes})
		case r.Null(0) && bytes > 0:
			in := c.db.Value(c.ctx, "SELECT substr(CAST(value AS BLOB), ?, ?) FROM cursorDiskKV WHERE key = ?", key)
			if v, err = (document.Source{File: c.x.path, In: in, Opts: c.x.opts}).Record(); v.Exists() {
				c.chain.Look(v.Raw)
			}
		case r.Null(0):
		case !transcript.Valid([]byte(text)):
			c.x.opts.Skip(transcript.Skip{Reason: transcript.NotJSON, File: c.x.path, Bytes: int64(len(text))})
		default:
			v = gjson.Parse(text)
			c.chain.Look(text)
		}
		return err
	}, fmt.Sprintf("SELECT CASE WHEN octet_length(value) <= %d THEN CAST(value AS TEXT) END, octet_length(value) FROM cursorDiskKV WHERE key = ?", sqlite.Long), key)
	return v, ok, err
}

// main tells the person's conversation: from its own document, or from inside one of the workspace.
func (c *conversation) main(id string) error {
	have, err := c.db.Columns(c.ctx, "cursorDiskKV")
	if err != nil {
		return err
	}
	var doc value
	found := false
	if have["value"] {
		if doc, found, err = c.document("composerData:" + id); err != nil {
			return err
		}
	}
	if !found || doc.Exists() && !doc.Get("fullConversationHeadersOnly.0").Exists() && !doc.Get("conversation.0").Exists() {
		err = c.x.inside(c.ctx, c.db, func(other string, d value) {
			if other == id {
				doc, found = gjson.Parse(strings.Clone(d.Raw)), true
				c.chain.Look(doc.Raw)
			}
		})
		if err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("conversation %s is not in %s any more", id, c.x.path)
	}
	c.about(id, doc)
	return c.bubbles(c.chain.Main(), id, doc)
}

// about takes what the document says of the session.
func (c *conversation) about(id string, doc value) {
	f := &c.chain.Facts
	if title := first(doc.Get("name").String(), doc.Get("chatTitle").String()); title != "" {
		f.Title, f.TitleBy = strings.Clone(title), "agent"
	}
	c.updated = max(doc.Get("lastUpdatedAt").Int(), doc.Get("createdAt").Int(), doc.Get("lastSendTime").Int())
	c.chain.Seen(doc.Get("createdAt").Int() / 1000)
	s := c.chain.Main()
	s.Cwd = first(workspaceOf(doc), c.x.place(c.ctx, id))
	f.Cwd = s.Cwd
	if branch := doc.Get("createdOnBranch").String(); branch != "" {
		s.Branch = strings.Clone(branch)
		f.GitBranch = s.Branch
	}
}

// bubbles tells the bubbles of a conversation in their order.
func (c *conversation) bubbles(s *chain.Stream, id string, doc value) (err error) {
	if c.told[id] {
		return nil
	}
	c.told[id] = true
	s.Model = strings.Clone(doc.Get("modelConfig.modelName").String())
	list, inside := doc.Get("fullConversationHeadersOnly"), false
	for _, name := range []string{"conversation", "bubbles"} {
		if l := doc.Get(name); !list.Get("0").Exists() && l.IsArray() {
			list, inside = l, true
		}
	}
	busy := map[string]bool{}
	doc.Get("generatingBubbleIds").ForEach(func(_, b value) bool { busy[b.String()] = true; return true })
	summary := doc.Get("latestConversationSummary")
	n := 0
	list.ForEach(func(_, b value) bool {
		n++
		bubbleID := first(b.Get("bubbleId").String(), b.Get("id").String())
		if busy[bubbleID] && c.how != transcript.Over {
			return false
		}
		if !inside {
			var ok bool
			if b, ok, err = c.document("bubbleId:" + id + ":" + bubbleID); err != nil {
				return false
			}
			if !ok {
				c.chain.Skip(chain.At{File: c.x.path, Line: n}, "bubble without its content", 0)
			}
			if !b.Exists() {
				return true
			}
		}
		c.bubble(s, chain.At{File: c.x.path, Line: n, Time: timeOf(b), Source: bubbleID}, b, bubbleID)
		s.Close()
		if err = c.handOn(c.chain.Drain(transcript.Growing)); err == nil {
			err = c.started(doc, b, bubbleID)
		}
		c.compacted(s, chain.At{File: c.x.path, Line: n}, summary, bubbleID)
		return err == nil
	})
	if err != nil {
		return err
	}
	c.flushThought(s, chain.At{File: c.x.path, Line: n})
	return c.rest(doc)
}

// compacted tells the newest summary, where it covers what is up to this bubble.
func (c *conversation) compacted(s *chain.Stream, at chain.At, summary value, bubbleID string) {
	last := first(summary.Get("summary.truncationLastBubbleIdInclusive").String(), summary.Get("lastBubbleId").String())
	text := first(summary.Get("summary.summary").String(), summary.Get("summary").String())
	if last == bubbleID && last != "" && text != "" {
		s.Compact(at, text, memory.Compaction{Trigger: "auto"}, bubbleID, "summary", digest(text))
	}
}

// started tells the conversations of the sub-agents that a call started: those whose ids stand in what is stored of it.
func (c *conversation) started(doc, bubble value, bubbleID string) error {
	call := bubble.Get("toolFormerData")
	if !call.Exists() {
		return nil
	}
	for _, sub := range doc.Get("subComposerIds").Array() {
		if id := sub.String(); id != "" && strings.Contains(call.Raw, id) {
			if err := c.sub(id, bubbleID); err != nil {
				return err
			}
		}
	}
	return nil
}

// rest tells those whose call was not found.
func (c *conversation) rest(doc value) error {
	for _, sub := range doc.Get("subComposerIds").Array() {
		if err := c.sub(sub.String(), ""); err != nil {
			return err
		}
	}
	return nil
}

func (c *conversation) sub(id, caller string) error {
	if c.told[id] || id == "" {
		return nil
	}
	doc, ok, err := c.document("composerData:" + id)
	if err != nil || !ok {
		return err
	}
	s := c.chain.Stream(id)
	s.Caller, s.Type = caller, strings.Clone(first(doc.Get("subagentInfo.subagentType").String(), doc.Get("name").String()))
	return c.bubbles(s, id, doc)
}

// timeOf is when a bubble was made, in Unix seconds; 0 where it does not say.
func timeOf(b value) int64 {
	if t := b.Get("createdAt"); t.Type == gjson.String {
		return transcript.Unix(t.Str)
	} else if t.Int() > 0 {
		return t.Int() / 1000
	}
	if t := b.Get("timingInfo.clientStartTime").Int(); t > 1e12 { // some count from the start of the program
		return t / 1000
	}
	return 0
}

// workspaceOf is the folder of a conversation, as its own document tells.
func workspaceOf(doc value) string {
	for _, p := range []string{"workspaceIdentifier.uri.fsPath", "workspaceIdentifier.uri.path", "workspaceProjectDir"} {
		if s := doc.Get(p).String(); s != "" {
			return strings.Clone(s)
		}
	}
	return fromURI(first(doc.Get("workspaceIdentifier.uri").String(), doc.Get("workspaceUris.0").String()))
}

package goose

import (
	"context"
	"fmt"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/sqlite"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// reading is the reading of one session from one state of the database.
type reading struct {
	ctx      context.Context
	db       *sqlite.DB
	path     string
	opts     transcript.Options
	chain    *chain.Session
	use      func(memory.Node) error
	children []*about        // sub-agents' sessions, the oldest first
	told     map[string]bool // sessions
}

// main tells the person's session.
func (r *reading) main(s *about) error {
	f := &r.chain.Facts
	f.Cwd, f.Created, f.Updated = s.dir, s.created, s.updated
	if s.title != "" {
		f.Title, f.TitleBy = s.title, s.titleBy
	}
	return r.session(s)
}

// maxContent is how long the content of a message may be, in bytes.
const maxContent = 64 << 20

// session tells a session: the person's as the main conversation, another as a sub-agent's branch.
func (r *reading) session(s *about) error {
	if r.told[s.id] {
		return nil
	}
	r.told[s.id] = true
	stream := r.chain.Main()
	if s.parent != "" && s.parent != s.id {
		stream = r.chain.Stream(s.id)
	}
	stream.Cwd, stream.Model = s.dir, s.model
	t := &teller{chain: r.chain, session: s.id}
	spent, err := r.spent(s.id)
	if err != nil {
		return err
	}
	have, err := r.db.Columns(r.ctx, "messages")
	if err != nil {
		return err
	}
	about := "NULL"
	if have["metadata_json"] {
		about = "metadata_json"
	}
	n := 0
	return r.db.Query(r.ctx, func(row sqlite.Row) error {
		n++
		content, err := r.document(row, n)
		if err != nil {
			return err
		}
		m := &message{id: strings.Clone(row.Text(1)), role: strings.Clone(row.Text(2)), content: content, created: seconds(row.Int(4)),
			about: gjson.Parse(row.Text(5)), file: r.path, line: n}
		if m.usage = usage(m.about); m.usage == nil && m.role == "assistant" {
			m.usage = spent[row.Int(0)]
		}
		t.tell(stream, m)
		stream.Close()
		if err := handOn(r.ctx, r.chain, transcript.Growing, r.use); err != nil {
			return err
		}
		return r.launched(t, m)
	}, fmt.Sprintf("SELECT id, message_id, role, CASE WHEN octet_length(content_json) <= %d THEN content_json END, created_timestamp, %s, octet_length(content_json) "+
		"FROM messages WHERE session_id = ? ORDER BY id", sqlite.Long, about), s.id)
}

// document is the content of a message. One that cannot be used is counted.
func (r *reading) document(row sqlite.Row, n int) (value, error) {
	text, bytes := row.Text(3), row.Int(6)
	switch {
	case row.Null(3) && bytes > 0 && bytes <= maxContent:
		in := r.db.Value(r.ctx, "SELECT substr(CAST(content_json AS BLOB), ?, ?) FROM messages WHERE id = ?", row.Int(0))
		return document.Source{File: r.path, In: in, Opts: r.opts}.Record()
	case row.Null(3):
		r.opts.Skip(transcript.Skip{Reason: transcript.TooLong, File: r.path, Line: n, Bytes: bytes})
		return value{}, nil
	case !transcript.Valid([]byte(text)):
		r.opts.Skip(transcript.Skip{Reason: transcript.NotJSON, File: r.path, Line: n, Bytes: int64(len(text))})
		return value{}, nil
	}
	return gjson.Parse(text), nil
}

// launched tells the sessions that the calls of a message started.
func (r *reading) launched(t *teller, m *message) error {
	for _, call := range t.launched {
		for _, c := range r.children {
			if r.told[c.id] || c.created < m.created-1 {
				continue
			}
			sub := r.chain.Stream(c.id)
			sub.Caller, sub.Type = call, "subagent"
			if err := r.session(c); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// spent is the ledger of a session, by the row of the message that was the newest of the model when it was written. It is empty
// where messages tell their tokens themselves.
func (r *reading) spent(session string) (map[int64]*memory.Usage, error) {
	out := map[int64]*memory.Usage{}
	have, err := r.db.Columns(r.ctx, "usage_ledger")
	if err != nil || !have["session_id"] {
		return nil, err
	}
	rows, err := r.db.Columns(r.ctx, "messages")
	if err != nil || !rows["metadata_json"] {
		return nil, err
	}
	return out, r.db.Query(r.ctx, func(row sqlite.Row) error {
		id := row.Int(0)
		if out[id] == nil {
			out[id] = &memory.Usage{}
		}
		u := out[id]
		u.Input, u.Output, u.CacheRead, u.CacheWrite = u.Input+row.Int(1), u.Output+row.Int(2), u.CacheRead+row.Int(3), u.CacheWrite+row.Int(4)
		return nil
	}, `SELECT (SELECT max(m.id) FROM messages m WHERE m.session_id = l.session_id AND m.role = 'assistant' AND m.created_timestamp <= l.created_timestamp),
		l.input_tokens, l.output_tokens, l.cache_read_tokens, l.cache_write_tokens FROM usage_ledger l
		WHERE l.session_id = ? AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.session_id = l.session_id AND m.metadata_json LIKE '%"usage"%')`, session)
}

package cursor

import (
	"context"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/sqlite"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// store is a database of the command line: one session.
type store struct {
	path string
	opts transcript.Options
}

// Close has nothing to close.
func (x *store) Close() error { return nil }

// head is what the database says of its session.
func (x *store) head(ctx context.Context, db *sqlite.DB) (v value, err error) {
	have, err := db.Columns(ctx, "meta")
	if err != nil {
		return v, err
	}
	if !have["value"] {
		return v, fmt.Errorf("%s holds no table that is known: it is being made, or of a version to come", x.path)
	}
	err = db.Query(ctx, func(r sqlite.Row) error {
		text := r.Text(0)
		if b, err := hex.DecodeString(text); err == nil {
			text = string(b)
		}
		if transcript.Valid([]byte(text)) {
			v = gjson.Parse(text)
		}
		return nil
	}, "SELECT value FROM meta WHERE key = '0'")
	return v, err
}

func (x *store) session(head value) string {
	return first(head.Get("agentId").String(), filepath.Base(filepath.Dir(x.path)))
}

// List tells of the session.
func (x *store) List(ctx context.Context, use func(transcript.Entry) error) error {
	var e transcript.Entry
	err := sqlite.Read(ctx, x.path, func(db *sqlite.DB) error {
		head, err := x.head(ctx, db)
		if err != nil {
			return err
		}
		root := head.Get("latestRootBlobId").String()
		e = transcript.Entry{Session: x.session(head), Rank: rankStore, Version: digest(root, head.Get("name").String())}
		if root == "" {
			e = transcript.Entry{}
		}
		return nil
	})
	if err != nil || e.Session == "" {
		return err
	}
	if info, err := statNewest(x.path); err == nil {
		e.Updated, e.Bytes = info.modified, info.size
	}
	return use(e)
}

// Read reads it.
func (x *store) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (facts transcript.Facts, err error) {
	err = sqlite.Read(ctx, x.path, func(db *sqlite.DB) error {
		head, err := x.head(ctx, db)
		if err != nil {
			return err
		}
		b := chain.New(Agent, x.opts)
		r := &blobReader{teller: newTeller(ctx, b, use), x: x, db: db, session: session}
		f := &b.Facts
		if name := head.Get("name").String(); name != "" && name != "New Agent" {
			f.Title, f.TitleBy = strings.Clone(name), "agent"
		}
		b.Seen(head.Get("createdAt").Int() / 1000)
		b.Main().Model = strings.Clone(head.Get("lastUsedModel").String())
		if err := r.blob(head.Get("latestRootBlobId").String(), 0, map[string]bool{}); err != nil {
			return err
		}
		if err := r.handOn(b.Drain(how)); err != nil {
			return err
		}
		facts = *f
		return nil
	})
	if info, statErr := statNewest(x.path); err == nil && statErr == nil {
		facts.Updated = max(facts.Updated, info.modified)
	}
	return facts, err
}

// blobReader walks the tree of one session.
type blobReader struct {
	*teller
	x       *store
	db      *sqlite.DB
	session string
}

// deepest is how deep the tree may be.
const deepest = 64

// blob tells the messages below a blob. above are the blobs that it lies below.
func (r *blobReader) blob(id string, depth int, above map[string]bool) error {
	if id == "" || above[id] || depth > deepest {
		return nil
	}
	data, ok, err := r.load(id)
	if err != nil || !ok {
		return err
	}
	if len(data) > 0 && data[0] == '{' {
		return r.message(id, data)
	}
	above[id] = true
	defer delete(above, id)
	for _, f := range fields(data) {
		switch {
		case len(f) == 32:
			if err := r.blob(hex.EncodeToString(f), depth+1, above); err != nil {
				return err
			}
		case len(f) > 1 && f[0] == '{':
			if err := r.message(id, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// load is a blob by its id; ok is false where it is not there. One that is too long is counted.
func (r *blobReader) load(id string) (data []byte, ok bool, err error) {
	err = r.db.Query(r.ctx, func(row sqlite.Row) error {
		if row.Null(0) && row.Int(1) > 0 && row.Int(1) <= longest {
			data, ok, err = r.long(id)
			return err
		}
		if row.Null(0) {
			r.x.opts.Skip(transcript.Skip{Reason: transcript.TooLong, File: r.x.path, Bytes: row.Int(1)})
			return nil
		}
		data, ok = []byte(row.Text(0)), true
		return nil
	}, fmt.Sprintf("SELECT CASE WHEN octet_length(data) <= %d THEN data END, octet_length(data) FROM blobs WHERE id = ?", sqlite.Long), id)
	return data, ok, err
}

// long is a long blob that is a message, without its long texts; a list of other blobs is never that long.
func (r *blobReader) long(id string) (data []byte, ok bool, err error) {
	in := r.db.Value(r.ctx, "SELECT substr(CAST(data AS BLOB), ?, ?) FROM blobs WHERE id = ?", id)
	v, err := document.Source{File: r.x.path, In: in, Opts: r.x.opts}.Record()
	return []byte(v.Raw), v.Exists(), err
}

// fields are the length-delimited fields of a message in the wire format of protocol buffers
// (https://protobuf.dev/programming-guides/encoding/), as far as it is one.
func fields(b []byte) (out [][]byte) {
	for len(b) > 0 {
		tag, n := varint(b)
		if n == 0 {
			return out
		}
		b = b[n:]
		size, n := 0, 0
		switch tag & 7 {
		case 0:
			_, n = varint(b)
			size = 0
			if n == 0 {
				return out
			}
		case 1:
			n = 8
		case 5:
			n = 4
		case 2:
			var l uint64
			if l, n = varint(b); n == 0 || l > uint64(len(b)-n) {
				return out
			}
			size = int(l)
		default:
			return out
		}
		if n+size > len(b) {
			return out
		}
		if tag&7 == 2 {
			out = append(out, b[n:n+size])
		}
		b = b[n+size:]
	}
	return out
}

// varint reads a number; n is 0 where there is none.
func varint(b []byte) (v uint64, n int) {
	for i := 0; i < len(b) && i < 10; i++ {
		v |= uint64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// message tells one message.
func (r *blobReader) message(id string, data []byte) error {
	at := chain.At{File: r.x.path, Source: id}
	if !transcript.Valid(data) {
		r.chain.Skip(at, transcript.NotJSON, len(data))
		return nil
	}
	v, s := gjson.ParseBytes(data), r.chain.Main()
	r.chain.Look(v.Raw)
	key := []string{r.session, r.nth(id)}
	content := v.Get("content")
	switch role := v.Get("role").String(); role {
	case "system":
		s.Client(at, memory.KindHarness, blocksText(content), key...)
	case "user":
		c := blocks.Anthropic(content)
		r.ask(s, at, c.Text(), c.Images, key...)
	case "assistant":
		r.said(s, at, content, key)
	case "tool":
		content.ForEach(func(_, b value) bool {
			res := chain.Result{Text: blocksText(b.Get("result")), Source: id}
			if b.Get("isError").Bool() {
				res.Status = memory.StatusError
			}
			r.chain.Answer(s, at, strings.Clone(first(b.Get("toolCallId").String(), v.Get("id").String())), res)
			return true
		})
	default:
		if role != "" {
			r.chain.Unknown(at, "message of "+role, len(data))
		}
	}
	return r.handOn(r.chain.Drain(transcript.Growing))
}

// said tells a message of the model.
func (r *blobReader) said(s *chain.Stream, at chain.At, content value, key []string) {
	s.GiveUp(memory.StatusPending)
	var m chain.Message
	var texts, thoughts []string
	if content.Type == gjson.String {
		texts, content = []string{content.Str}, value{}
	}
	content.ForEach(func(_, b value) bool {
		m.Model = first(m.Model, b.Get("providerOptions.cursor.modelName").String())
		switch typ := b.Get("type").String(); typ {
		case "text":
			texts = append(texts, b.Get("text").String())
		case "reasoning", "thinking":
			thoughts = append(thoughts, b.Get("text").String())
		case "tool-call":
			m.Calls = append(m.Calls, chain.Call{ID: strings.Clone(b.Get("toolCallId").String()), Name: strings.Clone(b.Get("toolName").String()), Input: blocks.Input(b.Get("args"))})
		case "redacted-reasoning":
		default:
			r.chain.Unknown(at, "content "+typ, len(b.Raw))
		}
		return true
	})
	m.Text, m.Thinking = strings.Join(texts, "\n\n"), strings.Join(thoughts, "\n\n")
	s.Say(at, m, key...)
}

// blocksText is a text that is one, or a list of blocks.
func blocksText(v value) string {
	if v.IsArray() {
		c := blocks.Anthropic(v)
		return c.Text()
	}
	return strings.Clone(v.String())
}

// newest is what the files of a database say.
type newest struct{ modified, size int64 }

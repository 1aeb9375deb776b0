package opencode

import (
	"context"
	"fmt"
	"strings"

	"dormouse/service/capture/document"
	"dormouse/service/capture/sqlite"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// database is opencode.db.
type database struct {
	of   Variant
	path string
	opts transcript.Options
	// fam is what the sessions were when they were listed, or when the first one was read. What changed since has another version, and is
	// read again.
	fam *family
}

// Close has nothing to close.
func (d *database) Close() error { return nil }

// List tells of the sessions.
func (d *database) List(ctx context.Context, use func(transcript.Entry) error) error {
	err := sqlite.Read(ctx, d.path, func(db *sqlite.DB) (err error) {
		d.fam, err = (&tables{db: db, path: d.path, opts: d.opts}).family(ctx, true)
		return err
	})
	if err != nil {
		return err
	}
	return d.fam.list(use)
}

// Read reads one of them.
func (d *database) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (facts transcript.Facts, err error) {
	err = sqlite.Read(ctx, d.path, func(db *sqlite.DB) error {
		t := &tables{db: db, path: d.path, opts: d.opts}
		if d.fam == nil {
			if d.fam, err = t.family(ctx, false); err != nil {
				return err
			}
		}
		facts, err = tell(ctx, d.of, t, d.fam, session, how, d.opts, use)
		return err
	})
	return facts, err
}

// tables are the tables of one state of the database.
type tables struct {
	db   *sqlite.DB
	path string
	opts transcript.Options
}

// family reads the tables of sessions. A session that is in both counts in its second form alone: what is in the first is left over.
func (t *tables) family(ctx context.Context, versions bool) (*family, error) {
	by := map[string]*about{}
	found := false
	for _, form := range []form{firstForm, secondForm} {
		have, err := t.db.Columns(ctx, form.sessions)
		if err != nil {
			return nil, err
		}
		if !have["id"] {
			continue
		}
		found = true
		if err := t.sessions(ctx, form, have, versions, by); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, fmt.Errorf("%s holds no table of sessions that is known: it is being made, or of a version to come", t.path)
	}
	var all []*about
	for _, s := range by {
		all = append(all, s)
	}
	return newFamily(all), nil
}

// form is one of the two forms of the database.
type form struct {
	second             bool
	sessions, messages string
	order              string
}

var (
	firstForm  = form{sessions: "session", messages: "message", order: "time_created"}
	secondForm = form{second: true, sessions: "session_v2", messages: "session_message", order: "seq"}
)

// column is a column of the sessions, or nothing where an older version has none.
func column(have map[string]bool, name string) string {
	if have[name] {
		return "s." + name
	}
	return "NULL"
}

// recently is how old a session may be, against the newest one and in milliseconds, for its rows to be looked at one by one when it is
// asked what changed. Older ones show in their own row, or in a new row of theirs.
const recently = 3 * 24 * 3600 * 1000

func (t *tables) sessions(ctx context.Context, f form, have map[string]bool, versions bool, by map[string]*about) error {
	rows, err := t.db.Columns(ctx, f.messages)
	if err != nil {
		return err
	}
	parts, err := t.db.Columns(ctx, "part")
	if err != nil {
		return err
	}
	newest := "NULL, NULL"
	if versions && rows["session_id"] {
		newest = "(SELECT max(" + f.order + ") FROM " + f.messages + " WHERE session_id = s.id)"
		if !f.second && parts["session_id"] {
			newest += ", (SELECT max(rowid) FROM part WHERE session_id = s.id)"
		} else {
			newest += ", NULL"
		}
	}
	latest := int64(0)
	var mine []*about
	err = t.db.Query(ctx, func(r sqlite.Row) error {
		s := &about{id: r.Text(0), parent: r.Text(1), directory: r.Text(2), title: r.Text(3), created: r.Int(4), updated: r.Int(5),
			revert: gjson.Get(r.Text(6), "messageID").String(), fork: r.Text(7), boundary: r.Text(8), second: f.second}
		s.version = strings.Join([]string{r.Text(1), r.Text(2), r.Text(3), r.Text(5), r.Text(6), r.Text(9), r.Text(10)}, "|")
		latest = max(latest, s.updated)
		if s.id != "" {
			mine = append(mine, s)
			by[s.id] = s
		}
		return nil
	}, "SELECT s.id, "+column(have, "parent_id")+", "+column(have, "directory")+", "+column(have, "title")+", "+column(have, "time_created")+", "+
		column(have, "time_updated")+", "+column(have, "revert")+", "+column(have, "fork_session_id")+", "+column(have, "fork_boundary")+", "+newest+
		" FROM "+f.sessions+" s")
	if err != nil || !versions || !rows["session_id"] {
		return err
	}
	for _, s := range mine {
		if latest-s.updated < recently {
			if err := t.closely(ctx, f, s, !f.second && parts["session_id"]); err != nil {
				return err
			}
		}
	}
	return nil
}

// closely adds to the version of a session what its rows say.
func (t *tables) closely(ctx context.Context, f form, s *about, parts bool) error {
	tables := []string{f.messages}
	if parts {
		tables = append(tables, "part")
	}
	for _, table := range tables {
		err := t.db.Query(ctx, func(r sqlite.Row) error {
			s.version += "|" + r.Text(0) + "," + r.Text(1) + "," + r.Text(2)
			s.bytes += r.Int(3)
			return nil
		}, "SELECT count(*), max(time_updated), sum(time_updated), sum(octet_length(data)) FROM "+table+" WHERE session_id = ?", s.id)
		if err != nil {
			return err
		}
	}
	return nil
}

// messages reads the messages of a session.
func (t *tables) messages(ctx context.Context, s *about, use func(*message) error) error {
	n := 0
	var before *message
	flush := func(last bool) error {
		if before == nil {
			return nil
		}
		m := before
		before = nil
		m.last = last
		return t.complete(ctx, s, m, use)
	}
	ask := func(id, where string, args ...any) error {
		f, kind := firstForm, "NULL"
		if s.second {
			f, kind = secondForm, "type"
		}
		return t.db.Query(ctx, func(r sqlite.Row) error {
			if err := flush(false); err != nil {
				return err
			}
			n++
			data, err := t.data(ctx, f.messages, r)
			before = &message{id: strings.Clone(r.Text(0)), data: data, file: t.path, line: n}
			return err
		}, "SELECT id, "+bounded+", time_created, "+kind+sorted(f.messages, "session_id = ?"+where, f.order+", id"), append([]any{id}, args...)...)
	}
	if s.fork != "" && s.second {
		if where, arg, ok := t.shared(ctx, s); ok {
			if err := ask(s.fork, where, arg); err != nil {
				return err
			}
		}
	}
	if err := ask(s.id, ""); err != nil {
		return err
	}
	return flush(true)
}

// bounded is the document of a row, unless it is long, and its length.
var bounded = fmt.Sprintf("CASE WHEN octet_length(data) <= %d THEN data END, octet_length(data)", sqlite.Long)

// sorted is the part of a query that gives rows of a table in an order. SQLite would hold all that it sorts in memory, documents and all, so it
// sorts their numbers; the limit, which is none, keeps it from making one query of both.
func sorted(table, where, order string) string {
	return " FROM (SELECT rowid AS number FROM " + table + " WHERE " + where + " ORDER BY " + order + " LIMIT -1) CROSS JOIN " + table + " t ON t.rowid = number"
}

// document is the document of a row of a table: the id, the document, its length. One that cannot be used is counted.
func (t *tables) document(ctx context.Context, table string, r sqlite.Row) (v value, err error) {
	text, bytes := r.Text(1), r.Int(2)
	switch {
	case r.Null(1) && bytes > maxDocument:
		t.opts.Skip(transcript.Skip{Reason: transcript.TooLong, File: t.path, Bytes: bytes})
	case r.Null(1) && bytes > 0:
		query := "SELECT substr(CAST(data AS BLOB), ?, ?) FROM " + table + " WHERE id = ?"
		v, err = document.Source{File: t.path, In: t.db.Value(ctx, query, r.Text(0)), Opts: t.opts}.Record()
	case !transcript.Valid([]byte(text)):
		t.opts.Skip(transcript.Skip{Reason: transcript.NotJSON, File: t.path, Bytes: int64(len(text))})
	default:
		v = gjson.Parse(text)
	}
	if !v.IsObject() {
		return value{}, err
	}
	return v, err
}

// data is the document of a message, with what its columns say where it does not.
func (t *tables) data(ctx context.Context, table string, r sqlite.Row) (value, error) {
	v, err := t.document(ctx, table, r)
	raw := first(v.Raw, "{}")
	if typ := r.Text(4); typ != "" && !v.Get("type").Exists() {
		raw = joinObject(`{"type":`+quoted(typ)+`}`, raw)
	}
	if !v.Get("time.created").Exists() {
		raw = joinObject(`{"time":{"created":`+fmt.Sprint(r.Int(3))+`}}`, raw)
	}
	return gjson.Parse(raw), err
}

// joinObject puts the fields of one object before those of another; the first of a name counts.
func joinObject(a, b string) string {
	b = strings.TrimSpace(b)
	if strings.TrimSpace(b[1:]) == "}" {
		return a
	}
	return a[:len(a)-1] + "," + b[1:]
}

func quoted(s string) string {
	b, err := memory.Encode(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// complete reads the parts of a message and hands it on.
func (t *tables) complete(ctx context.Context, s *about, m *message, use func(*message) error) error {
	if s.second {
		return use(m)
	}
	err := t.db.Query(ctx, func(r sqlite.Row) error {
		v, err := t.document(ctx, "part", r)
		if v.Exists() {
			m.add(part{strings.Clone(r.Text(0)), v}, t.opts)
		}
		return err
	}, "SELECT id, "+bounded+sorted("part", "message_id = ?", "id"), m.id)
	if err != nil {
		return err
	}
	return use(m)
}

// shared is which messages of the session that this one was forked from are its beginning; ok is false where it has copies of its own.
func (t *tables) shared(ctx context.Context, s *about) (where string, boundary int64, ok bool) {
	if s.boundary == "" {
		return "", 0, false
	}
	own := int64(-1)
	err := t.db.Query(ctx, func(r sqlite.Row) error {
		if !r.Null(0) {
			own = r.Int(0)
		}
		return nil
	}, "SELECT min(seq) FROM session_message WHERE session_id = ?", s.id)
	if err != nil {
		return "", 0, false
	}
	err = t.db.Query(ctx, func(r sqlite.Row) error {
		boundary, ok = r.Int(0), true
		return nil
	}, "SELECT seq FROM session_message WHERE session_id = ? AND (id = ? OR CAST(seq AS TEXT) = ?)", s.fork, s.boundary, s.boundary)
	return " AND seq <= ?", boundary, err == nil && ok && (own < 0 || own > boundary)
}

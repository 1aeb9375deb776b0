package goose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/sqlite"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// database is sessions.db.
type database struct {
	path string
	opts transcript.Options
	// all is what the sessions were when they were listed, or when the first one was read. What changed since has another version, and is
	// read again.
	all map[string]*about
}

// Close has nothing to close.
func (d *database) Close() error { return nil }

// about is one row of the sessions.
type about struct {
	id, parent, dir, title, titleBy string
	model                           string
	created, updated                int64 // Unix seconds
	version                         string
	bytes                           int64
}

// List tells of the sessions that nobody started, each with those that it started.
func (d *database) List(ctx context.Context, use func(transcript.Entry) error) error {
	err := sqlite.Read(ctx, d.path, func(db *sqlite.DB) (err error) {
		d.all, err = sessions(ctx, db, d.path)
		return err
	})
	if err != nil {
		return err
	}
	all := d.all
	entries := map[string]*transcript.Entry{}
	var order []string
	for _, s := range sorted(all) {
		top := root(all, s)
		e := entries[top]
		if e == nil {
			e = &transcript.Entry{Session: top, Rank: rankDatabase}
			entries[top] = e
			order = append(order, top)
		}
		e.Version += s.id + "|" + s.version + ";"
		e.Updated, e.Bytes = max(e.Updated, s.updated), e.Bytes+s.bytes
	}
	for _, id := range order {
		if err := use(*entries[id]); err != nil {
			return err
		}
	}
	return nil
}

func sorted(all map[string]*about) []*about {
	var out []*about
	for _, s := range all {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b *about) int { return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id)) })
	return out
}

// root is the session that nobody started, from a session upwards.
func root(all map[string]*about, s *about) string {
	id := s.id
	for steps := 0; s != nil && s.parent != "" && s.parent != s.id && steps <= len(all); steps++ {
		id = s.parent
		s = all[id]
	}
	return id
}

// Read reads one session with its sub-agents'.
func (d *database) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (facts transcript.Facts, err error) {
	err = sqlite.Read(ctx, d.path, func(db *sqlite.DB) error {
		if d.all == nil {
			if d.all, err = sessions(ctx, db, d.path); err != nil {
				return err
			}
		}
		all := d.all
		r := &reading{ctx: ctx, db: db, path: d.path, opts: d.opts, chain: chain.New(Agent, d.opts), use: use, told: map[string]bool{}}
		for _, s := range sorted(all) {
			if s.id != session && root(all, s) == session {
				r.children = append(r.children, s)
			}
		}
		if s := all[session]; s != nil {
			err = r.main(s)
		}
		for _, c := range r.children { // those whose call was not found
			if err == nil {
				err = r.session(c)
			}
		}
		if err == nil {
			err = handOn(ctx, r.chain, how, use)
		}
		facts = r.chain.Facts
		return err
	})
	return facts, err
}

// sessions reads the table of sessions.
func sessions(ctx context.Context, db *sqlite.DB, path string) (map[string]*about, error) {
	have, err := db.Columns(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	if !have["id"] {
		return nil, fmt.Errorf("%s holds no table of sessions: it is being made, or of a version to come", path)
	}
	ledger, err := db.Columns(ctx, "usage_ledger")
	if err != nil {
		return nil, err
	}
	column := func(name string) string {
		if have[name] {
			return "CAST(s." + name + " AS TEXT)"
		}
		return "NULL"
	}
	spent := "NULL"
	if ledger["session_id"] {
		spent = "(SELECT count(*) FROM usage_ledger WHERE session_id = s.id)"
	}
	out := map[string]*about{}
	err = db.Query(ctx, func(r sqlite.Row) error {
		s := &about{id: r.Text(0), parent: r.Text(1), dir: r.Text(2), title: first(r.Text(3), r.Text(4)), titleBy: "agent",
			created: stamp(r.Text(6)), updated: stamp(r.Text(7)), model: gjson.Get(r.Text(8), "model_name").String()}
		if r.Text(5) == "1" {
			s.titleBy = "user"
		}
		var v []string
		for i := 1; i < len(r); i++ {
			v = append(v, r.Text(i))
		}
		s.version, s.bytes = strings.Join(v, "|"), r.Int(11)
		out[s.id] = s
		return nil
	}, "SELECT s.id, "+column("parent_session_id")+", "+column("working_dir")+", "+column("name")+", "+column("description")+", "+column("user_set_name")+", "+
		column("created_at")+", "+column("updated_at")+", "+column("model_config_json")+
		", (SELECT count(*) FROM messages WHERE session_id = s.id), (SELECT max(id) FROM messages WHERE session_id = s.id)"+
		", (SELECT sum(octet_length(content_json)) FROM messages WHERE session_id = s.id), "+spent+" FROM sessions s")
	return out, err
}

// stamp reads a time as SQLite writes it, in UTC; 0 when it is none.
func stamp(s string) int64 {
	for _, layout := range []string{time.DateTime, time.RFC3339Nano} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix()
		}
	}
	return 0
}

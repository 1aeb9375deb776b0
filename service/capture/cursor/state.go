package cursor

import (
	"context"
	"fmt"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/sqlite"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// state is a database of the editor: that of all workspaces, or that of one.
type state struct {
	path string
	opts transcript.Options
	// places are the folders of the conversations that the workspaces' databases name; nil before it was asked for.
	places map[string]string
}

// Close has nothing to close.
func (x *state) Close() error { return nil }

// longest is how long a document may be, in bytes.
const longest = 64 << 20

// looked is up to which length a conversation's document is looked at to find out whether it changed. A longer one shows by its length,
// and by the number of its row, which is a new one whenever it is replaced.
const looked = 1 << 20

// recently is how old a conversation may be, against the newest one and in milliseconds, for the lengths of its bubbles to be looked at.
const recently = 3 * 24 * 3600 * 1000

// List tells of the conversations.
func (x *state) List(ctx context.Context, use func(transcript.Entry) error) error {
	var all []transcript.Entry
	err := sqlite.Read(ctx, x.path, func(db *sqlite.DB) (err error) {
		all = nil
		found, err := x.composers(ctx, db, &all)
		if err != nil {
			return err
		}
		inItems, err := x.items(ctx, db, &all)
		if err == nil && !found && !inItems {
			err = fmt.Errorf("%s holds no table that is known: it is being made, or of a version to come", x.path)
		}
		return err
	})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, e := range all {
		if e.Session == "" || seen[e.Session] {
			continue
		}
		seen[e.Session] = true
		if err := use(e); err != nil {
			return err
		}
	}
	return nil
}

// composer is what the list has to know of a conversation.
type composer struct {
	entry   transcript.Entry
	updated int64 // Unix milliseconds
	subs    []string
}

// composers lists those that have a document of their own.
func (x *state) composers(ctx context.Context, db *sqlite.DB, out *[]transcript.Entry) (found bool, err error) {
	have, err := db.Columns(ctx, "cursorDiskKV")
	if err != nil || !have["value"] {
		return false, err
	}
	var all []*composer
	newest, started := int64(0), map[string]bool{}
	err = db.Query(ctx, func(r sqlite.Row) error {
		if r.Null(2) {
			return nil
		}
		doc := gjson.Parse(r.Text(3))
		c := &composer{updated: max(doc.Get("lastUpdatedAt").Int(), doc.Get("createdAt").Int())}
		c.entry = transcript.Entry{Session: strings.TrimPrefix(r.Text(0), "composerData:"), Rank: rankState, Updated: c.updated / 1000, Bytes: r.Int(2)}
		c.entry.Version = digest(r.Text(1), r.Text(2), r.Text(3), r.Text(4), r.Text(5))
		doc.Get("subComposerIds").ForEach(func(_, id value) bool {
			c.subs = append(c.subs, id.String())
			started[id.String()] = true
			return true
		})
		if r.Int(4) > 0 || r.Int(2) > looked || doc.Get("conversation.0").Exists() {
			all = append(all, c)
		}
		newest = max(newest, c.updated)
		return nil
	}, fmt.Sprintf(`SELECT c.key, c.rowid, octet_length(c.value), CASE WHEN octet_length(c.value) <= %d THEN CAST(c.value AS TEXT) END,
		(SELECT count(*) FROM cursorDiskKV b WHERE b.key > 'bubbleId:' || substr(c.key, 14) || ':' AND b.key < 'bubbleId:' || substr(c.key, 14) || ';'),
		(SELECT max(rowid) FROM cursorDiskKV b WHERE b.key > 'bubbleId:' || substr(c.key, 14) || ':' AND b.key < 'bubbleId:' || substr(c.key, 14) || ';')
		FROM cursorDiskKV c WHERE c.key > 'composerData:' AND c.key < 'composerData;'`, looked))
	if err != nil {
		return true, err
	}
	by := map[string]*composer{}
	for _, c := range all {
		by[c.entry.Session] = c
		if newest-c.updated < recently {
			if err := x.closely(ctx, db, c); err != nil {
				return true, err
			}
		}
	}
	for _, c := range all {
		for _, sub := range c.subs {
			if s := by[sub]; s != nil {
				c.entry.Version = digest(c.entry.Version, s.entry.Version)
				c.entry.Bytes += s.entry.Bytes
			}
		}
		if !started[c.entry.Session] {
			*out = append(*out, c.entry)
		}
	}
	return true, nil
}

// closely adds the lengths of its bubbles to the version of a conversation.
func (x *state) closely(ctx context.Context, db *sqlite.DB, c *composer) error {
	return db.Query(ctx, func(r sqlite.Row) error {
		c.entry.Version = digest(c.entry.Version, r.Text(0))
		c.entry.Bytes += r.Int(0)
		return nil
	}, "SELECT sum(octet_length(value)) FROM cursorDiskKV WHERE key > ? AND key < ?", "bubbleId:"+c.entry.Session+":", "bubbleId:"+c.entry.Session+";")
}

// The documents in a workspace's database that hold whole conversations.
const (
	oldComposers = "composer.composerData"
	oldChats     = "workbench.panel.aichat.view.aichat.chatdata"
)

// items lists the conversations that lie inside such documents.
func (x *state) items(ctx context.Context, db *sqlite.DB, out *[]transcript.Entry) (found bool, err error) {
	have, err := db.Columns(ctx, "ItemTable")
	if err != nil {
		return false, err
	}
	return have["value"], x.inside(ctx, db, func(id string, doc value) {
		*out = append(*out, transcript.Entry{Session: id, Rank: rankState, Version: digest(doc.Raw), Bytes: int64(len(doc.Raw)),
			Updated: max(doc.Get("lastUpdatedAt").Int(), doc.Get("createdAt").Int(), doc.Get("lastSendTime").Int()) / 1000})
	})
}

// inside calls use with each conversation that has bubbles in it.
func (x *state) inside(ctx context.Context, db *sqlite.DB, use func(id string, doc value)) error {
	if have, err := db.Columns(ctx, "ItemTable"); err != nil || !have["value"] {
		return err
	}
	return db.Query(ctx, func(r sqlite.Row) error {
		text := r.Text(1)
		if r.Null(1) && r.Int(2) > 0 {
			x.opts.Skip(transcript.Skip{Reason: transcript.TooLong, File: x.path, Bytes: r.Int(2)})
			return nil
		}
		if len(text) > sqlite.Long {
			x.opts.Waiting()
		}
		if !transcript.Valid([]byte(text)) {
			x.opts.Skip(transcript.Skip{Reason: transcript.NotJSON, File: x.path, Bytes: int64(len(text))})
			return nil
		}
		list, id, bubbles := gjson.Get(text, "allComposers"), "composerId", "conversation.0"
		if r.Text(0) == oldChats {
			list, id, bubbles = gjson.Get(text, "tabs"), "tabId", "bubbles.0"
		}
		list.ForEach(func(_, c value) bool {
			if c.Get(id).String() != "" && c.Get(bubbles).Exists() {
				use(c.Get(id).String(), c)
			}
			return true
		})
		return nil
	}, fmt.Sprintf("SELECT key, CASE WHEN octet_length(value) <= %d THEN CAST(value AS TEXT) END, octet_length(value) FROM ItemTable WHERE key IN (?, ?)", longest), oldComposers, oldChats)
}

// Read reads one conversation with those of its sub-agents.
func (x *state) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (facts transcript.Facts, err error) {
	err = sqlite.Read(ctx, x.path, func(db *sqlite.DB) error {
		c := &conversation{x: x, db: db, teller: newTeller(ctx, chain.New(Agent, x.opts), use), how: how, told: map[string]bool{}}
		err := c.main(session)
		if err == nil {
			err = c.handOn(c.chain.Drain(how))
		}
		facts = c.chain.Facts
		facts.Updated = max(facts.Updated, c.updated/1000)
		return err
	})
	return facts, err
}

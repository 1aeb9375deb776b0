package openprogram

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"dormouse/service/capture/archive"
	"dormouse/service/capture/document"
	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// outline is what has to be known of a node before any is told.
type outline struct {
	id             string
	role           role
	before, caller string // nodes that it names
	root           bool   // it says itself that it begins the session, or a branch at its beginning
	spawned        bool
	answer         bool // what the person answered to a call
	aside          bool // it hangs on nothing: the program noted it at its place
	running        bool
	name           string
	file           *file
	raw            []byte // where there was room to keep it
}

// keptBytes is how much of a session's files is kept from looking at them until they are told.
const keptBytes = 16 << 20

// largeSize is how long a node's file is that is read piece by piece, in bytes.
const largeSize = 4 << 20

// large reports whether a file is: what is read of it while it is only looked at lacks its long texts.
func (f *file) large() bool { return f.info.Size() > largeSize }

// outlines looks at the nodes of a session. What cannot be read is told to skip.
func outlines(ctx context.Context, files []file, skip func(transcript.Skip)) ([]*outline, error) {
	var out []*outline
	room, seen := keptBytes, map[string]bool{}
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		raw, err := load(&files[i], transcript.Options{Skip: skip})
		if err != nil {
			return nil, err
		}
		if raw == nil {
			continue
		}
		o := look(gjson.ParseBytes(raw), &files[i])
		if seen[o.id] {
			skip(transcript.Skip{Reason: "node that is there twice", File: files[i].path, Line: 1, Bytes: int64(len(raw))})
			continue
		}
		seen[o.id] = true
		if room -= len(raw); room > 0 && !files[i].large() {
			o.raw = raw
		}
		out = append(out, o)
	}
	return out, nil
}

// load reads a node; nil where it cannot be used, which is told.
func load(f *file, opts transcript.Options) (node []byte, err error) {
	skip := opts.Skip
	in, err := share.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it went away while we looked
	}
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	if f.large() {
		v, err := document.Source{File: f.path, In: in, Opts: opts}.Record()
		return bytes.TrimSpace([]byte(v.Raw)), err
	}
	data, err := io.ReadAll(io.LimitReader(in, largeSize+1))
	if err != nil {
		return nil, err
	}
	if len(strings.TrimSpace(string(data[:min(len(data), 64)]))) == 0 {
		skip(transcript.Skip{Reason: transcript.NotJSON, File: f.path, Line: 1, Bytes: int64(len(data))})
		return nil, nil
	}
	transcript.Objects(transcript.Line{File: f.path, Number: 1, Data: data}, func(object []byte) {
		if node == nil {
			node = object
			return
		}
		skip(transcript.Skip{Reason: transcript.BadShape, File: f.path, Line: 1, Bytes: int64(len(object))})
	}, skip)
	return node, nil
}

func look(v value, f *file) *outline {
	o := &outline{id: strings.Clone(first(v, "id")), role: roleOf(v), file: f, spawned: spawned(v), running: running(v), name: strings.Clone(first(v, "name"))}
	if o.id == "" {
		o.id = f.id
	}
	o.before, o.caller = edges(v)
	o.root = first(v, "predecessor", "parent_id") == rootID
	in := v.Get("input")
	o.answer = o.role == user && in.Exists() && in.Type != gjson.Null
	o.aside = hidden(v) || summary(v)
	return o
}

// tree says what each node hangs on, for walking: the message that made a call, the call that did something, else the node before it.
func tree(all []*outline) []archive.Item {
	by := map[string]*outline{}
	for _, o := range all {
		by[o.id] = o
	}
	items, newest := make([]archive.Item, len(all)), ""
	for i, o := range all {
		up := o.above(by, newest)
		items[i] = archive.Item{ID: o.id, Parent: up}
		called := by[o.caller]
		if o.aside || called != nil && (called.role == code || o.role == code) || o.spawned || o.id == rootID {
			continue
		}
		newest = o.id
	}
	return items
}

// above is the node that a node hangs on; newest is that of the conversation which was written before it.
func (o *outline) above(by map[string]*outline, newest string) string {
	called := by[o.caller]
	switch {
	case o.aside:
		return newest
	case called != nil && (called.role == code || o.spawned):
		return o.caller
	case by[o.before] != nil:
		return o.before
	case called != nil:
		return o.caller
	case o.root || o.spawned:
		return ""
	}
	return newest
}

package cline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Tasks are the tasks of an agent in one editor: a transcript.Library whose sessions are the tasks that no other one started.
type Tasks struct {
	v     Variant
	dir   string
	opts  transcript.Options
	known map[string]about // task -> what is known of it
	// children are the tasks that each one started, as the newest listing found them; "" started those of the person.
	children map[string][]string
}

// about is what is known of a task without reading its messages.
type about struct {
	version   string
	item      string // version of the document that parent and workspace are from
	parent    string
	workspace string
	updated   int64
	bytes     int64
	retold    bool // the conversation is gone; there is what was shown of it
}

// goneAfter is how long a list of shown messages has to rest before the conversation that is missing beside it counts as gone.
const goneAfter = 24 * time.Hour

// Close has nothing to close.
func (l *Tasks) Close() error { return nil }

// List tells of the tasks that no other one started.
func (l *Tasks) List(ctx context.Context, use func(transcript.Entry) error) error {
	if err := l.look(ctx); err != nil {
		return err
	}
	for _, id := range l.children[""] {
		e := transcript.Entry{Session: id}
		l.sum(&e, id, 0)
		if err := use(e); err != nil {
			return err
		}
	}
	return nil
}

// sum adds a task and those that it started to an entry.
func (l *Tasks) sum(e *transcript.Entry, id string, depth int) {
	a := l.known[id]
	if a.retold && depth == 0 {
		e.Rank = retoldRank
	}
	e.Version += a.version + " "
	e.Updated, e.Bytes = max(e.Updated, a.updated), e.Bytes+a.bytes
	if depth > maxDepth {
		return
	}
	for _, c := range l.children[id] {
		l.sum(e, c, depth+1)
	}
}

// maxDepth is how deep tasks may start tasks.
const maxDepth = 8

// look finds the tasks, and which ones each of them started.
func (l *Tasks) look(ctx context.Context) error {
	entries, err := os.ReadDir(l.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("list the tasks: %w", err)
	}
	found := map[string]about{}
	for _, e := range entries {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if a, ok := l.about(e.Name()); ok {
			found[e.Name()] = a
		}
	}
	l.known = found
	children := map[string][]string{}
	for id, a := range found {
		up := a.parent
		if _, there := found[up]; !there || up == id {
			up = ""
		}
		children[up] = append(children[up], id)
	}
	for _, ids := range children {
		slices.Sort(ids)
	}
	l.children = children
	return nil
}

// about looks at a task's documents without reading its messages.
func (l *Tasks) about(id string) (a about, ok bool) {
	folder := filepath.Join(l.dir, id)
	info, err := os.Stat(filepath.Join(folder, historyName))
	if errors.Is(err, fs.ErrNotExist) {
		if info, err = os.Stat(filepath.Join(folder, shownName)); err == nil && time.Since(info.ModTime()) < goneAfter {
			return a, false // it may be about to be written
		}
		a.retold = true
	}
	if err != nil || !info.Mode().IsRegular() {
		return a, false
	}
	retold := a.retold
	a = about{version: document.Version(info), updated: info.ModTime().Unix(), bytes: info.Size(), retold: retold}
	if shown, err := os.Stat(filepath.Join(folder, shownName)); err == nil {
		a.bytes += shown.Size() // it is read too, but tells nothing that the history does not wait for
	}
	path := filepath.Join(folder, itemName)
	if info, err := os.Stat(path); err == nil {
		a.item = document.Version(info)
		if old := l.known[id]; old.item == a.item {
			a.parent, a.workspace = old.parent, old.workspace
			return a, true
		}
		item := gjson.ParseBytes(document.Small(path))
		a.parent, a.workspace = strings.Clone(item.Get("parentTaskId").String()), strings.Clone(item.Get("workspace").String())
	}
	return a, true
}

// Read reads a task and those that it started.
func (l *Tasks) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	if l.children == nil {
		if err := l.look(ctx); err != nil {
			return transcript.Facts{}, err
		}
	}
	b := chain.New(l.v.Agent, l.opts)
	b.Facts.Cwd = l.known[session].workspace
	r := &reader{ctx: ctx, b: b, how: how, use: use, opts: l.opts, started: map[string]string{}}
	err := l.read(r, session, 0)
	if err == nil {
		err = document.HandOn(ctx, b.Drain(how), use)
	}
	return b.Facts, err
}

func (l *Tasks) read(r *reader, id string, depth int) error {
	agent := id
	if depth == 0 {
		agent = ""
	}
	t := newTask(r, id, r.b.Stream(agent))
	t.s.Cwd = l.known[id].workspace
	folder, name, read := filepath.Join(l.dir, id), historyName, t.read
	if l.known[id].retold {
		name, read = shownName, t.retell
	} else if err := t.shown(filepath.Join(folder, shownName)); err != nil {
		l.opts.Skip(transcript.Skip{Reason: transcript.NotJSON, File: filepath.Join(folder, shownName), Line: 1})
	}
	in, err := share.Open(filepath.Join(folder, name))
	if err != nil {
		return fmt.Errorf("open a task: %w", err)
	}
	err = read(in, filepath.Join(folder, name))
	_ = in.Close() // opened for reading
	if err != nil {
		return fmt.Errorf("read the task %s: %w", folder, err)
	}
	if depth > maxDepth {
		return nil
	}
	for _, c := range l.children[id] {
		if err := l.read(r, c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

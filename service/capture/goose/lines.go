package goose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// lines is an old session: a line about it, then one line a message.
type lines struct {
	path string
	opts transcript.Options
}

// Close has nothing to close.
func (l *lines) Close() error { return nil }

func (l *lines) id() string { return strings.TrimSuffix(filepath.Base(l.path), ".jsonl") }

// List tells of the session.
func (l *lines) List(_ context.Context, use func(transcript.Entry) error) error {
	in, err := share.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	info, err := in.Stat()
	if err != nil {
		return err
	}
	return use(transcript.Entry{Session: l.id(), Version: fmt.Sprint(info.ModTime().UnixNano(), ".", info.Size()), Updated: info.ModTime().Unix(),
		Bytes: info.Size(), Rank: rankLines})
}

// Read reads it. A last line without its end waits.
func (l *lines) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	b := chain.New(Agent, l.opts)
	in, err := share.Open(l.path)
	if err != nil {
		return b.Facts, err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	t := &teller{chain: b, session: session}
	r := transcript.NewReader(in, l.path, transcript.Place{}, 0, l.opts.Skip)
	cut := l.opts.Cutting()
	r.OnLong(l.opts.Waiting)
	r.OnCut(cut.File, cut.Keep, cut.Images)
	for {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return b.Facts, fmt.Errorf("read %s: %w", l.path, err)
		}
		transcript.Objects(line, func(obj []byte) { t.line(gjson.ParseBytes(obj), line) }, l.opts.Skip)
		if err := handOn(ctx, b, transcript.Growing, use); err != nil {
			return b.Facts, err
		}
	}
	err = handOn(ctx, b, how, use)
	return b.Facts, err
}

// line takes the line about the session, or a message.
func (t *teller) line(v value, at transcript.Line) {
	role := v.Get("role").String()
	if role == "" {
		f := &t.chain.Facts
		if dir := v.Get("working_dir").String(); dir != "" {
			f.Cwd = strings.Clone(dir)
			t.chain.Main().Cwd = f.Cwd
		}
		if d := v.Get("description").String(); d != "" {
			f.Title, f.TitleBy = strings.Clone(d), "agent"
		}
		t.chain.Seen(transcript.Unix(v.Get("created_at").String()))
		return
	}
	m := &message{id: strings.Clone(v.Get("id").String()), role: role, created: seconds(v.Get("created").Int()), content: v.Get("content"),
		about: v.Get("metadata"), file: at.File, line: at.Number}
	m.usage = usage(m.about)
	t.tell(t.chain.Main(), m)
}

// seconds is a time in Unix seconds that may have come in milliseconds.
func seconds(t int64) int64 {
	if t > 1e11 {
		return t / 1000
	}
	return t
}

func handOn(ctx context.Context, b *chain.Session, how transcript.Settle, use func(memory.Node) error) error {
	for _, n := range b.Drain(how) {
		if err := use(n); err != nil {
			return err
		}
	}
	return ctx.Err()
}

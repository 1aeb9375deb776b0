package opencode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"dormouse/service/capture/document"
	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// export is a file that `opencode export` wrote: {info, messages: [{info, parts}]}.
type export struct {
	of   Variant
	path string
	opts transcript.Options
}

// Close has nothing to close.
func (x *export) Close() error { return nil }

// open reads what stands before the messages.
func (x *export) about() (*about, error) {
	in, err := share.Open(x.path)
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	stat, err := in.Stat()
	if err != nil {
		return nil, err
	}
	var s *about
	err = document.Source{In: in}.Elements(map[string]bool{"messages": true}, func(name string, raw []byte) {
		if name == "info" {
			s = infoOf(gjson.ParseBytes(raw))
		}
	}, func([]byte) error {
		if s != nil {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, fmt.Errorf("read the export %s: %w", x.path, err)
	}
	if s == nil || s.id == "" {
		return nil, fmt.Errorf("read the export %s: it does not say which session it is", x.path)
	}
	s.version, s.bytes = document.Version(stat), stat.Size()
	return s, nil
}

// errEnough ends a reading before the end.
var errEnough = errors.New("enough")

// List tells of the one session.
func (x *export) List(_ context.Context, use func(transcript.Entry) error) error {
	s, err := x.about()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return newFamily([]*about{s}).list(use)
}

// Read reads it.
func (x *export) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	s, err := x.about()
	if err != nil {
		return transcript.Facts{}, err
	}
	return tell(ctx, x.of, x, newFamily([]*about{s}), session, how, x.opts, use)
}

func (x *export) messages(ctx context.Context, _ *about, use func(*message) error) error {
	in, err := share.Open(x.path)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	var before *message
	n := 0
	err = document.Source{File: x.path, In: in, Opts: x.opts}.Elements(map[string]bool{"messages": true}, func(string, []byte) {}, func(raw []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if before != nil {
			if err := use(before); err != nil {
				return err
			}
		}
		n++
		before = x.message(raw, n)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the export %s: %w", x.path, err)
	}
	if before == nil {
		return nil
	}
	before.last = true
	return use(before)
}

func (x *export) message(raw []byte, n int) *message {
	v := gjson.ParseBytes(raw)
	m := &message{id: strings.Clone(v.Get("info.id").String()), data: v.Get("info"), file: x.path, line: n}
	v.Get("parts").ForEach(func(_, p value) bool {
		m.parts = append(m.parts, part{strings.Clone(p.Get("id").String()), p})
		return true
	})
	return m
}

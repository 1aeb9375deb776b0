package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// Format is how an agent's conversations are read.
type Format struct {
	// Mark is a field that every conversation of the agent has, and no other's.
	Mark string
	// Entry is what is known of a conversation: its id, when it was updated last. One without an id is left out.
	Entry func(raw []byte) transcript.Entry
	// Read makes the nodes of a conversation; file is where it lies.
	Read func(file string, raw []byte, how transcript.Settle, o transcript.Options) ([]memory.Node, transcript.Facts)
	// Assets, which may be nil, are the images that a conversation names by their files.
	Assets func(raw []byte) []Asset
}

// large is how long a conversation is that counts as large, in bytes.
const large = 4 << 20

// unread is the skip of a conversation that does not say which it is.
const unread = "conversation without an id"

// Library is an export as a transcript.Library.
type Library struct {
	Format
	path    string
	opts    transcript.Options
	sources []*source
	index   map[string]place // by session; nil while nothing was read
	order   []string
	assets  *assets // nil until one is named
}

// place is where a conversation lies in its file.
type place struct {
	transcript.Entry
	in *source
	at int64
}

// Open is the library of an export. It reads nothing yet.
func (f Format) Open(path string, o transcript.Options) *Library {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	return &Library{Format: f, path: path, opts: o}
}

// Close lets go of the export.
func (l *Library) Close() error {
	var all []error
	for _, s := range l.sources {
		all = append(all, s.close())
	}
	all = append(all, l.assets.close())
	l.sources, l.index, l.assets = nil, nil, nil
	return errors.Join(all...)
}

// List tells of the conversations, in the order of the export. Of one that is there twice, the one that was updated last counts.
func (l *Library) List(ctx context.Context, use func(transcript.Entry) error) error {
	if err := l.look(ctx); err != nil {
		return err
	}
	for _, id := range l.order {
		if err := use(l.index[id].Entry); err != nil {
			return err
		}
	}
	return nil
}

// look finds out where the conversations lie.
func (l *Library) look(ctx context.Context) (err error) {
	if l.index != nil {
		return nil
	}
	if l.sources, err = sources(l.path); err != nil {
		return fmt.Errorf("open the export %s: %w", l.path, err)
	}
	index := map[string]place{}
	for _, s := range l.sources {
		if err := l.lookInto(ctx, s, index); err != nil {
			return fmt.Errorf("read the export %s: %w", s.name, err)
		}
	}
	l.index = index
	return nil
}

func (l *Library) lookInto(ctx context.Context, s *source, index map[string]place) error {
	n := 0
	return elements(io.NewSectionReader(s, 0, 1<<62), func(one transcript.Value, sum string) error {
		n++
		skip := transcript.Skip{Reason: one.Reason, File: s.name, Line: n, Bytes: one.Bytes}
		var e transcript.Entry
		if one.Reason == "" {
			e, skip.Reason = l.Entry(one.Raw), unread
		}
		if e.Session == "" {
			l.opts.Skip(skip)
			return ctx.Err()
		}
		e.Version, e.Bytes = sum, one.Bytes
		have, twice := index[e.Session]
		if !twice {
			l.order = append(l.order, e.Session)
		}
		if !twice || have.Updated <= e.Updated {
			index[e.Session] = place{e, s, one.Offset}
		}
		return ctx.Err()
	})
}

// errGone says that a session is not in the export.
var errGone = errors.New("the conversation is not in the export any more")

// Read reads one conversation.
func (l *Library) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (facts transcript.Facts, err error) {
	if err := l.look(ctx); err != nil {
		return facts, err
	}
	p, ok := l.index[session]
	if !ok {
		return facts, fmt.Errorf("read %s of the export %s: %w", session, l.path, errGone)
	}
	if p.Bytes > large {
		l.opts.Waiting()
	}
	sum := sha256.New()
	v := transcript.NewValues(io.NewSectionReader(p.in, p.at, p.Bytes), l.opts.Cutting())
	v.Sum = sum
	one, err := v.Take()
	if version(sum) != p.Version {
		return facts, fmt.Errorf("read %s of the export %s: it was changed meanwhile; import it again", session, p.in.name)
	}
	if err != nil {
		return facts, fmt.Errorf("read %s of the export %s: %w", session, p.in.name, err)
	}
	raw := one.Raw
	if err := l.handOver(ctx, raw); err != nil {
		return facts, err
	}
	nodes, facts := l.Format.Read(p.in.name, raw, how, l.opts)
	for i := range nodes {
		if err := ctx.Err(); err != nil {
			return facts, err
		}
		if err := use(nodes[i]); err != nil {
			return facts, err
		}
	}
	return facts, nil
}

// Imports reports whether a path is an export with conversations of this format. It reads no more than the first of them.
func (f Format) Imports(path string, head []byte) bool {
	first := slices.IndexFunc(head, func(b byte) bool { return b > ' ' && b < 0x80 })
	if head != nil && (first < 0 || head[first] != '[' && head[first] != '{' && string(head[:min(2, len(head))]) != "PK") {
		return false // neither JSON nor a zip file
	}
	found := errors.New("found")
	return errors.Is(each(path, func(_ string, open func() (io.ReadCloser, error)) error {
		in, err := open()
		if err != nil {
			return err
		}
		defer in.Close() //nolint:errcheck // opened for reading
		if marked(in, f.Mark) {
			return found
		}
		return nil
	}), found)
}

// elements calls use with the conversations of a file, without their long texts, and with the sum of each: the items of a list, or the one
// that the file is.
func elements(r io.Reader, use func(one transcript.Value, sum string) error) error {
	sum := sha256.New()
	v := transcript.NewValues(r, transcript.Cut{})
	v.Sum = sum
	item := func() error {
		sum.Reset()
		one, err := v.Take()
		if err == nil {
			err = use(one, version(sum))
		}
		return err
	}
	switch first, err := v.Next(); {
	case err != nil:
		return cutOff(err)
	case first == '[':
		return cutOff(v.List(item))
	case first == '{':
		return cutOff(item())
	}
	return errors.New("neither a JSON object nor a list")
}

// version is the version of a conversation with this sum.
func version(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)[:16]) }

func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends too early: %w; take a new export", io.ErrUnexpectedEOF)
	}
	return err
}

// marked reports whether the first object in a file has a field. Those before it are passed over.
func marked(r io.Reader, field string) bool {
	v := transcript.NewValues(r, transcript.Cut{})
	found := errors.New("found")
	object := func() error {
		err := v.Object(func(name string) error {
			if name == field {
				return found
			}
			_, err := v.Take()
			return err
		})
		if err == nil {
			err = io.EOF // the first one has none
		}
		return err
	}
	first, err := v.Next()
	switch {
	case err != nil:
		return false
	case first == '[':
		err = v.List(object)
	default:
		err = object()
	}
	return errors.Is(err, found)
}

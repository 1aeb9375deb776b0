package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
	in       *source
	at, size int64
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
	return elements(io.NewSectionReader(s, 0, 1<<62), func(raw []byte, at int64) error {
		n++
		e := l.Entry(raw)
		if e.Session == "" {
			l.opts.Skip(transcript.Skip{Reason: unread, File: s.name, Line: n, Bytes: int64(len(raw))})
			return ctx.Err()
		}
		sum := sha256.Sum256(raw)
		e.Version, e.Bytes = hex.EncodeToString(sum[:16]), int64(len(raw))
		have, twice := index[e.Session]
		if !twice {
			l.order = append(l.order, e.Session)
		}
		if !twice || have.Updated <= e.Updated {
			index[e.Session] = place{e, s, at, int64(len(raw))}
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
	raw := make([]byte, p.size)
	if _, err := p.in.ReadAt(raw, p.at); err != nil {
		return facts, fmt.Errorf("read %s of the export %s: %w", session, p.in.name, err)
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:16]) != p.Version {
		return facts, fmt.Errorf("read %s of the export %s: it was changed meanwhile; import it again", session, p.in.name)
	}
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

// elements calls use with the conversations of a file and where they begin: the items of a list, or the one that the file is.
func elements(r io.Reader, use func(raw []byte, at int64) error) error {
	d := json.NewDecoder(r)
	var raw json.RawMessage
	list, err := opens(d, r)
	for err == nil && d.More() {
		if err = d.Decode(&raw); err == nil {
			err = use(raw, d.InputOffset()-int64(len(raw)))
		}
		if !list {
			return cutOff(err)
		}
	}
	if err == nil {
		_, err = d.Token()
	}
	return cutOff(err)
}

// opens reads up to the first conversation; list says whether there may be several.
func opens(d *json.Decoder, r io.Reader) (list bool, err error) {
	s, ok := r.(io.ReadSeeker)
	if !ok {
		return false, errors.ErrUnsupported
	}
	var first [1]byte
	for first[0] <= ' ' {
		if _, err := io.ReadFull(s, first[:]); err != nil {
			return false, err
		}
	}
	if _, err := s.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	if first[0] == '{' {
		return false, nil
	}
	start, err := d.Token()
	if err == nil && start != json.Delim('[') {
		err = errors.New("neither a JSON object nor a list")
	}
	return true, err
}

func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends too early: %w; take a new export", io.ErrUnexpectedEOF)
	}
	return err
}

// marked reports whether the first object in a file has a field. Those before it are passed over.
func marked(r io.Reader, field string) bool {
	d := json.NewDecoder(r)
	for range 2 {
		switch t, err := d.Token(); {
		case err != nil:
			return false
		case t == json.Delim('['):
			continue
		case t != json.Delim('{'):
			return false
		}
		break
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		if key == field {
			return true
		}
		var passed json.RawMessage
		if d.Decode(&passed) != nil {
			return false
		}
	}
	return false
}

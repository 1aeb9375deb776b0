package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// Format is how an agent's documents are read.
type Format struct {
	// Session is the agent's own id of the session, from the file's path and its first bytes.
	Session func(path string, head []byte) string
	// Updated, which may be nil, is the time of the newest record, in Unix seconds, as the first bytes tell it; 0 where they do not.
	// Without it that of the file counts, which a copy does not keep.
	Updated func(head []byte) int64
	// Read hands the nodes of the session to use. in is the file.
	Read func(ctx context.Context, path string, in io.ReadSeeker, how transcript.Settle, o transcript.Options, use func(memory.Node) error) (transcript.Facts, error)
}

// headSize is how much of a file Format.Session is shown, in bytes.
const headSize = 8 << 10

// Library is one document as a transcript.Library of one session.
type Library struct {
	Format
	path string
	opts transcript.Options
}

// Open is the library of one file. It reads nothing yet.
func (f Format) Open(path string, o transcript.Options) *Library { return &Library{f, path, o} }

// Close has nothing to close.
func (l *Library) Close() error { return nil }

// List tells of the one session; of none while the file is not there.
func (l *Library) List(_ context.Context, use func(transcript.Entry) error) error {
	in, err := share.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the session's document: %w", err)
	}
	defer in.Close() //nolint:errcheck // opened for reading
	info, err := in.Stat()
	if err != nil {
		return err
	}
	head, err := io.ReadAll(io.LimitReader(in, headSize))
	if err != nil {
		return fmt.Errorf("read %s: %w", l.path, err)
	}
	id := strings.Clone(l.Session(l.path, head))
	if id == "" {
		return nil
	}
	e := transcript.Entry{Session: id, Version: Version(info), Updated: info.ModTime().Unix(), Bytes: info.Size()}
	if l.Updated != nil {
		if t := l.Updated(head); t > 0 {
			e.Updated = t
		}
	}
	return use(e)
}

// Version tells versions of a file apart.
func Version(info os.FileInfo) string {
	return strconv.FormatInt(info.ModTime().UnixNano(), 36) + "." + strconv.FormatInt(info.Size(), 36)
}

// Read reads the session.
func (l *Library) Read(ctx context.Context, _ string, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	in, err := share.Open(l.path)
	if err != nil {
		return transcript.Facts{}, fmt.Errorf("open the session's document: %w", err)
	}
	defer in.Close() //nolint:errcheck // opened for reading
	facts, err := l.Format.Read(ctx, l.path, in, how, l.opts, use)
	if err != nil {
		err = fmt.Errorf("read %s: %w", l.path, err)
	}
	return facts, err
}

// HandOn gives nodes to use, one after the other, until it fails or ctx ends.
func HandOn(ctx context.Context, nodes []memory.Node, use func(memory.Node) error) error {
	for i := range nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := use(nodes[i]); err != nil {
			return err
		}
	}
	return nil
}

// Small is the whole of a small file beside a document; nil where there is none, or a large one.
func Small(path string) []byte {
	in, err := share.Open(path)
	if err != nil {
		return nil
	}
	defer in.Close() //nolint:errcheck // opened for reading
	b, err := io.ReadAll(io.LimitReader(in, 64<<10+1))
	if err != nil || len(b) > 64<<10 {
		return nil
	}
	return b
}

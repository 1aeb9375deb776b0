package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"dormouse/service/capture/transcript"
)

// windowSize is how many bytes before a place are compared to find out whether a file still holds what was read; headSize is
// how many of its first.
const (
	windowSize = 4096
	headSize   = 1024
)

// fileCursor is what is stored of a file.
type fileCursor struct {
	File   transcript.File  `json:"file"`
	Size   int64            `json:"size"`
	Mtime  int64            `json:"mtime"` // nanoseconds
	Inode  uint64           `json:"inode,omitempty"`
	Place  transcript.Place `json:"place"`
	Window string           `json:"window,omitempty"` // fingerprint of the bytes before Place and of the file's first
	// Open is set while the file's session is not over; Updated is the time of its newest record, in Unix seconds.
	Open    bool  `json:"open,omitempty"`
	Updated int64 `json:"updated,omitempty"`
}

// sessionCursor is what is stored of a session.
type sessionCursor struct {
	CustomTitle string                      `json:"custom_title,omitempty"` // newest that the transcript gave and that was used
	Bytes       int64                       `json:"bytes"`
	Nodes       int                         `json:"nodes"`
	Files       int                         `json:"files"`
	Skipped     map[string]transcript.Count `json:"skipped,omitempty"`
	Own         bool                        `json:"own,omitempty"`
	// Images says that all that was read of it was looked through for images to keep.
	Images bool `json:"images,omitempty"`
	// Unplaced is the place of the Problem that keeps the session from being given its project; it is asked for again.
	Unplaced string `json:"unplaced,omitempty"`
	// Rank is that of the libraries which the session is captured from; nil for transcripts that are read by line.
	Rank *int `json:"rank,omitempty"`
}

// fileState is what the engine knows of a file.
type fileState struct {
	agent  string
	cursor fileCursor
	known  bool // the file was identified
	stat   stat // of the newest walk
}

// stat tells versions of a file apart.
type stat struct {
	size, mtime int64
	inode       uint64
}

func statOf(info os.FileInfo) stat {
	return stat{size: info.Size(), mtime: info.ModTime().UnixNano(), inode: inode(info)}
}

// changed reports whether the file may hold something that was not read.
func (f *fileState) changed() bool {
	c := f.cursor
	return !f.known || f.stat != stat{size: c.Size, mtime: c.Mtime, inode: c.Inode}
}

func fileKey(agent, path string) string {
	sum := sha256.Sum256([]byte(path))
	return "capture/file/" + agent + "/" + hex.EncodeToString(sum[:16])
}

func sessionKeyOf(key sessionKey) string {
	sum := sha256.Sum256([]byte(key.id))
	return "capture/session/" + key.agent + "/" + hex.EncodeToString(sum[:16])
}

// get reads a value into v; found is false where there is none. A value that cannot be read counts as none: the work is done
// again.
func (e *Engine) get(key string, v any) (found bool, err error) {
	b, err := e.o.Cursors.Get(key)
	if err != nil {
		return false, fmt.Errorf("read cursor %s: %w", key, err)
	}
	if len(b) == 0 {
		return false, nil
	}
	return json.Unmarshal(b, v) == nil, nil
}

func (e *Engine) put(key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write cursor %s: %w", key, err)
	}
	if err := e.o.Cursors.Put(key, b); err != nil {
		return fmt.Errorf("write cursor %s: %w", key, err)
	}
	return nil
}

// fingerprint hashes the first bytes of a file and those before an offset.
func fingerprint(f io.ReaderAt, at int64) (string, error) {
	h := sha256.New()
	head := min(at, headSize)
	from := max(at-windowSize, 0)
	for _, part := range [][2]int64{{0, head}, {from, at - from}} {
		n, err := io.Copy(h, io.NewSectionReader(f, part[0], part[1]))
		if err != nil {
			return "", err
		}
		if n != part[1] {
			return "", io.ErrUnexpectedEOF
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// compared is the offset up to which the file on the disk is compared: that of a packed file is its end.
func (c *fileCursor) compared() int64 {
	if c.packed() {
		return c.Size
	}
	return c.Place.Offset
}

func (c *fileCursor) packed() bool { return strings.HasSuffix(c.File.Path, packedSuffix) }

// more reports whether a file of this size has more than was read.
func (c *fileCursor) more(size int64) bool { return size > c.compared() }

// holds reports whether the file still holds what was read up to its cursor. A packed file that changed at all is another.
func (c *fileCursor) holds(f io.ReaderAt, size int64) (bool, error) {
	if size < c.compared() || c.packed() && size != c.Size {
		return false, nil
	}
	w, err := fingerprint(f, c.compared())
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil
	}
	return err == nil && w == c.Window, err
}

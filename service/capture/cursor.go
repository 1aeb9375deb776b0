package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

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

// fingerprint hashes the first bytes of a file and those before a place.
func fingerprint(f io.ReaderAt, at transcript.Place) (string, error) {
	h := sha256.New()
	head := min(at.Offset, headSize)
	from := max(at.Offset-windowSize, 0)
	for _, part := range [][2]int64{{0, head}, {from, at.Offset - from}} {
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

// holds reports whether the file still holds what was read up to its cursor.
func holds(f io.ReaderAt, size int64, c *fileCursor) (bool, error) {
	if size < c.Place.Offset {
		return false, nil
	}
	w, err := fingerprint(f, c.Place)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil
	}
	return err == nil && w == c.Window, err
}

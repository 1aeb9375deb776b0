package gitrepo

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
)

// IndexEntry is one file of git's index (the staging area).
type IndexEntry struct {
	Path string // with slashes
	OID  OID
	Mode uint32 // ModeFile when 0
	// Cold files are not in the work tree, and git status does not miss them (skip-worktree).
	Cold bool
	Stat Stat
}

// Stat is what git compares to see whether a work-tree file may have changed. The zero Stat makes git compare the content.
type Stat struct {
	Sec, Nsec uint32 // of the last change
	Size      uint32
}

// StatOf takes a file's Stat.
func StatOf(info fs.FileInfo) Stat {
	t := info.ModTime()
	return Stat{Sec: uint32(t.Unix()), Nsec: uint32(t.Nanosecond()), Size: uint32(info.Size())}
}

// Parts of an index, from git's Documentation/gitformat-index: a header with the number of entries, the entries in the order
// of their paths, each padded with 1 to 8 zero bytes to a multiple of 8, and the SHA-1 of all. Version 3 has a second word of
// flags in entries with the extended bit.
const (
	indexSignature = "DIRC"
	flagExtended   = 0x4000
	flagSkip       = 0x4000 // in the second word
	maxNameLen     = 0xfff
)

// WriteIndex replaces the index by these entries, which come in the order of their paths; n is their number. When a git
// command holds the index, the error wraps ErrBusy and nothing is changed.
func (r *Repo) WriteIndex(n int, entries iter.Seq[IndexEntry]) (err error) {
	path := filepath.Join(r.git, "index")
	unlock, err := r.lock(path)
	if err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if r.draft != nil {
		var b bytes.Buffer
		b.Grow(64 + n*128)
		if err := encodeIndex(&b, n, entries); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		sum := sha1.Sum(b.Bytes())
		return writeOnce(path, true, append(b.Bytes(), sum[:]...))
	}
	return r.replaceFile(path, "index", func(w io.Writer) error {
		h := sha1.New()
		b := bufio.NewWriterSize(io.MultiWriter(w, h), min(64<<10, 4096+n*128))
		if err := encodeIndex(b, n, entries); err != nil {
			return err
		}
		if err := b.Flush(); err != nil {
			return err
		}
		_, err := w.Write(h.Sum(nil))
		return err
	})
}

func encodeIndex(w io.Writer, n int, entries iter.Seq[IndexEntry]) error {
	head := append(make([]byte, 0, 256), indexSignature...)
	head = binary.BigEndian.AppendUint32(head, indexVersion(entries))
	head = binary.BigEndian.AppendUint32(head, uint32(n))
	if _, err := w.Write(head); err != nil {
		return err
	}
	line := head[:0]
	written := 0
	for e := range entries {
		line = appendIndexEntry(line[:0], e)
		if _, err := w.Write(line); err != nil {
			return err
		}
		written++
	}
	if written != n {
		return fmt.Errorf("index has %d entries, not %d", written, n)
	}
	return nil
}

// indexVersion is 3 where an entry needs it, else 2, which every tool reads.
func indexVersion(entries iter.Seq[IndexEntry]) uint32 {
	for e := range entries {
		if e.Cold {
			return 3
		}
	}
	return 2
}

func appendIndexEntry(b []byte, e IndexEntry) []byte {
	be := binary.BigEndian
	b = be.AppendUint32(b, e.Stat.Sec) // change of the inode: git is told not to look
	b = be.AppendUint32(b, e.Stat.Nsec)
	b = be.AppendUint32(b, e.Stat.Sec)
	b = be.AppendUint32(b, e.Stat.Nsec)
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0) // device and inode
	b = be.AppendUint32(b, cmp.Or(e.Mode, ModeFile))
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0) // owner and group
	b = be.AppendUint32(b, e.Stat.Size)
	b = append(b, e.OID[:]...)
	flags := uint16(min(len(e.Path), maxNameLen))
	if e.Cold {
		b = be.AppendUint16(b, flags|flagExtended)
		b = be.AppendUint16(b, flagSkip)
	} else {
		b = be.AppendUint16(b, flags)
	}
	b = append(b, e.Path...)
	b = append(b, 0)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

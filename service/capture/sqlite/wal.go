package sqlite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// Sizes of the write-ahead log, in bytes.
const (
	walHeader   = 32
	frameHeader = 24
)

// walMagic is how a log begins, but for the lowest bit, which tells the byte order of its checksums.
const walMagic = 0x377f0682

// wal is what a write-ahead log holds for a reader: the newest version of each page that a whole transaction wrote.
type wal struct {
	file   *os.File
	header [walHeader]byte
	size   int64            // of a page, in bytes
	pages  map[uint32]int64 // page number -> offset of its content in the log
	count  uint32           // of pages of the database after the last transaction
}

// readWAL reads a log. It is nil for one that holds no whole transaction: its file is not there, empty, or left over.
func readWAL(path string) (*wal, error) {
	f, err := openBeside(path)
	if f == nil || err != nil {
		return nil, err
	}
	w := &wal{file: f, pages: map[uint32]int64{}}
	if err := w.load(); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("read the write-ahead log %s: %w", path, err)
	}
	if w.count == 0 {
		return nil, f.Close()
	}
	return w, nil
}

// load reads the frames up to the last that ends a transaction. What follows it, or what follows a frame whose checksum or salt is
// wrong, is not there for a reader.
func (w *wal) load() error {
	in := bufio.NewReaderSize(io.NewSectionReader(w.file, 0, 1<<62), 1<<18)
	if _, err := io.ReadFull(in, w.header[:]); err != nil {
		return ignoreEnd(err)
	}
	h := w.header[:]
	magic := binary.BigEndian.Uint32(h)
	w.size = int64(binary.BigEndian.Uint32(h[8:]))
	if magic&^1 != walMagic || !validPageSize(w.size) {
		return nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if magic&1 == 1 {
		order = binary.BigEndian
	}
	var sum checksum
	sum.add(order, h[:24])
	if !sum.is(h[24:]) {
		return nil
	}
	pending := map[uint32]int64{}
	frame := make([]byte, frameHeader+w.size)
	for at := int64(walHeader); ; at += int64(len(frame)) {
		if _, err := io.ReadFull(in, frame); err != nil {
			return ignoreEnd(err)
		}
		page, commit := binary.BigEndian.Uint32(frame), binary.BigEndian.Uint32(frame[4:])
		if page == 0 || string(frame[8:16]) != string(h[16:24]) {
			return nil
		}
		sum.add(order, frame[:8])
		sum.add(order, frame[frameHeader:])
		if !sum.is(frame[16:]) {
			return nil
		}
		pending[page] = at + frameHeader
		if commit > 0 {
			for p, offset := range pending {
				w.pages[p] = offset
			}
			clear(pending)
			w.count = commit
		}
	}
}

// unchanged reports whether the log was not started anew.
func (w *wal) unchanged() bool {
	var now [walHeader]byte
	_, err := w.file.ReadAt(now[:], 0)
	return err == nil && now == w.header
}

// checksum is the running checksum of a log.
type checksum [2]uint32

func (c *checksum) add(order binary.ByteOrder, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		c[0] += order.Uint32(b) + c[1]
		c[1] += order.Uint32(b[4:]) + c[0]
	}
}

func (c *checksum) is(b []byte) bool {
	return binary.BigEndian.Uint32(b) == c[0] && binary.BigEndian.Uint32(b[4:]) == c[1]
}

func validPageSize(n int64) bool { return n >= 512 && n <= 65536 && n&(n-1) == 0 }

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

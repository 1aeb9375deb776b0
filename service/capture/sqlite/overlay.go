package sqlite

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// overlay is one state of a database as a file that SQLite can read: see the package comment. It is a file system with that
// file alone, for the interface of modernc.org/sqlite/vfs.
type overlay struct {
	db     *os.File
	stat   version
	header [dbHeader]byte
	wal    *wal     // nil without one
	undo   *journal // nil without one
	size   int64    // of a page, in bytes
	length int64    // of the whole, in bytes
}

// dbHeader is the length of a database's header, in bytes.
const dbHeader = 100

// version tells states of a database file apart.
type version struct {
	size  int64
	mtime time.Time
}

// fileName is the name of the only file.
const fileName = "db"

var (
	errNotDatabase = errors.New("it is not an SQLite database")
	errShort       = errors.New("the database is cut off: pages at its end are missing")
)

// readHeader takes size, time and header of the database.
func (o *overlay) readHeader() error {
	info, err := o.db.Stat()
	if err != nil {
		return err
	}
	o.stat = version{info.Size(), info.ModTime()}
	o.length = info.Size()
	if o.length == 0 {
		return nil
	}
	if _, err := o.db.ReadAt(o.header[:], 0); err != nil || string(o.header[:16]) != "SQLite format 3\x00" {
		return errors.Join(errNotDatabase, ignoreEnd(err))
	}
	o.size = int64(binary.BigEndian.Uint16(o.header[16:]))
	if o.size == 1 {
		o.size = 65536
	}
	if !validPageSize(o.size) {
		return errNotDatabase
	}
	return nil
}

// logged reports whether the database has a write-ahead log.
func (o *overlay) logged() bool { return o.header[18] == 2 || o.header[19] == 2 }

// readBeside reads the log or the journal.
func (o *overlay) readBeside(path string) (err error) {
	if o.logged() {
		o.wal, err = readWAL(path + "-wal")
	}
	if err == nil {
		o.undo, err = readJournal(path + "-journal")
	}
	if o.wal != nil && o.wal.size != o.size { // of another database
		_ = o.wal.file.Close()
		o.wal = nil
	}
	if o.undo != nil && o.undo.size != o.size {
		_ = o.undo.file.Close()
		o.undo = nil
	}
	if o.wal != nil {
		o.length = int64(o.wal.count) * o.size
	} else if o.undo != nil {
		o.length = int64(o.undo.count) * o.size
	}
	if err == nil && o.short() {
		return errShort
	}
	return err
}

// short reports whether pages are missing that the database says it has.
func (o *overlay) short() bool {
	h := o.header[:]
	if o.wal == nil && o.undo == nil && string(h[24:28]) == string(h[92:96]) { // otherwise an old writer did not count the pages
		return int64(binary.BigEndian.Uint32(h[28:]))*o.size > o.stat.size
	}
	if o.wal != nil {
		for page := o.stat.size/o.size + 1; page <= int64(o.wal.count); page++ {
			if _, ok := o.wal.pages[uint32(page)]; !ok {
				return true
			}
		}
	}
	return false
}

// unchanged reports whether what was read since the state was taken is of that state.
func (o *overlay) unchanged() bool {
	info, err := o.db.Stat()
	if err != nil || info.Size() != o.stat.size || !info.ModTime().Equal(o.stat.mtime) {
		return false
	}
	var now [dbHeader]byte
	if _, err := o.db.ReadAt(now[:], 0); o.stat.size > 0 && (err != nil || now != o.header) {
		return false
	}
	return (o.wal == nil || o.wal.unchanged()) && (o.undo == nil || o.undo.unchanged())
}

// readPage reads from a place inside one page.
func (o *overlay) readPage(p []byte, at int64) (int, error) {
	page, within := uint32(at/o.size+1), at%o.size
	if o.wal != nil {
		if offset, ok := o.wal.pages[page]; ok {
			return o.wal.file.ReadAt(p, offset+within)
		}
	}
	if o.undo != nil {
		if offset, ok := o.undo.pages[page]; ok {
			return o.undo.file.ReadAt(p, offset+within)
		}
	}
	return o.db.ReadAt(p, at)
}

// ReadAt reads over pages. The database is shown as one without a log, since its log is in it already.
func (o *overlay) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at < o.length {
		part := p[n:min(int64(len(p)), int64(n)+o.size-at%o.size, int64(n)+o.length-at)]
		got, err := o.readPage(part, at)
		for _, i := range []int64{18, 19} { // the versions for writing and reading
			if i >= at && i < at+int64(got) {
				part[i-at] = 1
			}
		}
		n, at = n+got, at+int64(got)
		if err != nil && got < len(part) {
			return n, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (o *overlay) close() {
	_ = o.db.Close()
	if o.wal != nil {
		_ = o.wal.file.Close()
	}
	if o.undo != nil {
		_ = o.undo.file.Close()
	}
}

// Open is fs.FS.
func (o *overlay) Open(name string) (fs.File, error) {
	if name != fileName {
		return nil, fs.ErrNotExist
	}
	return &opened{SectionReader: io.NewSectionReader(o, 0, o.length), length: o.length}, nil
}

// opened is the overlay's file while SQLite has it open.
type opened struct {
	*io.SectionReader
	length int64
}

func (f *opened) Stat() (fs.FileInfo, error) { return f, nil }
func (f *opened) Close() error               { return nil }

// The rest makes it a fs.FileInfo.

func (f *opened) Name() string       { return fileName }
func (f *opened) Size() int64        { return f.length }
func (f *opened) Mode() fs.FileMode  { return 0o400 }
func (f *opened) ModTime() time.Time { return time.Time{} }
func (f *opened) IsDir() bool        { return false }
func (f *opened) Sys() any           { return nil }

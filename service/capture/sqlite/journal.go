package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"dormouse/service/capture/share"
)

// journalMagic begins the header of a rollback journal that holds a transaction.
const journalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"

const journalHeader = 28

// journal is a rollback journal: the pages as they were before a transaction that is not finished, because it runs or because its
// writer died.
type journal struct {
	file   *os.File
	header [journalHeader]byte
	size   int64            // of a page, in bytes
	pages  map[uint32]int64 // page number -> offset of its content in the journal
	count  uint32           // of pages of the database before the transaction
}

// readJournal reads a journal. It is nil for one by which nothing in the database was changed yet: not there, empty, cleared after
// its transaction, or not yet written through.
func readJournal(path string) (*journal, error) {
	f, err := openBeside(path)
	if f == nil || err != nil {
		return nil, err
	}
	j := &journal{file: f, pages: map[uint32]int64{}}
	if err := j.load(); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("read the rollback journal %s: %w", path, err)
	}
	if len(j.pages) == 0 {
		return nil, f.Close()
	}
	return j, nil
}

// load reads all parts of the journal: each begins with a header at the start of a sector.
func (j *journal) load() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	for at := int64(0); at+journalHeader <= info.Size(); {
		var h [journalHeader]byte
		if _, err := j.file.ReadAt(h[:], at); err != nil {
			return ignoreEnd(err)
		}
		sector := int64(binary.BigEndian.Uint32(h[20:]))
		if string(h[:8]) != journalMagic {
			return nil
		}
		if at == 0 {
			j.header, j.count = h, binary.BigEndian.Uint32(h[16:])
			j.size = int64(binary.BigEndian.Uint32(h[24:]))
		}
		if !validPageSize(j.size) || sector < 32 || sector > 65536 || sector&(sector-1) != 0 {
			return nil
		}
		end, err := j.records(at+sector, int64(binary.BigEndian.Uint32(h[8:])), binary.BigEndian.Uint32(h[12:]), info.Size())
		if err != nil || end < 0 {
			return err
		}
		at = (end + sector - 1) / sector * sector
	}
	return nil
}

// records reads n records from an offset; 2^32-1 of them means up to the end of the file. It returns where they end; -1 where they
// break off.
func (j *journal) records(at, n int64, nonce uint32, size int64) (end int64, err error) {
	length := j.size + 8
	if n == 1<<32-1 {
		n = (size - at) / length
	}
	rec := make([]byte, length)
	for range n {
		if _, err := j.file.ReadAt(rec, at); err != nil {
			return -1, ignoreEnd(err)
		}
		page, content := binary.BigEndian.Uint32(rec), rec[4:4+j.size]
		sum := nonce
		for i := j.size - 200; i > 0; i -= 200 {
			sum += uint32(content[i])
		}
		if page == 0 || sum != binary.BigEndian.Uint32(rec[4+j.size:]) {
			return -1, nil
		}
		if _, ok := j.pages[page]; !ok { // the first is the oldest
			j.pages[page] = at + 4
		}
		at += length
	}
	return at, nil
}

// unchanged reports whether the journal still holds the same transaction.
func (j *journal) unchanged() bool {
	var now [journalHeader]byte
	_, err := j.file.ReadAt(now[:], 0)
	// The number of records grows while the transaction runs; what was read of them stays.
	return err == nil && string(now[:8]) == string(j.header[:8]) && string(now[12:]) == string(j.header[12:])
}

// openBeside opens a file beside a database; nil where there is none.
func openBeside(path string) (*os.File, error) {
	f, err := share.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

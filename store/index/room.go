package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"

	"dormouse/store/home"
)

// ErrNoRoom says that the disk is too full to write to the index. It is true until there is room again.
var ErrNoRoom = errors.New("the disk is nearly full")

// Badger writes through files that are mapped into memory. A page of such a file that the disk has no room for ends the whole
// process, and no error can be caught. So every write first makes sure that there is room for it and for all that Badger may
// have to write on its own account afterwards: what lies in its memory tables, and the tables that a compaction makes again.
const (
	slackBytes   = 4 << 20 // for what others write meanwhile, and for small files
	maxMemTables = memTables * memTable
	maxCompacted = 128 << 20 // at once; larger levels are compacted table by table
	noteBytes    = 64 << 10  // of a change to the manifest, or the removal of a segment
)

// measureEvery is how long the size of the tables is taken for what it was.
const measureEvery = time.Second

// Room makes sure that there is room to write: nil, or an error that wraps ErrNoRoom and says how much is free and how much is
// needed; ErrBroken where the index's folder is gone.
func (ix *Index) Room() error { return ix.room(0) }

// room is Room before so many bytes are written.
func (ix *Index) room(more int) error {
	wrote := ix.wrote.Add(int64(more))
	need := slackBytes + min(wrote, maxMemTables) + ix.compactable()
	return ix.check(enoughRoom(ix.opts.Dir, need))
}

// compactable is how many bytes a compaction may write.
func (ix *Index) compactable() int64 {
	now := time.Now().UnixNano()
	if last := ix.measured.Load(); now-last < int64(measureEvery) || !ix.measured.CompareAndSwap(last, now) {
		return ix.tables.Load()
	}
	ix.db.peek(ix.measure)
	return ix.tables.Load()
}

// measure notes how many bytes a compaction may write.
func (ix *Index) measure(db *badger.DB) {
	n := int64(0)
	for _, l := range db.Levels() {
		n += l.Size
	}
	ix.tables.Store(min(n, maxCompacted))
}

// enoughRoom makes sure that the disk with a folder has so many bytes free.
func enoughRoom(dir string, need int64) error {
	free, err := freeBytes(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: its folder %s is gone", errCorrupt, dir)
	case err != nil:
		return nil // a system that does not tell is let try
	case free >= need:
		return nil
	}
	return fmt.Errorf("%w: %.1f MB are free for %s, and %.1f MB are needed; it goes on by itself when there is room: %w",
		ErrNoRoom, float64(free)/1e6, dir, float64(need)/1e6, syscall.ENOSPC)
}

// roomToOpen makes sure that Badger can begin: that it finds room for the memory tables which a crash left, and for new files.
func roomToOpen(dir string) error {
	need := int64(slackBytes)
	names, err := home.List(dir, "", ".mem")
	if err != nil {
		return err
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			need += min(allocated(info), maxMemTables)
		}
	}
	return enoughRoom(dir, need)
}

// restful notes what is asked for while the database is closed, and makes sure that it can be.
func (ix *Index) restful(db *badger.DB) error {
	ix.measure(db)
	return ix.roomToClose()
}

// roomToClose makes sure that Badger can write its memory tables on closing.
func (ix *Index) roomToClose() error {
	return enoughRoom(ix.opts.Dir, slackBytes/4+min(ix.wrote.Load(), maxMemTables))
}

package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// lease is Badger, open while somebody uses it and for a while after. An open Badger looks forty times a second whether there is anything to
// compact, which costs a machine at rest more than all else that the service does; opening one that was closed in order costs less than
// half a second of that. What the index keeps in memory stays as it is meanwhile.
type lease struct {
	opts  Options
	after time.Duration // of no use, until it is closed; 0 is never

	mu       sync.Mutex
	unused   *sync.Cond // on mu: users came to 0
	db       *badger.DB // nil while it is closed
	readOnly bool       // db is, since the disk took nothing more when it was opened
	users    int
	last     time.Time   // when the last user left
	timer    *time.Timer // that closes it; nil while none runs
	ended    bool        // for good

	broken atomic.Bool // what is in it is: it stays as it is until the end
	// beforeRest is called with the database before it is closed for a while; its error keeps it open.
	beforeRest func(*badger.DB) error
}

func newLease(o Options) *lease {
	l := &lease{opts: o, after: o.RestAfter}
	l.unused = sync.NewCond(&l.mu)
	return l
}

// use opens the database where it is not open and keeps it so until done is called once. Who is to write gets one that can be written to.
func (l *lease) use(write bool) (*badger.DB, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil, badger.ErrDBClosed
	}
	if l.db != nil && l.readOnly && write && l.users == 0 { // there may be room by now
		if err := l.shut(); err != nil {
			return nil, err
		}
	}
	if l.db == nil {
		if err := l.reopen(); err != nil {
			return nil, err
		}
	}
	if l.readOnly && write {
		return nil, fmt.Errorf("%w: the search index could be opened for reading alone: %w", ErrNoRoom, syscall.ENOSPC)
	}
	l.users++
	return l.db, nil
}

// done ends a use.
func (l *lease) done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users--
	if l.users > 0 {
		return
	}
	l.unused.Broadcast()
	l.last = time.Now()
	if l.after > 0 && l.timer == nil && !l.ended {
		l.timer = time.AfterFunc(l.after, l.look)
	}
}

// look closes the database when nobody used it for long enough, and else looks again when that may be so.
func (l *lease) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer = nil
	if l.ended || l.broken.Load() || l.db == nil || l.users > 0 {
		return // who uses it has it looked at again
	}
	wait := l.after - time.Since(l.last)
	if wait <= 0 {
		if wait = l.after; l.rest() == nil {
			return
		}
	}
	l.timer = time.AfterFunc(wait, l.look)
}

// Rest closes the index's database until its next use, where nobody uses it now and it was open; RestAfter does so by itself.
func (ix *Index) Rest() (rests bool) {
	l := ix.db
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.db != nil && l.users == 0 && !l.ended && !l.broken.Load() && l.rest() == nil
}

// Resting reports whether the index's database is closed until its next use.
func (ix *Index) Resting() bool {
	ix.db.mu.Lock()
	defer ix.db.mu.Unlock()
	return ix.db.db == nil && !ix.db.ended
}

// rest closes the database until its next use; mu is held, and nobody uses it.
func (l *lease) rest() error {
	if !l.readOnly {
		if err := l.beforeRest(l.db); err != nil {
			return err
		}
	}
	err := l.shut()
	if err != nil { // what can't be read again is found at the next use
		l.opts.Logger.Warn("search index was closed for a while, and not in order", "component", "index", "error", err)
	}
	return nil
}

// shut closes the database, and notes that this was done in order; mu is held, and nobody uses it.
func (l *lease) shut() error {
	db, wrote := l.db, !l.readOnly
	l.db, l.readOnly = nil, false
	err := db.Close()
	if err == nil && wrote && !l.broken.Load() {
		err = noteSizes(l.opts.Dir)
	}
	return err
}

// reopen opens what was closed for a while; mu is held. Where the disk takes nothing more it is opened for reading. Files that are not as they
// were left are an error that says so.
func (l *lease) reopen() error {
	err := verify(l.opts.Dir)
	if err == nil {
		err = l.first()
	}
	if err != nil && !spoilt(err) && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)) {
		l.db, err = openDB(l.opts, true)
		l.readOnly = err == nil
	}
	switch {
	case err == nil:
		return nil
	case spoilt(err):
		return fmt.Errorf("%w: open it again: %w", errCorrupt, err)
	}
	return fmt.Errorf("open the search index again: %w", err)
}

// first opens the database for writing; mu is held, or nobody knows it yet.
func (l *lease) first() (err error) {
	if err := roomToOpen(l.opts.Dir); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(l.opts.Dir, cleanFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l.db, err = openDB(l.opts, false)
	return err
}

// close waits for those who use the database and closes it for good.
func (l *lease) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	for l.users > 0 {
		l.unused.Wait()
	}
	if l.timer != nil {
		l.timer.Stop()
	}
	if l.db == nil {
		return nil
	}
	return l.shut()
}

// isClosed reports whether it was closed for good.
func (l *lease) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// peek calls fn with the database if it is open, which is no use of it.
func (l *lease) peek(fn func(*badger.DB)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db != nil {
		fn(l.db)
	}
}

// view calls fn with a transaction that reads.
func (l *lease) view(fn func(*badger.Txn) error) error {
	db, err := l.use(false)
	if err != nil {
		return err
	}
	defer l.done()
	return db.View(fn)
}

// update calls fn with a transaction that writes, and commits it.
func (l *lease) update(fn func(*badger.Txn) error) error {
	db, err := l.use(true)
	if err != nil {
		return err
	}
	defer l.done()
	return db.Update(fn)
}

// begin begins a transaction, which end discards where it was not committed.
func (l *lease) begin(write bool) (txn *badger.Txn, end func(), err error) {
	db, err := l.use(write)
	if err != nil {
		return nil, nil, err
	}
	txn = db.NewTransaction(write)
	return txn, func() { txn.Discard(); l.done() }, nil
}

// maxPending is how many transactions of a batch are written at once; each holds up to 15 % of a memory table.
const maxPending = 2

// batch begins a batch of writes, which end cancels where it was not flushed.
func (l *lease) batch() (wb *badger.WriteBatch, end func(), err error) {
	db, err := l.use(true)
	if err != nil {
		return nil, nil, err
	}
	wb = db.NewWriteBatch()
	wb.SetMaxPendingTxns(maxPending)
	return wb, func() { wb.Cancel(); l.done() }, nil
}

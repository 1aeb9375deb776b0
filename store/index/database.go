package index

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// Sizes of the database, in bytes. Badger keeps up to eight buffers of two tables each when it has compacted, and more while it does, so
// tables are small; and it makes two memory tables and a file of twice the size of each, so those are small too.
const (
	memTable   = 8 << 20
	memTables  = 3 // one that is written to, two that wait
	tableBytes = 4 << 20
	valueFile  = 2 << 20 // values go to the tables; Badger wants the file all the same
	maxValue   = 1 << 20
)

// lockWait is how long a database is waited for that somebody else has locked. A program that this process starts has the lock, too, from its
// fork until it runs its own text, also where the database was closed meanwhile.
const lockWait = time.Second

// openDB opens Badger.
func openDB(o Options, readOnly bool) (db *badger.DB, err error) {
	began := time.Now()
	for pause := time.Millisecond; ; pause *= 2 {
		if db, err = tryDB(o, readOnly); err == nil || !locked(err) || time.Since(began) > lockWait {
			return db, err
		}
		time.Sleep(pause)
	}
}

// locked reports whether an error of Badger says that somebody else has the database open.
func locked(err error) bool {
	return strings.Contains(err.Error(), "Another process is using this Badger database")
}

// tryDB opens Badger with settings for little private memory: no caches of blocks, since they are read from the mapped
// files as they are. A panic of Badger over damaged files is an error like any other.
func tryDB(o Options, readOnly bool) (db *badger.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, fmt.Errorf("%w: %v", errCorrupt, r)
		}
	}()
	opt := badger.DefaultOptions(o.Dir).
		WithLogger(logger{o.Logger}).
		WithReadOnly(readOnly).
		WithMetricsEnabled(false).
		WithDetectConflicts(false). // there is one writer
		WithSyncWrites(false).      // all of it can be made again
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithIndexCacheSize(16 << 20).
		WithMemTableSize(memTable).
		WithNumMemtables(memTables - 1).
		WithNumCompactors(2).
		WithBaseTableSize(tableBytes).
		WithNumLevelZeroTables(4).
		WithNumLevelZeroTablesStall(8).
		WithValueLogFileSize(valueFile).
		WithValueThreshold(maxValue).
		WithChecksumVerificationMode(options.OnBlockRead)
	opt.TableSizeMultiplier = 1
	return badger.Open(opt)
}

// logger hands Badger's messages on: its warnings and errors as what they are, the rest for debugging.
type logger struct{ log *slog.Logger }

func (l logger) Errorf(f string, a ...any) {
	l.log.Error(strings.TrimSpace(fmt.Sprintf(f, a...)), "component", "index")
}

func (l logger) Warningf(f string, a ...any) {
	l.log.Warn(strings.TrimSpace(fmt.Sprintf(f, a...)), "component", "index")
}

func (l logger) Infof(string, ...any)  {}
func (l logger) Debugf(string, ...any) {}

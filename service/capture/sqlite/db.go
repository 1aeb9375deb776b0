package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"dormouse/service/capture/share"
	_ "modernc.org/sqlite" // the driver
	"modernc.org/sqlite/vfs"
)

// ErrChanged says that the database was written to while it was read, so that what was read is of no one state.
var ErrChanged = errors.New("the database changed while it was read")

// DB is one state of a database. Its methods may be called from several goroutines.
type DB struct {
	over *overlay
	fs   *vfs.FS
	sql  *sql.DB
}

// attempts is how often Read begins anew before it leaves the rest to a later call.
const attempts = 6

// Read opens the newest state of the database at a path and calls use with it. When the database changes so that no one state can be
// read, use is called again with a newer one: what it does must be such that it may begin anew. When it changes too often, the
// error is ErrChanged.
func Read(ctx context.Context, path string, use func(*DB) error) (err error) {
	for i := range attempts {
		if i > 0 {
			if err := sleep(ctx, time.Millisecond<<(2*i)); err != nil {
				return err
			}
		}
		if err = attempt(ctx, path, use); !errors.Is(err, ErrChanged) {
			return err
		}
	}
	return fmt.Errorf("%s is written to all the time; it is read again when that stops: %w", path, err)
}

func attempt(ctx context.Context, path string, use func(*DB) error) error {
	db, err := open(ctx, path)
	if err != nil {
		return err
	}
	err = use(db)
	if err != nil && ctx.Err() == nil && !db.over.unchanged() {
		err = errors.Join(ErrChanged, err) // whatever it was, it may be of the mixture
	}
	return errors.Join(err, db.close())
}

// open takes the newest state of a database.
func open(ctx context.Context, path string) (*DB, error) {
	o, err := take(ctx, path)
	if err != nil {
		return nil, err
	}
	name, system, err := vfs.New(o)
	if err != nil {
		o.close()
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	db := &DB{over: o, fs: system}
	// In memory: sorting must not make files. The schema is a stranger's: it may not call what reads files.
	db.sql, err = sql.Open("sqlite", "file:"+fileName+"?vfs="+name+"&mode=ro&_pragma=temp_store(2)&_pragma=cache_size(-4000)"+
		"&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", path, err), db.close())
	}
	db.sql.SetMaxIdleConns(2)
	return db, nil
}

// take opens the files of a state and waits until it can be told apart from the next one.
func take(ctx context.Context, path string) (*overlay, error) {
	var failed error = ErrChanged
	for range attempts {
		f, err := share.Open(path)
		if err != nil {
			return nil, err
		}
		o := &overlay{db: f}
		if err = o.readHeader(); err == nil {
			err = o.readBeside(path)
		}
		wait := time.Duration(0)
		if err == nil {
			wait = tooYoung(o.stat.mtime, time.Now())
			if wait == 0 && o.unchanged() {
				return o, nil
			}
		}
		o.close()
		if err != nil && !errors.Is(err, errShort) { // a writer may be about to make it longer
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		failed = cmp.Or(err, ErrChanged)
		if err := sleep(ctx, max(wait, time.Millisecond)); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("read %s: %w", path, failed)
}

// Resolutions of the times of files.
const (
	fineTime   = 20 * time.Millisecond // what systems round to
	coarseTime = 2 * time.Second       // what some file systems keep
)

// tooYoung is how long to wait until a file changed at mtime would show another time if it changed again.
func tooYoung(mtime, now time.Time) time.Duration {
	age, step := now.Sub(mtime), fineTime
	if mtime.Nanosecond() == 0 {
		step = coarseTime
	}
	if age < 0 || age > step {
		return 0 // a time in the future is of another clock, and tells nothing
	}
	return step - age + time.Millisecond
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (db *DB) close() error {
	var err error
	if db.sql != nil {
		err = db.sql.Close()
	}
	err = errors.Join(err, db.fs.Close())
	db.over.close()
	return err
}

// heldBytes is how much of an answer is held back until it is known to be of one state.
const heldBytes = 4 << 20

// Query calls use with each row of the answer. A row is handed on only when it is known to be of this state; otherwise the error is
// ErrChanged. use may ask further questions.
func (db *DB) Query(ctx context.Context, use func(Row) error, query string, args ...any) error {
	rows, err := db.sql.QueryContext(ctx, query, args...)
	if err != nil {
		return db.explain(err)
	}
	defer rows.Close() //nolint:errcheck // an error would have been told by Next
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	var held []Row
	bytes := 0
	flush := func() error {
		if !db.over.unchanged() {
			return ErrChanged
		}
		for _, r := range held {
			if err := use(r); err != nil {
				return err
			}
		}
		held, bytes = held[:0], 0
		return nil
	}
	for rows.Next() {
		row, err := scan(rows, len(columns))
		if err != nil {
			return db.explain(err)
		}
		held = append(held, row)
		if bytes += row.size(); bytes >= heldBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return db.explain(err)
	}
	return flush()
}

// explain tells an answer that went wrong because of a change from one that went wrong.
func (db *DB) explain(err error) error {
	if !db.over.unchanged() {
		return ErrChanged
	}
	return fmt.Errorf("it cannot be read as an SQLite database: %w", err)
}

// Columns are the names of a table's columns, in lower case; empty where there is no such table.
func (db *DB) Columns(ctx context.Context, table string) (map[string]bool, error) {
	out := map[string]bool{}
	err := db.Query(ctx, func(r Row) error {
		out[strings.ToLower(r.Text(0))] = true
		return nil
	}, "SELECT name FROM pragma_table_info(?)", table)
	return out, err
}

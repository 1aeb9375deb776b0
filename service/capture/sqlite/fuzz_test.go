package sqlite

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// files are a database, its log and its journal.
type files struct{ main, wal, journal []byte }

// seeds are databases in the midst of a transaction, as their writer left them.
func seeds(f testing.TB) (out []files) {
	for _, mode := range []string{"delete", "wal"} {
		dir, err := os.MkdirTemp("", "seed")
		if err != nil {
			f.Fatal(err)
		}
		path := filepath.Join(dir, "db")
		db, err := openOwn(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, q := range []string{"PRAGMA page_size=512", "PRAGMA journal_mode=" + mode, "CREATE TABLE pair (id INTEGER PRIMARY KEY, text TEXT)",
			"INSERT INTO pair VALUES (1, 'one'), (2, hex(zeroblob(600)))", "PRAGMA cache_size=1", "BEGIN", "UPDATE pair SET text = hex(zeroblob(900))"} {
			if _, err := db.Exec(q); err != nil {
				f.Fatal(q, err)
			}
		}
		main, _ := os.ReadFile(path)
		wal, _ := os.ReadFile(path + "-wal")
		journal, _ := os.ReadFile(path + "-journal")
		out = append(out, files{main, wal, journal})
		_ = db.Close()
		_ = os.RemoveAll(dir)
	}
	return out
}

// read reads them. Whatever they are, it comes to an end.
func (b files) read(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	old := time.Unix(1700000000, 5)
	for name, text := range map[string][]byte{path: b.main, path + "-wal": b.wal, path + "-journal": b.journal} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.Chtimes(name, old, old)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_ = Read(ctx, path, func(db *DB) error {
		return db.Query(ctx, func(Row) error { return nil }, "SELECT id, text FROM pair ORDER BY id LIMIT 100")
	})
	if ctx.Err() != nil {
		t.Fatal("it does not come to an end")
	}
}

func FuzzFiles(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s.main, s.wal, s.journal)
	}
	f.Fuzz(func(t *testing.T, main, wal, journal []byte) { files{main, wal, journal}.read(t) })
}

// The fuzzer is slow here, since it follows all of SQLite; damage by chance finds more in the same time.
func TestDamagedFilesComeToAnEnd(t *testing.T) {
	r, all := rand.New(rand.NewPCG(1, 2)), seeds(t)
	for range 60 {
		for _, s := range all {
			s = files{bytes.Clone(s.main), bytes.Clone(s.wal), bytes.Clone(s.journal)}
			for _, b := range []*[]byte{&s.main, &s.wal, &s.journal} {
				for range r.IntN(6) {
					if len(*b) == 0 {
						break
					}
					if r.IntN(10) == 0 {
						*b = (*b)[:r.IntN(len(*b))]
						continue
					}
					(*b)[r.IntN(len(*b))] = byte(r.IntN(256))
				}
			}
			s.read(t)
		}
	}
}

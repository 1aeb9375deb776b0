package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzFiles reads a database, a log and a journal of any bytes: whatever they are, it comes to an end.
func FuzzFiles(f *testing.F) {
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
		f.Add(main, wal, journal)
		_ = db.Close()
		_ = os.RemoveAll(dir)
	}
	f.Fuzz(func(t *testing.T, main, wal, journal []byte) {
		path := filepath.Join(t.TempDir(), "db")
		old := time.Unix(1700000000, 5)
		for name, b := range map[string][]byte{path: main, path + "-wal": wal, path + "-journal": journal} {
			if err := os.WriteFile(name, b, 0o600); err != nil {
				t.Fatal(err)
			}
			_ = os.Chtimes(name, old, old)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = Read(ctx, path, func(db *DB) error {
			return db.Query(ctx, func(Row) error { return nil }, "SELECT id, text FROM pair ORDER BY id LIMIT 100")
		})
		if ctx.Err() != nil {
			t.Fatal("it does not come to an end")
		}
	})
}

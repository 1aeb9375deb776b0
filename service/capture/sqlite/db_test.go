package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// answer is the first column of all rows, joined by commas.
func answer(t *testing.T, path, query string) (string, error) {
	t.Helper()
	var out []string
	err := Read(context.Background(), path, func(db *DB) error {
		out = nil
		return db.Query(context.Background(), func(r Row) error {
			out = append(out, r.Text(0))
			return nil
		}, query)
	})
	return strings.Join(out, ","), err
}

func closed(t *testing.T, db *sql.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, path, query, want string) {
	t.Helper()
	if got, err := answer(t, path, query); err != nil || got != want {
		t.Errorf("%s: %q, %v; want %q", query, got, err, want)
	}
}

func TestWhatIsOnlyInTheLogIsSeenAndNoFileIsMadeOrChanged(t *testing.T) {
	path := pairs(t, "wal")
	own(t, path, "UPDATE pair SET n = 7", "INSERT INTO pair VALUES (1000, 7, hex(zeroblob(20000)))")
	before := listing(t, path)
	wants(t, path, "SELECT count(*) || ' ' || min(n) || ' ' || max(n) || ' ' || max(length(text)) FROM pair", "61 7 7 40000")
	if after := listing(t, path); !slices.Equal(before, after) {
		t.Errorf("the folder was\n%q\nand is\n%q", before, after)
	}
}

func TestALogThatADeadWriterLeftIsSeenInAFolderThatCannotBeWrittenTo(t *testing.T) {
	path := pairs(t, "wal")
	cmd, _ := startWriter(t, "one in the log", path)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	_ = os.Remove(path + "-shm") // as after a restart of the machine
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Dir(path), 0o700) //nolint:errcheck // for the cleaning up
	before := listing(t, path)
	got, err := answer(t, path, "SELECT DISTINCT n FROM pair")
	if err != nil || got != "7" {
		t.Errorf("%q, %v; want what is in the log", got, err)
	}
	if after := listing(t, path); !slices.Equal(before, after) {
		t.Errorf("the folder was\n%q\nand is\n%q", before, after)
	}
	_ = os.Chmod(filepath.Dir(path), 0o700)
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		t.Error("the writer left no log: the test shows nothing")
	}
	var want string
	if err := own(t, path, "SELECT 1").QueryRow("SELECT max(n) FROM pair").Scan(&want); err != nil || got != want {
		t.Errorf("read %s, its owner finds %s, %v", got, want, err)
	}
}

func TestATransactionThatADeadWriterLeftHalfWrittenIsUndone(t *testing.T) {
	path := pairs(t, "delete")
	closed(t, own(t, path, "UPDATE pair SET text = hex(zeroblob(750))")) // over many pages
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cmd, _ := startWriter(t, "crash in a transaction", path)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if torn, _ := os.ReadFile(path); string(torn) == string(old) {
		t.Fatal("the writer left the database as it was: the test shows nothing")
	}
	wants(t, path, "SELECT count(*) || ' ' || max(text) FROM pair", "60 "+strings.Repeat("0", 1500))
	if _, err := os.Stat(path + "-journal"); err != nil {
		t.Error("the journal is the owner's, and is gone:", err)
	}
}

func TestADatabaseThatIsLockedByItsOwnerIsRead(t *testing.T) {
	for _, mode := range []string{"delete", "wal"} {
		path := pairs(t, mode)
		startWriter(t, "exclusive", path)
		wants(t, path, "SELECT count(*) FROM pair", "60")
	}
}

func TestCaseC6AWriterIsNeverRefusedAndEachAnswerIsOfOneState(t *testing.T) {
	for _, mode := range []string{"delete", "truncate", "persist", "wal"} {
		t.Run(mode, func(t *testing.T) {
			path := pairs(t, mode)
			_, stop := startWriter(t, mode, path)
			good, last := 0, ""
			for i := 0; good < 5 && i < 20000; i++ {
				got, err := answer(t, path, "SELECT DISTINCT n || ' ' || length(text) FROM pair")
				if errors.Is(err, ErrChanged) {
					continue
				}
				if err != nil || strings.Contains(got, ",") {
					t.Fatalf("%q, %v; want one state", got, err)
				}
				if got != last {
					good++
				}
				last = got
			}
			said := stop()
			if !strings.HasPrefix(said, "wrote ") || good < 5 {
				t.Errorf("the writer said: %s", said)
			}
			t.Logf("%d states, %s", good, said)
			wants(t, path, "SELECT DISTINCT n FROM pair", strings.TrimSpace(strings.TrimPrefix(said, "wrote ")))
		})
	}
}

func TestAStateThatChangesMeanwhileIsNotHandedOn(t *testing.T) {
	path := pairs(t, "delete")
	db := own(t, path, "UPDATE pair SET n = 1")
	times, seen := 0, []string{}
	err := Read(context.Background(), path, func(s *DB) error {
		if times++; times == 1 {
			if _, err := db.Exec("UPDATE pair SET n = 2"); err != nil {
				t.Fatal(err)
			}
		}
		return s.Query(context.Background(), func(r Row) error {
			seen = append(seen, r.Text(0))
			return nil
		}, "SELECT DISTINCT n FROM pair")
	})
	if err != nil || times != 2 || strings.Join(seen, ",") != "2" {
		t.Errorf("%d times, saw %q, %v", times, seen, err)
	}
}

func TestWhatIsNoDatabaseIsAnError(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	short := pairs(t, "delete")
	if err := os.Truncate(short, 5000); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, short, dir} {
		if got, err := answer(t, path, "SELECT sum(n) FROM pair"); err == nil {
			t.Errorf("%s answers %q", path, got)
		} else if !strings.Contains(err.Error(), "database") && !strings.Contains(err.Error(), "not a file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := answer(t, filepath.Join(dir, "none"), "SELECT 1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a database that is not there: %v", err)
	}
}

func TestADatabaseWithoutAnythingHasNoTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, path, "SELECT count(*) FROM sqlite_master", "0")
}

func TestNothingCanBeWritten(t *testing.T) {
	path := pairs(t, "delete")
	if got, err := answer(t, path, "DELETE FROM pair RETURNING id"); err == nil {
		t.Errorf("deleted %q", got)
	}
	wants(t, path, "SELECT count(*) FROM pair", "60")
}

func TestQuestionsMayBeAskedInsideAQuestion(t *testing.T) {
	path := pairs(t, "delete")
	total := int64(0)
	err := Read(context.Background(), path, func(db *DB) error {
		return db.Query(context.Background(), func(outer Row) error {
			return db.Query(context.Background(), func(r Row) error {
				total += r.Int(0)
				return nil
			}, "SELECT id FROM pair WHERE id = ?", outer.Int(0))
		}, "SELECT id FROM pair")
	})
	if err != nil || total != 60*61/2 {
		t.Errorf("%d, %v", total, err)
	}
}

func TestColumnsOfATable(t *testing.T) {
	path := pairs(t, "delete")
	err := Read(context.Background(), path, func(db *DB) error {
		have, err := db.Columns(context.Background(), "pair")
		none, _ := db.Columns(context.Background(), "other")
		if !have["id"] || !have["text"] || have["other"] || len(none) != 0 {
			t.Errorf("%v, %v", have, none)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

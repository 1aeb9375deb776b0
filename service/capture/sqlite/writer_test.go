package sqlite

import (
	"bufio"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A writer is another process that owns a database. It is this test binary, told by the environment what to do.

func TestMain(m *testing.M) {
	if mode := os.Getenv("TEST_WRITER"); mode != "" {
		if err := beWriter(mode, os.Getenv("TEST_DB")); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func beWriter(mode, path string) error {
	db, err := openOwn(path)
	if err != nil {
		return err
	}
	do := func(q string) {
		if _, e := db.Exec(q); e != nil && err == nil {
			err = fmt.Errorf("%s: %w", q, e)
		}
	}
	done := make(chan bool)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(done)
	}()
	switch mode {
	case "crash in a transaction":
		do("PRAGMA cache_size=2")
		do("BEGIN")
		do("UPDATE pair SET text = 'torn' || hex(zeroblob(748))")
	case "exclusive":
		do("PRAGMA locking_mode=EXCLUSIVE")
		do("BEGIN EXCLUSIVE")
		do("UPDATE pair SET n = n")
	case "one in the log":
		do("PRAGMA journal_mode=wal")
		do("UPDATE pair SET n = 7, text = hex(zeroblob(500))")
	default: // a journal mode
		do("PRAGMA journal_mode=" + mode)
		do("PRAGMA wal_autocheckpoint=20")
	}
	if err != nil {
		return err
	}
	fmt.Println("ready")
	n, pause := 0, 80*time.Millisecond
	for ; err == nil && !strings.Contains(mode, " ") && mode != "exclusive"; n++ {
		select {
		case <-done:
			fmt.Println("wrote", n)
			return db.Close()
		default:
		}
		do("BEGIN IMMEDIATE") // with no time to wait: any lock of a reader would be an error
		do(fmt.Sprintf("UPDATE pair SET n = n + 1, text = hex(zeroblob(%d))", 100+n*37%3000))
		do("COMMIT")
		if n%20 == 0 {
			time.Sleep(pause) // as an agent does between two words, and longer and longer, for readers on slow machines
			pause += pause / 8
		}
	}
	if err == nil {
		<-done
	}
	return err
}

func openOwn(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// startWriter starts a writer and waits until it is ready. stop ends it in good order and gives what it said.
func startWriter(t *testing.T, mode, path string) (cmd *exec.Cmd, stop func() string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TEST_WRITER="+mode, "TEST_DB="+path)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the writer said %q, %v", line, err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, func() string {
		_ = in.Close()
		rest, _ := io.ReadAll(lines)
		return string(rest)
	}
}

// pairs makes a database of rows that a writer changes together.
func pairs(t *testing.T, mode string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "own.db")
	own(t, path, "PRAGMA journal_mode="+mode, "CREATE TABLE pair (id INTEGER PRIMARY KEY, n INTEGER, text TEXT)",
		"WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i < 60) INSERT INTO pair SELECT i, 0, '' FROM c")
	return path
}

// own runs statements as the database's owner and keeps it open until the test ends.
func own(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	db, err := openOwn(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(q, err)
		}
	}
	if strings.Contains(statements[0], "journal_mode") {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		return nil
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func listing(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(e.Name(), info.Size(), info.ModTime().UnixNano()))
	}
	slices.Sort(out)
	return out
}

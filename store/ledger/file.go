package ledger

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/store/disk"
	"dormouse/store/home"
)

// defaultMaxFile is the size in bytes at which a log goes on in a new file, so that no blob is too large for a git remote.
const defaultMaxFile = 8 << 20

// maxLine bounds what is read as one line.
const maxLine = 64 << 20

// logName is the name of a log file: a day (UTC) and a number for the day's further files.
type logName struct {
	day string
	n   int
}

func (l logName) String() string {
	if l.n == 0 {
		return l.day + ".jsonl"
	}
	return l.day + "." + strconv.Itoa(l.n) + ".jsonl"
}

func (l logName) compare(m logName) int {
	return cmp.Or(cmp.Compare(l.day, m.day), cmp.Compare(l.n, m.n))
}

func parseLogName(name string) (logName, bool) {
	stem, ok := strings.CutSuffix(name, ".jsonl")
	if !ok {
		return logName{}, false
	}
	day, num, more := strings.Cut(stem, ".")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return logName{}, false
	}
	n := 0
	if more {
		var err error
		if n, err = strconv.Atoi(num); err != nil || n < 1 || strconv.Itoa(n) != num {
			return logName{}, false
		}
	}
	return logName{day, n}, true
}

// ValidName reports whether a file of this name is part of a machine's log. Others lie there unread.
func ValidName(name string) bool {
	_, ok := parseLogName(name)
	return ok
}

// logFiles lists a machine's log files in the order in which they were written.
func logFiles(dir string) ([]logName, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list logs in %s: %w", dir, err)
	}
	var out []logName
	for _, e := range entries {
		if l, ok := parseLogName(e.Name()); ok && e.Type().IsRegular() {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, logName.compare)
	return out, nil
}

// readLines calls use for each whole line of a file, with its number from 1; the line is valid until use returns. It returns the offset after the last whole
// line: what lies behind it is a torn tail.
func readLines(path string, use func(n int, line []byte)) (end int64, err error) {
	to, err := readOn(path, mark{}, use)
	return to.end, err
}

// readLine puts the next line with its newline into room, or returns io.EOF where no whole line is left.
func readLine(r *bufio.Reader, room []byte) (line []byte, err error) {
	line = room[:0]
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if len(line) > maxLine {
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		}
	}
}

// removeTemps deletes what interrupted writes left behind, anywhere in the memory folder but in its repository.
func (l *Ledger) removeTemps() error {
	return filepath.WalkDir(l.o.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("tidy the memory folder: %w", err)
		case !d.IsDir():
			return nil
		case d.Name() == ".git":
			return filepath.SkipDir
		}
		return home.RemoveTemps(path)
	})
}

// appendTo adds bytes to a file and makes them durable. When that fails, what was written is cut off again.
func appendTo(path string, data []byte) (err error) {
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, home.FileMode)
	if err != nil {
		return fmt.Errorf("append to log: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("append to log: %w", err)
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if err == nil && info.Size() == 0 {
		err = disk.SyncDir(filepath.Dir(path))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("append to log %s: %w", path, err), f.Truncate(info.Size()))
	}
	return nil
}

package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Made is what the repository's own notes say of the commits that were made in its work trees.
type Made struct {
	// At is when a commit was made here, in Unix seconds, by its id. Commits that were fetched or cloned are not in it.
	At map[string]int64
	// From is the time from which the notes are whole, in Unix seconds; 0 where there are none, so that nothing is known.
	From int64
}

// maxReflog is how much of one reflog is read, in bytes from its end.
const maxReflog = 16 << 20

// making are the beginnings of the messages with which git notes a new commit, rather than a move to one that was there.
var making = regexp.MustCompile(`^(commit|cherry-pick|revert|am)\b|` +
	`^(rebase|pull)[^:(]*\((pick|reword|edit|squash|fixup|merge|continue)\)|^rebase:|` +
	`^(merge|pull)[^:]*: Merge made`)

// MadeHere reads the reflogs of HEAD in all work trees. It writes nothing. A repository whose references are not kept in files has none.
func MadeHere(l Location) (Made, error) {
	m := Made{At: map[string]int64{}}
	logs, err := filepath.Glob(filepath.Join(l.CommonDir, "worktrees", "*", "logs", "HEAD"))
	if err != nil {
		return m, err
	}
	for _, log := range append(logs, filepath.Join(l.CommonDir, "logs", "HEAD")) {
		if err := m.read(log); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	return m, nil
}

// read adds one reflog. Its lines are "<old id> <new id> <name> <<mail>> <time> <zone>\t<message>".
func (m *Made) read(path string) error {
	raw, err := tail(path, maxReflog)
	if err != nil {
		return err
	}
	first := int64(0)
	for line := range strings.Lines(raw) {
		head, message, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		fields := strings.Fields(head)
		if len(fields) < 5 {
			continue
		}
		at, err := strconv.ParseInt(fields[len(fields)-2], 10, 64)
		if err != nil {
			continue
		}
		if first == 0 {
			first = at
		}
		if ok && making.MatchString(message) {
			m.At[fields[1]] = at
		}
	}
	if first != 0 && (m.From == 0 || first < m.From) {
		m.From = first
	}
	return nil
}

// tail is the end of a file, from the beginning of a line on.
func tail(path string, limit int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	skip := max(0, info.Size()-limit)
	raw := make([]byte, info.Size()-skip)
	n, err := f.ReadAt(raw, skip)
	if err != nil && n < len(raw) {
		return "", err
	}
	text := string(raw)
	if skip > 0 {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text, nil
}

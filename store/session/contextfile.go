package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// contextPath is where the contexts of a session's turns are, one line a commit. They are beside the commits and not in them: a
// commit cannot hold a file with its own name, and what it holds must depend on the nodes alone, while a context may come from a
// proxy on one machine, and a better reconstruction must not change the names of old commits. One file and not one a turn, so that
// a long session does not take thousands.
var contextPath = filepath.Join("context", "commits.jsonl")

// readDeltas reads the stored contexts of these commits; nil where one is not stored. Of two of one commit the proxy's counts, then
// the later one. A line that is cut off or damaged is passed over: it is reconstructed.
func readDeltas(dir string, of []gitrepo.OID) ([]*delta, error) {
	out := make([]*delta, len(of))
	f, err := os.Open(filepath.Join(dir, contextPath))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read contexts: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	wanted := make(map[gitrepo.OID]int, len(of))
	for i, oid := range of {
		wanted[oid] = i
	}
	in := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if i, ok := wanted[lineCommit(line)]; ok {
			var d delta
			if json.Unmarshal(line, &d) == nil && (out[i] == nil || out[i].From != FromProxy || d.From == FromProxy) {
				out[i] = &d
			}
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read contexts: %w", err)
		}
	}
}

// lineStart begins every line of the stored contexts.
var lineStart = []byte(`{"commit":"`)

// lineCommit is the commit that a line is of; zero when it is none. A long session has thousands, and only what is asked for is parsed.
func lineCommit(line []byte) gitrepo.OID {
	rest, ok := bytes.CutPrefix(line, lineStart)
	end := 2 * len(gitrepo.OID{})
	if !ok || len(rest) <= end || rest[end] != '"' {
		var d struct{ Commit string }
		_ = json.Unmarshal(line, &d) // somebody else's way of writing it
		oid, _ := gitrepo.ParseOID(d.Commit)
		return oid
	}
	oid, _ := gitrepo.ParseOID(string(rest[:end]))
	return oid
}

// appendDeltas adds lines to the stored contexts.
func appendDeltas(dir string, durable bool, list ...delta) error {
	path := filepath.Join(dir, contextPath)
	f, err := disk.OpenFile(path, os.O_RDWR|os.O_CREATE, home.FileMode)
	if errors.Is(err, fs.ErrNotExist) {
		if err := disk.Mkdir(filepath.Dir(path), home.DirMode); err != nil {
			return fmt.Errorf("write contexts: %w", err)
		}
		f, err = disk.OpenFile(path, os.O_RDWR|os.O_CREATE, home.FileMode)
	}
	if err != nil {
		return fmt.Errorf("write contexts: %w", err)
	}
	var b bytes.Buffer
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil && end > 0 {
		last := make([]byte, 1)
		if _, err = f.ReadAt(last, end-1); last[0] != '\n' {
			b.WriteByte('\n') // after a line that was cut off
		}
	}
	for _, d := range list {
		line, encErr := memory.Encode(d)
		err = errors.Join(err, encErr)
		b.Write(append(line, '\n'))
	}
	if err == nil {
		_, err = f.Write(b.Bytes())
	}
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write contexts: %w", err)
	}
	return nil
}

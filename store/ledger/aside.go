package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/store/disk"
	"dormouse/store/home"
)

// scrubAside takes what is erased out of the copies of damaged logs: bodies that are erased, and each line that is not as it was
// written, since nobody can tell whether it holds them. A folder that lies there, such as a repository that could not be read, is
// removed where whole is set: what it holds cannot be looked through.
func (l *Ledger) scrubAside(whole bool) error {
	if l.o.Aside == "" {
		return nil
	}
	gone, err := erasuresIn(l.o.Dir)
	if err != nil || gone.Len() == 0 {
		return err
	}
	entries, err := os.ReadDir(l.o.Aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("erase from what was set aside: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(l.o.Aside, e.Name())
		switch {
		case e.IsDir() && whole:
			err = errors.Join(err, disk.RemoveAll(path))
		case e.Type().IsRegular():
			err = errors.Join(err, gone.scrubFile(path))
		}
	}
	return err
}

func (e *Erasures) scrubFile(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("erase from what was set aside: %w", err)
	}
	var out bytes.Buffer
	for line := range bytes.Lines(data) {
		kept, err := e.scrubLine(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return err
		}
		if kept != nil {
			out.Write(append(kept, '\n'))
		}
	}
	if bytes.Equal(out.Bytes(), data) {
		return nil
	}
	if out.Len() == 0 {
		return disk.Remove(path)
	}
	return home.WriteFile(path, out.Bytes())
}

// scrubLine is a line without what is erased; nil where it is not as it was written.
func (e *Erasures) scrubLine(line []byte) ([]byte, error) {
	var h head
	if json.Unmarshal(line, &h) != nil {
		return nil, nil
	}
	if h.Salt == "" {
		if checkErased(line) != nil {
			return nil, nil
		}
		return line, nil
	}
	if got, err := bodyDigest(line, h.Salt); err != nil || got != h.Digest {
		return nil, nil
	}
	bare, err := e.strip(line)
	if err != nil || bare == nil {
		return line, err
	}
	return bare, nil
}

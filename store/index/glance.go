package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Glance looks at an index's folder without opening it, also while a service has it open. nil is what looks sound, or is not there yet; else
// it says what is wrong. What is wrong is mended by the next start, which makes the index again.
func Glance(dir string) error {
	names, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(names) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	line, err := os.ReadFile(filepath.Join(dir, formatFile))
	switch {
	case err != nil:
		return fmt.Errorf("%s does not say that it is a search index", dir)
	case !legible(string(line)):
		return fmt.Errorf("it is of another version: %q", strings.TrimSpace(string(line)))
	}
	if _, err := os.Stat(filepath.Join(dir, brokenFile)); err == nil {
		return errors.New("it was found to be damaged")
	}
	if len(names) == 1 {
		return nil // begun, and nothing was put into it
	}
	return badgerFiles(dir, names)
}

// badgerFiles looks at the beginnings of what Badger needs to open.
func badgerFiles(dir string, names []os.DirEntry) error {
	head := make([]byte, 4)
	f, err := os.Open(filepath.Join(dir, "MANIFEST"))
	if err != nil {
		return fmt.Errorf("its list of tables is lost: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was read
	if _, err := f.Read(head); err != nil || string(head) != "Bdgr" {
		return errors.New("its list of tables is damaged")
	}
	for _, n := range names {
		if info, err := n.Info(); err == nil && strings.HasSuffix(n.Name(), ".sst") && info.Size() == 0 {
			return fmt.Errorf("its table %s is empty", n.Name())
		}
	}
	return nil
}

// FreeBytes is how much room the disk with a folder has.
func FreeBytes(dir string) (int64, error) { return freeBytes(dir) }

// NeededBytes is how much room the index wants at least.
const NeededBytes = slackBytes

package home

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dormouse/store/disk"
)

// Format is the version of the state folder's layout that this program writes. What changed with each:
//
//	1  the first: no file names the version
//	2  the file format names it; llm.json knows months
const Format = 2

// ErrNewer says that a newer program has written the state folder.
var ErrNewer = errors.New("a newer version of Dormouse has written this state folder")

func (h Home) formatFile() string { return filepath.Join(h.dir, "format") }

// Backups is where what a migration changes is kept as it was.
func (h Home) Backups() string { return filepath.Join(h.dir, "backups") }

// maxBackups is how many migrations' copies are kept.
const maxBackups = 3

// FormatOf is the version of the state folder; 0 where nothing was written to it yet. A version above Format wraps ErrNewer.
func (h Home) FormatOf() (int, error) { return h.formatOf(Format) }

func (h Home) formatOf(known int) (int, error) {
	raw, err := os.ReadFile(h.formatFile())
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(h.machineFile()); errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
		return 1, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the state folder's format: %w", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s does not hold the number of a format: restore it, or write %d into it if this version of Dormouse has used the folder last",
			h.formatFile(), Format)
	}
	if n > known {
		return n, fmt.Errorf("%w: %s has format %d, and this version knows %d at most. Nothing was changed. Start the newer version again, "+
			"or set %s to use another folder", ErrNewer, h.dir, n, known, EnvHome)
	}
	return n, nil
}

// Migration brings a state folder from one version to the next.
type Migration struct {
	From int
	// Touches are the files that it changes, from the state folder on, with slashes. They are copied before.
	Touches []string
	// Apply makes the change. It finds the files as they were, also when it is done again after a crash.
	Apply func(h Home) error
}

// Migrate brings the state folder up to Format, step by step, and reports from which version it came and where copies of what was changed
// are. A folder that is new gets its version. It is for the lock's holder alone. A crash at any moment leaves a folder of one
// version or the next: the file format is written last, and until then the copies are put back before the step is done again.
func (h Home) Migrate(steps []Migration) (from int, backups []string, err error) {
	return h.migrate(steps, Format)
}

func (h Home) migrate(steps []Migration, to int) (from int, backups []string, err error) {
	at, err := h.formatOf(to)
	if err != nil {
		return at, nil, err
	}
	from = at
	if at == 0 {
		return 0, nil, h.setFormat(to)
	}
	for ; at < to; at++ {
		i := slices.IndexFunc(steps, func(m Migration) bool { return m.From == at })
		if i < 0 {
			return from, backups, fmt.Errorf("there is no way from format %d of the state folder %s to %d: this is a fault of the program, report it", at, h.dir, at+1)
		}
		dir, err := h.step(steps[i])
		if err != nil {
			return from, backups, fmt.Errorf("bring the state folder from format %d to %d (it is done again by the next start; what it changes is copied to %s): %w",
				at, at+1, h.backup(at), err)
		}
		backups = append(backups, dir)
	}
	if len(backups) > 0 {
		err = h.dropBackups()
	}
	return from, backups, err
}

func (h Home) backup(from int) string {
	return filepath.Join(h.Backups(), fmt.Sprintf("format-%03d", from))
}

func (h Home) step(m Migration) (dir string, err error) {
	if err := Mkdir(h.Backups()); err != nil {
		return "", err
	}
	dir = h.backup(m.From)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := h.copyOut(m.Touches, dir); err != nil {
			return "", err
		}
	} else if err := h.putBack(m.Touches, dir); err != nil {
		return "", err
	}
	if err := m.Apply(h); err != nil {
		return "", err
	}
	return dir, h.setFormat(m.From + 1)
}

// copyOut copies files into a folder that is there whole or not at all.
func (h Home) copyOut(files []string, dir string) error {
	half := filepath.Join(h.Backups(), TempPrefix+filepath.Base(dir))
	if err := disk.RemoveAll(half); err != nil {
		return err
	}
	if err := Mkdir(half); err != nil {
		return err
	}
	for _, f := range files {
		if err := copyFile(filepath.Join(h.dir, filepath.FromSlash(f)), filepath.Join(half, filepath.FromSlash(f))); err != nil {
			return fmt.Errorf("copy %s before it is changed: %w", f, err)
		}
	}
	if err := disk.Rename(half, dir); err != nil {
		return err
	}
	return disk.SyncDir(h.Backups())
}

// putBack gives files the content that was copied; what was not there is removed.
func (h Home) putBack(files []string, dir string) error {
	for _, f := range files {
		from, to := filepath.Join(dir, filepath.FromSlash(f)), filepath.Join(h.dir, filepath.FromSlash(f))
		if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
			if err := disk.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := copyFile(from, to); err != nil {
			return fmt.Errorf("put %s back as it was: %w", f, err)
		}
	}
	return nil
}

// copyFile copies a file; one that is not there is none to copy.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was read
	if err := Mkdir(filepath.Dir(to)); err != nil {
		return err
	}
	return WriteTo(to, func(w io.Writer) error { _, err := io.Copy(w, in); return err })
}

func (h Home) setFormat(n int) error { return WriteFile(h.formatFile(), []byte(strconv.Itoa(n)+"\n")) }

// dropBackups keeps the newest copies.
func (h Home) dropBackups() error {
	names, err := List(h.Backups(), "format-", "")
	if err != nil {
		return err
	}
	slices.Sort(names)
	for len(names) > maxBackups {
		if err := disk.RemoveAll(names[0]); err != nil {
			return fmt.Errorf("remove old copies: %w", err)
		}
		names = names[1:]
	}
	return nil
}

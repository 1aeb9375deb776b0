package shadow

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Times by which a file's time of change is held against the call that changed it.
const (
	clockSlack = 2 * time.Second // clocks are cut to seconds, file systems to two
	// notSince bounds how long after a call that nothing follows yet a change of the file counts as the call's.
	notSince = time.Hour
)

// onDisk is a file as it lies on the disk.
type onDisk struct {
	exists bool
	text   string
	mtime  time.Time
}

// readDisk reads a file below root. No symbolic link is followed, in the path neither; what is no plain file, or longer than
// limit, is an error.
func readDisk(root, rel string, limit int) (onDisk, error) {
	top, err := os.OpenRoot(root)
	if err != nil {
		return onDisk{}, err
	}
	defer top.Close() //nolint:errcheck // opened for reading
	parts := strings.Split(filepath.FromSlash(rel), string(filepath.Separator))
	for i := range parts {
		info, err := top.Lstat(filepath.Join(parts[:i+1]...))
		if errors.Is(err, fs.ErrNotExist) {
			return onDisk{}, nil
		}
		if err != nil {
			return onDisk{}, err
		}
		if last := i == len(parts)-1; last && !info.Mode().IsRegular() || !last && !info.IsDir() {
			return onDisk{}, errors.New("not a plain file")
		}
	}
	f, err := top.Open(filepath.FromSlash(rel))
	if err != nil {
		return onDisk{}, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	before, err := f.Stat()
	if err != nil {
		return onDisk{}, err
	}
	if !before.Mode().IsRegular() || before.Size() > int64(limit) {
		return onDisk{}, errors.New(WhyLong)
	}
	b, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return onDisk{}, err
	}
	after, err := f.Stat()
	if err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) || int64(len(b)) != after.Size() {
		return onDisk{}, errors.New("it changed while it was read")
	}
	return onDisk{exists: true, text: string(b), mtime: after.ModTime()}, nil
}

// leftBy reports whether the file was changed last while the calls ran that changed it: from the first one until the agent went
// on after the last one.
func (d *onDisk) leftBy(edits []*edited) bool {
	if !d.exists || len(edits) == 0 {
		return false
	}
	first, last := edits[0].at, edits[len(edits)-1]
	if first == 0 {
		return false
	}
	until := time.Unix(last.until, 0)
	if last.until == 0 {
		until = time.Unix(last.at, 0).Add(notSince)
	}
	return !d.mtime.Before(time.Unix(first, 0).Add(-clockSlack)) && !d.mtime.After(until.Add(clockSlack))
}

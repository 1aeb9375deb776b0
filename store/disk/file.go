package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// File is a file that is written to. What it does not name itself is os.File's.
type File struct{ *os.File }

// CreateTemp is os.CreateTemp in a folder that is named.
func CreateTemp(dir, pattern string) (*File, error) {
	if err := before(Step{Op: "create", Path: filepath.Join(dir, pattern)}); err != nil {
		return nil, err
	}
	begin, end, _ := strings.Cut(pattern, "*")
	for try := 0; ; try++ {
		path := filepath.Join(dir, begin+strconv.FormatUint(rand.Uint64(), 36)+end)
		f, err := openFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) && try < 1000 {
			continue
		}
		return of(f, err)
	}
}

// OpenFile is os.OpenFile. Without os.O_CREATE it is no step.
func OpenFile(path string, flag int, mode fs.FileMode) (*File, error) {
	if flag&os.O_CREATE != 0 {
		if err := before(Step{Op: "create", Path: path}); err != nil {
			return nil, err
		}
	}
	f, err := openFile(path, flag, mode)
	return of(f, err)
}

func of(f *os.File, err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Write is os.File's.
func (f *File) Write(p []byte) (int, error) {
	if err := before(Step{Op: "write", Path: f.Name(), Data: p, File: f.File, At: -1}); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

// WriteString is os.File's.
func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// WriteAt is os.File's.
func (f *File) WriteAt(p []byte, at int64) (int, error) {
	if err := before(Step{Op: "write", Path: f.Name(), Data: p, File: f.File, At: at}); err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, at)
}

// ReadFrom writes what a reader gives, as io.Copy does.
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	if watcher.Load() == nil {
		return f.File.ReadFrom(r)
	}
	return io.Copy(struct{ io.Writer }{f}, r)
}

// Truncate is os.File's.
func (f *File) Truncate(size int64) error {
	if err := before(Step{Op: "cut", Path: f.Name()}); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Sync is os.File's: it flushes the content to the disk.
func (f *File) Sync() error {
	if err := before(Step{Op: "flush", Path: f.Name()}); err != nil {
		return err
	}
	return f.File.Sync()
}

// WriteNew makes a file with this content where nobody reads one of its name, and flushes it where it is to be durable. It takes the steps of
// OpenFile, Write and Sync. What a failure leaves stays.
func WriteNew(path string, mode fs.FileMode, durable bool, content []byte) error {
	if watcher.Load() == nil {
		return writeNew(path, mode, durable, content)
	}
	return writeNewFile(path, mode, durable, content)
}

func writeNewFile(path string, mode fs.FileMode, durable bool, content []byte) error {
	f, err := OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && durable {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Replace replaces path by what fill writes: a temporary file in a folder of the same file system, a flush, a rename, a flush of the
// folder; without the flushes when it need not be durable. pattern is that of os.CreateTemp. When anything fails, path is left as it
// was.
func Replace(tempDir, pattern, path string, durable bool, fill func(io.Writer) error) (err error) {
	tmp, err := CreateTemp(tempDir, pattern)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = Remove(tmp.Name())
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	if err := fill(tmp); err != nil {
		return err
	}
	if durable {
		if err := tmp.Sync(); err != nil {
			return err
		}
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := Rename(tmp.Name(), path); err != nil {
		return err
	}
	if durable {
		return SyncDir(filepath.Dir(path))
	}
	return nil
}

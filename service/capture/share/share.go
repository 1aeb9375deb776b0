// Package share opens files that belong to other programs, so that those may go on to write, rename and delete them.
//
// It never writes, never locks, and never waits for the other end of a named pipe.
package share

import (
	"errors"
	"fmt"
	"os"
)

// ErrNotFile says that a path is a folder, a pipe or the like.
var ErrNotFile = errors.New("not a file")

// Open opens a regular file for reading, and nothing else that has a name.
func Open(path string) (*os.File, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w", path, ErrNotFile)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

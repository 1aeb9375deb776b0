//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openFile is os.OpenFile for regular files and folders, which no poller can watch. Package os finds that out anew for each file, by five
// calls of the system.
func openFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	if flag&os.O_APPEND != 0 || mode&^fs.ModePerm != 0 {
		return os.OpenFile(path, flag, mode)
	}
	fd, err := openRaw(path, flag, mode)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

func openRaw(path string, flag int, mode fs.FileMode) (int, error) {
	for {
		fd, err := syscall.Open(path, flag|syscall.O_CLOEXEC, uint32(mode))
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return 0, &os.PathError{Op: "open", Path: path, Err: err}
		}
		return fd, nil
	}
}

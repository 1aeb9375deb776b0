package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// flushDir flushes a folder's entries. It makes no os.File, which would cost one more call of the system and a clean-up of the collector.
func flushDir(dir string) error {
	fd, err := openRaw(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	err = flush(fd, dir)
	_ = syscall.Close(fd) // opened for reading
	return err
}

// writeNew is WriteNew where nobody watches. It makes no os.File, as flushDir does not.
func writeNew(path string, mode fs.FileMode, durable bool, content []byte) error {
	fd, err := openRaw(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	for len(content) > 0 && err == nil {
		var n int
		n, err = syscall.Write(fd, content)
		switch {
		case errors.Is(err, syscall.EINTR):
			err = nil
		case err != nil:
			err = &os.PathError{Op: "write", Path: path, Err: err}
		default:
			content = content[n:]
		}
	}
	if err == nil && durable {
		err = flush(fd, path)
	}
	if closeErr := syscall.Close(fd); err == nil && closeErr != nil && !errors.Is(closeErr, syscall.EINTR) {
		err = &os.PathError{Op: "close", Path: path, Err: closeErr}
	}
	return err
}

func flush(fd int, path string) error {
	for {
		err := syscall.Fsync(fd)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return &os.PathError{Op: "sync", Path: path, Err: err}
		}
	}
}

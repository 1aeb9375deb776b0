// Package disk takes the steps by which the stores change what is on the disk: make, write, flush, rename, remove. Each is what
// package os does, and a test may have any of them fail or be the last one (Watch), so that what a full disk or a crash leaves
// behind is tried step by step.
//
// It never reads, and knows nothing of what the files hold.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
)

// Step is something that is about to be done.
type Step struct {
	Op   string   // such as "write"
	Path string   // the file or folder
	To   string   // the new name, of a rename or a link
	Data []byte   // of a write
	File *os.File // of a write; nothing of Data is in it yet
	At   int64    // where Data goes; -1 for where the file is
}

var watcher atomic.Pointer[func(Step) error]

// Watch has f asked before every step until stop is called. The error that it gives takes the step's place. It is for tests, of which
// one may watch at a time.
func Watch(f func(Step) error) (stop func()) {
	watcher.Store(&f)
	return func() { watcher.Store(nil) }
}

func before(s Step) error {
	if f := watcher.Load(); f != nil {
		return (*f)(s)
	}
	return nil
}

// Mkdir is os.Mkdir.
func Mkdir(path string, mode fs.FileMode) error {
	if err := before(Step{Op: "make folder", Path: path}); err != nil {
		return err
	}
	return os.Mkdir(path, mode)
}

// MkdirAll is os.MkdirAll. A folder that is there is no step.
func MkdirAll(path string, mode fs.FileMode) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if err := before(Step{Op: "make folders", Path: path}); err != nil {
		return err
	}
	return os.MkdirAll(path, mode)
}

// Rename is os.Rename.
func Rename(from, to string) error {
	if err := before(Step{Op: "rename", Path: from, To: to}); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Link is os.Link.
func Link(from, to string) error {
	if err := before(Step{Op: "link", Path: from, To: to}); err != nil {
		return err
	}
	return os.Link(from, to)
}

// Symlink is os.Symlink.
func Symlink(target, path string) error {
	if err := before(Step{Op: "link", Path: target, To: path}); err != nil {
		return err
	}
	return os.Symlink(target, path)
}

// Remove is os.Remove.
func Remove(path string) error {
	if err := before(Step{Op: "remove", Path: path}); err != nil {
		return err
	}
	return os.Remove(path)
}

// RemoveAll is os.RemoveAll. What is not there is no step.
func RemoveAll(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := before(Step{Op: "remove all", Path: path}); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// Truncate is os.Truncate.
func Truncate(path string, size int64) error {
	if err := before(Step{Op: "cut", Path: path}); err != nil {
		return err
	}
	return os.Truncate(path, size)
}

// SyncDir flushes a folder's entries. Windows has no such call and needs none for a rename.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	if err := before(Step{Op: "flush folder", Path: dir}); err != nil {
		return err
	}
	if err := flushDir(dir); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrInvalid) {
		return err
	}
	return nil
}

package spool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Max is how many reports are kept. Further ones are dropped: all that they could say is that a transcript has grown, which
// the service finds out by itself.
const Max = 1000

// ErrFull says that Max reports wait already.
var ErrFull = errors.New("the spool is full")

const suffix = ".report"

// Put adds a report to the folder, which it makes if its parent is there: without the state folder's run folder there is no
// Dormouse, and nothing is left behind.
// What it made is told, so that it can be removed when the service has taken the report after all.
func Put(dir string, r Report) (path string, err error) {
	b, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	waiting, err := names(dir)
	if err != nil {
		return "", err
	}
	if len(waiting) >= Max {
		return "", ErrFull
	}
	f, err := os.CreateTemp(dir, ".tmp-*") // 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		unique := strings.TrimPrefix(filepath.Base(f.Name()), ".tmp-")
		path = filepath.Join(dir, fmt.Sprintf("%015d-%s%s", r.At, unique, suffix))
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return path, nil
}

// Take hands the reports of the folder to use, the oldest first, and removes each that was taken without an error. One that
// cannot be read is removed: it was cut off by a crash. It returns how many were taken.
func Take(dir string, use func(Report) error) (taken int, err error) {
	waiting, err := names(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look for the reports of hooks: %w", err)
	}
	for _, name := range waiting {
		path := filepath.Join(dir, name)
		r, ok, err := read(path)
		if err != nil {
			return taken, fmt.Errorf("read a hook's report: %w", err)
		}
		if ok {
			if err := use(r); err != nil {
				return taken, err
			}
			taken++
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return taken, fmt.Errorf("remove a hook's report that was taken: %w", err)
		}
	}
	return taken, nil
}

// read is the report in a file; ok is false for one that is damaged or was taken meanwhile.
func read(path string) (r Report, ok bool, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	return r, json.Unmarshal(b, &r) == nil, nil
}

// names are the names of the reports, sorted, which is by time.
func names(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range list {
		if strings.HasSuffix(e.Name(), suffix) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

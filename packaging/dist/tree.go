package main

import (
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// tree is a folder that becomes a package: files are put at their places in it, with the modes they are to have.
type tree struct{ dir string }

// put copies a file.
func (t tree) put(from, to string, mode fs.FileMode) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return t.write(data, to, mode)
}

func (t tree) write(data []byte, to string, mode fs.FileMode) error {
	path := filepath.Join(t.dir, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		return err
	}
	return os.Chmod(path, mode) // whatever the umask
}

// zip puts a file compressed, the same bytes every time.
func (t tree) zip(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	path := filepath.Join(t.dir, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return compressed(f, data)
}

func compressed(f io.WriteCloser, data []byte) error {
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

// all does every step until one fails.
func all(steps ...func() error) error {
	for _, s := range steps {
		if err := s(); err != nil {
			return err
		}
	}
	return nil
}

package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"dormouse/assets"
)

// grown is a memory that has captured and learned from the samples, made once for all tests that begin with one.
var grown = sync.OnceValues(func() (g struct{ dir, home, roots string }, err error) {
	if g.dir, err = os.MkdirTemp("", "dormouse-grown-"); err != nil {
		return g, err
	}
	g.home, g.roots = filepath.Join(g.dir, "home"), filepath.Join(g.dir, "roots")
	if _, err = assets.ExtractSamples(g.roots); err != nil {
		return g, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := params(g.home, g.roots)
	p.Report = func(r Report) {
		if r.Stage == StageReady {
			cancel()
		}
	}
	return g, New(p).Run(ctx)
})

// dropGrown removes it again.
func dropGrown() {
	if g, err := grown(); err == nil {
		_ = os.RemoveAll(g.dir)
	}
}

// learned is a service on a memory of its own that has learned from the samples already. It shares their transcripts with other tests:
// one that writes to them, or that is about the first capture, begins with samples instead.
func learned(t *testing.T) Params {
	t.Helper()
	g, err := grown()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := copyTree(g.home, dir); err != nil {
		t.Fatal(err)
	}
	return params(dir, g.roots)
}

// copyTree copies a folder with modes and times.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return errors.Join(os.MkdirAll(target, 0o700), os.Chmod(target, info.Mode().Perm()))
		case !info.Mode().IsRegular():
			return nil // a socket of a service that has ended
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(target, b, 0o600), os.Chmod(target, info.Mode().Perm()), os.Chtimes(target, info.ModTime(), info.ModTime()))
	})
}

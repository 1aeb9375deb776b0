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

// memory that was grown from samples.
type grownMemory struct{ dir, home, roots string }

// grown are memories that have captured and learned from samples, each made once for all tests that begin with one, on a machine of
// its own: from all of them, from all with vectors, and from those of one agent.
var grown = map[string]func() (grownMemory, error){
	"all": sync.OnceValues(func() (grownMemory, error) { return grow(false, "") }), "vectors": sync.OnceValues(func() (grownMemory, error) { return grow(true, "") }),
	assets.SampleClaude: sync.OnceValues(func() (grownMemory, error) { return grow(false, assets.SampleClaude) }),
	assets.SampleCodex:  sync.OnceValues(func() (grownMemory, error) { return grow(false, assets.SampleCodex) }),
}

// grownDirs are the folders to remove in the end.
var grownDirs []string

func dropGrown() {
	for _, dir := range grownDirs {
		_ = os.RemoveAll(dir)
	}
}

// grow makes a memory from the samples of one agent, or of all.
func grow(vectors bool, agent string) (g grownMemory, err error) {
	if g.dir, err = os.MkdirTemp("", "dormouse-grown-"); err != nil {
		return g, err
	}
	grownDirs = append(grownDirs, g.dir)
	g.home, g.roots = filepath.Join(g.dir, "home"), filepath.Join(g.dir, "roots")
	if _, err = assets.ExtractSamples(g.roots); err != nil {
		return g, err
	}
	for _, other := range []string{assets.SampleClaude, assets.SampleCodex} {
		if agent != "" && other != agent {
			if err := os.RemoveAll(filepath.Join(g.roots, filepath.FromSlash(other))); err != nil {
				return g, err
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := params(g.home, g.roots)
	if vectors {
		p.Embedding = assets.Embedding()
	}
	p.Report = func(r Report) {
		if r.Stage == StageReady {
			cancel()
		}
	}
	return g, New(p).Run(ctx)
}

// learned is a service on a memory of its own that has learned from the samples already. It shares their transcripts with other tests:
// one that writes to them, or that is about the first capture, begins with samples instead.
func learned(t *testing.T) Params { return learnedFrom(t, "all") }

// learnedFrom is learned of another one of the memories. Two of one kind are of one machine.
func learnedFrom(t *testing.T, kind string) Params {
	t.Helper()
	g, err := grown[kind]()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := copyTree(g.home, dir); err != nil {
		t.Fatal(err)
	}
	p := params(dir, g.roots)
	if kind == "vectors" {
		p.Embedding = assets.Embedding()
	}
	return p
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

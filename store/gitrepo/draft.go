package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dormouse/store/disk"
)

// Draft is a repository that is being made in a folder which gets its place only when all is in it: nobody else sees it, and what a crash
// leaves of it is thrown away. So its files are written once, without a lock, a second name or a flush of their folder; Settle flushes the
// folders. Dir must be there and hold no repository.
func Draft(dir string) *Repo {
	r := Open(dir)
	r.draft, r.packs = true, []*pack{}
	return r
}

// Settle makes durable that the files of a draft are there. It comes before its folder gets its place.
func (r *Repo) Settle() error {
	for _, dir := range []string{"objects/pack", "refs/heads", ""} {
		if err := disk.SyncDir(filepath.Join(r.git, filepath.FromSlash(dir))); err != nil {
			return fmt.Errorf("make repository %s: %w", r.dir, err)
		}
	}
	return nil
}

// Settled is the repository of a draft whose folder got its place, with what is known of its packs.
func (r *Repo) Settled(dir string) *Repo {
	out := Open(dir)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.packs {
		out.packs = append(out.packs, &pack{base: filepath.Join(out.git, "objects", "pack", filepath.Base(p.base)), idx: p.idx})
	}
	return out
}

// writeOnce writes a file of a draft.
func writeOnce(path string, durable bool, fill func(io.Writer) error) error {
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	err = fill(f)
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

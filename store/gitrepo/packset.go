package gitrepo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dormouse/store/disk"
)

// PackInfo describes one pack of a repository.
type PackInfo struct {
	Name    string // file name without extension
	Objects int
	Bytes   int64
}

// Packs lists the repository's packs by name.
func (r *Repo) Packs() ([]PackInfo, error) {
	packs, err := r.listPacks(true)
	if err != nil {
		return nil, err
	}
	out := make([]PackInfo, 0, len(packs))
	for _, p := range packs {
		info, err := os.Stat(p.base + ".pack")
		if err != nil {
			return nil, fmt.Errorf("list packs of %s: %w", r.dir, err)
		}
		out = append(out, PackInfo{Name: filepath.Base(p.base), Objects: p.idx.count, Bytes: info.Size()})
	}
	return out, nil
}

// PackOf names the pack that has an object; empty when it lies in a file of its own.
func (x *Reader) PackOf(oid OID) (string, error) {
	p, _, err := x.locate(oid)
	if err != nil || p == nil {
		return "", err
	}
	return filepath.Base(p.pack.base), nil
}

// RemovePack deletes a pack whose objects the repository has elsewhere: the index first, by which it is found.
func (r *Repo) RemovePack(name string) error {
	err := removePack(filepath.Join(r.git, "objects", "pack", filepath.Base(name)))
	_, listErr := r.listPacks(true)
	return errors.Join(err, listErr)
}

// removePack removes a pack after its index; where the index stays, so does the pack.
func removePack(base string) error {
	for _, ext := range []string{".idx", ".pack"} {
		if err := disk.Remove(base + ext); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove pack: %w", err)
		}
	}
	return nil
}

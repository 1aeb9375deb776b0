package gitrepo

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/disk"
)

// Loose lists the objects that lie in files of their own.
func (r *Repo) Loose() ([]OID, error) {
	root := filepath.Join(r.git, "objects")
	var out []OID
	for b := range 256 {
		two := hex.EncodeToString([]byte{byte(b)})
		entries, err := os.ReadDir(filepath.Join(root, two))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if oid, err := ParseOID(two + e.Name()); err == nil {
				out = append(out, oid)
			}
		}
	}
	return out, nil
}

// Gather packs the trees and blobs that lie in files of their own, together with all that these packs hold, into one pack, and
// removes the files and packs. Nothing is ever whole in memory. Commits stay where they are.
func (r *Repo) Gather(loose []OID, packs []string) error {
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	w, err := r.NewPack()
	if err != nil {
		return err
	}
	defer w.Abort()
	done := map[OID]bool{}
	var files []string
	for _, oid := range loose {
		taken, err := w.addLoose(oid)
		if err != nil {
			return err
		}
		if taken {
			done[oid] = true
			files = append(files, r.loosePath(oid))
		}
	}
	for _, name := range packs {
		oids, err := r.packed(name)
		if err != nil {
			return err
		}
		for _, oid := range oids {
			if done[oid] {
				continue
			}
			done[oid] = true
			if err := w.Copy(x, anyKind, oid); err != nil {
				return err
			}
		}
	}
	if err := w.Finish(); err != nil {
		return err
	}
	if err := x.Close(); err != nil {
		return err
	}
	// What is gathered again after an interruption can be just what there is: the pack must not be removed as its own old one.
	return r.drop(files, slices.DeleteFunc(slices.Clone(packs), func(name string) bool { return name == w.Name() }))
}

// drop removes what was packed anew.
func (r *Repo) drop(files, packs []string) error {
	var errs []error
	for _, f := range files {
		if err := disk.Remove(f); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("remove object: %w", err))
		}
		_ = disk.Remove(filepath.Dir(f)) // when it is empty
	}
	for _, name := range packs {
		errs = append(errs, r.RemovePack(name))
	}
	return errors.Join(errs...)
}

// addLoose packs an object that lies in a file of its own, when it is a tree or a blob.
func (w *PackWriter) addLoose(oid OID) (taken bool, err error) {
	k, size, content, file, err := w.repo.openLoose(oid)
	if err != nil {
		return false, err
	}
	defer file.Close() //nolint:errcheck // opened for reading
	if k != Blob && k != Tree {
		return false, nil
	}
	got, err := w.AddFrom(k, int64(size), content)
	if err == nil && got != oid {
		err = errors.New("its content has another name")
	}
	if err != nil {
		return false, fmt.Errorf("object %s of %s is damaged: %w", oid, w.repo.dir, err)
	}
	return true, nil
}

// packed lists the objects of a pack.
func (r *Repo) packed(name string) ([]OID, error) {
	packs, err := r.listPacks(true)
	if err != nil {
		return nil, err
	}
	for _, p := range packs {
		if filepath.Base(p.base) != name {
			continue
		}
		out := make([]OID, p.idx.count)
		for i := range out {
			out[i] = OID(p.idx.name(i))
		}
		return out, nil
	}
	return nil, fmt.Errorf("pack %s of %s: %w", name, r.dir, ErrNotFound)
}

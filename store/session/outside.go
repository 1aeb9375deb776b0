package session

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/disk"
)

// Outside are the sessions of the store that live in projects' folders: their ids by the project's folder.
func (s *Store) Outside() (map[string][]string, error) {
	places, err := s.places.list()
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(places)) {
		if exists(filepath.Join(inside(places[id].Path), id)) {
			out[places[id].Path] = append(out[places[id].Path], id)
		}
	}
	return out, nil
}

// RemoveOutside removes those sessions, and the folders that Dormouse made for them where nothing else lies in them: for a memory that is
// given up as a whole. The store must not be used after it. A second call goes on where one was interrupted.
func (s *Store) RemoveOutside() error {
	all, err := s.Outside()
	if err != nil {
		return err
	}
	var errs []error
	for project, ids := range all {
		for _, id := range ids {
			errs = append(errs, disk.RemoveAll(filepath.Join(inside(project), id)))
		}
		errs = append(errs, leave(inside(project)), leave(filepath.Join(project, ownDir)))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove the sessions in the folders of projects: %w", err)
	}
	return nil
}

// leave removes a folder of ours in which nothing is but the ignore file that we made.
func leave(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || len(entries) > 1 {
		return err
	}
	if len(entries) == 1 {
		ignore := filepath.Join(dir, ignoreFile)
		if text, err := os.ReadFile(ignore); entries[0].Name() != ignoreFile || err != nil || string(text) != ignoreAll {
			return nil //nolint:nilerr // what cannot be read is not ours to remove
		}
		if err := disk.Remove(ignore); err != nil {
			return err
		}
	}
	return disk.Remove(dir)
}

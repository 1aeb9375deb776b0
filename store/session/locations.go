package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"dormouse/store/disk"
	"dormouse/store/home"
	"dormouse/store/memory"
)

const locationsFile = "locations.json"

// Location says which project's folder a session lives in.
type Location struct {
	Path string `json:"path"` // of the project
	// Seen is the session's meta.json as it was when this was written, for a list while the folder is out of reach.
	Seen memory.Session `json:"seen"`
}

// Note brings up to date what locations.json says of the sessions in projects' folders, and hides them from the projects' git where
// its clean took the ignore file away.
func (s *Store) Note() error {
	places, err := s.places.list()
	if err != nil {
		return err
	}
	now, hidden := map[string]Location{}, map[string]error{}
	for id, at := range places {
		m, err := readMeta(filepath.Join(inside(at.Path), id))
		if err != nil {
			continue
		}
		if m != at.Seen {
			now[id] = Location{Path: at.Path, Seen: m}
		}
		if _, done := hidden[at.Path]; !done {
			hidden[at.Path] = s.hide(at.Path)
		}
	}
	errs := slices.Collect(maps.Values(hidden))
	if len(now) > 0 {
		errs = append(errs, s.places.change(func(all map[string]Location) { maps.Copy(all, now) }))
	}
	return errors.Join(errs...)
}

// book is a file with a value for each session, read once. Its methods may be called from several goroutines.
type book[T any] struct {
	path string

	mu      sync.Mutex
	all     map[string]T // nil before the file was read
	problem string       // with the file, when it was read
}

// load reads the file. One that cannot be parsed is set aside and counts as empty. Callers hold b.mu.
func (b *book[T]) load() error {
	if b.all != nil {
		return nil
	}
	data, err := os.ReadFile(b.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", b.path, err)
	}
	all := map[string]T{}
	if err == nil && json.Unmarshal(data, &all) != nil {
		aside := b.path + ".broken"
		if err := disk.Rename(b.path, aside); err != nil {
			return fmt.Errorf("%s cannot be parsed; move it away: %w", b.path, err)
		}
		b.problem = fmt.Sprintf("%s could not be parsed and was set aside as %s; it is made again from what is found", b.path, filepath.Base(aside))
		all = map[string]T{}
	}
	if all == nil { // the file says null
		all = map[string]T{}
	}
	b.all = all
	return nil
}

// trouble is what was wrong with the file; empty for nothing.
func (b *book[T]) trouble() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.load(); err != nil {
		return err.Error()
	}
	return b.problem
}

func (b *book[T]) get(id string) (v T, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.load(); err != nil {
		return v, false, err
	}
	v, ok = b.all[id]
	return v, ok, nil
}

// empty reports whether there is no entry. A file that cannot be read may have some.
func (b *book[T]) empty() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.load() == nil && len(b.all) == 0
}

// list is a copy of all entries.
func (b *book[T]) list() (map[string]T, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.load(); err != nil {
		return nil, err
	}
	return maps.Clone(b.all), nil
}

func (b *book[T]) put(id string, v T) error {
	return b.change(func(all map[string]T) { all[id] = v })
}

func (b *book[T]) remove(id string) error {
	if _, ok, err := b.get(id); err != nil || !ok {
		return err
	}
	return b.change(func(all map[string]T) { delete(all, id) })
}

// change writes the file with a change; after an error nothing has changed.
func (b *book[T]) change(do func(map[string]T)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.load(); err != nil {
		return err
	}
	next := maps.Clone(b.all)
	do(next)
	data, err := json.MarshalIndent(next, "", "  ")
	if err != nil {
		return err
	}
	if err := home.Mkdir(filepath.Dir(b.path)); err != nil {
		return err
	}
	if err := home.WriteFile(b.path, append(data, '\n')); err != nil {
		return err
	}
	b.all = next
	return nil
}

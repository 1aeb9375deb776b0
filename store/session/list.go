package session

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"dormouse/store/memory"
)

// List gives the valid sessions of both places, each once, the newest first, and the names of folders that are none: without a
// meta.json, or with one that does not parse. A session that is out of reach is neither; Away tells of those. Only the meta.json
// files that changed are read, in this life of the store or since KeepList.
func (s *Store) List() (valid []memory.Session, invalid []string, err error) {
	s.sweepOnce()
	places, err := s.places.list()
	if err != nil {
		return nil, nil, err
	}
	graves, err := s.graves.list()
	if err != nil {
		return nil, nil, err
	}
	s.metas.load()
	var found []*memory.Session
	seen := map[string]bool{}
	for id, at := range places {
		if _, deleted := graves[id]; deleted {
			continue
		}
		dir := filepath.Join(inside(at.Path), id)
		m, err := s.metas.read("", dir, statMeta(dir))
		if err != nil {
			var moved memory.Session
			_, moved, err = s.find(id)
			m = &moved
		}
		switch {
		case err == nil:
			found = append(found, m)
		case errors.Is(err, errInvalid):
			invalid = append(invalid, id)
		default:
			continue // out of reach
		}
		seen[id] = true
	}
	folder := openFolder(s.opts.Dir)
	defer folder.close()
	names, err := s.names.list(s.opts.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("list sessions: %w", err)
	}
	found = slices.Grow(found, len(names))
	for _, id := range names {
		if _, deleted := graves[id]; deleted || seen[id] {
			continue
		}
		m, err := s.metas.read(s.opts.Dir, id, folder.stat(id))
		switch {
		case errors.Is(err, ErrNotFound): // deleted meanwhile
		case err != nil || !safeName(id):
			invalid = append(invalid, id)
		default:
			found = append(found, m)
		}
	}
	slices.Sort(invalid)
	return s.order.sorted(found), invalid, nil
}

// KeepList writes down what List knows, for the next start.
func (s *Store) KeepList() error {
	places, err := s.places.list()
	if err != nil {
		return err
	}
	names, err := s.names.list(s.opts.Dir)
	if err != nil {
		return err
	}
	keys := make(map[string]bool, len(names)+len(places))
	for _, id := range names {
		keys[id] = true
	}
	for id, at := range places {
		keys[filepath.Join(inside(at.Path), id)] = true
	}
	return s.metas.keep(keys)
}

// order remembers how a list was sorted, which most of the time is how the next one is.
type order struct {
	mu         sync.Mutex
	found, out []*memory.Session
}

// sorted are sessions, the newest first. The sessions that are pointed to do not change.
func (o *order) sorted(found []*memory.Session) []memory.Session {
	o.mu.Lock()
	if !slices.Equal(found, o.found) {
		o.found, o.out = found, slices.SortedFunc(slices.Values(found), newestFirst)
	}
	sorted := o.out
	o.mu.Unlock()
	var out []memory.Session
	if len(sorted) > 0 {
		out = make([]memory.Session, len(sorted))
	}
	for i, m := range sorted {
		out[i] = *m
	}
	return out
}

func newestFirst(a, b *memory.Session) int {
	return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
}

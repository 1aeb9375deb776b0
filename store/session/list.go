package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"dormouse/store/memory"
)

// List gives the valid sessions of both places, each once, the newest first, and the names of folders that are none: without a
// meta.json, or with one that does not parse. A session that is out of reach is neither; Away tells of those. Only the meta.json
// files that changed are read.
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
	seen := map[string]bool{}
	for id, at := range places {
		if _, deleted := graves[id]; deleted {
			continue
		}
		m, err := s.metas.read(filepath.Join(inside(at.Path), id))
		if err != nil {
			_, m, err = s.find(id)
		}
		switch {
		case err == nil:
			valid = append(valid, m)
		case errors.Is(err, errInvalid):
			invalid = append(invalid, id)
		default:
			continue // out of reach
		}
		seen[id] = true
	}
	dirs, err := os.ReadDir(s.opts.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("list sessions: %w", err)
	}
	valid = slices.Grow(valid, len(dirs))
	for _, d := range dirs {
		id := d.Name()
		if _, deleted := graves[id]; deleted || seen[id] || !d.IsDir() || strings.HasPrefix(id, ".") {
			continue
		}
		m, err := s.metas.read(s.path(id))
		switch {
		case errors.Is(err, ErrNotFound): // deleted meanwhile
		case err != nil || !safeName(id):
			invalid = append(invalid, id)
		default:
			valid = append(valid, m)
		}
	}
	slices.Sort(invalid)
	return sorted(valid), invalid, nil
}

// sorted are sessions, the newest first. Sessions are large, so places are sorted and not they themselves.
func sorted(list []memory.Session) []memory.Session {
	places := make([]int32, len(list))
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(a, b int32) int { return newestFirst(&list[a], &list[b]) })
	var out []memory.Session
	if len(list) > 0 {
		out = make([]memory.Session, len(list))
	}
	for i, at := range places {
		out[i] = list[at]
	}
	return out
}

func newestFirst(a, b *memory.Session) int {
	return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
}

// metas keeps what the meta.json files said, by their folder, with what tells that they still say so.
type metas struct {
	mu sync.Mutex
	by map[string]knownMeta
}

type knownMeta struct {
	size int64
	time time.Time
	meta memory.Session
}

// settledAfter is how old a file must be when it is read for its time to tell the next change. Two changes within the file
// system's grain have one time.
const settledAfter = time.Second

// read is the meta.json of a session's folder.
func (c *metas) read(dir string) (memory.Session, error) {
	info, err := os.Stat(filepath.Join(dir, metaFile))
	if err != nil {
		return readMeta(dir) // says what is wrong
	}
	c.mu.Lock()
	k, ok := c.by[dir]
	c.mu.Unlock()
	if ok && k.size == info.Size() && k.time.Equal(info.ModTime()) {
		return k.meta, nil
	}
	m, err := readMeta(dir)
	if err == nil && time.Since(info.ModTime()) > settledAfter {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.by == nil {
			c.by = map[string]knownMeta{}
		}
		c.by[dir] = knownMeta{info.Size(), info.ModTime(), m}
	}
	return m, err
}

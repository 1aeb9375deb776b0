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
	"time"

	"dormouse/store/memory"
)

// ErrUnreachable says that a session lives in a project's folder that is not there, or cannot be read. It is not lost: it is there
// again when the folder is.
var ErrUnreachable = errors.New("session is out of reach")

// Away is a session that is known and out of reach.
type Away struct {
	Meta   memory.Session // as it was seen last
	Reason string
}

// seekAgain is how long a folder that was not found is not sought again.
const seekAgain = time.Minute

// find is a session's folder and meta.json, wherever it lies: in the project's folder that it was put into, else in the store's own.
// The error wraps ErrNotFound, ErrDeleted, ErrUnreachable or errInvalid. Callers do not hold s.mu.
func (s *Store) find(id string) (dir string, m memory.Session, err error) {
	if !safeName(id) {
		return "", m, fmt.Errorf("%w: %q is no session id", ErrNotFound, id)
	}
	if _, gone, err := s.graves.get(id); err != nil || gone {
		return "", m, cmp.Or(err, fmt.Errorf("%w: %s", ErrDeleted, id))
	}
	at, ok, err := s.places.get(id)
	if err != nil {
		return "", m, err
	}
	if !ok {
		dir = s.path(id)
		m, err = readMeta(dir)
		return dir, m, err
	}
	return s.findAt(id, at)
}

func (s *Store) findAt(id string, at Location) (dir string, m memory.Session, err error) {
	dir = filepath.Join(inside(at.Path), id)
	if m, err = readMeta(dir); err == nil || errors.Is(err, errInvalid) {
		return dir, m, err
	}
	own := s.path(id)
	if m, ownErr := readMeta(own); ownErr == nil {
		return own, m, nil // it was not moved out whole
	}
	if moved, ok := s.seek(at.Path); ok {
		dir = filepath.Join(inside(moved), id)
		if m, err := readMeta(dir); err == nil {
			return dir, m, nil
		}
	}
	return "", at.Seen, s.outOfReach(id, at, err)
}

// outOfReach says why a session cannot be found where it was put. A session whose folder alone is gone, from a project that is
// there, is not out of reach but lost.
func (s *Store) outOfReach(id string, at Location, err error) error {
	_, statErr := os.Stat(at.Path)
	switch {
	case statErr == nil && errors.Is(err, ErrNotFound):
		return fmt.Errorf("%w: %s was removed from %s", errLost, id, inside(at.Path))
	case errors.Is(statErr, fs.ErrNotExist):
		return fmt.Errorf("%w: %s lies in %s, which is not there; put the folder back, or work in it where it is now", ErrUnreachable, id, at.Path)
	case statErr != nil:
		err = statErr
	}
	return fmt.Errorf("%w: %s lies in %s: %w", ErrUnreachable, id, at.Path, err)
}

// errLost says that somebody removed a session's folder.
var errLost = fmt.Errorf("%w: its folder is gone", ErrNotFound)

// seek looks for a project's folder that is not where it was: beside where it was, since most are only given another name, and
// where the caller says that projects lie. It is known by the sessions in it.
func (s *Store) seek(gone string) (now string, ok bool) {
	if _, err := os.Lstat(gone); !errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	if !s.due(gone) {
		return "", false
	}
	for _, dir := range append(beside(gone), s.opts.Projects()...) {
		if n, err := s.Discover(dir); err == nil && slices.Contains(n, gone) {
			return dir, true
		}
	}
	return "", false
}

// due reports whether a folder may be sought now, and notes that it was.
func (s *Store) due(gone string) bool {
	s.seeking.Lock()
	defer s.seeking.Unlock()
	now := s.opts.Now()
	if last, ok := s.sought[gone]; ok && now.Sub(last).Abs() < seekAgain {
		return false
	}
	s.sought[gone] = now
	return true
}

// beside are the folders in which a folder that is gone lay with others.
func beside(gone string) []string {
	parent := filepath.Dir(gone)
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, filepath.Join(parent, e.Name()))
		}
	}
	return out
}

// Discover takes up the sessions in a project's folder that belong to this store and are nowhere else: those of a project that was
// moved here, and those that locations.json has lost. Sessions whose old place still has them are not: the folder is a copy.
// It gives the folders from which sessions came.
func (s *Store) Discover(project string) (from []string, err error) {
	if inside(project) == filepath.Clean(s.opts.Dir) {
		return nil, nil // the store's own folder, in the person's home
	}
	entries, err := os.ReadDir(inside(project))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for sessions in %s: %w", project, err)
	}
	found := map[string]Location{}
	for _, e := range entries {
		if !e.IsDir() || !safeName(e.Name()) {
			continue
		}
		old, ok := s.claims(project, e.Name())
		if !ok {
			continue
		}
		m, err := readMeta(filepath.Join(inside(project), e.Name()))
		if err != nil {
			continue
		}
		found[e.Name()] = Location{Path: project, Seen: m}
		if old != "" && !slices.Contains(from, old) {
			from = append(from, old)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	err = s.places.change(func(all map[string]Location) {
		for id, at := range found {
			all[id] = at
		}
	})
	if err != nil {
		return nil, err
	}
	for id := range found {
		s.relocate(id)
	}
	for _, old := range from {
		s.opts.OnMoved(old, project)
	}
	return from, nil
}

// claims reports whether a session that lies in a project's folder is this store's and has no other place; old is the project's
// folder that it had.
func (s *Store) claims(project, id string) (old string, ok bool) {
	m, err := readMeta(filepath.Join(inside(project), id))
	if err != nil {
		return "", false
	}
	if _, deleted, err := s.graves.get(id); err != nil || deleted {
		return "", false
	}
	at, known, err := s.places.get(id)
	switch {
	case err != nil || known && at.Path == project:
		return "", false
	case known:
		same := at.Seen.Agent == m.Agent && at.Seen.AgentSessionID == m.AgentSessionID
		_, err := os.Lstat(filepath.Join(inside(at.Path), id))
		return at.Path, same && errors.Is(err, fs.ErrNotExist) && !exists(s.path(id))
	}
	return "", m.Machine != "" && m.Machine == s.opts.Machine && !exists(s.path(id))
}

// relocate has an open session go on where it lies now.
func (s *Store) relocate(id string) {
	s.mu.Lock()
	x := s.sessions[id]
	s.mu.Unlock()
	if x == nil {
		return
	}
	dir, _, err := s.find(id)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err == nil && x.exists && dir != x.dir() {
		x.moveTo(dir)
		x.st = nil
	}
}

// Away are the sessions that are out of reach or whose folder was removed from a project's, the newest first.
func (s *Store) Away() []Away {
	all, err := s.places.list()
	if err != nil {
		return nil
	}
	var out []Away
	for id := range all {
		_, m, err := s.find(id)
		if errors.Is(err, ErrUnreachable) || errors.Is(err, errLost) {
			m.ID = id
			reason := strings.TrimPrefix(strings.TrimPrefix(err.Error(), ErrUnreachable.Error()+": "), errLost.Error()+": ")
			out = append(out, Away{Meta: m, Reason: reason})
		}
	}
	slices.SortFunc(out, func(a, b Away) int { return newestFirst(&a.Meta, &b.Meta) })
	return out
}

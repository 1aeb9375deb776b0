package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/disk"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// gravesFile remembers the sessions that the person deleted, so that reading the agent's transcript again does not bring them back.
const gravesFile = "deleted.json"

// ErrDeleted says that the person deleted a session. It wraps ErrNotFound.
var ErrDeleted = fmt.Errorf("%w: it was deleted", ErrNotFound)

// Grave is a session that the person deleted.
type Grave struct {
	Meta memory.Session `json:"meta"` // as it was last
	At   int64          `json:"at"`   // Unix seconds
}

// Delete removes a session with all its history, and remembers that the person wanted that. It waits for a batch that is open.
// The session may be out of reach: it is then deleted when it is there again.
func (s *Store) Delete(id string) error {
	x, err := s.Open(id)
	meta := memory.Session{ID: id}
	switch {
	case err == nil:
		x.writing.Lock()
		defer x.writing.Unlock()
		meta = x.Meta()
	case errors.Is(err, ErrUnreachable), errors.Is(err, errLost):
		if at, ok, _ := s.places.get(id); ok {
			meta = at.Seen
		}
	default:
		return err
	}
	if err := s.graves.put(id, Grave{Meta: meta, At: s.opts.Now().Unix()}); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	s.forget(id, x)
	if err := s.bury(id); err != nil {
		return fmt.Errorf("delete session %s: %w; it is tried again at the next start", id, err)
	}
	if s.KeepList() != nil && s.opts.Summary != "" { // it names what is gone
		_ = disk.Remove(s.opts.Summary)
	}
	s.opts.OnChange(id)
	return nil
}

// bury removes the folders of a deleted session and its location. What lies in a folder that is out of reach waits.
func (s *Store) bury(id string) error {
	dirs := []string{s.path(id)}
	at, outside, err := s.places.get(id)
	if err != nil {
		return err
	}
	if outside {
		if _, err := os.Stat(at.Path); err != nil {
			return nil
		}
		dirs = append(dirs, filepath.Join(inside(at.Path), id))
	}
	for _, dir := range dirs {
		if err := removeWhole(dir); err != nil {
			return err
		}
	}
	return s.places.remove(id)
}

// removeWhole removes a session's folder so that a crash leaves it whole or to the next sweep.
func removeWhole(dir string) error {
	gone := filepath.Join(filepath.Dir(dir), gonePrefix+filepath.Base(dir))
	if err := disk.Rename(dir, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return disk.RemoveAll(gone)
}

func (s *Store) forget(id string, x *Session) {
	if x != nil {
		x.mu.Lock()
		x.exists, x.deleted, x.st = false, true, nil
		x.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, id)
	s.recent = slices.DeleteFunc(s.recent, func(y *Session) bool { return y == x })
}

// Undelete lets a deleted session be captured again, with the title and the pin that the person gave it. What its agent's transcript
// does not hold any more stays gone.
func (s *Store) Undelete(id string) (Grave, error) {
	g, ok, err := s.graves.get(id)
	if err == nil && !ok {
		err = fmt.Errorf("%w: %s was not deleted", ErrNotFound, id)
	}
	if err != nil {
		return g, err
	}
	if err := s.bury(id); err != nil { // what is left of it
		return g, err
	}
	if err := s.graves.remove(id); err != nil {
		return g, err
	}
	m := memory.Session{ID: id, Agent: g.Meta.Agent, AgentSessionID: g.Meta.AgentSessionID, ProjectID: g.Meta.ProjectID, Cwd: g.Meta.Cwd,
		Machine: g.Meta.Machine, Pinned: g.Meta.Pinned, TitleAsked: g.Meta.TitleAsked}
	if g.Meta.TitleBy == "user" || g.Meta.TitleBy == "model" {
		m.Title, m.TitleBy = g.Meta.Title, g.Meta.TitleBy
	}
	_, err = s.add(m, s.path(id), false)
	return g, err
}

// WasDeleted reports whether the person deleted the session of an agent; prefix begins its id.
func (s *Store) WasDeleted(prefix, agent, agentSessionID string) bool {
	if s.graves.empty() {
		return false
	}
	for _, id := range IDs(prefix, agent, agentSessionID) {
		if g, ok, err := s.graves.get(id); err == nil && ok && same(g.Meta, memory.Session{Agent: agent, AgentSessionID: agentSessionID}) {
			return true
		}
	}
	return false
}

// Deleted are the sessions that the person deleted, by id.
func (s *Store) Deleted() map[string]Grave {
	all, err := s.graves.list()
	if err != nil {
		return nil
	}
	for id, g := range all {
		g.Meta.ID = id
		all[id] = g
	}
	return all
}

// sweepOnce removes what a crash left half made, half moved or half deleted.
func (s *Store) sweepOnce() {
	s.sweep.Do(func() {
		places, _ := s.places.list()
		dirs := []string{s.opts.Dir}
		for _, at := range places {
			if dir := inside(at.Path); !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
		for _, dir := range dirs {
			entries, _ := readFolder(dir)
			for _, d := range entries {
				n := d.Name()
				left := strings.HasPrefix(n, newPrefix) || strings.HasPrefix(n, gonePrefix)
				if left || dir == s.opts.Dir && !d.IsDir() && strings.HasPrefix(n, home.TempPrefix) {
					_ = disk.RemoveAll(filepath.Join(dir, n))
				}
			}
			if dir != s.opts.Dir {
				s.removeStale(filepath.Dir(dir)) // of the file that hides it
			}
		}
		s.buryAll()
	})
}

// buryAll ends deletions that were interrupted, or whose folder was out of reach.
func (s *Store) buryAll() {
	graves, _ := s.graves.list()
	for id := range graves {
		_, outside, _ := s.places.get(id)
		if outside || exists(s.path(id)) {
			_ = s.bury(id) // the next start tries again
		}
	}
}

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
	"dormouse/store/gitrepo"
	"dormouse/store/home"
)

// Sessions of a project lie in its folder, below these two.
const (
	ownDir      = ".dormouse"
	sessionsDir = "sessions"
)

// ignoreFile keeps everything beside and below it, itself too, out of git status and git add. That needs no change to a tracked
// file, nor to the person's .git.
const ignoreFile = ".gitignore"

const ignoreAll = "*\n"

// inside is the folder of the sessions in a project's.
func inside(project string) string { return filepath.Join(project, ownDir, sessionsDir) }

// TempFolders are the folders that systems empty by themselves: the one that env and the system name, and the usual ones.
func TempFolders(env func(string) string) []string {
	out := []string{os.TempDir(), "/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm"}
	for _, name := range []string{"TMPDIR", "TEMP", "TMP"} {
		if dir := env(name); dir != "" {
			out = append(out, filepath.Clean(dir))
		}
	}
	return out
}

// settle chooses where a new session lives, and is the folder in which it is made. A project's folder that cannot hold it leaves
// it in the store's own. Callers hold x.mu.
func (x *Session) settle() string {
	s := x.store
	x.moveTo(s.path(x.id))
	if project := s.opts.Inside(x.meta); project != "" && s.shelter(project) == nil {
		if dir := filepath.Join(inside(project), x.id); !exists(dir) {
			x.moveTo(dir)
		}
	}
	return filepath.Join(filepath.Dir(x.dir()), newPrefix+x.id)
}

// settled notes where a session lives that was just made, if that is a project's folder.
func (x *Session) settled() error {
	if project, ok := projectOf(x.dir()); ok && x.dir() != x.store.path(x.id) {
		return x.store.places.put(x.id, Location{Path: project, Seen: x.Meta()})
	}
	return nil
}

// sheltered makes sure that a session which lives in a project's folder is there, known to live there, and hidden from the project's git,
// whose clean takes the ignore file away. Callers hold x.mu.
func (x *Session) sheltered() error {
	project, ok := projectOf(x.dir())
	if !ok || x.dir() == x.store.path(x.id) {
		return nil
	}
	if !exists(x.dir()) {
		return fmt.Errorf("%w: %s is not there", ErrUnreachable, x.dir())
	}
	if err := x.store.hide(project); err != nil {
		return err
	}
	if _, known, err := x.store.places.get(x.id); err != nil || known {
		return err
	}
	return x.store.places.put(x.id, Location{Path: project, Seen: x.meta}) // that was interrupted when it was made
}

// projectOf is the project's folder that a session's lies in.
func projectOf(dir string) (string, bool) {
	sessions := filepath.Dir(dir)
	project := filepath.Dir(filepath.Dir(sessions))
	return project, inside(project) == sessions
}

// shelter makes the folder of the sessions in a project's, and hides it from the project's git. One at a time does: a session that
// moves there and one that is made there meet.
func (s *Store) shelter(project string) error {
	s.sheltering.Lock()
	defer s.sheltering.Unlock()
	if err := s.unsuited(project); err != nil {
		return err
	}
	own, sessions := filepath.Join(project, ownDir), inside(project)
	for _, dir := range []string{own, sessions} {
		info, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = disk.Mkdir(dir, home.DirMode)
		case err == nil && !info.IsDir():
			err = fmt.Errorf("%s is no folder", dir)
		}
		if err != nil {
			return fmt.Errorf("keep sessions in %s: %w", project, err)
		}
	}
	if err := home.Mkdir(sessions); err != nil {
		return err
	}
	return hide(project)
}

// hide is hide beside others who shelter sessions in the same folder.
func (s *Store) hide(project string) error {
	s.sheltering.Lock()
	defer s.sheltering.Unlock()
	return hide(project)
}

// hide keeps the sessions in a project's folder out of its git. Where the person has an ignore file of their own, one below it is
// made.
func hide(project string) error {
	for _, dir := range []string{filepath.Join(project, ownDir), inside(project)} {
		path := filepath.Join(dir, ignoreFile)
		have, err := os.ReadFile(path)
		switch {
		case err == nil && string(have) == ignoreAll:
			return nil
		case errors.Is(err, fs.ErrNotExist):
			if err := home.RemoveTemps(dir); err != nil {
				return err
			}
			return home.WriteFile(path, []byte(ignoreAll))
		}
	}
	return fmt.Errorf("keep sessions in %s: its ignore files are not Dormouse's", project)
}

// unsuited says why a project's folder must not hold its sessions: because it is not there, or because it may be removed as a
// whole by somebody who does not think of them.
func (s *Store) unsuited(project string) error {
	dir, err := filepath.EvalSymlinks(project)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return errors.Join(err, fmt.Errorf("%s is no folder", project))
	}
	if own, err := filepath.EvalSymlinks(s.opts.Dir); err == nil && (own == inside(dir) || within(dir, filepath.Dir(own))) {
		return fmt.Errorf("%s lies in the state folder", project)
	}
	if slices.ContainsFunc(s.opts.Temps, func(t string) bool { return within(dir, t) || within(project, t) }) {
		return fmt.Errorf("%s is a temporary folder", project)
	}
	l, ok := gitrepo.Find(dir, func(string) bool { return false })
	switch {
	case !ok:
		return nil
	case l.Bare:
		return fmt.Errorf("%s is a repository without a work tree", project)
	case l.GitDir != l.CommonDir:
		return fmt.Errorf("%s is a linked worktree", project)
	case slices.Contains(strings.Split(filepath.ToSlash(l.GitDir), "/"), "modules") && !within(l.GitDir, l.Root):
		return fmt.Errorf("%s is a submodule", project)
	}
	return nil
}

// within reports whether a path is dir or lies in it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

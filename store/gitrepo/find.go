package gitrepo

import (
	"os"
	"path/filepath"
	"strings"
)

// Location says where a repository lies.
type Location struct {
	// Root is the top of the work tree, or the repository itself when it is bare.
	Root string
	// GitDir is the folder with HEAD; CommonDir the one with objects and config, which linked worktrees share.
	GitDir, CommonDir string
	Bare              bool
}

// Main is the folder by which people know the repository: the work tree that has the repository in it, also when Root is a
// linked worktree of it.
func (l Location) Main() string {
	if !l.Bare && filepath.Base(l.CommonDir) == ".git" {
		return filepath.Dir(l.CommonDir)
	}
	if !l.Bare && l.CommonDir == l.GitDir {
		return l.Root // a submodule, or a repository whose git folder lies elsewhere
	}
	return l.CommonDir
}

// Find looks for the repository that dir lies in, upwards from dir. dir must be absolute. Folders for which stop answers
// true, and those above, count only when they are dir itself.
func Find(dir string, stop func(dir string) bool) (Location, bool) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if at != filepath.Clean(dir) && stop(at) {
			return Location{}, false
		}
		if l, ok := locationAt(at); ok {
			return l, true
		}
		if filepath.Dir(at) == at {
			return Location{}, false
		}
	}
}

func locationAt(dir string) (Location, bool) {
	dot := filepath.Join(dir, ".git")
	if info, err := os.Stat(dot); err == nil {
		gitDir := dot
		if !info.IsDir() {
			gitDir = pointer(dot, "gitdir: ", dir)
		}
		if gitDir != "" && isFile(filepath.Join(gitDir, "HEAD")) {
			return Location{Root: dir, GitDir: gitDir, CommonDir: commonDir(gitDir)}, true
		}
	}
	if filepath.Base(dir) != ".git" && isGitDir(dir) {
		return Location{Root: dir, GitDir: dir, CommonDir: dir, Bare: true}, true
	}
	if filepath.Base(dir) == ".git" && isGitDir(dir) {
		return locationAt(filepath.Dir(dir))
	}
	return Location{}, false
}

func isGitDir(dir string) bool {
	return isFile(filepath.Join(dir, "HEAD")) && isDir(filepath.Join(dir, "objects")) && isDir(filepath.Join(dir, "refs"))
}

// commonDir follows the file that a linked worktree's git folder has.
func commonDir(gitDir string) string {
	if c := pointer(filepath.Join(gitDir, "commondir"), "", gitDir); c != "" {
		return c
	}
	return gitDir
}

// pointer reads a path from a file of one line, relative to base; empty when it is not there.
func pointer(file, prefix, base string) string {
	raw, err := os.ReadFile(file)
	if err != nil || len(raw) > 64<<10 {
		return ""
	}
	path, ok := strings.CutPrefix(strings.TrimRight(string(raw), "\r\n"), prefix)
	if !ok || path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return filepath.Clean(path)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

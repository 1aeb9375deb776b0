package exclude

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// onDisk reports whether a path lies in one of the folders as the file system has it.
func (s *Set) onDisk(path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	path = filepath.Clean(path)
	led, whole := resolved(path)
	if s.written(led) || s.same(led) {
		return true
	}
	if !whole && s.same(filepath.Dir(path)) {
		return true
	}
	for _, d := range s.dirs {
		if real, ok := resolved(d.path); ok && under(keyOf(real), keyOf(led)) {
			return true
		}
	}
	main := mainOf(led)
	return main != "" && (s.written(main) || s.same(main))
}

// same reports whether a path, or a folder above it, is one of the folders by another name: a mount, or letters of another case.
func (s *Set) same(path string) bool {
	var dirs []os.FileInfo
	for _, d := range s.dirs {
		if info, err := os.Stat(d.path); err == nil {
			dirs = append(dirs, info)
		}
	}
	if len(dirs) == 0 {
		return false
	}
	for ; ; path = filepath.Dir(path) {
		if info, err := os.Stat(path); err == nil {
			for _, d := range dirs {
				if os.SameFile(info, d) {
					return true
				}
			}
		}
		if filepath.Dir(path) == path {
			return false
		}
	}
}

// resolved is a path with its links followed, as far as it exists; whole says that all of it does.
func resolved(path string) (led string, whole bool) {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest), rest == ""
		}
		if filepath.Dir(dir) == dir {
			return path, false
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// mainOf is the repository that a linked worktree above a path belongs to; empty where there is none.
func mainOf(path string) string {
	for ; filepath.Dir(path) != path; path = filepath.Dir(path) {
		info, err := os.Lstat(filepath.Join(path, ".git"))
		switch {
		case err != nil:
			continue
		case !info.Mode().IsRegular():
			return ""
		}
		text := small(filepath.Join(path, ".git"))
		dir, ok := strings.CutPrefix(text, "gitdir:")
		if !ok {
			return ""
		}
		if dir = strings.TrimSpace(dir); !filepath.IsAbs(dir) {
			dir = filepath.Join(path, dir)
		}
		if led, whole := resolved(dir); whole {
			dir = led
		}
		return dir
	}
	return ""
}

// small is the beginning of a small file; empty where it cannot be read.
func small(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // opened for reading
	b, _ := io.ReadAll(io.LimitReader(f, 4<<10))
	return string(bytes.TrimSpace(b))
}

package capture

import (
	"path/filepath"
	"strings"
)

// excludedReason is the skip of a session whose folder the person excluded.
const excludedReason = "in a folder that the settings exclude"

// within reports whether a path is a folder or lies in it, as they are written or as their links lead. An empty one lies nowhere.
func within(dir, path string) bool {
	if dir == "" || path == "" {
		return false
	}
	if liesIn(dir, path) {
		return true
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	if liesIn(real, path) {
		return true
	}
	led, err := filepath.EvalSymlinks(path)
	return err == nil && liesIn(real, led)
}

// liesIn compares two paths as they are written.
func liesIn(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

package capture

import (
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// excludedReason is the skip of a session that began in a folder that the person excluded.
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

// answers are what within said lately. Sessions of one folder are many, and each is asked of twice, which took a sixth of the system's
// calls for a small one.
type answers struct {
	mu    sync.Mutex
	since time.Time
	known map[[2]string]bool // by folder and path
}

// answersFor is how long links may lead where they led before.
const answersFor = time.Second

// within is the function, asked once a second for a folder and a path.
func (a *answers) within(dir, path string) bool {
	key := [2]string{dir, path}
	a.mu.Lock()
	if a.known == nil || time.Since(a.since) > answersFor {
		a.known, a.since = map[[2]string]bool{}, time.Now()
	}
	in, ok := a.known[key]
	a.mu.Unlock()
	if ok {
		return in
	}
	in = within(dir, path)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known[key] = in
	return in
}

// liesIn compares two paths as they are written.
func liesIn(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

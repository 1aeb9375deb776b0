package exclude

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Set is a list of folders. The nil Set has none. Its methods may be called from several goroutines.
type Set struct {
	env  Env
	dirs []folder

	mu    sync.Mutex
	since time.Time
	known map[string]bool // what Holds said lately
}

// folder is one folder of the setting.
type folder struct {
	path string // as the setting has it, absolute
	key  string
}

// Env is where names of the setting, and of commands, come from.
type Env struct {
	Home string                   // the user's home folder
	Get  func(name string) string // default: os.Getenv
}

// holdsFor is how long links may lead where they led before, and how many answers are kept meanwhile.
const (
	holdsFor  = time.Second
	keptHolds = 10_000
)

// New is the set of folders that a setting names. An entry begins at the root, with a drive, with "~" or with a variable such as $WORK,
// ${WORK} or %WORK%. One that leads nowhere, because a variable is not set, is an error: it would exclude nothing.
func New(entries []string, env Env) (*Set, error) {
	if env.Get == nil {
		env.Get = os.Getenv
	}
	s := &Set{env: env}
	for _, entry := range entries {
		dir, missing := s.expand(strings.TrimSpace(entry))
		switch {
		case missing == "~":
			return nil, fmt.Errorf("%q: the home folder is not known; write the folder from the root on", entry)
		case missing != "":
			return nil, fmt.Errorf("%q: the variable %s is not set where Dormouse runs; set it there or write the folder from the root on", entry, missing)
		case !rooted(dir):
			return nil, fmt.Errorf("%q is no folder from the root on; begin it with /, a drive, ~/ or a variable", entry)
		}
		if k := keyOf(dir); filepath.IsAbs(dir) && !windowsKey(k) {
			dir = filepath.Clean(dir)
		}
		s.dirs = append(s.dirs, folder{path: dir, key: keyOf(dir)})
	}
	return s, nil
}

// Folders are the folders, absolute.
func (s *Set) Folders() []string {
	if s == nil {
		return nil
	}
	out := make([]string, 0, len(s.dirs))
	for _, d := range s.dirs {
		out = append(out, d.path)
	}
	return out
}

// Empty reports whether nothing is excluded.
func (s *Set) Empty() bool { return s == nil || len(s.dirs) == 0 }

// variable is a name of the environment in a path: $NAME, ${NAME}, $env:NAME or %NAME%.
var variable = regexp.MustCompile(`\$\{(\w+)\}|\$env:(\w+)|\$(\w+)|%(\w+)%`)

// expand puts the home folder and variables in the place of their names. missing is the first that is not known.
func (s *Set) expand(text string) (path, missing string) {
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		if s.env.Home == "" {
			return text, "~"
		}
		text = s.env.Home + rest
	}
	text = variable.ReplaceAllStringFunc(text, func(m string) string {
		name := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(m, "$"), "env:"), "{}%")
		v := s.env.Home
		if v == "" || name != "HOME" && name != "USERPROFILE" {
			v = s.env.Get(name)
		}
		if v == "" && missing == "" {
			missing = name
		}
		if v == "" {
			return m
		}
		return v
	})
	return text, missing
}

// Holds reports whether a path is one of the folders or lies in one: as it is written, as its links lead, or as a linked worktree of a
// repository there. An empty or relative path lies nowhere.
func (s *Set) Holds(path string) bool {
	if s.Empty() || path == "" {
		return false
	}
	s.mu.Lock()
	if s.known == nil || time.Since(s.since) > holdsFor || len(s.known) > keptHolds {
		s.known, s.since = map[string]bool{}, time.Now()
	}
	in, ok := s.known[path]
	s.mu.Unlock()
	if ok {
		return in
	}
	in = s.written(path) || s.onDisk(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[path] = in
	return in
}

// written reports whether a path lies in one of the folders as it is written.
func (s *Set) written(path string) bool {
	key := keyOf(path)
	for _, d := range s.dirs {
		if under(d.key, key) {
			return true
		}
	}
	return false
}

// under reports whether a path is a folder or lies in it, by their keys.
func under(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && dir != "" && (rest == "" || rest[0] == '/' || strings.HasSuffix(dir, "/"))
}

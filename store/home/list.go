package home

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// List gives the paths of what lies in dir with this beginning and end of its name, sorted; none where there is no dir. Unlike a
// glob pattern it is right for every dir, also one with brackets in its name.
func List(dir, prefix, suffix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if n := e.Name(); strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) && len(n) >= len(prefix)+len(suffix) {
			out = append(out, filepath.Join(dir, n))
		}
	}
	return out, nil
}

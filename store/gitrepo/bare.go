package gitrepo

import "strings"

// OpenBare is the repository without a work tree that lies in dir itself. It touches nothing. What works on work-tree files or
// the index is not for it.
func OpenBare(dir string) *Repo { return &Repo{dir: dir, git: dir, bare: true} }

func (r *Repo) config() string {
	if r.bare {
		return strings.Replace(config, "bare = false", "bare = true", 1)
	}
	return config
}

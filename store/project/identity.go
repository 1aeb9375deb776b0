package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"dormouse/store/gitrepo"
)

// identity is what tells one project from another, as far as it could be found out. The zero identity is the default
// project's.
type identity struct {
	remote string // normalised
	first  string // commit; only looked for where there is no remote
	path   string // main folder
	roots  []string
	name   string
}

// key is what the project's id is made of.
func (id *identity) key() string {
	switch {
	case id.remote != "":
		return "remote\x00" + remoteKey(id.remote)
	case id.first != "":
		return "commit\x00" + id.first
	}
	return "path\x00" + pathKey(id.path)
}

// projectID is "proj_" and the first hex digits of a hash of the key.
func projectID(key string, digits int) string {
	sum := sha256.Sum256([]byte(key))
	return "proj_" + hex.EncodeToString(sum[:])[:digits]
}

// identify finds out which project hints are about. It changes nothing.
func (r *Registry) identify(ctx context.Context, h Hints) identity {
	dirs := h.dirs()
	for _, dir := range dirs {
		if !isDir(dir) {
			continue
		}
		if l, ok := r.repository(resolved(dir)); ok {
			return ofRepository(ctx, l, h.URL)
		}
	}
	if remote := NormalizeURL(h.URL); remote != "" {
		return identity{remote: remote, name: lastElement(remote)}
	}
	for _, dir := range dirs {
		if isDir(dir) {
			continue
		}
		if l, ok := r.above(dir); ok {
			return ofRepository(ctx, l, "")
		}
	}
	for _, dir := range dirs {
		if dir = resolved(dir); !r.tooWide(dir) {
			return identity{path: dir, name: lastElement(dir)}
		}
	}
	return identity{}
}

// repository is the one that dir lies in. One at the home folder or at the root of the file system is only that folder's own.
func (r *Registry) repository(dir string) (gitrepo.Location, bool) {
	return gitrepo.Find(dir, r.tooWide)
}

// above is the repository that a folder which is gone lay in: the nearest one above it that is still there.
func (r *Registry) above(gone string) (l gitrepo.Location, ok bool) {
	if windowsPath.MatchString(gone) != windowsPath.MatchString(r.opts.Home) {
		return l, false
	}
	parents(filepath.Dir(gone), func(dir string) bool {
		if !isDir(dir) {
			return true
		}
		if dir = resolved(dir); !r.tooWide(dir) {
			l, ok = r.repository(dir)
		}
		return false
	})
	return l, ok
}

// tooWide reports whether a folder holds everything rather than one project.
func (r *Registry) tooWide(dir string) bool {
	dir = filepath.Clean(dir)
	return filepath.Dir(dir) == dir || r.opts.Home != "" && pathKey(dir) == pathKey(resolved(filepath.Clean(r.opts.Home))) ||
		strings.Trim(dir, `\/`) == "" || len(dir) <= 3 && windowsPath.MatchString(dir)
}

// ofRepository is the identity of a repository. One that cannot be read is told by its path.
func ofRepository(ctx context.Context, l gitrepo.Location, hint string) identity {
	main := resolved(l.Main())
	id := identity{path: main, roots: []string{l.Root}, name: strings.TrimSuffix(lastElement(main), ".git")}
	info, err := gitrepo.Inspect(ctx, l)
	if err != nil {
		return id
	}
	if id.remote = preferred(info.Remotes); id.remote == "" {
		id.remote = NormalizeURL(hint)
	}
	if id.remote != "" {
		id.name = lastElement(id.remote)
		return id
	}
	if first, err := gitrepo.FirstCommit(ctx, l); err == nil {
		id.first = first
	}
	return id
}

// preferred is the address of origin, else of the first other remote that lies on another machine.
func preferred(remotes []gitrepo.Remote) string {
	best := ""
	for _, m := range remotes {
		normal := NormalizeURL(m.URL)
		if normal != "" && (best == "" || m.Name == "origin") {
			best = normal
		}
	}
	return best
}

func isDir(p string) bool {
	info, err := os.Stat(p)
	return err == nil && info.IsDir()
}

// IDOf is the id of the project that a folder belongs to, or would belong to, with the project's main folder. It registers nothing; both are
// empty for a folder of none.
func (r *Registry) IDOf(ctx context.Context, dir string) (id, main string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return "", "", err
	}
	is := r.identify(ctx, Hints{Cwd: dir})
	if is.key() == (&identity{}).key() {
		return "", "", nil
	}
	if p := r.match(is); p != nil {
		return p.ID, is.path, nil
	}
	return projectID(is.key(), 8), is.path, nil
}

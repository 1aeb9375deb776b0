package project

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
)

// Whereabouts is what a folder is to the projects.
type Whereabouts struct {
	Project *Project // that the folder belongs to; nil where it belongs to none that is registered
	// Wide says that the folder is no project by itself: the home folder, the root, a folder of repositories, or one of which nothing is
	// known and that no git is in.
	Wide bool
	// Inside are the registered projects in a wide folder, by id; of the home folder and the root all of them. There may be none.
	Inside []Project
}

// At finds what an absolute path is, as Resolve would for a session that works there. It registers nothing.
func (r *Registry) At(ctx context.Context, dir string) (Whereabouts, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Whereabouts{}, err
	}
	if p := r.atPath(ctx, dir); p != nil {
		c := p.clone()
		return Whereabouts{Project: &c}, nil
	}
	id := r.identify(ctx, Hints{Cwd: filepath.Clean(dir)})
	everything := id.key() == (&identity{}).key()
	if !everything && (id.remote != "" || id.first != "" || len(id.roots) > 0) {
		return Whereabouts{}, nil // a repository
	}
	at := Whereabouts{Wide: true}
	for _, pid := range slices.Sorted(maps.Keys(r.all)) {
		p := r.all[pid]
		if everything || p.Path != "" && Below(p.Path, dir) {
			at.Inside = append(at.Inside, p.clone())
		}
	}
	return at, nil
}

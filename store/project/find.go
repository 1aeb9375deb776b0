package project

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Find is the project that a person means by an id, a name, an address (owner/name will do) or an absolute path. A relative
// path is none: it would be taken from where the service runs, not from where the person is. The error wraps ErrNotFound, or
// ErrAmbiguous and lists those that could be meant.
func (r *Registry) Find(ctx context.Context, what string) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	if p := r.all[what]; p != nil {
		return p.clone(), nil
	}
	remote := NormalizeURL(what)
	for _, same := range []func(p *Project) bool{
		func(p *Project) bool { return p.Called() == what },
		func(p *Project) bool { return p.Name == what },
		func(p *Project) bool { return strings.EqualFold(p.Called(), what) || strings.EqualFold(p.Name, what) },
		func(p *Project) bool {
			return p.Remote != "" && (p.Remote == what || remoteKey(p.Remote) == remoteKey(remote) || strings.HasSuffix(p.Remote, "/"+what))
		},
	} {
		if p, err := r.only(what, same); p != nil || err != nil {
			return deref(p), err
		}
	}
	if p := r.atPath(ctx, what); p != nil {
		return p.clone(), nil
	}
	return Project{}, fmt.Errorf("%w: %q", ErrNotFound, what)
}

func deref(p *Project) Project {
	if p == nil {
		return Project{}
	}
	return p.clone()
}

// only is the one project that same holds for; nil when there is none, an error when there are several.
func (r *Registry) only(what string, same func(*Project) bool) (*Project, error) {
	var found []*Project
	for _, id := range slices.Sorted(maps.Keys(r.all)) {
		if p := r.all[id]; same(p) {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	var lines []string
	for _, p := range found {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s  %s  %s %s", p.ID, p.Called(), p.Path, p.Remote)))
	}
	return nil, fmt.Errorf("%w: %q; say the id or the path:\n%s", ErrAmbiguous, what, strings.Join(lines, "\n"))
}

// atPath is the registered project that a folder belongs to.
func (r *Registry) atPath(ctx context.Context, p string) *Project {
	if !filepath.IsAbs(p) {
		return nil
	}
	h := Hints{Cwd: filepath.Clean(p)}
	id := r.identify(ctx, h)
	if found := r.match(id); found != nil {
		return found
	}
	return r.rootAbove(h)
}

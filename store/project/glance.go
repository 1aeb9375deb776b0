package project

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// Glance is the registered project that a folder belongs to, for somebody who waits: it looks at the repository's place and address, and for one
// without an address at whether it holds the project's first commit, instead of walking its history as Find and At do. The error wraps ErrNotFound
// where that does not tell one project alone. It changes nothing.
func (r *Registry) Glance(ctx context.Context, dir string) (Project, error) {
	none := fmt.Errorf("%w: %q", ErrNotFound, dir)
	if !filepath.IsAbs(dir) {
		return Project{}, none
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	dir = resolved(filepath.Clean(dir))
	if r.tooWide(dir) {
		return r.all[memory.DefaultProject].orNone(none)
	}
	list := slices.SortedFunc(maps.Values(r.all), func(a, b *Project) int { return cmp.Compare(a.ID, b.ID) })
	l, ok := r.repository(dir)
	if !ok {
		i := slices.IndexFunc(list, func(p *Project) bool {
			return p.Path != "" && p.Remote == "" && p.FirstCommit == "" && pathKey(p.Path) == pathKey(dir)
		})
		if i < 0 {
			return Project{}, none
		}
		return list[i].clone(), nil
	}
	info, err := gitrepo.Inspect(ctx, l)
	if err != nil {
		return Project{}, fmt.Errorf("%w: %w", none, err)
	}
	if remote := preferred(info.Remotes); remote != "" {
		i := slices.IndexFunc(list, func(p *Project) bool { return remoteKey(p.Remote) == remoteKey(remote) })
		if i >= 0 {
			return list[i].clone(), nil
		}
	}
	return r.byPlace(ctx, list, l, none)
}

// byPlace is the project without an address whose work tree a repository is, where it holds the project's first commit.
func (r *Registry) byPlace(ctx context.Context, list []*Project, l gitrepo.Location, none error) (Project, error) {
	var found *Project
	main := pathKey(resolved(l.Main()))
	for _, p := range list {
		here := pathKey(p.Path) == main || slices.ContainsFunc(p.Roots, func(root string) bool { return pathKey(root) == pathKey(l.Root) })
		if !here || p.Remote != "" || p.Path == "" {
			continue
		}
		if found != nil {
			return Project{}, none
		}
		found = p
	}
	if found == nil {
		return Project{}, none
	}
	if found.FirstCommit != "" {
		a, err := gitrepo.Probe(ctx, l)
		if err == nil {
			_, err = gitrepo.Lookup(ctx, l, a, found.FirstCommit)
		}
		if err != nil {
			return Project{}, fmt.Errorf("%w: %w", none, err)
		}
	}
	return found.clone(), nil
}

// orNone is a copy of the project, or an error where there is none.
func (p *Project) orNone(none error) (Project, error) {
	if p == nil {
		return Project{}, none
	}
	return p.clone(), nil
}

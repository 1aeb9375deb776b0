package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"dormouse/store/memory"
)

// StatusUnbound is the status of a project whose binding the person took back. It stays known, with its sessions.
const StatusUnbound = "unbound"

// ErrCannotBind says that a folder cannot be a project, or that a project cannot be unbound. Its text says why and what helps.
var ErrCannotBind = errors.New("cannot be bound")

// Bound reports whether the person counts the project among theirs: they bound it, or it is a repository that was found and
// not unbound.
func (p *Project) Bound() bool {
	if p.IsDefault || p.Status == StatusUnbound {
		return false
	}
	return p.BoundAt != 0 || p.Remote != "" || p.FirstCommit != "" || len(p.Roots) > 0
}

// Bind makes the folder at an absolute path one of the person's projects, or finds the one that it already belongs to: a
// folder in a repository binds the repository's project, any other folder is a project of its own. Nothing in the folder
// is changed. The error wraps ErrCannotBind where another folder has to be chosen.
func (r *Registry) Bind(ctx context.Context, path string) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	if err := r.bindable(path); err != nil {
		return Project{}, err
	}
	h := Hints{Cwd: filepath.Clean(path)}
	p, err := r.register(r.identify(ctx, h), h)
	if err != nil {
		return Project{}, err
	}
	if p.BoundAt != 0 && p.Bound() {
		return p.clone(), nil
	}
	if err := r.mark(p, StatusActive, r.opts.Now().Unix()); err != nil {
		return Project{}, fmt.Errorf("bind %s: %w", path, err)
	}
	return p.clone(), nil
}

// mark sets and writes how a project is bound; after an error it is as before. Callers hold r.mu.
func (r *Registry) mark(p *Project, status string, boundAt int64) error {
	old := *p
	p.Status, p.BoundAt = status, boundAt
	err := r.save()
	if err != nil {
		*p = old
	}
	return err
}

// bindable says what is wrong with a path that cannot be bound.
func (r *Registry) bindable(path string) error {
	switch {
	case !filepath.IsAbs(path):
		return fmt.Errorf("%q %w: give its whole path, from the root of the file system", path, ErrCannotBind)
	case !isDir(path):
		return fmt.Errorf("%s %w: there is no such folder", path, ErrCannotBind)
	case r.tooWide(resolved(filepath.Clean(path))):
		return fmt.Errorf("%s %w: it holds everything you have; choose the folder of one project in it", path, ErrCannotBind)
	}
	return nil
}

// Unbind takes a project's binding back. Its sessions, what was learned from them and its folder stay as they are, and it can
// be bound again. The error wraps ErrNotFound, or ErrCannotBind for the default project.
func (r *Registry) Unbind(id string) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	p := r.all[id]
	if p == nil {
		return Project{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if p.IsDefault || p.ID == memory.DefaultProject {
		return Project{}, fmt.Errorf("the project %s %w or unbound: it holds the sessions that belong to no folder", p.Name, ErrCannotBind)
	}
	if err := r.mark(p, StatusUnbound, 0); err != nil {
		return Project{}, fmt.Errorf("unbind %s: %w", p.Name, err)
	}
	return p.clone(), nil
}

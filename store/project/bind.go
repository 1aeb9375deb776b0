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
	return r.bind(ctx, path, false)
}

// BindInit is Bind for a folder that is to have a repository: where it lies in none, git init makes one in it.
func (r *Registry) BindInit(ctx context.Context, path string) (Project, error) {
	return r.bind(ctx, path, true)
}

func (r *Registry) bind(ctx context.Context, path string, init bool) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	if err := r.bindable(path); err != nil {
		return Project{}, err
	}
	h := Hints{Cwd: filepath.Clean(path)}
	if _, there := r.repository(resolved(h.Cwd)); init && !there {
		if err := initRepository(ctx, h.Cwd); err != nil {
			return Project{}, fmt.Errorf("make a repository in %s: %w", path, err)
		}
	}
	p, err := r.register(r.identify(ctx, h), h)
	if err != nil {
		return Project{}, err
	}
	if p.BoundAt != 0 && p.Bound() {
		return p.clone(), nil
	}
	if err := r.change(p, func(p *Project) { p.Status, p.BoundAt = StatusActive, r.opts.Now().Unix() }); err != nil {
		return Project{}, fmt.Errorf("bind %s: %w", path, err)
	}
	return p.clone(), nil
}

// change changes and writes an entry; after an error it is as before. Callers hold r.mu.
func (r *Registry) change(p *Project, how func(*Project)) error {
	old := *p
	how(p)
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
// be bound again; auto-commit is off then. The error wraps ErrNotFound, or ErrCannotBind for the default project.
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
	if err := r.change(p, func(p *Project) { p.Status, p.BoundAt, p.AutoCommit = StatusUnbound, 0, false }); err != nil {
		return Project{}, fmt.Errorf("unbind %s: %w", p.Name, err)
	}
	return p.clone(), nil
}

// SetAutoCommit turns the committing of an agent's turns on or off. The error wraps ErrNotFound, or ErrCannotBind for a project
// that is not bound.
func (r *Registry) SetAutoCommit(id string, on bool) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	p := r.all[id]
	if p == nil {
		return Project{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if on && !p.Bound() {
		return Project{}, fmt.Errorf("auto-commit of %s: it is not bound; bind its folder first (dormouse bind PATH): %w", p.Name, ErrCannotBind)
	}
	if p.AutoCommit == on {
		return p.clone(), nil
	}
	if err := r.change(p, func(p *Project) { p.AutoCommit = on }); err != nil {
		return Project{}, fmt.Errorf("auto-commit of %s: %w", p.Name, err)
	}
	return p.clone(), nil
}

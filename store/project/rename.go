package project

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxTitle is how many characters a name that the person gives may have.
const MaxTitle = 80

// ErrBadTitle says that a project cannot be called so. Its text says why.
var ErrBadTitle = errors.New("no name for a project")

// Called is what people call the project: the person's own name for it, else the one that it was found with.
func (p *Project) Called() string { return cmp.Or(p.Title, p.Name) }

// SetTitle gives a project the person's own name; an empty one takes that back. What the project is known by stays: its id, and the name
// that it was found with, by which memories are filed, so that it is the same project on every machine. The error wraps ErrNotFound,
// ErrBadTitle, or ErrCannotBind for the default project.
func (r *Registry) SetTitle(id, title string) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	p := r.all[id]
	if p == nil {
		return Project{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if p.IsDefault {
		return Project{}, fmt.Errorf("the project %s %w or called otherwise: it holds the sessions that belong to no folder", p.Name, ErrCannotBind)
	}
	title = strings.Join(strings.Fields(title), " ")
	if title == p.Name {
		title = ""
	}
	if err := titleFits(title); err != nil {
		return Project{}, err
	}
	if title == p.Title {
		return p.clone(), nil
	}
	if err := r.change(p, func(p *Project) { p.Title = title }); err != nil {
		return Project{}, fmt.Errorf("rename %s: %w", p.Name, err)
	}
	return p.clone(), nil
}

func titleFits(title string) error {
	switch {
	case !utf8.ValidString(title) || strings.ContainsFunc(title, unicode.IsControl):
		return fmt.Errorf("%q is %w: it holds signs that cannot be shown", title, ErrBadTitle)
	case utf8.RuneCountInString(title) > MaxTitle:
		return fmt.Errorf("%q is %w: it may have %d characters", title, ErrBadTitle, MaxTitle)
	}
	return nil
}

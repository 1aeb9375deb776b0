package project

import "fmt"

// Shadowed reports whether the files that agents edit in the project are kept turn by turn: the person bound it, and did not turn
// that off.
func (p *Project) Shadowed() bool { return p.BoundAt != 0 && p.Bound() && !p.ShadowOff }

// SetShadow turns the keeping of edited files on or off. The error wraps ErrNotFound, or ErrCannotBind for a project that the
// person did not bind.
func (r *Registry) SetShadow(id string, on bool) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	p := r.all[id]
	if p == nil {
		return Project{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if on && (p.BoundAt == 0 || !p.Bound()) {
		return Project{}, fmt.Errorf("shadow history of %s: you have not bound it; bind its folder first (dormouse bind PATH): %w", p.Name, ErrCannotBind)
	}
	if p.ShadowOff == !on {
		return p.clone(), nil
	}
	if err := r.change(p, func(p *Project) { p.ShadowOff = !on }); err != nil {
		return Project{}, fmt.Errorf("shadow history of %s: %w", p.Name, err)
	}
	return p.clone(), nil
}

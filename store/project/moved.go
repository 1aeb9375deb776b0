package project

import (
	"fmt"
	"strings"
)

// Moved notes that the folder at an absolute path lies elsewhere now. The projects that have their main folder or a work tree there
// keep their ids.
func (r *Registry) Moved(from, to string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return err
	}
	changed := false
	for _, p := range r.all {
		paths := []*string{&p.Path}
		for i := range p.Roots {
			paths = append(paths, &p.Roots[i])
		}
		for _, at := range paths {
			if *at != "" && below(*at, from) {
				*at = to + strings.TrimRight((*at)[len(from):], `/\`)
				changed = true
			}
		}
	}
	if !changed {
		return nil
	}
	clear(r.recent)
	if err := r.save(); err != nil {
		return fmt.Errorf("note that %s lies in %s now: %w", from, to, err)
	}
	return nil
}

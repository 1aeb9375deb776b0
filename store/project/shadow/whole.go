package shadow

import (
	"fmt"
	"slices"
)

// Whole reads what a session changed in all: each file as it was before the first turn that edited it and after the last one. It
// holds what others changed between as well, which File.Outside says.
func (s *Store) Whole(projectID, sessionID string) ([]Change, error) {
	r, err := s.repo(projectID)
	if err != nil {
		return nil, err
	}
	r.packs.RLock()
	defer r.packs.RUnlock()
	turns, _, err := r.turns(sessionID)
	if err != nil {
		return nil, err
	}
	if len(turns) == 0 {
		return nil, fmt.Errorf("session %s: %w", sessionID, ErrNotFound)
	}
	x := r.git.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	var out []Change
	for i := range turns {
		before, after, err := commitsOf(x, &turns[i])
		if err != nil {
			return nil, err
		}
		for _, f := range turns[i].Files {
			at := slices.IndexFunc(out, func(c Change) bool { return c.Path == f.Path })
			if at < 0 {
				f.Outside = false // nothing was known of it before
				c := Change{File: f}
				if c.Old, err = sideOf(x, before, &f, Before, f.Before); err != nil {
					return nil, err
				}
				at = len(out)
				out = append(out, c)
			} else {
				out[at].join(f)
			}
			if out[at].New, err = sideOf(x, after, &f, After, f.After); err != nil {
				return nil, err
			}
			if f.Hunks != "" {
				raw, err := x.File(after, f.Hunks)
				if err != nil {
					return nil, err
				}
				out[at].Shown += string(raw)
			}
		}
	}
	return out, nil
}

// join takes a later turn of the same file in.
func (c *Change) join(f File) {
	before := c.Before
	outside, mixed, edits := c.Outside || f.Outside, c.Mixed || f.Mixed, c.Edits+f.Edits
	absent := slices.DeleteFunc(slices.Clone(c.Absent), func(s string) bool { return s == After })
	if slices.Contains(f.Absent, After) {
		absent = append(absent, After)
	}
	withheld := map[string]string{}
	if why := c.Withheld[Before]; why != "" {
		withheld[Before] = why
	}
	if why := f.Withheld[After]; why != "" {
		withheld[After] = why
	}
	c.File = f
	c.Before, c.Outside, c.Mixed, c.Edits, c.Absent, c.Withheld = before, outside, mixed, edits, absent, withheld
}

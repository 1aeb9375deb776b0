package shadow

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/project/edit"
)

// turns reads a session's recorded turns, the oldest first, and what its branch names.
func (r *repo) turns(sessionID string) ([]Turn, gitrepo.OID, error) {
	if !r.git.Exists() {
		return nil, gitrepo.OID{}, nil
	}
	tip, err := r.git.Ref(branch(sessionID))
	if err != nil || tip.IsZero() {
		return nil, tip, err
	}
	x := r.git.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	var out []Turn
	for c, err := range x.Log(tip) {
		if err != nil {
			return nil, tip, fmt.Errorf("read the shadow history of session %s in %s: %w", sessionID, r.git.Dir(), err)
		}
		if t, ok := parseMessage(c.Message); ok {
			t.Commit, t.When = c.OID.String(), c.When
			out = append(out, t)
		}
	}
	slices.Reverse(out)
	return out, tip, nil
}

// Turns lists the recorded turns of a session, the oldest first; none where nothing is recorded.
func (s *Store) Turns(projectID, sessionID string) ([]Turn, error) {
	r, err := s.repo(projectID)
	if err != nil {
		return nil, err
	}
	r.packs.RLock()
	defer r.packs.RUnlock()
	out, _, err := r.turns(sessionID)
	return out, err
}

// Sessions lists the sessions that a project's shadow history holds, by their ids.
func (s *Store) Sessions(projectID string) ([]string, error) {
	r, err := s.repo(projectID)
	if err != nil {
		return nil, err
	}
	r.packs.RLock()
	defer r.packs.RUnlock()
	if !r.git.Exists() {
		return nil, nil
	}
	refs, err := r.git.Refs(branches)
	if err != nil {
		return nil, err
	}
	var out []string
	for name := range refs {
		out = append(out, strings.TrimPrefix(name, branches))
	}
	slices.Sort(out)
	return out, nil
}

// Side is a file on one side of a turn.
type Side struct {
	From Source
	edit.State
	// Why says why there is no content although the file was there: it was not known, or is withheld.
	Why string
}

// Change is a file with its two sides.
type Change struct {
	File
	Old, New Side
	Shown    string // the changes as the calls show them, where a side is not known
}

// Changes reads what a turn changed. The files whose contents are not kept are among them, with the reason.
func (s *Store) Changes(projectID, sessionID string, turn int) (Turn, []Change, error) {
	r, err := s.repo(projectID)
	if err != nil {
		return Turn{}, nil, err
	}
	r.packs.RLock()
	defer r.packs.RUnlock()
	turns, _, err := r.turns(sessionID)
	if err != nil {
		return Turn{}, nil, err
	}
	i := slices.IndexFunc(turns, func(t Turn) bool { return t.N == turn })
	if i < 0 {
		return Turn{}, nil, fmt.Errorf("turn %d of session %s: %w", turn, sessionID, ErrNotFound)
	}
	x := r.git.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	before, after, err := commitsOf(x, &turns[i])
	if err != nil {
		return turns[i], nil, err
	}
	var out []Change
	for _, f := range turns[i].Files {
		c := Change{File: f}
		if c.Old, err = sideOf(x, before, &f, Before, f.Before); err != nil {
			return turns[i], nil, err
		}
		if c.New, err = sideOf(x, after, &f, After, f.After); err != nil {
			return turns[i], nil, err
		}
		if f.Hunks != "" {
			raw, err := x.File(after, f.Hunks)
			if err != nil {
				return turns[i], nil, err
			}
			c.Shown = string(raw)
		}
		out = append(out, c)
	}
	return turns[i], out, nil
}

// commitsOf are the commits that show the files before and after a turn; the first is zero where there was nothing.
func commitsOf(x *gitrepo.Reader, t *Turn) (before, after gitrepo.OID, err error) {
	if after, err = gitrepo.ParseOID(t.Commit); err != nil {
		return before, after, err
	}
	c, err := x.Commit(after)
	if err == nil && len(c.Parents) > 0 {
		before = c.Parents[0]
	}
	return before, after, err
}

func sideOf(x *gitrepo.Reader, commit gitrepo.OID, f *File, side string, from Source) (Side, error) {
	out := Side{From: from}
	switch {
	case f.Why != "":
		out.Why = f.Why
	case from == Unknown:
		out.Why = "not known"
	case slices.Contains(f.Absent, side):
	case f.Withheld[side] != "":
		out.Why = f.Withheld[side]
	default:
		raw, err := x.File(commit, f.Path)
		if errors.Is(err, gitrepo.ErrNotFound) {
			out.Why = "not known" // another file of this turn took its place
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out.Exists, out.Text = true, string(raw)
	}
	return out, nil
}

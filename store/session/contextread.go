package session

import (
	"errors"
	"fmt"
	"slices"

	"dormouse/store/gitrepo"
)

// Context is what the models saw in the turn that a commit is of. What the proxy saw counts; without it, it is reconstructed
// from the transcript: everything on the way to the turn's end, but for what a compaction covered.
func (x *Session) Context(commit string) (Context, error) {
	v, err := x.look(false)
	if err != nil {
		return Context{}, err
	}
	tip, err := gitrepo.ParseOID(commit)
	if err != nil {
		return Context{}, fmt.Errorf("context of session %s: %w", x.id, err)
	}
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	way, err := v.way(r, tip)
	if errors.Is(err, gitrepo.ErrNotFound) {
		return Context{}, fmt.Errorf("%w: %s in session %s", ErrNoCommit, commit, x.id)
	}
	if err != nil {
		return Context{}, err
	}
	stored, err := readDeltas(x.dir(), way)
	if err != nil {
		return Context{}, err
	}
	var out Context
	for i, oid := range way {
		d := stored[i]
		if d == nil {
			var parent gitrepo.OID
			if i > 0 {
				parent = way[i-1]
			}
			made, err := v.reconstruct(r, oid, parent)
			if err != nil {
				return Context{}, fmt.Errorf("context of session %s: %w", x.id, err)
			}
			d = &made
		}
		out.apply(d)
	}
	return out.sights(), nil
}

// way is the commits from the first one to this one.
func (v *view) way(r *gitrepo.Reader, tip gitrepo.OID) ([]gitrepo.OID, error) {
	var out []gitrepo.OID
	if at, ok := v.markNamed(tip.String()); ok {
		for i := int32(at); i != none; i = v.marks[i].parent {
			out = append(out, v.marks[i].oid)
		}
	} else {
		for c, err := range r.Log(tip) {
			if err != nil {
				return nil, err
			}
			out = append(out, c.OID)
		}
	}
	slices.Reverse(out)
	return out, nil
}

// reconstruct makes the delta of a commit from its nodes.
func (v *view) reconstruct(r *gitrepo.Reader, oid, parent gitrepo.OID) (delta, error) {
	c, err := r.Commit(oid)
	if err != nil {
		return delta{}, err
	}
	turn, _, _, _ := parseMessage(c.Message)
	d := delta{Commit: c.OID.String(), Turn: turn, From: FromTranscript}
	before := map[string]bool{}
	if !parent.IsZero() {
		d.Parent = parent.String()
		names, err := historyNames(r, parent)
		if err != nil {
			return d, err
		}
		for _, name := range names {
			before[name] = true
		}
	}
	names, err := historyNames(r, c.Tree)
	if err != nil {
		return d, err
	}
	for _, name := range names {
		_, _, id, ok := parseName(name)
		place, known := v.byID(id)
		if before[name] || !ok || !known || place >= len(v.entries) {
			continue
		}
		n, err := readNode(v.repo, r, &v.entries[place])
		if err != nil {
			return d, err
		}
		d.see(glanceOf(&n))
	}
	return d, nil
}

// historyNames lists the files of history/ in a root tree.
func historyNames(r *gitrepo.Reader, root gitrepo.OID) ([]string, error) {
	at, err := r.Lookup(root, historyDir)
	if errors.Is(err, gitrepo.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := r.Tree(at.OID)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name)
	}
	return out, nil
}

// Observe stores what the proxy saw a model being sent in a turn, durably. It stands for the reconstruction of that commit
// from then on, and what follows builds on it.
func (x *Session) Observe(seen Context) error {
	tip, err := gitrepo.ParseOID(seen.Commit)
	if err != nil {
		return fmt.Errorf("observe session %s: %w", x.id, err)
	}
	v, err := x.look(false)
	if err != nil {
		return err
	}
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	c, err := r.Commit(tip)
	if err != nil {
		return fmt.Errorf("%w: %s in session %s", ErrNoCommit, seen.Commit, x.id)
	}
	var before Context
	d := delta{Commit: seen.Commit, Turn: seen.Turn, From: FromProxy, Tokens: seen.Tokens}
	if len(c.Parents) > 0 {
		d.Parent = c.Parents[0].String()
		if before, err = x.Context(d.Parent); err != nil {
			return err
		}
	}
	for _, now := range seen.Views {
		d.Views = append(d.Views, change{Agent: now.Agent, Steps: []step{difference(before.view(now.Agent).Items, now.Items)}})
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	return appendDeltas(x.dir(), true, d)
}

// difference is the step from one list of items to another one. What is not in it any more was cleared.
func difference(before, now []Item) (s step) {
	left := map[string]Item{}
	for _, it := range now {
		left[it.ID] = it
	}
	for _, old := range before {
		it, there := left[old.ID]
		delete(left, old.ID)
		if !there {
			it = Item{ID: old.ID, State: SeenCleared, Tokens: old.Tokens}
		}
		if it != old {
			s.Set = append(s.Set, it)
		}
	}
	for _, it := range now {
		if _, added := left[it.ID]; added {
			s.Add = append(s.Add, it)
		}
	}
	return s
}

package gitsync

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/ledger"
)

// heed looks in the remote's logs for erase decisions that are not known here. The logs that hold them are taken over at once, so
// that this machine's own log and history lose what is erased before anything is joined or sent.
func (s *Syncer) heed(ctx context.Context, x *gitrepo.Reader, main, tip gitrepo.OID) error {
	if s.o.Erasures == nil || tip.IsZero() || tip == s.heeded {
		return nil
	}
	known := s.erasures()
	clear(s.whole)
	ours, err := logsIn(x, main)
	if err != nil {
		return err
	}
	theirs, err := logsIn(x, tip)
	if err != nil {
		return err
	}
	var found []erasing
	for _, path := range slices.Sorted(maps.Keys(theirs)) {
		if theirs[path].OID == ours[path].OID || machineOf(path) == s.o.Machine {
			continue
		}
		e := erasing{path: path, ours: ours[path], theirs: theirs[path]}
		if err := s.erasesMore(x, &e, known); err != nil {
			return fmt.Errorf("look for erase decisions in %s: %w", path, err)
		}
		if e.gone.Len() > 0 {
			found = append(found, e)
		}
	}
	if found, err = s.together(x, found, known); err != nil {
		return fmt.Errorf("look for erase decisions: %w", err)
	}
	if len(found) == 0 {
		s.heeded = tip
		return nil
	}
	gone := known
	for _, e := range found {
		gone = gone.Plus(e.gone)
	}
	for _, e := range found {
		if err := s.takeErasing(x, e, gone); err != nil {
			return fmt.Errorf("erase what another machine has erased: %w", err)
		}
	}
	if _, err := s.o.Joined(ctx); err != nil {
		return fmt.Errorf("erase what another machine has erased: %w", err)
	}
	if s.erasures().Print() == known.Print() {
		s.heeded = tip // they could not be read: nothing more can be done about them
		return nil
	}
	return errAgain
}

// erasing is a log of the remote with erase decisions that are not known.
type erasing struct {
	path         string
	ours, theirs gitrepo.TreeEntry
	gone         ledger.Erasures // all that it erases; none where nothing of it is new
}

// erasesMore looks whether a log erases what is not known to be erased.
func (s *Syncer) erasesMore(x *gitrepo.Reader, e *erasing, known ledger.Erasures) error {
	if reason, err := unfit(x, e.theirs); err != nil || reason != "" {
		return err
	}
	remote, err := read(x, e.theirs)
	if err != nil {
		return err
	}
	if len(remote) > 0 && !torn(remote) {
		s.whole[e.theirs.OID] = true
	}
	e.gone.Note(remote)
	if known.Plus(e.gone).Print() == known.Print() {
		e.gone = ledger.Erasures{}
	}
	return nil
}

// together are those of the logs that go on from what is known, apart from texts that they and what is known erase: two machines may
// each have taken texts out of the other's log. One that does not go on vouches for no erase in another.
func (s *Syncer) together(x *gitrepo.Reader, found []erasing, known ledger.Erasures) ([]erasing, error) {
	for {
		gone := known.Plus(ledger.Erasures{})
		for _, e := range found {
			gone = gone.Plus(e.gone)
		}
		var fit []erasing
		for _, e := range found {
			have, err := read(x, e.ours)
			if err != nil {
				return nil, err
			}
			remote, err := read(x, e.theirs)
			if err != nil {
				return nil, err
			}
			if have, err = gone.Without(have); err != nil {
				return nil, err
			}
			if remote, err = gone.Without(remote); err != nil {
				return nil, err
			}
			if judge(have, remote) == take && !torn(remote) {
				fit = append(fit, e)
			}
		}
		if len(fit) == len(found) {
			return fit, nil
		}
		found = fit
	}
}

// takeErasing takes one log over, without what is erased.
func (s *Syncer) takeErasing(x *gitrepo.Reader, e erasing, gone ledger.Erasures) error {
	remote, err := read(x, e.theirs)
	if err != nil {
		return err
	}
	if remote, err = gone.Without(remote); err != nil {
		return err
	}
	file := filepath.Join(s.o.Repo.Dir(), filepath.FromSlash(e.path))
	if err := home.Mkdir(filepath.Dir(file)); err != nil {
		return err
	}
	return home.WriteFile(file, remote)
}

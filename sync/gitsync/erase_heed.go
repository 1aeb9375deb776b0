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
	took := false
	for _, path := range slices.Sorted(maps.Keys(theirs)) {
		if theirs[path].OID == ours[path].OID || machineOf(path) == s.o.Machine {
			continue
		}
		did, err := s.heedLog(x, path, ours[path], theirs[path], known)
		if err != nil {
			return fmt.Errorf("look for erase decisions in %s: %w", path, err)
		}
		took = took || did
	}
	if !took {
		s.heeded = tip
		return nil
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

// heedLog takes one log over where it holds an erase decision that is not known and goes on from what is.
func (s *Syncer) heedLog(x *gitrepo.Reader, path string, ours, theirs gitrepo.TreeEntry, known ledger.Erasures) (took bool, err error) {
	if reason, err := unfit(x, theirs); err != nil || reason != "" {
		return false, err
	}
	remote, err := read(x, theirs)
	if err != nil {
		return false, err
	}
	if len(remote) > 0 && !torn(remote) {
		s.whole[theirs.OID] = true
	}
	gone := known.Plus(ledger.Erasures{})
	gone.Note(remote)
	if gone.Print() == known.Print() {
		return false, nil
	}
	have, err := read(x, ours)
	if err != nil {
		return false, err
	}
	if have, err = gone.Without(have); err != nil {
		return false, err
	}
	if remote, err = gone.Without(remote); err != nil {
		return false, err
	}
	if judge(have, remote) != take || torn(remote) {
		return false, nil
	}
	file := filepath.Join(s.o.Repo.Dir(), filepath.FromSlash(path))
	if err := home.Mkdir(filepath.Dir(file)); err != nil {
		return false, err
	}
	return true, home.WriteFile(file, remote)
}

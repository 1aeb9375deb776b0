package gitsync

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/ledger"
)

// An erase takes a text out of the logs, and here out of the history that holds their older versions. Each machine rewrites the
// history that it has, and whatever it fetches before it looks at it. Rewriting depends on the commits and on what is erased
// alone, so machines that do it apart come to the same commits, and a remote that was rewritten by one is, for another, no remote
// that has lost something. The remote's history is rewritten by whoever first finds that it is not as it should be.

// errAgain says that the round has to begin anew: something was taken in that changes what everything else looks like.
var errAgain = errors.New("an erase came in")

// cleanRef names a commit whose history is known to hold nothing that is erased, by the erasures named in cleanFile.
const (
	cleanRef  = "refs/dormouse/clean"
	cleanFile = "dormouse-erased"
	// purgeFile is there while the repository may hold objects with what is erased, so that a crash leaves none for good.
	purgeFile = "dormouse-purge"
)

// Erase takes out of the history of the memory repository what decisions in the log have erased. It reaches no remote: the next
// exchange rewrites that one. Nothing to erase costs nothing.
func (s *Syncer) Erase(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.end()
	for try := 1; ; try++ {
		_, err := s.cleanse(gitrepo.OID{})
		if err == nil {
			err = s.purge()
		}
		if !errors.Is(err, gitrepo.ErrMoved) && !errors.Is(err, gitrepo.ErrBusy) || try == maxRaces {
			return err
		}
		if err := s.o.Pause(ctx, s.backOff(try)); err != nil {
			return err
		}
	}
}

// erasures are what this machine's log says is erased.
func (s *Syncer) erasures() ledger.Erasures {
	if s.o.Erasures == nil {
		return ledger.Erasures{}
	}
	return s.o.Erasures()
}

// cleanse rewrites our history and a commit that was fetched, if there is one, and gives what took its place. Our refs are moved;
// what nothing leads to any more is removed, except what the fetched commit's new history needs: that is the caller's to keep
// and to purge.
func (s *Syncer) cleanse(tip gitrepo.OID) (gitrepo.OID, error) {
	gone := s.erasures()
	if gone.Len() == 0 {
		return tip, nil
	}
	refs, err := s.o.Repo.Refs("refs/")
	if err != nil {
		return tip, err
	}
	clean, err := s.cleanCommits(refs[cleanRef], gone.Print())
	if err != nil {
		return tip, err
	}
	if to, ok := s.rewritten[tip]; ok && s.print == gone.Print() {
		tip = to
	}
	var tips []gitrepo.OID
	for _, oid := range append(slices.Collect(maps.Values(refs)), tip) {
		if !oid.IsZero() && !clean[oid] && s.isCommit(oid) {
			tips = append(tips, oid)
		}
	}
	if len(tips) == 0 {
		return tip, nil
	}
	if err := s.mayHold(); err != nil {
		return tip, err
	}
	to, err := s.o.Repo.Rewrite(tips, IsLog, clean, gone.Without)
	if err != nil {
		return tip, fmt.Errorf("take what is erased out of the memory's history: %w", err)
	}
	moved, err := s.moveRefs(refs, to)
	if err != nil {
		return tip, err
	}
	if err := s.noteClean(gone.Print(), to, clean); err != nil {
		return tip, err
	}
	s.dirty = s.dirty || moved
	for _, oid := range refs { // a remote that still names one of them need not be fetched again
		if now, ok := to[oid]; ok && now != oid {
			s.rewritten[oid] = now
		}
	}
	if now, ok := to[tip]; ok && now != tip {
		s.rewritten[tip] = now
		s.dirty = true
		tip = now
	}
	return tip, nil
}

// mayHold notes that the repository may hold what is erased from now on.
func (s *Syncer) mayHold() error { return home.WriteFile(s.gitFile(purgeFile), nil) }

// purge removes what was rewritten, and what a crash may have left of that.
func (s *Syncer) purge() error {
	_, err := os.Lstat(s.gitFile(purgeFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("see what was erased from the history: %w", err)
	}
	if s.dirty || !s.looked {
		if err := s.o.Repo.Purge(); err != nil {
			return fmt.Errorf("take what is erased out of the memory repository: %w", err)
		}
	}
	s.dirty, s.looked = false, true
	return os.Remove(s.gitFile(purgeFile))
}

func (s *Syncer) isCommit(oid gitrepo.OID) bool {
	x := s.o.Repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	_, err := x.Commit(oid)
	return err == nil
}

// moveRefs makes our refs name what took the place of their commits. What names no commit, and what a fetch has only noted, is
// dropped.
func (s *Syncer) moveRefs(refs map[string]gitrepo.OID, to map[gitrepo.OID]gitrepo.OID) (moved bool, err error) {
	var moves []gitrepo.RefMove
	for name, oid := range refs {
		now, ok := to[oid]
		switch {
		case name == gitrepo.MainBranch && ok && now != oid:
			if err := s.o.Repo.Advance(oid, now); err != nil {
				return moved, err
			}
			moved = true
		case name == gitrepo.MainBranch, name == cleanRef:
		case name == fetchedRef, !ok && strings.HasPrefix(name, "refs/tags/") && !s.isCommit(oid):
			moves = append(moves, gitrepo.RefMove{Name: name, From: oid})
		case ok && now != oid:
			moves = append(moves, gitrepo.RefMove{Name: name, From: oid, To: now})
		}
	}
	if len(moves) == 0 {
		return moved, nil
	}
	return true, s.o.Repo.SetRefs(moves)
}

// fetchedRef is where go-git notes what it fetched.
const fetchedRef = "refs/dormouse/fetched"

// cleanCommits are the commits that are known to hold nothing that is erased.
func (s *Syncer) cleanCommits(from gitrepo.OID, print string) (map[gitrepo.OID]bool, error) {
	if s.print == print {
		return s.clean, nil
	}
	s.print, s.clean, s.rewritten = print, map[gitrepo.OID]bool{}, map[gitrepo.OID]gitrepo.OID{}
	noted, err := os.ReadFile(s.gitFile(cleanFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("see what was erased from the history: %w", err)
	}
	if from.IsZero() || strings.TrimSpace(string(noted)) != print {
		return s.clean, nil
	}
	x := s.o.Repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	for queue := []gitrepo.OID{from}; len(queue) > 0; {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if s.clean[at] {
			continue
		}
		c, err := x.Commit(at)
		if err != nil {
			return nil, err
		}
		s.clean[at] = true
		queue = append(queue, c.Parents...)
	}
	return s.clean, nil
}

// noteClean keeps in mind that the rewritten commits are clean: here, and by our branch for the next start.
func (s *Syncer) noteClean(print string, to map[gitrepo.OID]gitrepo.OID, clean map[gitrepo.OID]bool) error {
	for _, now := range to {
		clean[now] = true
	}
	main, err := s.o.Repo.Ref(gitrepo.MainBranch)
	if err != nil || !clean[main] {
		return err
	}
	was, err := s.o.Repo.Ref(cleanRef)
	if err != nil {
		return err
	}
	if err := home.WriteFile(s.gitFile(cleanFile), nil); err != nil { // a crash between the two must not vouch for too much
		return err
	}
	if was != main {
		if err := s.o.Repo.SetRef(cleanRef, was, main); err != nil {
			return err
		}
	}
	return home.WriteFile(s.gitFile(cleanFile), []byte(print+"\n"))
}

func (s *Syncer) gitFile(name string) string { return filepath.Join(s.o.Repo.Dir(), ".git", name) }

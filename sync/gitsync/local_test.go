package gitsync

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"dormouse/store/gitrepo"
)

// hub is a remote in this process, so that thousands of exchanges cost no processes: objects are linked from repository to
// repository, and its branch moves under a lock, as a server's does.
type hub struct {
	repo *gitrepo.Repo
	mu   sync.Mutex
}

// spoke is the hub as one machine sees it.
type spoke struct {
	hub *hub
	own *gitrepo.Repo
}

func (s spoke) Head(context.Context) (gitrepo.OID, error) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.hub.repo.Ref(gitrepo.MainBranch)
}

func (s spoke) Fetch(_ context.Context, tip gitrepo.OID) error {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return copyCommit(s.own, s.hub.repo, tip)
}

func (s spoke) Push(_ context.Context, commit gitrepo.OID) error {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	at, err := s.hub.repo.Ref(gitrepo.MainBranch)
	if err != nil {
		return err
	}
	if !at.IsZero() {
		if ok, err := s.own.Reader().Descends(commit, at); errors.Is(err, gitrepo.ErrNotFound) || err == nil && !ok {
			return gitrepo.ErrRace
		}
	}
	if err := copyCommit(s.hub.repo, s.own, commit); err != nil {
		return err
	}
	return s.hub.repo.SetRef(gitrepo.MainBranch, at, commit)
}

func (s spoke) Replace(_ context.Context, old, commit gitrepo.OID) error {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	at, err := s.hub.repo.Ref(gitrepo.MainBranch)
	if err != nil {
		return err
	}
	if at != old {
		return gitrepo.ErrRace
	}
	if err := copyCommit(s.hub.repo, s.own, commit); err != nil {
		return err
	}
	return s.hub.repo.SetRef(gitrepo.MainBranch, at, commit)
}

// copyCommit copies a commit and all that it builds on, parents first.
func copyCommit(to, from *gitrepo.Repo, oid gitrepo.OID) error {
	x := from.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	return copyObject(to, x, from, oid)
}

func copyObject(to *gitrepo.Repo, x *gitrepo.Reader, from *gitrepo.Repo, oid gitrepo.OID) error {
	file := func(r *gitrepo.Repo) string {
		git := filepath.Join(r.Dir(), ".git")
		if _, err := os.Stat(git); err != nil {
			git = r.Dir() // a bare one
		}
		return filepath.Join(git, "objects", oid.String()[:2], oid.String()[2:])
	}
	if to.Has(oid) {
		return nil
	}
	kind, data, err := x.Object(oid)
	if err != nil {
		return err
	}
	var on []gitrepo.OID
	switch kind {
	case gitrepo.Commit:
		c, err := x.Commit(oid)
		if err != nil {
			return err
		}
		on = append(c.Parents, c.Tree)
	case gitrepo.Tree:
		entries, err := gitrepo.ParseTree(data)
		if err != nil {
			return err
		}
		for _, e := range entries {
			on = append(on, e.OID)
		}
	}
	for _, next := range on {
		if err := copyObject(to, x, from, next); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(file(to)), 0o700); err != nil {
		return err
	}
	if err := os.Link(file(from), file(to)); err == nil {
		return nil
	}
	_, err = to.WriteLoose(kind, data) // it lies in a pack
	return err
}

package gitrepo

import (
	"container/heap"
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// newestFirst is a heap of commits.
type newestFirst []*object.Commit

func (h newestFirst) Len() int      { return len(h) }
func (h newestFirst) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h newestFirst) Less(i, j int) bool {
	a, b := h[i].Committer.When.Unix(), h[j].Committer.When.Unix()
	return a > b || a == b && h[i].Hash.String() < h[j].Hash.String()
}
func (h *newestFirst) Push(x any) { *h = append(*h, x.(*object.Commit)) }
func (h *newestFirst) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

// walk visits the commits of branches and HEAD, the newest first, until visit answers false.
func walk(ctx context.Context, r *git.Repository, visit func(*object.Commit) bool) error {
	var waiting newestFirst
	seen := map[plumbing.Hash]bool{}
	add := func(h plumbing.Hash) error {
		if seen[h] {
			return nil
		}
		seen[h] = true
		c, err := r.CommitObject(h)
		if err == nil {
			heap.Push(&waiting, c)
		}
		return err
	}
	if err := tips(r, add); err != nil {
		return err
	}
	for n := 0; len(waiting) > 0; n++ {
		if n == maxWalk {
			return errLong
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c := heap.Pop(&waiting).(*object.Commit)
		if !visit(c) {
			return nil
		}
		for _, p := range c.ParentHashes {
			if err := add(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// tips visits the newest commit of every local branch and of HEAD.
func tips(r *git.Repository, visit func(plumbing.Hash) error) error {
	refs, err := r.References()
	if err != nil {
		return err
	}
	return refs.ForEach(func(ref *plumbing.Reference) error {
		if !ref.Name().IsBranch() && ref.Name() != plumbing.HEAD {
			return nil
		}
		ref, err := r.Reference(ref.Name(), true)
		if errors.Is(err, plumbing.ErrReferenceNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return visit(ref.Hash())
	})
}

func logGoGit(ctx context.Context, l Location, q LogQuery) ([]LogEntry, error) {
	r, err := openGoGit(l)
	if err != nil {
		return nil, err
	}
	var out []LogEntry
	err = walk(ctx, r, func(c *object.Commit) bool {
		e := entryOf(c)
		if q.Since != 0 && e.Time < q.Since {
			return false // what is left is older
		}
		if q.fits(e) {
			out = append(out, e)
		}
		return q.Limit == 0 || len(out) < q.Limit
	})
	return out, err
}

func entryOf(c *object.Commit) LogEntry {
	e := LogEntry{SHA: c.Hash.String(), Author: c.Author.Name, Mail: c.Author.Email, Authored: c.Author.When.Unix(), Time: c.Committer.When.Unix()}
	for _, p := range c.ParentHashes {
		e.Parents = append(e.Parents, p.String())
	}
	e.Subject, e.Body = split(c.Message)
	return e
}

func lookupGoGit(l Location, id string) (LogEntry, error) {
	r, err := openGoGit(l)
	if err != nil {
		return LogEntry{}, err
	}
	c, err := commitGoGit(r, id)
	if err != nil {
		return LogEntry{}, err
	}
	return entryOf(c), nil
}

// prefixes is what go-git's store of objects offers beyond its interface.
type prefixes interface {
	HashesWithPrefix(prefix []byte) ([]plumbing.Hash, error)
}

func commitGoGit(r *git.Repository, id string) (*object.Commit, error) {
	if len(id) == 40 {
		c, err := r.CommitObject(plumbing.NewHash(id))
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return nil, ErrNoCommit
		}
		return c, err
	}
	store, ok := r.Storer.(prefixes)
	if !ok {
		return nil, errors.New("objects cannot be found by the beginning of their id")
	}
	whole, err := hex.DecodeString(id[:len(id)/2*2])
	if err != nil {
		return nil, err
	}
	all, err := store.HashesWithPrefix(whole)
	if err != nil {
		return nil, err
	}
	return onlyCommit(r, id, all)
}

// onlyCommit is the one commit among hashes that begins with id.
func onlyCommit(r *git.Repository, id string, all []plumbing.Hash) (*object.Commit, error) {
	var found *object.Commit
	for _, h := range all {
		if !strings.HasPrefix(h.String(), id) {
			continue
		}
		c, err := r.CommitObject(h)
		switch {
		case err != nil || found != nil && found.Hash == c.Hash:
		case found != nil:
			return nil, ErrAmbiguous
		default:
			found = c
		}
	}
	if found == nil {
		return nil, ErrNoCommit
	}
	return found, nil
}

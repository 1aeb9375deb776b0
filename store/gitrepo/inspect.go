package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Remote is a repository's name for another one, and its first URL.
type Remote struct{ Name, URL string }

// Info is what a look at a user's repository tells.
type Info struct {
	// Branch is the short name of the branch that is checked out; empty when HEAD is detached.
	Branch string
	// Head is the newest commit of it; empty before the first one.
	Head    string
	Remotes []Remote // by name
}

// Inspect reads branch, newest commit and remotes of a repository. It writes nothing. Where go-git cannot open the
// repository, the git command is asked.
func Inspect(ctx context.Context, l Location) (Info, error) {
	info, err := inspectGoGit(l)
	if err == nil {
		return info, nil
	}
	info, cliErr := inspectCommand(ctx, l)
	if cliErr != nil {
		return Info{}, fmt.Errorf("read repository %s: %w", l.Root, errors.Join(err, cliErr))
	}
	return info, nil
}

func openGoGit(l Location) (*git.Repository, error) {
	return git.PlainOpenWithOptions(l.Root, &git.PlainOpenOptions{EnableDotGitCommonDir: true})
}

func inspectGoGit(l Location) (Info, error) {
	r, err := openGoGit(l)
	if err != nil {
		return Info{}, err
	}
	var info Info
	head, err := r.Reference(plumbing.HEAD, false)
	if err != nil {
		return Info{}, err
	}
	switch {
	case head.Type() == plumbing.HashReference && head.Hash().IsZero():
		return Info{}, errors.New("HEAD is damaged")
	case head.Type() == plumbing.HashReference:
		info.Head = head.Hash().String()
	default:
		info.Branch = head.Target().Short()
		ref, err := r.Reference(head.Target(), true)
		if err == nil {
			info.Head = ref.Hash().String()
		} else if !errors.Is(err, plumbing.ErrReferenceNotFound) {
			return Info{}, err
		}
	}
	cfg, err := r.Config()
	if err != nil {
		return Info{}, err
	}
	for name, rc := range cfg.Remotes {
		if len(rc.URLs) > 0 {
			info.Remotes = append(info.Remotes, Remote{Name: name, URL: rc.URLs[0]})
		}
	}
	sortRemotes(info.Remotes)
	return info, nil
}

func sortRemotes(list []Remote) {
	slices.SortFunc(list, func(a, b Remote) int { return strings.Compare(a.Name, b.Name) })
}

// maxWalk bounds how many commits go-git walks for the first one; the git command is faster on long histories.
const maxWalk = 20_000

// FirstCommit is the oldest root commit of all local branches and HEAD, so every worktree and every branch gives the same;
// of equally old ones the one with the smallest name. Empty when there is no commit. A shallow clone does not have it.
func FirstCommit(ctx context.Context, l Location) (string, error) {
	if isFile(filepath.Join(l.CommonDir, "shallow")) {
		return "", fmt.Errorf("find the first commit of %s: the clone is shallow", l.Root)
	}
	first, err := firstGoGit(l)
	if err == nil {
		return first, nil
	}
	first, cliErr := firstCommand(ctx, l)
	if cliErr != nil {
		return "", fmt.Errorf("find the first commit of %s: %w", l.Root, errors.Join(err, cliErr))
	}
	return first, nil
}

var errLong = errors.New("history is long")

func firstGoGit(l Location) (string, error) {
	r, err := openGoGit(l)
	if err != nil {
		return "", err
	}
	var best root
	seen := map[plumbing.Hash]bool{}
	refs, err := r.References()
	if err != nil {
		return "", err
	}
	err = refs.ForEach(func(ref *plumbing.Reference) error {
		if !ref.Name().IsBranch() && ref.Name() != plumbing.HEAD {
			return nil
		}
		ref, err := r.Reference(ref.Name(), true)
		if errors.Is(err, plumbing.ErrReferenceNotFound) || err == nil && seen[ref.Hash()] {
			return nil
		}
		if err != nil {
			return err
		}
		return walkRoots(r, ref.Hash(), seen, &best)
	})
	return best.oid, err
}

// root is a commit without parents.
type root struct {
	when int64
	oid  string
}

func (b *root) offer(when int64, oid string) {
	if b.oid == "" || when < b.when || when == b.when && oid < b.oid {
		b.when, b.oid = when, oid
	}
}

func walkRoots(r *git.Repository, from plumbing.Hash, seen map[plumbing.Hash]bool, best *root) error {
	start, err := r.CommitObject(from)
	if err != nil {
		return err
	}
	it := object.NewCommitPreorderIter(start, seen, nil)
	defer it.Close()
	return it.ForEach(func(c *object.Commit) error {
		seen[c.Hash] = true
		if len(seen) > maxWalk {
			return errLong
		}
		if c.NumParents() == 0 {
			best.offer(c.Committer.When.Unix(), c.Hash.String())
		}
		return nil
	})
}

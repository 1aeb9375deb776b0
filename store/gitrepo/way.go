package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"

	"dormouse/store/gitcmd"
)

// Way is how a repository of the person's is read.
type Way string

// The ways. Writing always goes by the git command.
const (
	ByGoGit   Way = "go-git"
	ByCommand Way = "git command"
)

// Access is what was found out about reading a repository.
type Access struct {
	Way Way
	Why string // go-git does not do; empty where it does
}

// ErrForeign says that a repository belongs to another user and that the person has not said that they trust it.
var ErrForeign = gitcmd.ErrForeign

// Probe finds out by trying how a repository can be read. It writes nothing. The error wraps ErrForeign for another user's
// repository, and tells both reasons where neither way can read it.
func Probe(ctx context.Context, l Location) (Access, error) {
	if err := trusted(ctx, l); err != nil {
		return Access{}, fmt.Errorf("read repository %s: %w", l.Root, err)
	}
	why := goGitTrouble(l)
	if why == nil {
		return Access{Way: ByGoGit}, nil
	}
	if _, err := gitCommand(ctx, l, "rev-parse", "--git-dir"); err != nil {
		return Access{}, fmt.Errorf("read repository %s: go-git: %w; the git command: %w", l.Root, why, err)
	}
	return Access{Way: ByCommand, Why: why.Error()}, nil
}

// trusted holds git's own rule: work tree, pointer and repository belong to the person, or they have named the folder in
// safe.directory, which git itself is asked about.
func trusted(ctx context.Context, l Location) error {
	all := true
	for _, path := range []string{l.Root, l.GitDir, filepath.Join(l.Root, ".git")} {
		if _, err := os.Lstat(path); err == nil && !owned(path) {
			all = false
		}
	}
	if all {
		return nil
	}
	_, err := gitCommand(ctx, l, "rev-parse", "--git-dir")
	if errors.Is(err, gitcmd.ErrNoGit) {
		return ErrForeign // nobody else can say that it is trusted
	}
	return err
}

// goGitTrouble tries what reading needs and says what fails.
func goGitTrouble(l Location) error {
	for _, sign := range []struct{ file, why string }{
		{"shallow", "the clone is shallow"},
		{"objects/info/alternates", "it takes objects from another repository"},
	} {
		if isFile(filepath.Join(l.CommonDir, filepath.FromSlash(sign.file))) {
			return errors.New(sign.why)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(l.CommonDir, "objects", "pack", "*.promisor")); len(names) > 0 {
		return errors.New("the clone is partial")
	}
	r, err := openGoGit(l)
	if err != nil {
		return err
	}
	head, err := r.Head()
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return unborn(r)
	}
	if err != nil {
		return err
	}
	c, err := r.CommitObject(head.Hash())
	if err != nil {
		return err
	}
	_, err = c.Tree()
	return err
}

// unborn tells a branch without a commit from a HEAD that go-git cannot follow.
func unborn(r *git.Repository) error {
	head, err := r.Reference(plumbing.HEAD, false)
	if err != nil {
		return err
	}
	if head.Type() != plumbing.SymbolicReference || head.Target() == "refs/heads/.invalid" {
		return errors.New("its references are kept in a form that go-git does not know")
	}
	return nil
}

package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5"
	gitconfig "github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing/transport"
)

// fetched is the ref by which go-git, which fetches into refs alone, names what it brought. Nobody reads it.
const fetched = "refs/dormouse/fetched"

func (p *Peer) remoteGoGit() (*git.Remote, error) {
	r, err := git.PlainOpen(p.repo.dir)
	if err != nil {
		return nil, err
	}
	return git.NewRemote(r.Storer, &gitconfig.RemoteConfig{Name: remoteName, URLs: []string{p.url}}), nil
}

func (p *Peer) headGoGit(ctx context.Context) (OID, error) {
	r, err := p.remoteGoGit()
	if err != nil {
		return OID{}, err
	}
	refs, err := r.ListContext(ctx, &git.ListOptions{Auth: p.auth()})
	if errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return OID{}, nil
	}
	if err != nil {
		return OID{}, err
	}
	for _, ref := range refs {
		if ref.Name() == MainBranch {
			return OID(ref.Hash()), nil
		}
	}
	return OID{}, nil
}

func (p *Peer) fetchGoGit(ctx context.Context) error {
	r, err := p.remoteGoGit()
	if err != nil {
		return err
	}
	err = r.FetchContext(ctx, &git.FetchOptions{Auth: p.auth(), Tags: git.NoTags, RefSpecs: []gitconfig.RefSpec{"+" + MainBranch + ":" + fetched}})
	if errors.Is(err, git.NoErrAlreadyUpToDate) {
		return nil
	}
	return err
}

func (p *Peer) pushGoGit(ctx context.Context, commit OID) error {
	return p.sendGoGit(ctx, &git.PushOptions{RefSpecs: []gitconfig.RefSpec{gitconfig.RefSpec(commit.String() + ":" + MainBranch)}})
}

// replaceGoGit rewrites the branch. The server compares with what it was when go-git asked, so that is looked at first.
func (p *Peer) replaceGoGit(ctx context.Context, old, commit OID) error {
	now, err := p.headGoGit(ctx)
	if err != nil {
		return err
	}
	if now != old {
		return fmt.Errorf("%w: its branch is at %s", ErrRace, now)
	}
	return p.sendGoGit(ctx, &git.PushOptions{Force: true, RequireRemoteRefs: []gitconfig.RefSpec{gitconfig.RefSpec(old.String() + ":" + MainBranch)},
		RefSpecs: []gitconfig.RefSpec{gitconfig.RefSpec("+" + commit.String() + ":" + MainBranch)}})
}

func (p *Peer) sendGoGit(ctx context.Context, o *git.PushOptions) error {
	r, err := p.remoteGoGit()
	if err != nil {
		return err
	}
	o.RemoteName, o.Auth = remoteName, p.auth()
	err = r.PushContext(ctx, o)
	switch {
	case err == nil, errors.Is(err, git.NoErrAlreadyUpToDate):
		return nil
	case strings.Contains(err.Error(), "non-fast-forward"), strings.Contains(err.Error(), "remote ref"), strings.Contains(err.Error(), "command error on"):
		return pushError(err.Error(), nil)
	}
	return err
}

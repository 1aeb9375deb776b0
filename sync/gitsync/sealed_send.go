package gitsync

import (
	"context"
	"errors"
	"fmt"

	"dormouse/store/gitrepo"
	"dormouse/sync/seal"
)

// Push puts what a plain commit has more than the remote behind what is there.
func (z *sealed) Push(ctx context.Context, commit gitrepo.OID) error {
	ring, _, err := z.s.vault.ring(z.url)
	if err != nil {
		return err
	}
	if z.older {
		return z.renewOn(ctx, ring, commit)
	}
	files, err := z.sealInto(ring, commit, false)
	if err != nil {
		return err
	}
	if z.foreign() {
		if err := z.frame(ring, files); err != nil {
			return err
		}
	}
	tip, err := z.commitOn(z.at, files)
	if err != nil {
		return err
	}
	if err := z.peer.Push(ctx, tip); err != nil {
		return err
	}
	return z.sent(tip, commit)
}

// renewOn writes the whole memory anew on top of what the remote holds.
func (z *sealed) renewOn(ctx context.Context, ring seal.Ring, commit gitrepo.OID) error {
	files, err := z.sealInto(ring, commit, true)
	if err != nil {
		return err
	}
	if err := z.frame(ring, files); err != nil {
		return err
	}
	tree, err := z.repo.Graft(gitrepo.OID{}, files)
	if err != nil {
		return fmt.Errorf("seal the memory: %w", err)
	}
	var parents []gitrepo.OID
	if !z.at.IsZero() {
		parents = []gitrepo.OID{z.at}
	}
	tip, err := z.repo.WriteLoose(gitrepo.Commit, gitrepo.EncodeCommit(tree, parents, z.s.o.Now().Unix(), sealedCommit))
	if err != nil {
		return err
	}
	if err := z.peer.Push(ctx, tip); err != nil {
		return err
	}
	if err := z.s.vault.setRing(z.url, ring); err != nil {
		return err
	}
	return z.sent(tip, commit)
}

// foreign reports whether the remote holds nothing that is sealed.
func (z *sealed) foreign() bool {
	if z.at.IsZero() {
		return true
	}
	x := z.repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	c, err := x.Commit(z.at)
	if err != nil {
		return false
	}
	_, err = x.Lookup(c.Tree, sealedMark)
	return errors.Is(err, gitrepo.ErrNotFound)
}

// Replace writes the whole memory anew, under a history that begins there.
func (z *sealed) Replace(ctx context.Context, _, commit gitrepo.OID) error {
	ring, _, err := z.s.vault.ring(z.url)
	if err != nil {
		return err
	}
	ring.Rewrite++
	return z.renew(ctx, ring, commit)
}

// renew replaces what the remote holds by a plain commit's logs under a ring. Where the remote lets no history be replaced, that is said.
func (z *sealed) renew(ctx context.Context, ring seal.Ring, commit gitrepo.OID) error {
	if gone := z.s.erasures(); gone.Len() > 0 {
		ring.Erased = gone.Print()
	}
	files, err := z.sealInto(ring, commit, true)
	if err != nil {
		return err
	}
	if err := z.frame(ring, files); err != nil {
		return err
	}
	tip, err := z.commitOn(gitrepo.OID{}, files)
	if err != nil {
		return err
	}
	if z.at.IsZero() {
		err = z.peer.Push(ctx, tip)
	} else {
		err = z.peer.Replace(ctx, z.at, tip)
	}
	if err != nil {
		return err
	}
	if err := z.s.vault.setRing(z.url, ring); err != nil {
		return err
	}
	if err := z.sent(tip, commit); err != nil {
		return err
	}
	return z.repo.Purge()
}

func (z *sealed) sent(tip, commit gitrepo.OID) error {
	x := z.s.o.Repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	c, err := x.Commit(commit)
	if err != nil {
		return err
	}
	z.tree, z.older = c.Tree, false
	return z.note(tip, commit)
}

// frame adds what a sealed tree holds beside the segments.
func (z *sealed) frame(ring seal.Ring, files map[string]gitrepo.OID) error {
	keys, err := ring.Seal()
	if err != nil {
		return err
	}
	for path, data := range map[string][]byte{"README": []byte(sealedReadme), sealedMark: []byte(sealedFormat), sealedKeys: keys} {
		if files[path], err = z.repo.WriteLoose(gitrepo.Blob, data); err != nil {
			return err
		}
	}
	return nil
}

// commitOn is a commit on the remote's tip with some files changed; without one, it begins a history.
func (z *sealed) commitOn(tip gitrepo.OID, files map[string]gitrepo.OID) (gitrepo.OID, error) {
	var base gitrepo.OID
	var parents []gitrepo.OID
	if !tip.IsZero() {
		x := z.repo.Reader()
		defer x.Close() //nolint:errcheck // opened for reading
		c, err := x.Commit(tip)
		if err != nil {
			return gitrepo.OID{}, err
		}
		base, parents = c.Tree, []gitrepo.OID{tip}
	}
	tree, err := z.repo.Graft(base, files)
	if err != nil {
		return gitrepo.OID{}, fmt.Errorf("seal the memory: %w", err)
	}
	return z.repo.WriteLoose(gitrepo.Commit, gitrepo.EncodeCommit(tree, parents, z.s.o.Now().Unix(), sealedCommit))
}

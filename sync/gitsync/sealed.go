package gitsync

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"dormouse/store/gitrepo"
	"dormouse/sync/seal"
)

// What a sealed remote's tree holds.
const (
	sealedMark  = "dormouse-sealed" // the version of the format
	sealedKeys  = "keys.age"
	sealedParts = "segments" // <2 digits>/<30 digits>
	sealedJoin  = "join"

	sealedFormat = "1\n"
	sealedReadme = "An encrypted memory of Dormouse. Nothing in here can be read without the key of one of its machines.\n"
	sealedCommit = "Memory"
)

// sealed is a remote that cannot read what it keeps. What it holds lies in a repository of its own; to the exchange it looks like any
// other remote, with a commit of the plain logs in place of each commit that the remote has.
//
// The plain commit of a tip is made here: its tree is the logs that the tip's segments add up to, and it builds on the plain commit of
// the tip before, if the one builds on the other. A tip that replaced the history (an erase, a revoked machine) carries a ring that
// is newer and vouched for, and counts as building on what was known.
type sealed struct {
	s    *Syncer
	url  string
	repo *gitrepo.Repo // bare: what the remote holds
	peer Remote

	at    gitrepo.OID // the remote's tip, as Head last saw it
	tree  gitrepo.OID // plain tree that it adds up to
	plain gitrepo.OID // the plain commit that Head gave for it
	older bool        // its ring is older than the one that is known
}

// sealedAt is the remote at an address that is used encrypted.
func (s *Syncer) sealedAt(url string) (*sealed, error) {
	if z := s.sealed[url]; z != nil {
		return z, nil
	}
	repo := gitrepo.OpenBare(filepath.Join(s.o.Repo.Dir(), ".git", "dormouse-sealed.git"))
	if err := repo.Init(nil); err != nil {
		return nil, fmt.Errorf("keep what the remote holds: %w", err)
	}
	repo.Cold = func(string) bool { return true }
	z := &sealed{s: s, url: url, repo: repo, peer: s.o.ConnectSealed(repo, url)}
	s.sealed[url] = z
	return z, nil
}

// remoteAt is the remote at an address, as it is used.
func (s *Syncer) remoteAt(url string) (Remote, error) {
	_, ok, err := s.vault.ring(url)
	if err != nil {
		return nil, err
	}
	if !ok {
		return s.o.Connect(url), nil
	}
	return s.sealedAt(url)
}

// Head is the plain commit of the remote's tip. It fetches what it needs for that.
func (z *sealed) Head(ctx context.Context) (gitrepo.OID, error) {
	tip, err := z.look(ctx)
	if err != nil || tip.IsZero() {
		z.at, z.tree, z.plain, z.older = gitrepo.OID{}, gitrepo.OID{}, gitrepo.OID{}, false
		return gitrepo.OID{}, err
	}
	if z.at == tip && z.plain == z.noted(tip) && !z.plain.IsZero() {
		return z.plain, nil
	}
	return z.read(tip)
}

// Refs are the remote's refs below a folder, where it can tell them.
func (z *sealed) Refs(ctx context.Context, folder string) (map[string]gitrepo.OID, error) {
	r, ok := z.peer.(lister)
	if !ok {
		return nil, nil
	}
	return r.Refs(ctx, folder)
}

// look fetches the remote's tip.
func (z *sealed) look(ctx context.Context) (gitrepo.OID, error) {
	tip, err := z.peer.Head(ctx)
	if err == nil && !tip.IsZero() && !z.repo.Has(tip) {
		err = z.peer.Fetch(ctx, tip)
	}
	return tip, err
}

// Fetch has nothing to do: Head has brought it.
func (z *sealed) Fetch(_ context.Context, tip gitrepo.OID) error {
	if !z.s.o.Repo.Has(tip) {
		return gitrepo.ErrRace
	}
	return nil
}

// read makes the plain commit of a tip.
func (z *sealed) read(tip gitrepo.OID) (gitrepo.OID, error) {
	x := z.repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	c, err := x.Commit(tip)
	if err != nil {
		return gitrepo.OID{}, err
	}
	z.at, z.older = tip, false
	if z.s.erasures().Len() > 0 {
		if err := z.s.mayHold(); err != nil {
			return gitrepo.OID{}, err
		}
	}
	ring, isOurs, err := z.ringOf(x, c.Tree)
	if err != nil {
		return gitrepo.OID{}, err
	}
	if !isOurs { // a README of a forge, or what somebody put in the place of the memory
		return z.keep(tip, gitrepo.OID{}, nil, c.When)
	}
	known, _, err := z.s.vault.ring(z.url)
	if err != nil {
		return gitrepo.OID{}, err
	}
	z.older = ring.Before(known)
	var parents []gitrepo.OID
	last, as, plain := z.last()
	builds := false
	if !last.IsZero() && z.repo.Has(last) {
		if builds, err = x.Descends(tip, last); err != nil {
			return gitrepo.OID{}, err
		}
	}
	switch {
	case z.older: // it is told as rewound
	case builds:
		parents = []gitrepo.OID{plain}
	case known.Before(ring):
		if met, err := z.s.o.Repo.Ref(metRef(z.url)); err != nil {
			return gitrepo.OID{}, err
		} else if !met.IsZero() {
			parents = []gitrepo.OID{met}
		}
	}
	var from gitrepo.OID
	if builds && !z.older && plain == as && !known.Before(ring) { // what was read of the one before is here as it was read
		from = last
	}
	tree, err := z.logs(x, ring, c.Tree, from, plain)
	if err != nil {
		return gitrepo.OID{}, err
	}
	oid, err := z.keep(tip, tree, parents, c.When)
	if err == nil && !z.older && known.Before(ring) && !builds {
		err = z.repo.Purge() // what the new history has left out
	}
	if err == nil && !z.older { // last: by the older ring, a crash before this still sees that the history was replaced
		err = z.s.vault.setRing(z.url, ring)
	}
	return oid, err
}

// ringOf reads the keys of a tree. ok is false where the tree is no sealed memory but may become one.
func (z *sealed) ringOf(x *gitrepo.Reader, tree gitrepo.OID) (ring seal.Ring, ok bool, err error) {
	known, _, err := z.s.vault.ring(z.url)
	if err != nil {
		return ring, false, err
	}
	if _, err := x.Lookup(tree, sealedMark); errors.Is(err, gitrepo.ErrNotFound) {
		met, err := z.s.o.Repo.Ref(metRef(z.url))
		if err != nil || !met.IsZero() {
			return ring, false, err // it is told as rewound
		}
		have, err := logsIn(x, tree)
		if err != nil {
			return ring, false, err
		}
		if len(have) > 0 {
			return ring, false, fmt.Errorf("%s: it holds a memory that is not encrypted, and its history would go on to: take a new, empty repository. %w", z.url, ErrNotMemory)
		}
		fit, err := isMemory(x, tree, have)
		if err == nil && !fit {
			err = fmt.Errorf("%s: %w; nothing was sent: take a new, empty repository", z.url, ErrNotMemory)
		}
		return ring, false, err
	} else if err != nil {
		return ring, false, err
	}
	raw, err := z.file(x, tree, sealedKeys)
	if err != nil {
		return ring, false, fmt.Errorf("read the keys of %s: %w", z.url, err)
	}
	id, err := z.s.vault.identity()
	if err != nil {
		return ring, false, err
	}
	ring, err = seal.OpenRing(raw, id, known)
	switch {
	case errors.Is(err, seal.ErrNoDevice):
		return ring, false, fmt.Errorf("%s: %w: it was revoked, or never let in. Let it in from another machine: dormouse devices invite", z.url, err)
	case errors.Is(err, seal.ErrForked):
		return ring, false, fmt.Errorf("%s: %w: this machine knows one set of keys, and the remote holds another that was made after the same one. Two machines may have "+
			"revoked one at the same time, or a machine that was revoked here still writes there. Nothing was taken or sent. Look at dormouse devices on each "+
			"machine, and choose the one whose list is right. Close the lost machine's access to the remote. Then, where another list is shown, let it in anew from there: "+
			"dormouse devices invite, and here: dormouse sync setup %s --code CODE. Where the right one finds its own keys gone from the remote: dormouse sync restore-remote", z.url, err, z.url)
	case err != nil:
		return ring, false, fmt.Errorf("%s: %w. Nothing was taken or sent", z.url, err)
	}
	return ring, true, nil
}

// file is a small file of a tree.
func (z *sealed) file(x *gitrepo.Reader, tree gitrepo.OID, path string) ([]byte, error) {
	e, err := x.Lookup(tree, path)
	if err != nil {
		return nil, err
	}
	size, err := x.Size(e.OID)
	if err != nil {
		return nil, err
	}
	if !plain(e) || size > 2<<20 {
		return nil, fmt.Errorf("%s is no file of at most 2 MB", path)
	}
	_, data, err := x.Object(e.OID)
	return data, err
}

// keep makes the plain commit of a tip and notes it.
func (z *sealed) keep(tip, tree gitrepo.OID, parents []gitrepo.OID, when int64) (gitrepo.OID, error) {
	repo := z.s.o.Repo
	var err error
	if tree.IsZero() {
		if tree, err = repo.WriteLoose(gitrepo.Tree, nil); err != nil {
			return gitrepo.OID{}, err
		}
	}
	x := repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	z.tree = tree
	if len(parents) == 1 { // only what is beside the logs has changed
		if c, err := x.Commit(parents[0]); err != nil {
			return gitrepo.OID{}, err
		} else if c.Tree == tree {
			return parents[0], z.note(tip, parents[0])
		}
	}
	message, err := joinMessage(x, tree)
	if err != nil {
		return gitrepo.OID{}, err
	}
	oid, err := repo.WriteLoose(gitrepo.Commit, gitrepo.EncodeCommit(tree, parents, when, message))
	if err != nil {
		return gitrepo.OID{}, err
	}
	return oid, z.note(tip, oid)
}

package gitsync

import (
	"path/filepath"
	"strings"

	"dormouse/store/gitrepo"
)

// The plain commit of the newest tip that was seen is named by a ref, so that it stays and an erase rewrites it: its name holds the tip and
// the plain commit as it was made.
func (z *sealed) refs() string { return "refs/dormouse/sealed/" + filepath.Base(metRef(z.url)) + "/" }

func (z *sealed) note(tip, plain gitrepo.OID) error {
	z.at, z.plain = tip, plain
	name := z.refs() + tip.String() + "-" + plain.String()
	refs, err := z.s.o.Repo.Refs(z.refs())
	if err != nil {
		return err
	}
	moves := []gitrepo.RefMove{}
	if refs[name] != plain {
		moves = append(moves, gitrepo.RefMove{Name: name, From: refs[name], To: plain})
	}
	for other, oid := range refs {
		if other != name {
			moves = append(moves, gitrepo.RefMove{Name: other, From: oid})
		}
	}
	if len(moves) > 0 {
		if err := z.s.o.Repo.SetRefs(moves); err != nil {
			return err
		}
	}
	at, err := z.repo.Ref(gitrepo.MainBranch) // so that git keeps it
	if err == nil && at != tip {
		err = z.repo.SetRef(gitrepo.MainBranch, at, tip)
	}
	return err
}

// last is the newest tip that was seen, its plain commit as it was made, and what that is now.
func (z *sealed) last() (tip, made, now gitrepo.OID) {
	refs, err := z.s.o.Repo.Refs(z.refs())
	if err != nil {
		return
	}
	for name, oid := range refs {
		a, b, ok := strings.Cut(strings.TrimPrefix(name, z.refs()), "-")
		t, err1 := gitrepo.ParseOID(a)
		m, err2 := gitrepo.ParseOID(b)
		if ok && err1 == nil && err2 == nil {
			return t, m, oid
		}
	}
	return
}

// noted is the plain commit of a tip, where it is the newest one that was seen.
func (z *sealed) noted(tip gitrepo.OID) gitrepo.OID {
	if t, _, now := z.last(); t == tip {
		return now
	}
	return gitrepo.OID{}
}

// stale reports whether the remote's history may hold what is erased: it was not written anew since.
func (z *sealed) stale() bool {
	gone := z.s.erasures()
	ring, ok, err := z.s.vault.ring(z.url)
	return err == nil && ok && gone.Len() > 0 && ring.Erased != gone.Print()
}

// holds reports whether the remote's newest tree adds up to a commit's logs.
func (z *sealed) holds(commit gitrepo.OID) bool {
	x := z.s.o.Repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	c, err := x.Commit(commit)
	return err == nil && !z.at.IsZero() && c.Tree == z.tree
}

package gitsync

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
)

// joining works out what two commits add up to.
type joining struct {
	s          *Syncer
	x          *gitrepo.Reader
	main, tip  gitrepo.OID // our newest commit, the remote's; main is zero before the first
	restore    bool        // put our own log over the remote's, whatever that holds
	ours       logs
	theirs     logs
	aside      map[string]Aside // before
	over       map[string]gitrepo.OID
	apart, fit []string // logs that are set aside after this, and those that are no longer
	own        []string // logs of this machine of which the remote holds another version
}

// joined is the outcome.
type joined struct {
	commit gitrepo.OID // main, tip, or a new one that joins them
	apart  []string
	fit    []string
	own    []string
}

// join makes one commit of ours and the remote's. Nothing but objects and what is set aside is written.
func (s *Syncer) join(x *gitrepo.Reader, main, tip gitrepo.OID, restore bool) (joined, error) {
	j := joining{s: s, x: x, main: main, tip: tip, restore: restore, over: map[string]gitrepo.OID{}, aside: map[string]Aside{}}
	var err error
	if j.ours, err = logsIn(x, main); err != nil {
		return joined{}, err
	}
	if j.theirs, err = logsIn(x, tip); err != nil {
		return joined{}, err
	}
	list, err := s.Asides()
	if err != nil {
		return joined{}, err
	}
	for _, a := range list {
		j.aside[a.Log] = a
	}
	for _, path := range slices.Sorted(maps.Keys(j.theirs)) {
		if err := j.file(path); err != nil {
			return joined{}, fmt.Errorf("join %s: %w", path, err)
		}
	}
	for path := range j.aside {
		if _, ok := j.theirs[path]; !ok {
			j.apart = append(j.apart, path)
		}
	}
	for path, e := range j.ours {
		if _, ok := j.theirs[path]; !ok {
			j.over[path] = e.OID
		}
	}
	commit, err := j.commit()
	return joined{commit: commit, apart: j.apart, fit: j.fit, own: j.own}, err
}

// file decides about one log that the remote has. What is put over the remote's tree goes into over.
func (j *joining) file(path string) error {
	ours, theirs := j.ours[path], j.theirs[path]
	_, wasApart := j.aside[path]
	if ours.OID == theirs.OID && ours.Mode == theirs.Mode && !wasApart {
		return nil
	}
	if reason, err := unfit(j.x, theirs); err != nil {
		return err
	} else if reason != "" {
		return j.refuse(path, reason, nil)
	}
	own := machineOf(path) == j.s.o.Machine
	if ours.OID.IsZero() && !own && !wasApart && j.s.whole[theirs.OID] { // anything goes on from nothing
		return nil
	}
	remote, err := read(j.x, theirs)
	if err != nil {
		return err
	}
	known, err := j.known(path, wasApart && !own)
	if err != nil {
		return err
	}
	switch v := judge(known, remote); {
	case v == keep:
		return j.keep(path, known)
	case own, v == strange:
		return j.refuse(path, reasonStrange, remote)
	case torn(remote):
		return j.refuse(path, reasonTorn, remote)
	}
	j.settled(path)
	return nil
}

// known is the content of a log that is in force: of one that is set aside, that of the disk, since our newest commit may
// carry the remote's version; of all others that of our newest commit.
func (j *joining) known(path string, apart bool) ([]byte, error) {
	if !apart {
		return read(j.x, j.ours[path])
	}
	data, err := os.ReadFile(filepath.Join(j.s.o.Repo.Dir(), filepath.FromSlash(path)))
	if os.IsNotExist(err) {
		return nil, nil
	}
	return data, err
}

// keep puts our version over the remote's.
func (j *joining) keep(path string, known []byte) error {
	j.settled(path)
	oid, err := j.s.o.Repo.WriteLoose(gitrepo.Blob, known)
	if err == nil && oid != j.theirs[path].OID {
		j.over[path] = oid
	}
	return err
}

// refuse sets the remote's version aside. Another machine's log stays in the tree as the remote has it; the own one is put
// over it only where the person said so.
func (j *joining) refuse(path, reason string, data []byte) error {
	own := machineOf(path) == j.s.o.Machine
	if own && j.restore {
		if ours, ok := j.ours[path]; ok {
			j.over[path] = ours.OID
		}
	} else if own {
		j.own = append(j.own, path)
	}
	j.apart = append(j.apart, path)
	return j.s.setAside(path, reason, j.theirs[path].OID, data, j.aside)
}

func (j *joining) settled(path string) {
	if _, ok := j.aside[path]; ok {
		j.fit = append(j.fit, path)
	}
}

// commit is the commit of the joined tree. One that is there already is taken before a new one is made.
func (j *joining) commit() (gitrepo.OID, error) {
	theirs, err := j.x.Commit(j.tip)
	if err != nil {
		return gitrepo.OID{}, err
	}
	tree, err := j.s.o.Repo.Graft(theirs.Tree, j.over)
	if err != nil {
		return gitrepo.OID{}, err
	}
	if j.main.IsZero() {
		return j.onto(tree, theirs.Tree, j.tip)
	}
	behind, err := j.x.Descends(j.main, j.tip) // the remote has nothing that we do not have
	if err != nil {
		return gitrepo.OID{}, err
	}
	if behind {
		ours, err := j.x.Commit(j.main)
		if err != nil {
			return gitrepo.OID{}, err
		}
		return j.onto(tree, ours.Tree, j.main)
	}
	// After the person had a remote restored, the commits that it had lost are put there as well: other machines see by them
	// that nothing is missing.
	if tree == theirs.Tree && !j.restore {
		return j.tip, nil
	}
	ahead, err := j.x.Descends(j.tip, j.main)
	if err != nil {
		return gitrepo.OID{}, err
	}
	if ahead {
		return j.onto(tree, theirs.Tree, j.tip)
	}
	return j.make(tree, j.main, j.tip)
}

// onto is a commit with the tree that builds on one commit: that commit itself where the trees are equal.
func (j *joining) onto(tree, had, commit gitrepo.OID) (gitrepo.OID, error) {
	if tree == had {
		return commit, nil
	}
	return j.make(tree, commit)
}

func (j *joining) make(tree gitrepo.OID, parents ...gitrepo.OID) (gitrepo.OID, error) {
	message, err := joinMessage(j.x, tree)
	if err != nil {
		return gitrepo.OID{}, err
	}
	return j.s.o.Repo.JoinCommit(tree, message, parents...)
}

// maxNamed is how many machines the subject of a join names.
const maxNamed = 4

// joinMessage is the subject of the commit of a tree: it depends on the tree alone.
func joinMessage(x *gitrepo.Reader, tree gitrepo.OID) (string, error) {
	all, err := logsIn(x, tree)
	if err != nil {
		return "", err
	}
	machines := map[string]bool{}
	for path := range all {
		machines[machineOf(path)] = true
	}
	names := slices.Sorted(maps.Keys(machines))
	if len(names) > maxNamed {
		return fmt.Sprintf("Join the logs of %d machines", len(names)), nil
	}
	return "Join the logs of " + strings.Join(names, ", "), nil
}

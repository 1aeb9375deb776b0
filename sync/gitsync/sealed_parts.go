package gitsync

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/sync/seal"
)

// parts lists the segments of a sealed tree by their paths.
func parts(x *gitrepo.Reader, tree gitrepo.OID) (map[string]gitrepo.OID, error) {
	out := map[string]gitrepo.OID{}
	if tree.IsZero() {
		return out, nil
	}
	top, err := x.Lookup(tree, sealedParts)
	if errors.Is(err, gitrepo.ErrNotFound) || err == nil && !top.IsTree() {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	err = x.Walk(top.OID, sealedParts+"/", func(path string, e gitrepo.TreeEntry) {
		if plain(e) {
			out[path] = e.OID
		}
	})
	return out, err
}

// logs is the plain tree that the segments of a sealed tree add up to. Where from is a tip whose plain commit is given, only what came
// after is read.
func (z *sealed) logs(x *gitrepo.Reader, ring seal.Ring, tree, from, before gitrepo.OID) (gitrepo.OID, error) {
	have, err := parts(x, tree)
	if err != nil {
		return gitrepo.OID{}, err
	}
	var base gitrepo.OID
	if !from.IsZero() {
		old, err := z.partsAt(x, from)
		if err != nil {
			return gitrepo.OID{}, err
		}
		all := true
		for path, oid := range old {
			all = all && have[path] == oid
		}
		if all {
			for path := range old {
				delete(have, path)
			}
			px := z.s.o.Repo.Reader()
			defer px.Close() //nolint:errcheck // opened for reading
			c, err := px.Commit(before)
			if err != nil {
				return gitrepo.OID{}, err
			}
			base = c.Tree
		}
	}
	segs, err := z.open(x, ring, have)
	if err != nil {
		return gitrepo.OID{}, err
	}
	return z.addUp(base, segs)
}

func (z *sealed) partsAt(x *gitrepo.Reader, tip gitrepo.OID) (map[string]gitrepo.OID, error) {
	if tip.IsZero() {
		return nil, nil
	}
	c, err := x.Commit(tip)
	if err != nil {
		return nil, err
	}
	return parts(x, c.Tree)
}

// opened is a segment with its place on the remote.
type opened struct {
	seal.Segment
	path string
}

// open decrypts segments, by log. What cannot be opened, or is no part of a log, is no part of the memory: it is passed over, and the log that
// it would belong to ends before it, so that what is known here stays in force.
func (z *sealed) open(x *gitrepo.Reader, ring seal.Ring, which map[string]gitrepo.OID) (map[string][]opened, error) {
	out := map[string][]opened{}
	z.s.strange = 0
	for path, oid := range which {
		size, err := x.Size(oid)
		if err != nil {
			return nil, err
		}
		if size > 2*seal.MaxData {
			z.s.strange++
			continue
		}
		_, raw, err := x.Object(oid)
		if err != nil {
			return nil, err
		}
		seg, err := ring.OpenSegment(raw)
		if err != nil || !IsLog(seg.Log) || len(seg.Data) == 0 {
			z.s.strange++
			continue
		}
		out[seg.Log] = append(out[seg.Log], opened{seg, path})
	}
	return out, nil
}

// addUp puts segments behind what a plain tree holds.
func (z *sealed) addUp(base gitrepo.OID, segs map[string][]opened) (gitrepo.OID, error) {
	repo := z.s.o.Repo
	x := repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	before, err := logsIn(x, base)
	if err != nil {
		return gitrepo.OID{}, err
	}
	files := map[string]gitrepo.OID{}
	for _, log := range slices.Sorted(maps.Keys(segs)) {
		data, err := read(x, before[log])
		if err != nil {
			return gitrepo.OID{}, err
		}
		data = appended(data, segs[log])
		if len(data) == 0 {
			continue
		}
		oid, err := repo.WriteLoose(gitrepo.Blob, data)
		if err != nil {
			return gitrepo.OID{}, err
		}
		if oid != before[log].OID {
			files[log] = oid
		}
	}
	return repo.Graft(base, files)
}

// appended is a log with segments put behind it, as far as they follow each other.
func appended(data []byte, segs []opened) []byte {
	slices.SortFunc(segs, func(a, b opened) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(len(a.Data), len(b.Data)), bytes.Compare(a.Data, b.Data))
	})
	data = slices.Clone(data)
	for _, s := range segs {
		end := s.From + int64(len(s.Data))
		have := int64(len(data))
		if s.From > have || end <= have || end > maxLog {
			continue
		}
		if over := have - s.From; bytes.Equal(data[s.From:], s.Data[:over]) {
			data = append(data, s.Data[over:]...)
		}
	}
	return data
}

// sealInto works out which files of a sealed tree change so that it holds the logs of a plain commit. Where all is set, nothing of what was
// there is used.
func (z *sealed) sealInto(ring seal.Ring, commit gitrepo.OID, all bool) (map[string]gitrepo.OID, error) {
	px, x := z.s.o.Repo.Reader(), z.repo.Reader()
	defer px.Close() //nolint:errcheck // opened for reading
	defer x.Close()  //nolint:errcheck // opened for reading
	want, err := logsIn(px, commit)
	if err != nil {
		return nil, err
	}
	have := logs{}
	if !all && !z.tree.IsZero() {
		if have, err = logsIn(px, z.tree); err != nil {
			return nil, err
		}
	}
	files := map[string]gitrepo.OID{}
	var there map[string][]opened // read when it is needed
	for _, log := range slices.Sorted(maps.Keys(want)) {
		if want[log].OID == have[log].OID || !plain(want[log]) {
			continue
		}
		data, err := read(px, want[log])
		if err != nil {
			return nil, err
		}
		known, err := read(px, have[log])
		if err != nil {
			return nil, err
		}
		from := int64(len(known))
		if !bytes.HasPrefix(data, known) { // another version takes its place
			if there == nil {
				if there, err = z.allOpened(x, ring); err != nil {
					return nil, err
				}
			}
			for _, o := range there[log] {
				files[o.path] = gitrepo.OID{}
			}
			from = 0
		}
		for _, seg := range seal.Cut(log, from, data[from:]) {
			raw, err := ring.SealSegment(seg)
			if err != nil {
				return nil, err
			}
			name := ring.Name(seg)
			oid, err := z.repo.WriteLoose(gitrepo.Blob, raw)
			if err != nil {
				return nil, fmt.Errorf("seal %s: %w", log, err)
			}
			files[sealedParts+"/"+name[:2]+"/"+name[2:]] = oid
		}
	}
	return files, nil
}

func (z *sealed) allOpened(x *gitrepo.Reader, ring seal.Ring) (map[string][]opened, error) {
	which, err := z.partsAt(x, z.at)
	if err != nil {
		return nil, err
	}
	return z.open(x, ring, which)
}

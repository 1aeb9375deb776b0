package shadow

import (
	"fmt"

	"dormouse/store/gitrepo"
)

// maxChain is how many deltas lie between a version and one that is stored whole, at most.
const maxChain = 24

// packing writes the objects of some turns into one pack. Each is written once; what the repository has already is not written
// again.
type packing struct {
	repo  *gitrepo.Repo // nil: write all, what the repository has too
	out   *gitrepo.PackWriter
	done  map[gitrepo.OID]bool
	last  map[string]link // by path
	count int
}

// link is the newest version of a file in the pack.
type link struct {
	oid   gitrepo.OID
	text  []byte
	depth int
}

func (b *builder) begin() (*packing, error) {
	w, err := b.r.git.NewPack()
	if err != nil {
		return nil, err
	}
	return &packing{repo: b.r.git, out: w, done: map[gitrepo.OID]bool{}, last: map[string]link{}}, nil
}

// has reports whether an object is in the pack, or in the repository.
func (p *packing) has(oid gitrepo.OID) bool {
	if !p.done[oid] && p.repo != nil && p.repo.Has(oid) {
		p.done[oid] = true
	}
	return p.done[oid]
}

func (p *packing) add(k gitrepo.Kind, content []byte) (gitrepo.OID, error) {
	oid := gitrepo.Sum(k, content)
	if p.has(oid) {
		return oid, nil
	}
	p.done[oid] = true
	p.count++
	return p.out.Add(k, content)
}

// version adds a content of a file, as what differs from the version of it that was added last.
func (p *packing) version(path string, content []byte) (gitrepo.OID, error) {
	oid := gitrepo.Sum(gitrepo.Blob, content)
	if p.has(oid) {
		return oid, nil
	}
	p.done[oid] = true
	p.count++
	base, ok := p.last[path]
	depth, delta, err := 0, false, error(nil)
	if ok && base.depth < maxChain {
		_, delta, err = p.out.AddDelta(gitrepo.Blob, content, base.oid, base.text)
	} else {
		_, err = p.out.Add(gitrepo.Blob, content)
	}
	if delta {
		depth = base.depth + 1
	}
	p.last[path] = link{oid, content, depth}
	return oid, err
}

// commit adds a commit of these files, with their trees.
func (p *packing) commit(author string, f files, parent gitrepo.OID, when int64, message string) (gitrepo.OID, error) {
	tree, err := f.write(p.add)
	if err != nil {
		return tree, err
	}
	var parents []gitrepo.OID
	if !parent.IsZero() {
		parents = append(parents, parent)
	}
	return p.add(gitrepo.Commit, gitrepo.EncodeCommitBy(author, tree, parents, when, message))
}

func (p *packing) finish() error {
	if p.count == 0 {
		p.out.Abort()
		return nil
	}
	if err := p.out.Finish(); err != nil {
		return fmt.Errorf("write the shadow history: %w", err)
	}
	return nil
}

func (p *packing) abort() { p.out.Abort() }

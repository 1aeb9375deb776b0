package shadow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/store/project/edit"
)

// Recorded counts what one call of Record added.
type Recorded struct {
	Turns   int
	Files   int // versions of files in them
	Unknown int // of them, those whose content after the turn is not known
	Kept    int // turns that were recorded before and stay
}

// Record brings a session's branch up to date with the session: turns that were recorded and did not go on stay as they are. It
// may be called at any time and any number of times. When it fails, or ctx ends, what is recorded stays whole and the next call
// goes on from there.
func (s *Store) Record(ctx context.Context, x Session) (Recorded, error) {
	r, err := s.repo(x.ProjectID)
	if err != nil {
		return Recorded{}, err
	}
	r.Lock()
	defer r.Unlock()
	c := s.scanOf(x.ID)
	if err := c.read(x); err != nil {
		s.dropScan(x.ID)
		return Recorded{}, err
	}
	turns := c.edited()
	if len(turns) == 0 {
		return Recorded{}, nil
	}
	old, tip, err := r.turns(x.ID)
	if err != nil {
		return Recorded{}, err
	}
	kept := 0
	for kept < len(old) && kept < len(turns) && old[kept].N == turns[kept].n && old[kept].key == turns[kept].key() {
		kept++
	}
	out := Recorded{Kept: kept}
	if kept == len(turns) {
		return out, nil
	}
	if err := s.open(r); err != nil {
		return out, err
	}
	b := &builder{s: s, r: r, x: x, scan: c, tip: tip}
	if b.old, b.oldBefore, err = r.observed(old[kept:]); err != nil {
		return out, err
	}
	if kept > 0 {
		if b.parent, err = gitrepo.ParseOID(old[kept-1].Commit); err != nil {
			return out, err
		}
	}
	if b.places, err = s.places(ctx, x, turns[kept:]); err != nil {
		return out, err
	}
	return b.run(ctx, turns[kept:], out)
}

// places finds for every path of some turns where it belongs and whether it is kept.
func (s *Store) places(ctx context.Context, x Session, turns []*turn) (map[string]placed, error) {
	out := map[string]placed{}
	ask := map[string][]string{}
	for _, t := range turns {
		for _, e := range t.edits {
			for _, p := range e.paths {
				if _, ok := out[p]; ok {
					continue
				}
				at := place(x.roots(), p, s.o.Exclude)
				out[p] = at
				if at.why == "" {
					ask[at.root] = append(ask[at.root], at.rel)
				}
			}
		}
	}
	for root, list := range ask {
		ignored, err := s.o.Ignored(ctx, root, list)
		if err != nil {
			return nil, err
		}
		for p, at := range out {
			if at.root == root && at.why == "" && ignored[at.rel] {
				at.why = WhyIgnored
				out[p] = at
			}
		}
	}
	return out, nil
}

// roots are the project's folders; of a session that took place in none of them, the folder that it began in too, so that a work
// tree that is gone still has its files by their names.
func (x *Session) roots() []string {
	if x.Cwd == "" {
		return x.Roots
	}
	at := resolve(x.Cwd)
	for _, r := range x.Roots {
		r = resolve(r)
		if _, inside := below(r, at); inside || r == at {
			return x.Roots
		}
	}
	return append(slices.Clone(x.Roots), x.Cwd)
}

// builder makes the commits of a session's turns.
type builder struct {
	s      *Store
	r      *repo
	x      Session
	scan   *scan
	places map[string]placed
	tip    gitrepo.OID // what the branch names
	// old and oldBefore are commits in which the disk was seen, after and before turns that are recorded anew.
	old, oldBefore map[observation]gitrepo.OID

	parent gitrepo.OID
	files  files             // of parent
	texts  map[string]string // contents of files that were met, by path
	size   int               // of texts
	pack   *packing
	read   *gitrepo.Reader
}

// observation is a version that was read from the disk: of one file after one turn with so many edits.
type observation struct {
	turn  int
	path  string
	edits int
}

// observed are the commits in which the disk was seen: after turns, and before them (for any number of edits; zero where there was no
// file).
func (r *repo) observed(old []Turn) (after, before map[observation]gitrepo.OID, err error) {
	after, before = map[observation]gitrepo.OID{}, map[observation]gitrepo.OID{}
	x := r.git.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	for i := range old {
		from, to, err := commitsOf(x, &old[i])
		if err != nil {
			return nil, nil, err
		}
		for _, f := range old[i].Files {
			from := from
			if f.After == Disk {
				after[observation{old[i].N, f.Path, f.Edits}] = to
			}
			if slices.Contains(f.Absent, Before) {
				from = gitrepo.OID{}
			}
			if f.Before == Disk {
				before[observation{old[i].N, f.Path, 0}] = from
			}
		}
	}
	return after, before, nil
}

// heldTexts bounds the contents that are kept in memory while turns are recorded, in bytes.
const heldTexts = 64 << 20

// run records turns, one after the other, and moves the branch.
func (b *builder) run(ctx context.Context, turns []*turn, out Recorded) (Recorded, error) {
	b.read = b.r.git.Reader()
	defer func() { _ = b.read.Close() }()
	var err error
	if b.files, err = readFiles(b.read, b.parent); err != nil {
		return out, err
	}
	b.texts = map[string]string{}
	if b.pack, err = b.begin(); err != nil {
		return out, err
	}
	defer func() { b.pack.abort() }()
	for _, t := range turns {
		if ctx.Err() != nil {
			break
		}
		list, err := b.turn(t)
		if err != nil {
			return out, fmt.Errorf("record turn %d of session %s in the shadow history: %w", t.n, b.x.ID, err)
		}
		out.Turns++
		out.Files += len(list)
		for _, f := range list {
			if f.After == Unknown && f.Why == "" {
				out.Unknown++
			}
		}
		if b.size > heldTexts {
			if err := b.flush(); err != nil {
				return out, err
			}
			b.texts, b.size = map[string]string{}, 0
			if b.pack, err = b.begin(); err != nil {
				return out, err
			}
		}
	}
	if err := b.flush(); err != nil {
		return out, err
	}
	return out, errors.Join(ctx.Err(), b.r.pointHead())
}

// flush makes what was recorded durable: the pack, then the branch.
func (b *builder) flush() error {
	if err := b.pack.finish(); err != nil {
		return err
	}
	if b.parent == b.tip {
		return nil
	}
	if err := b.r.git.SetRef(branch(b.x.ID), b.tip, b.parent); err != nil {
		return err
	}
	b.tip = b.parent
	_ = b.read.Close()
	b.read = b.r.git.Reader()
	return nil
}

// changes reads the changes of a turn by file, in the order of the edits.
func (b *builder) changes(t *turn) (order []string, by map[string][]edit.Change, nodes map[string][]*edited, err error) {
	by, nodes = map[string][]edit.Change{}, map[string][]*edited{}
	first := map[placed]string{} // the spelling of a file's path that stands for all
	for _, e := range t.edits {
		n, err := b.x.History.Node(e.id)
		if err != nil {
			return nil, nil, nil, err
		}
		list := edit.Of(&n)
		for i := range list {
			if i >= len(e.paths) {
				break
			}
			p := e.paths[i]
			if p = cmp.Or(first[b.places[p]], p); by[p] == nil {
				first[b.places[p]] = p
				order = append(order, p)
			}
			by[p] = append(by[p], moved(list, i))
			nodes[p] = append(nodes[p], e)
		}
	}
	return order, by, nodes, nil
}

// moved is a call's change i; a file that the same call took away before is what it was made of, when nothing else is known of it.
func moved(list []edit.Change, i int) edit.Change {
	c := list[i]
	if i > 0 && list[i-1].Op == edit.Delete && c.Op == edit.Update && c.Before == nil && list[i-1].Before != nil {
		c.Before = list[i-1].Before
	}
	return c
}

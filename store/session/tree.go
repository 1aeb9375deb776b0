package session

import (
	"errors"
	"fmt"
	"slices"

	"dormouse/store/gitrepo"
)

// maxDepth is how many deltas a tree may stand on: git reads through each of them.
const maxDepth = 40

// treePacker packs the trees of history/ of several lanes. Of a lane the newest tree is packed, and the older ones, which are its
// beginnings, as a few bytes each; the newest tree of a fork holds only what it does not share with the lane that it forks
// from, when that is in the pack.
type treePacker struct {
	pack  *gitrepo.PackWriter
	lanes *lanes
	entry func(place int) *entry
	done  map[int]grown // by lane
}

// grown is a lane's newest tree in the pack: its length in bytes and nodes, and how many deltas it stands on.
type grown struct {
	oid          gitrepo.OID
	bytes, nodes int
	depth        int
}

func newTrees(pack *gitrepo.PackWriter, l *lanes, entry func(int) *entry) *treePacker {
	return &treePacker{pack: pack, lanes: l, entry: entry, done: map[int]grown{}}
}

// add packs a lane's trees with these numbers of nodes, which rise, and gives their names.
func (f *treePacker) add(lane int, lens []int) ([]gitrepo.OID, error) {
	newest := lens[len(lens)-1]
	tree := make([]byte, 0, newest*56)
	ends := make([]int, 0, newest)
	for place := range f.lanes.places(lane, newest) {
		e := f.entry(place)
		tree = gitrepo.AppendEntry(tree, gitrepo.TreeEntry{Mode: gitrepo.ModeFile, Name: e.name, OID: e.oid})
		ends = append(ends, len(tree))
	}
	var prefixes []int
	for _, n := range lens[:len(lens)-1] {
		prefixes = append(prefixes, ends[n-1])
	}
	g := grown{bytes: len(tree), nodes: newest}
	base, ok := f.done[f.lanes.all[lane].parent]
	var older []gitrepo.OID
	var err error
	if ok && base.depth+1 < maxDepth {
		shared := ends[min(f.lanes.all[lane].shared, base.nodes)-1]
		g.depth = base.depth + 1
		g.oid, older, err = f.pack.AddBranch(gitrepo.Tree, gitrepo.Base{OID: base.oid, Size: base.bytes, Shared: shared}, tree, prefixes)
	} else {
		g.oid, older, err = f.pack.AddPrefixes(gitrepo.Tree, tree, prefixes)
	}
	f.done[lane] = g
	return append(older, g.oid), err
}

// treeEnds gives for every node of a lane that is committed or loaded where it ends in the content of history's tree.
func (st *state) treeEnds(lane int) []int { return treeEnds(&st.lanes, lane, st.entries) }

func treeEnds(l *lanes, lane int, entries []entry) []int {
	ends := make([]int, 0, l.all[lane].committed)
	at := 0
	for place := range l.places(lane, l.all[lane].committed) {
		at += gitrepo.EntryLen(entries[place].name)
		ends = append(ends, at)
	}
	return ends
}

// errNotOurs says that somebody else made a commit.
var errNotOurs = errors.New("its history/ is not the start of the newest one")

// nodeCount is how many nodes a commit has. The tree of history/ only ever grew at its end, so its size tells.
func nodeCount(r *gitrepo.Reader, c gitrepo.CommitInfo, ends []int) (int, error) {
	root, err := r.Tree(c.Tree)
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(root, func(e gitrepo.TreeEntry) bool { return e.Name == historyDir && e.IsTree() })
	if i < 0 {
		return 0, nil
	}
	size, err := r.Size(root[i].OID)
	if err != nil {
		return 0, err
	}
	at, exact := slices.BinarySearch(ends, size)
	if !exact {
		return 0, fmt.Errorf("commit %s: %w", c.OID, errNotOurs)
	}
	return at + 1, nil
}

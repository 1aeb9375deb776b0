package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
)

// worktree is what git shows of a session: HEAD, the index and the files in history/. It is derived: while a git command
// holds the index, it is let be.
type worktree struct {
	repo      *gitrepo.Repo
	lanes     *lanes
	entries   []entry
	committed int  // of entries
	copied    bool // entries are not the session's own any more, which readers have
}

// change gives an entry to be changed with its file.
func (w *worktree) change(i int) *entry {
	if !w.copied {
		w.entries, w.copied = slices.Clone(w.entries), true
	}
	return &w.entries[i]
}

// shown is the lane whose branch is checked out. While it is another branch, or none, work tree and index are somebody else's.
func (w *worktree) shown() (lane int, ok bool, err error) {
	head, err := w.repo.Head()
	if err != nil {
		return none, false, err
	}
	if lane, ok = w.lanes.byRef(head); !ok && head == gitrepo.MainBranch && !w.exists(head) {
		return none, true, nil // nothing was committed on main yet
	}
	return lane, ok, nil
}

func (w *worktree) exists(ref string) bool {
	oid, err := w.repo.Ref(ref)
	return err != nil || !oid.IsZero()
}

// onto says for every committed node whether it is on a lane's branch; of no lane, none is.
func (w *worktree) onto(lane int) []bool {
	on := make([]bool, w.committed)
	if lane != none {
		for place := range w.lanes.places(lane, w.lanes.all[lane].committed) {
			on[place] = true
		}
	}
	return on
}

// follow brings work tree and index up to date after commits. When the branch that was followed before is checked out, the one
// that is followed now takes its place; somebody's own choice of a branch stays. The nodes from a place on were committed just
// now.
func (w *worktree) follow(before, now string, from int) error {
	head, err := w.repo.Head()
	if err != nil {
		return err
	}
	if head == before && now != before {
		if lane, ok := w.lanes.byRef(now); ok {
			return w.show(lane)
		}
	}
	lane, ok, err := w.shown()
	if err != nil {
		return err
	}
	if !ok || lane == none {
		return w.clear(w.onto(none), from)
	}
	if err := w.writeIndex(lane); err != nil {
		return err
	}
	return w.clear(w.onto(lane), 0)
}

// show checks a lane out: first the files that are missing, then HEAD and the index, then what is not on it is removed. A cold
// session stays cold.
func (w *worktree) show(lane int) error {
	was, ok, err := w.shown()
	if err != nil {
		return err
	}
	if !ok {
		was = none
	}
	if err := w.lookAgain(); err != nil {
		return err
	}
	before, on := w.onto(was), w.onto(lane)
	if err := w.thaw(before, on); err != nil {
		return err
	}
	if err := w.repo.SetHead(w.lanes.all[lane].ref); err != nil {
		return err
	}
	if err := w.writeIndex(lane); err != nil {
		return err
	}
	return w.clear(on, 0)
}

// lookAgain finds out which files are in the work tree: somebody may have checked another branch out.
func (w *worktree) lookAgain() error {
	list, err := os.ReadDir(filepath.Join(w.repo.Dir(), historyDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	there := make(map[string]fs.DirEntry, len(list))
	for _, d := range list {
		there[d.Name()] = d
	}
	for i := range w.committed {
		d, hot := there[w.entries[i].name]
		if hot == w.entries[i].hot {
			continue
		}
		e := w.change(i)
		e.hot, e.stat = hot, gitrepo.Stat{}
		if hot {
			if info, err := d.Info(); err == nil {
				e.stat = gitrepo.StatOf(info)
			}
		}
	}
	return nil
}

// thaw writes the files of nodes that come into the work tree, when those that go lie in it.
func (w *worktree) thaw(before, on []bool) error {
	hot := false
	for i, stays := range on {
		hot = hot || before[i] && !stays && w.entries[i].hot
	}
	if !hot {
		return nil
	}
	want := make([]bool, len(on))
	for i := range on {
		want[i] = on[i] && !before[i]
	}
	return w.fill(want)
}

// fill writes the files of nodes that are not in the work tree.
func (w *worktree) fill(want []bool) error {
	r := w.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	for i := range want {
		if !want[i] || w.entries[i].hot {
			continue
		}
		e := w.change(i)
		data, err := readEntry(w.repo, r, e)
		if err != nil {
			return err
		}
		if e.stat, err = writeNode(w.repo.Dir(), e.name, data); err != nil {
			return err
		}
		e.hot = true
	}
	return nil
}

// clear removes the files of committed nodes from a place on that are not on the branch: they would be in the way of a
// checkout. One that was changed by hand stays; one that a power cut emptied does not.
func (w *worktree) clear(on []bool, from int) error {
	for i := from; i < len(on); i++ {
		if on[i] || !w.entries[i].hot {
			continue
		}
		path := filepath.Join(w.repo.Dir(), historyDir, w.entries[i].name)
		data, err := os.ReadFile(path)
		if err == nil && len(data) > 0 && gitrepo.Sum(gitrepo.Blob, data) != w.entries[i].oid {
			continue
		}
		if err == nil {
			err = disk.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		e := w.change(i)
		e.hot, e.stat = false, gitrepo.Stat{}
	}
	return nil
}

// writeIndex makes git's index show a lane's nodes and what else is in its newest commit.
func (w *worktree) writeIndex(lane int) error {
	l := &w.lanes.all[lane]
	rest, err := w.restFiles(l)
	if err != nil {
		return err
	}
	err = w.repo.WriteIndex(l.committed+len(rest), func(yield func(gitrepo.IndexEntry) bool) {
		i := 0
		for ; i < len(rest) && rest[i].Path < historyDir+"/"; i++ {
			if !yield(rest[i]) {
				return
			}
		}
		for place := range w.lanes.places(lane, l.committed) {
			e := &w.entries[place]
			if !yield(gitrepo.IndexEntry{Path: historyDir + "/" + e.name, OID: e.oid, Cold: !e.hot, Stat: e.stat}) {
				return
			}
		}
		for ; i < len(rest); i++ {
			if !yield(rest[i]) {
				return
			}
		}
	})
	if errors.Is(err, gitrepo.ErrBusy) {
		return nil
	}
	return err
}

// restFiles lists the files that somebody committed beside history/, in the order of their paths.
func (w *worktree) restFiles(l *lane) ([]gitrepo.IndexEntry, error) {
	var out []gitrepo.IndexEntry
	r := w.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	for _, e := range l.rest {
		add := func(path string, e gitrepo.TreeEntry) {
			out = append(out, gitrepo.IndexEntry{Path: path, OID: e.OID, Mode: e.Mode, Cold: w.coldFile(path)})
		}
		if !e.IsTree() {
			add(e.Name, e)
		} else if err := r.Walk(e.OID, e.Name+"/", add); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b gitrepo.IndexEntry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

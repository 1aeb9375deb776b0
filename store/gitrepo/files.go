package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CommitFiles commits work-tree files on the main branch: paths (with slashes, relative to the work tree) are added to the
// tree of the newest commit as they are now, and taken out of it where they are gone. Trees are read and written only along
// these paths. When that changes nothing, there is no commit and the result is the branch's newest one. All is durable on
// return. Git status is clean afterwards for these files.
func (r *Repo) CommitFiles(paths []string, message string, when int64) (OID, error) {
	r.writing.Lock()
	defer r.writing.Unlock()
	head, err := r.Ref(MainBranch)
	if err != nil {
		return head, err
	}
	change, stats, err := r.addFiles(paths)
	if err != nil {
		return head, err
	}
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	var old OID
	var parents []OID
	if !head.IsZero() {
		c, err := x.Commit(head)
		if err != nil {
			return head, err
		}
		old, parents = c.Tree, []OID{head}
	}
	tree, err := change.write(r, x, old)
	if err != nil {
		return head, err
	}
	if tree == old {
		return head, nil
	}
	if tree.IsZero() {
		if tree, err = r.WriteLoose(Tree, nil); err != nil {
			return head, err
		}
	}
	commit, err := r.WriteLoose(Commit, EncodeCommit(tree, parents, when, message))
	if err != nil {
		return head, err
	}
	if err := r.SetRef(MainBranch, head, commit); err != nil {
		return head, err
	}
	return commit, r.indexTree(x, tree, stats)
}

// folder is a change to a tree: files that are new or gone (zero), and folders that are changed.
type folder struct {
	files map[string]OID
	dirs  map[string]*folder
}

func newFolder() *folder { return &folder{files: map[string]OID{}, dirs: map[string]*folder{}} }

// addFiles stores the files' contents and gives the change to the tree, and what git shall compare later.
func (r *Repo) addFiles(paths []string) (*folder, map[string]Stat, error) {
	root, stats := newFolder(), map[string]Stat{}
	for _, p := range paths {
		parts := strings.Split(p, "/")
		if !filepath.IsLocal(filepath.FromSlash(p)) || slices.Contains(parts, ".git") || strings.Contains(p, "//") {
			return nil, nil, fmt.Errorf("commit %q in %s: not a path below the folder", p, r.dir)
		}
		oid, stat, err := r.addFile(filepath.Join(r.dir, filepath.FromSlash(p)))
		if err != nil {
			return nil, nil, fmt.Errorf("commit %s: %w", p, err)
		}
		stats[p] = stat
		root.add(p, oid)
	}
	return root, stats, nil
}

// addFile stores one file; the zero OID when it is gone. The Stat is zero when the file changed while it was read.
func (r *Repo) addFile(path string) (OID, Stat, error) {
	before, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return OID{}, Stat{}, nil
	}
	if err != nil {
		return OID{}, Stat{}, err
	}
	if !before.Mode().IsRegular() {
		return OID{}, Stat{}, errors.New("not a regular file")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return OID{}, Stat{}, err
	}
	oid, err := r.WriteLoose(Blob, data)
	if err != nil {
		return OID{}, Stat{}, err
	}
	stat := StatOf(before)
	if after, err := os.Lstat(path); err != nil || StatOf(after) != stat || int(stat.Size) != len(data) {
		stat = Stat{}
	}
	return oid, stat, nil
}

// write stores the changed trees and gives the name of the new tree in place of old; zero when nothing is left in it.
func (f *folder) write(r *Repo, x *Reader, old OID) (OID, error) {
	var entries []TreeEntry
	if !old.IsZero() {
		var err error
		if entries, err = x.Tree(old); err != nil {
			return OID{}, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.dirs)) {
		var sub OID
		if i := find(entries, name); i >= 0 && entries[i].IsTree() {
			sub = entries[i].OID
		}
		oid, err := f.dirs[name].write(r, x, sub)
		if err != nil {
			return OID{}, err
		}
		entries = put(entries, TreeEntry{Mode: ModeTree, Name: name, OID: oid})
	}
	for name, oid := range f.files {
		entries = put(entries, TreeEntry{Mode: ModeFile, Name: name, OID: oid})
	}
	if len(entries) == 0 {
		return OID{}, nil
	}
	return r.WriteLoose(Tree, EncodeTree(entries))
}

func find(entries []TreeEntry, name string) int {
	return slices.IndexFunc(entries, func(e TreeEntry) bool { return e.Name == name })
}

// put replaces the entry of e's name by e, or takes it out when e names no object.
func put(entries []TreeEntry, e TreeEntry) []TreeEntry {
	if i := find(entries, e.Name); i >= 0 {
		entries = slices.Delete(entries, i, i+1)
	}
	if e.OID.IsZero() {
		return entries
	}
	return append(entries, e)
}

// indexTree makes the index show a tree. It is derived, so a git command that holds it is let be, and so is a work tree that
// shows another branch.
func (r *Repo) indexTree(x *Reader, tree OID, stats map[string]Stat) error {
	if !r.OnMain() {
		return nil
	}
	var list []IndexEntry
	err := x.Walk(tree, "", func(path string, e TreeEntry) {
		cold := r.Cold != nil && r.Cold(path)
		list = append(list, IndexEntry{Path: path, OID: e.OID, Mode: e.Mode, Stat: stats[path], Cold: cold})
	})
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b IndexEntry) int { return strings.Compare(a.Path, b.Path) })
	if err := r.WriteIndex(len(list), slices.Values(list)); !errors.Is(err, ErrBusy) {
		return err
	}
	return nil
}

// Walk visits every file of a tree; prefix begins their paths.
func (x *Reader) Walk(tree OID, prefix string, visit func(path string, e TreeEntry)) error {
	entries, err := x.Tree(tree)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsTree() {
			visit(prefix+e.Name, e)
		} else if err := x.Walk(e.OID, prefix+e.Name+"/", visit); err != nil {
			return err
		}
	}
	return nil
}

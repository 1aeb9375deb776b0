package shadow

import (
	"maps"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
)

// files are the files of a tree, by their paths.
type files map[string]gitrepo.OID

// set puts a file in; what stood in its way, as a folder of that name or as a file above it, goes.
func (f files) set(path string, oid gitrepo.OID) {
	for i, c := range path {
		if c == '/' {
			delete(f, path[:i])
		}
	}
	maps.DeleteFunc(f, func(p string, _ gitrepo.OID) bool { return strings.HasPrefix(p, path+"/") })
	f[path] = oid
}

// write stores the trees and gives the name of the root.
func (f files) write(add func(k gitrepo.Kind, content []byte) (gitrepo.OID, error)) (gitrepo.OID, error) {
	paths := slices.Sorted(maps.Keys(f))
	return f.level(paths, "", add)
}

// level stores the tree of the files at these paths, which begin with prefix.
func (f files) level(paths []string, prefix string, add func(gitrepo.Kind, []byte) (gitrepo.OID, error)) (gitrepo.OID, error) {
	var entries []gitrepo.TreeEntry
	for len(paths) > 0 {
		name, _, folder := strings.Cut(paths[0][len(prefix):], "/")
		if !folder {
			entries = append(entries, gitrepo.TreeEntry{Mode: gitrepo.ModeFile, Name: name, OID: f[paths[0]]})
			paths = paths[1:]
			continue
		}
		below := prefix + name + "/"
		n := 0
		for n < len(paths) && strings.HasPrefix(paths[n], below) {
			n++
		}
		oid, err := f.level(paths[:n], below, add)
		if err != nil {
			return oid, err
		}
		entries = append(entries, gitrepo.TreeEntry{Mode: gitrepo.ModeTree, Name: name, OID: oid})
		paths = paths[n:]
	}
	return add(gitrepo.Tree, gitrepo.EncodeTree(entries))
}

// readFiles lists the files of a commit; none for the zero name.
func readFiles(x *gitrepo.Reader, commit gitrepo.OID) (files, error) {
	f := files{}
	if commit.IsZero() {
		return f, nil
	}
	err := x.Walk(commit, "", func(path string, e gitrepo.TreeEntry) { f[path] = e.OID })
	return f, err
}

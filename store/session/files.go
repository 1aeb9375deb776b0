package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// filesDir is the folder of what is too long for a node's file, or no text. It is committed with the nodes and never lies in the
// work tree, where git's index says that it is not missed.
const filesDir = "files"

// nodeFile is a file of a node.
type nodeFile struct {
	name string // in files/
	oid  gitrepo.OID
}

// File stores a text or an image of a node that is appended afterwards, with the reference in its Metadata.Files. ext is the file's
// extension without a dot. The content is read three times and never whole in memory. It is durable on return and part of
// the session once the node is.
func (b *Batch) File(content io.ReadSeeker, ext string) (memory.File, error) {
	var f memory.File
	if b.done || !safeName(ext) {
		return f, fmt.Errorf("store a file of session %s: the batch is closed, or %q is no extension", b.x.id, ext)
	}
	if err := b.open(); err != nil {
		return f, b.fail(err)
	}
	h := sha256.New()
	size, err := io.Copy(h, content)
	if err == nil {
		_, err = content.Seek(0, io.SeekStart)
	}
	if err != nil {
		return f, fmt.Errorf("store a file of session %s: %w", b.x.id, err)
	}
	oid, err := b.st.repo.WriteLooseFrom(gitrepo.Blob, size, content)
	if err != nil {
		return f, b.fail(err)
	}
	sum := hex.EncodeToString(h.Sum(nil))
	return memory.File{Path: filesDir + "/" + sum + "." + ext, Bytes: size, SHA256: sum, Blob: oid.String()}, nil
}

// File opens a file of a node. The error wraps ErrNoFile when the session does not have it. Close must be called.
func (x *Session) File(f memory.File) (io.ReadCloser, error) {
	oid, err := gitrepo.ParseOID(f.Blob)
	if err != nil {
		return nil, fmt.Errorf("open %s of session %s: %w", f.Path, x.id, err)
	}
	v, err := x.look(false)
	if err != nil {
		return nil, err
	}
	r := v.repo.Reader()
	_, _, content, err := r.Stream(oid)
	if err != nil {
		_ = r.Close()
		if errors.Is(err, gitrepo.ErrNotFound) {
			err = fmt.Errorf("%w: %w", ErrNoFile, err)
		}
		return nil, fmt.Errorf("open %s of session %s: %w", f.Path, x.id, err)
	}
	return fileReader{content, r}, nil
}

// ErrNoFile says that a file of a node is not in the session.
var ErrNoFile = errors.New("file not found")

type fileReader struct {
	io.ReadCloser
	repo *gitrepo.Reader
}

func (f fileReader) Close() error { return errors.Join(f.ReadCloser.Close(), f.repo.Close()) }

// nodeFiles are the files of a node, as far as their references are what File gave.
func nodeFiles(n *memory.Node) (out []nodeFile) {
	for _, f := range n.Metadata.Files {
		dir, name := filepath.Split(filepath.FromSlash(f.Path))
		if oid, err := gitrepo.ParseOID(f.Blob); err == nil && filepath.Clean(dir) == filesDir && safeName(name) {
			out = append(out, nodeFile{name, oid})
		}
	}
	return out
}

// files adds the files of nodes to what a commit holds beside history/. One that is gone is left out and named: a user's git gc
// may have taken it before its turn was over.
func (c *commits) files(rest []gitrepo.TreeEntry, places []int32) ([]gitrepo.TreeEntry, error) {
	var list []gitrepo.TreeEntry
	at := slices.IndexFunc(rest, func(e gitrepo.TreeEntry) bool { return e.Name == filesDir && e.IsTree() })
	added := false
	for _, place := range places {
		for _, f := range c.b.head(int(place)).files {
			if !added && at >= 0 {
				var err error
				if list, err = c.r.Tree(rest[at].OID); err != nil {
					return nil, err
				}
			}
			added = true
			if slices.ContainsFunc(list, func(e gitrepo.TreeEntry) bool { return e.Name == f.name }) {
				continue
			}
			if !c.b.st.repo.Has(f.oid) {
				c.b.st.problem("%s/%s is gone; what the agent's transcript still holds of it is lost here", filesDir, f.name)
				continue
			}
			list = append(list, gitrepo.TreeEntry{Mode: gitrepo.ModeFile, Name: f.name, OID: f.oid})
		}
	}
	if !added || len(list) == 0 {
		return rest, nil
	}
	oid, err := c.b.st.repo.WriteLoose(gitrepo.Tree, gitrepo.EncodeTree(list))
	if err != nil {
		return nil, err
	}
	tree := gitrepo.TreeEntry{Mode: gitrepo.ModeTree, Name: filesDir, OID: oid}
	rest = slices.Clone(rest)
	if at >= 0 {
		rest[at] = tree
		return rest, nil
	}
	return append(rest, tree), nil
}

// gather packs the files that were stored one by one, with those that were packed so before.
func (st *state) gather() error {
	loose, err := st.repo.Loose()
	if err != nil || len(loose) == 0 {
		return err
	}
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	all, err := records(r, &st.lanes, st.entries)
	if err != nil {
		return err
	}
	packs, err := st.repo.Packs()
	if err != nil {
		return err
	}
	for _, c := range all {
		name, err := r.PackOf(c.OID)
		if err != nil {
			return err
		}
		packs = slices.DeleteFunc(packs, func(p gitrepo.PackInfo) bool { return p.Name == name })
	}
	var names []string
	for _, p := range packs {
		names = append(names, p.Name)
	}
	if err := r.Close(); err != nil {
		return err
	}
	return st.repo.Gather(loose, names)
}

// coldFile reports whether a committed file beside history/ is not in the work tree and is not missed there.
func (w *worktree) coldFile(path string) bool {
	if filepath.Dir(filepath.FromSlash(path)) != filesDir {
		return false
	}
	_, err := os.Lstat(filepath.Join(w.repo.Dir(), filepath.FromSlash(path)))
	return err != nil
}

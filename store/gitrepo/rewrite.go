package gitrepo

import (
	"bytes"
	"fmt"
	"strings"
)

// Rewrite stores commits again with other files: change gives the content that takes a file's place, or the same content. It is
// asked for plain files alone, of each content once. The result names what took the place of each commit that is reachable
// from tips; a commit in which nothing changed keeps its name. Commits in same are known to stay as they are, with all that
// they build on. Author, time and message stay, so whoever changes the same
// commits in the same way makes the same ones. No ref is moved and nothing is removed.
func (r *Repo) Rewrite(tips []OID, wanted func(path string) bool, same map[OID]bool, change func(data []byte) ([]byte, error)) (map[OID]OID, error) {
	w, err := r.NewPack()
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	rw := rewrite{x: x, w: w, wanted: wanted, change: change, commits: map[OID]OID{}, trees: map[placed]OID{}, blobs: map[OID]OID{}, added: map[OID]bool{}}
	for oid := range same {
		rw.commits[oid] = oid
	}
	for _, tip := range tips {
		if err := rw.history(tip); err != nil {
			return nil, fmt.Errorf("rewrite the history of %s: %w", r.dir, err)
		}
	}
	return rw.commits, w.Finish()
}

type rewrite struct {
	x       *Reader
	w       *PackWriter
	wanted  func(path string) bool
	change  func(data []byte) ([]byte, error)
	commits map[OID]OID
	trees   map[placed]OID
	blobs   map[OID]OID
	added   map[OID]bool // stored in the new pack
}

// placed is a tree where it stands: the same folder may be wanted in one place and not in another.
type placed struct {
	path string
	tree OID
}

// history rewrites a commit after all that it builds on.
func (rw *rewrite) history(tip OID) error {
	if tip.IsZero() {
		return nil
	}
	for stack := []OID{tip}; len(stack) > 0; {
		at := stack[len(stack)-1]
		if _, done := rw.commits[at]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		c, err := rw.x.Commit(at)
		if err != nil {
			return err
		}
		ready := true
		for _, p := range c.Parents {
			if _, done := rw.commits[p]; !done {
				stack, ready = append(stack, p), false
			}
		}
		if !ready {
			continue
		}
		if rw.commits[at], err = rw.commit(c); err != nil {
			return fmt.Errorf("commit %s: %w", at, err)
		}
		stack = stack[:len(stack)-1]
	}
	return nil
}

func (rw *rewrite) commit(c CommitInfo) (OID, error) {
	tree, err := rw.tree("", c.Tree)
	if err != nil {
		return c.OID, err
	}
	same := tree == c.Tree
	for _, p := range c.Parents {
		same = same && rw.commits[p] == p
	}
	if same {
		return c.OID, nil
	}
	_, raw, err := rw.x.Object(c.OID)
	if err != nil {
		return c.OID, err
	}
	head, message, _ := bytes.Cut(raw, []byte("\n\n"))
	var out bytes.Buffer
	for line := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "tree":
			line = "tree " + tree.String() + "\n"
		case "parent":
			p, err := ParseOID(value)
			if err != nil {
				return c.OID, err
			}
			line = "parent " + rw.commits[p].String() + "\n"
		}
		out.WriteString(strings.TrimSuffix(line, "\n") + "\n")
	}
	out.WriteByte('\n')
	out.Write(message)
	return rw.add(Commit, out.Bytes())
}

func (rw *rewrite) tree(path string, oid OID) (OID, error) {
	at := placed{path, oid}
	if to, ok := rw.trees[at]; ok {
		return to, nil
	}
	entries, err := rw.x.Tree(oid)
	if err != nil {
		return oid, err
	}
	changed := false
	for i, e := range entries {
		to := e.OID
		switch {
		case e.IsTree():
			to, err = rw.tree(path+e.Name+"/", e.OID)
		case e.Mode&0o170000 == ModeFile&0o170000 && rw.wanted(path+e.Name):
			to, err = rw.blob(e.OID)
		}
		if err != nil {
			return oid, fmt.Errorf("%s%s: %w", path, e.Name, err)
		}
		changed = changed || to != e.OID
		entries[i].OID = to
	}
	to := oid
	if changed {
		if to, err = rw.add(Tree, EncodeTree(entries)); err != nil {
			return oid, err
		}
	}
	rw.trees[at] = to
	return to, nil
}

func (rw *rewrite) blob(oid OID) (OID, error) {
	if to, ok := rw.blobs[oid]; ok {
		return to, nil
	}
	_, data, err := rw.x.Object(oid)
	if err != nil {
		return oid, err
	}
	now, err := rw.change(data)
	if err != nil {
		return oid, err
	}
	to := oid
	if !bytes.Equal(now, data) {
		if to, err = rw.add(Blob, now); err != nil {
			return oid, err
		}
	}
	rw.blobs[oid] = to
	return to, nil
}

// add stores an object unless the repository has it.
func (rw *rewrite) add(k Kind, content []byte) (OID, error) {
	oid := Sum(k, content)
	if rw.added[oid] || rw.x.repo.Has(oid) {
		return oid, nil
	}
	rw.added[oid] = true
	return rw.w.Add(k, content)
}

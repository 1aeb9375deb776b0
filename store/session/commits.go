package session

import (
	"fmt"
	"slices"

	"dormouse/store/gitrepo"
)

// Commit is one commit of a session.
type Commit struct {
	SHA     string
	Turn    int // that the message names
	Message string
	When    int64    // Unix seconds
	Nodes   []string // ids of the nodes that it added
}

// Commits lists the session's commits, newest first.
func (x *Session) Commits() ([]Commit, error) {
	v, err := x.look(false)
	if err != nil {
		return nil, err
	}
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	ends := treeEnds(v.entries)
	var out []Commit
	var counts []int
	for c, err := range r.Log(v.tip) {
		if err != nil {
			return nil, fmt.Errorf("commits of session %s: %w", x.id, err)
		}
		n, err := nodeCount(r, c, ends)
		if err != nil {
			return nil, fmt.Errorf("commits of session %s: %w", x.id, err)
		}
		turn, _, _, _ := parseMessage(c.Message)
		out = append(out, Commit{SHA: c.OID.String(), Turn: turn, Message: c.Message, When: c.When})
		counts = append(counts, n)
	}
	for i := range out {
		before := 0
		if i+1 < len(out) {
			before = counts[i+1]
		}
		for _, e := range v.entries[min(before, counts[i]):counts[i]] {
			out[i].Nodes = append(out[i].Nodes, e.id())
		}
	}
	return out, nil
}

// treeEnds gives for every entry where it ends in the content of history's tree.
func treeEnds(entries []entry) []int {
	ends := make([]int, len(entries))
	at := 0
	for i := range entries {
		at += gitrepo.EntryLen(entries[i].name)
		ends[i] = at
	}
	return ends
}

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
		return 0, fmt.Errorf("commit %s: its history/ is not the start of the newest one", c.OID)
	}
	return at + 1, nil
}

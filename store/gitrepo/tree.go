package gitrepo

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// Modes of a tree's entries.
const (
	ModeFile = 0o100644
	ModeTree = 0o040000
)

// TreeEntry is one line of a tree.
type TreeEntry struct {
	Mode uint32
	Name string
	OID  OID
}

// IsTree reports whether the entry is a folder.
func (e TreeEntry) IsTree() bool { return e.Mode == ModeTree }

// AppendEntry adds an entry to a tree's content. The caller adds them in git's order: by name, a folder's name taken with a
// slash at its end.
func AppendEntry(raw []byte, e TreeEntry) []byte {
	raw = strconv.AppendUint(raw, uint64(e.Mode), 8)
	raw = append(append(raw, ' '), e.Name...)
	return append(append(raw, 0), e.OID[:]...)
}

// EntryLen is the number of bytes that AppendEntry adds for a file with this name.
func EntryLen(name string) int { return len("100644 ") + len(name) + 1 + len(OID{}) }

// EncodeTree is the content of a tree with these entries, which it sorts.
func EncodeTree(entries []TreeEntry) []byte {
	slices.SortFunc(entries, func(a, b TreeEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	var raw []byte
	for _, e := range entries {
		raw = AppendEntry(raw, e)
	}
	return raw
}

func sortName(e TreeEntry) string {
	if e.IsTree() {
		return e.Name + "/"
	}
	return e.Name
}

// ParseTree reads a tree's content as Entries does.
func ParseTree(raw []byte) ([]TreeEntry, error) {
	const typical = 56 // bytes of an entry
	out := make([]TreeEntry, 0, len(raw)/typical+1)
	for e, err := range Entries(raw) {
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// fileMode644 is how a tree writes ModeFile, with the blank that follows.
const fileMode644 = "100644 "

// Entries reads a tree's content one by one. The names are parts of raw, which must not be changed any more: a copy of a long tree
// would cost as much as reading it. It ends after the first error.
func Entries(raw []byte) iter.Seq2[TreeEntry, error] {
	return func(yield func(TreeEntry, error) bool) {
		text := unsafe.String(unsafe.SliceData(raw), len(raw))
		for at := 0; at < len(text); {
			mode, name := uint64(ModeFile), at+len(fileMode644)
			if !strings.HasPrefix(text[at:], fileMode644) {
				space := strings.IndexByte(text[at:], ' ')
				var err error
				if mode, err = strconv.ParseUint(text[at:at+max(space, 0)], 8, 32); err != nil {
					yield(TreeEntry{}, errors.New("damaged tree"))
					return
				}
				name = at + space + 1
			}
			end := strings.IndexByte(text[name:], 0)
			oid := name + end + 1
			if end < 1 || len(text)-oid < len(OID{}) {
				yield(TreeEntry{}, errors.New("damaged tree"))
				return
			}
			if !yield(TreeEntry{Mode: uint32(mode), Name: text[name : oid-1], OID: OID(raw[oid:])}, nil) {
				return
			}
			at = oid + len(OID{})
		}
	}
}

// Tree reads the entries of a tree, or of a commit's tree.
func (x *Reader) Tree(oid OID) ([]TreeEntry, error) {
	k, raw, err := x.Object(oid)
	if err == nil && k == Commit {
		var c CommitInfo
		if c, err = parseCommit(oid, raw); err == nil {
			k, raw, err = x.Object(c.Tree)
		}
	}
	if err != nil {
		return nil, err
	}
	if k != Tree {
		return nil, fmt.Errorf("object %s is a %s, not a tree", oid, k)
	}
	return ParseTree(raw)
}

// Lookup finds what lies at a path (with slashes) in a tree or a commit. The error wraps ErrNotFound when nothing does.
func (x *Reader) Lookup(root OID, path string) (TreeEntry, error) {
	at := TreeEntry{Mode: ModeTree, OID: root}
	for name := range strings.SplitSeq(path, "/") {
		if !at.IsTree() {
			return TreeEntry{}, fmt.Errorf("%s in %s: %w", path, root, ErrNotFound)
		}
		entries, err := x.Tree(at.OID)
		if err != nil {
			return TreeEntry{}, err
		}
		i := slices.IndexFunc(entries, func(e TreeEntry) bool { return e.Name == name })
		if i < 0 {
			return TreeEntry{}, fmt.Errorf("%s in %s: %w", path, root, ErrNotFound)
		}
		at = entries[i]
	}
	return at, nil
}

// File reads the file at a path (with slashes) in a tree or a commit. The error wraps ErrNotFound when there is none.
func (x *Reader) File(root OID, path string) ([]byte, error) {
	e, err := x.Lookup(root, path)
	if err != nil {
		return nil, err
	}
	k, data, err := x.Object(e.OID)
	if err == nil && k != Blob {
		err = fmt.Errorf("%s in %s is a %s, not a file", path, root, k)
	}
	return data, err
}

package gitrepo

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Author signs every commit that is made here, so that equal content gives equal commits on every machine.
const Author = "Dormouse <dormouse@localhost>"

// CommitInfo is what a commit says.
type CommitInfo struct {
	OID     OID
	Tree    OID
	Parents []OID
	When    int64 // of the committer, Unix seconds
	Message string
}

// EncodeCommit is the content of a commit by Author, in UTC. A time before 1970 is written as 0.
func EncodeCommit(tree OID, parents []OID, when int64, message string) []byte {
	return EncodeCommitBy(Author, tree, parents, when, message)
}

// EncodeCommitBy is EncodeCommit by somebody else, "name <address>". What git would take for the end of the name is left out.
func EncodeCommitBy(author string, tree OID, parents []OID, when int64, message string) []byte {
	author = authorName(author)
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %[1]s %[2]d +0000\ncommitter %[1]s %[2]d +0000\n\n", author, max(0, when))
	b.WriteString(strings.TrimRight(strings.ReplaceAll(message, "\x00", " "), "\n"))
	b.WriteByte('\n')
	return b.Bytes()
}

// authorName keeps the one pair of angle brackets at the end, and no control characters.
func authorName(s string) string {
	name, address, _ := strings.Cut(s, " <")
	clean := func(s string) string {
		return strings.TrimSpace(strings.Map(func(r rune) rune {
			if r < ' ' || r == '<' || r == '>' || r == 0x7f {
				return -1
			}
			return r
		}, s))
	}
	return clean(name) + " <" + clean(address) + ">"
}

// parseCommit reads a commit's content. Headers that it does not know (signatures, encodings) are passed over.
func parseCommit(oid OID, raw []byte) (CommitInfo, error) {
	c := CommitInfo{OID: oid}
	head, message, _ := bytes.Cut(raw, []byte("\n\n"))
	c.Message = strings.TrimRight(string(message), "\n")
	for line := range strings.SplitSeq(string(head), "\n") {
		key, value, _ := strings.Cut(line, " ")
		var err error
		switch key {
		case "tree":
			c.Tree, err = ParseOID(value)
		case "parent":
			var p OID
			p, err = ParseOID(value)
			c.Parents = append(c.Parents, p)
		case "committer":
			if f := strings.Fields(value); len(f) >= 2 {
				c.When, err = strconv.ParseInt(f[len(f)-2], 10, 64)
			}
		}
		if err != nil {
			return c, fmt.Errorf("damaged commit %s: %w", oid, err)
		}
	}
	if c.Tree.IsZero() {
		return c, fmt.Errorf("damaged commit %s: it names no tree", oid)
	}
	return c, nil
}

// Commit reads one commit.
func (x *Reader) Commit(oid OID) (CommitInfo, error) {
	k, raw, err := x.Object(oid)
	if err != nil {
		return CommitInfo{}, err
	}
	if k != Commit {
		return CommitInfo{}, fmt.Errorf("object %s is a %s, not a commit", oid, k)
	}
	return parseCommit(oid, raw)
}

// Log walks from a commit back along the first parents. It ends after the first error.
func (x *Reader) Log(from OID) iter.Seq2[CommitInfo, error] {
	return func(yield func(CommitInfo, error) bool) {
		for !from.IsZero() {
			c, err := x.Commit(from)
			if !yield(c, err) || err != nil {
				return
			}
			from = OID{}
			if len(c.Parents) > 0 {
				from = c.Parents[0]
			}
		}
	}
}

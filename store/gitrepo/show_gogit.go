package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/diff"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/utils/merkletrie"
)

// What go-git compares; larger changes are left to the git command, which needs less memory.
const (
	maxFilesGoGit = 500
	maxBlobGoGit  = 1 << 20
)

var errLarge = errors.New("the change is large")

func showGoGit(ctx context.Context, l Location, id string, limit int) (Shown, error) {
	r, err := openGoGit(l)
	if err != nil {
		return Shown{}, err
	}
	c, err := commitGoGit(r, id)
	if err != nil {
		return Shown{}, err
	}
	changes, err := changesOf(ctx, c)
	if err != nil {
		return Shown{}, err
	}
	if len(changes) > maxFilesGoGit {
		return Shown{}, errLarge
	}
	out := Shown{LogEntry: entryOf(c)}
	var text bytes.Buffer
	for _, ch := range changes {
		f, err := out.add(ctx, ch, &text)
		if err != nil {
			return Shown{}, err
		}
		out.Files = append(out.Files, f)
	}
	kept, cut := wholeLines(text.Bytes(), limit)
	out.Diff, out.Cut = strings.ToValidUTF8(string(kept), "\uFFFD"), cut
	return out, nil
}

// changesOf are a commit's changes against its first parent.
func changesOf(ctx context.Context, c *object.Commit) (object.Changes, error) {
	to, err := c.Tree()
	if err != nil {
		return nil, err
	}
	var from *object.Tree
	if c.NumParents() > 0 {
		p, err := c.Parent(0)
		if err != nil {
			return nil, err
		}
		if from, err = p.Tree(); err != nil {
			return nil, err
		}
	}
	how := *object.DefaultDiffTreeOptions
	how.RenameScore = 50 // as git has it
	how.RenameLimit = maxFilesGoGit
	return object.DiffTreeWithOptions(ctx, from, to, &how)
}

// add tells one change and writes its diff.
func (s *Shown) add(ctx context.Context, ch *object.Change, text *bytes.Buffer) (FileChange, error) {
	f := FileChange{Path: ch.To.Name, Op: "modify"}
	action, err := ch.Action()
	if err != nil {
		return f, err
	}
	switch {
	case action == merkletrie.Insert:
		f.Op = "add"
	case action == merkletrie.Delete:
		f.Op, f.Path = "delete", ch.From.Name
	case ch.From.Name != ch.To.Name:
		f.Op, f.From = "move", ch.From.Name
	}
	if ch.From.TreeEntry.Mode == filemode.Submodule || ch.To.TreeEntry.Mode == filemode.Submodule {
		return f, errLarge // go-git has no diff of one
	}
	from, to, err := ch.Files()
	if err != nil {
		return f, err
	}
	for _, file := range []*object.File{from, to} {
		if file != nil && file.Size > maxBlobGoGit {
			return f, errLarge
		}
	}
	patch, err := ch.PatchContext(ctx)
	if err != nil {
		return f, err
	}
	for _, st := range patch.Stats() {
		f.Added, f.Removed = f.Added+st.Addition, f.Removed+st.Deletion
	}
	for _, fp := range patch.FilePatches() {
		f.Binary = f.Binary || fp.IsBinary()
	}
	return f, diff.NewUnifiedEncoder(text, diff.DefaultContextLines).Encode(patch)
}

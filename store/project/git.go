package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"dormouse/store/gitcmd"
	"dormouse/store/gitrepo"
)

// ErrNoRepository says that a folder lies in no git repository.
var ErrNoRepository = errors.New("there is no git repository")

// Git is Project-Git: one repository of the person's, seen from one of its work trees. Its reading methods write nothing.
type Git struct {
	gitrepo.Location
	gitrepo.Access
}

// Open is the repository that a folder lies in, and finds out how it can be read. One at the home folder or at the root of the file
// system is that folder's own and not that of the folders below it. The error wraps ErrNoRepository, or gitrepo.ErrForeign for one
// that belongs to another user.
func (r *Registry) Open(ctx context.Context, dir string) (Git, error) {
	l, ok := r.repository(resolved(filepath.Clean(dir)))
	if !ok || !filepath.IsAbs(dir) {
		return Git{}, fmt.Errorf("%w at %s or above it", ErrNoRepository, dir)
	}
	a, err := gitrepo.Probe(ctx, l)
	return Git{Location: l, Access: a}, err
}

// Log lists commits of all local branches, the newest first.
func (g Git) Log(ctx context.Context, q gitrepo.LogQuery) ([]gitrepo.LogEntry, error) {
	return gitrepo.Log(ctx, g.Location, g.Access, q)
}

// Lookup finds a commit by its whole or shortened id. The error wraps gitrepo.ErrNoCommit or gitrepo.ErrAmbiguous.
func (g Git) Lookup(ctx context.Context, id string) (gitrepo.LogEntry, error) {
	return gitrepo.Lookup(ctx, g.Location, g.Access, id)
}

// Show is what a commit changed, with at most limit bytes of its diff. The error is as Lookup's.
func (g Git) Show(ctx context.Context, id string, limit int) (gitrepo.Shown, error) {
	return gitrepo.Show(ctx, g.Location, g.Access, id, limit)
}

// MadeHere is what the repository notes of the commits that were made in its work trees.
func (g Git) MadeHere() (gitrepo.Made, error) { return gitrepo.MadeHere(g.Location) }

// read is what git prints for a command that reads in the work tree.
func (g Git) read(ctx context.Context, args ...string) (gitcmd.Output, error) {
	return gitcmd.Read(ctx, g.Root, args...)
}

// initRepository makes dir a repository, as the person's own settings have it. No file of the folder is touched.
func initRepository(ctx context.Context, dir string) error {
	_, err := gitcmd.Command{Dir: dir, Args: []string{"init", "--quiet"}, Writes: true}.Run(ctx)
	return err
}

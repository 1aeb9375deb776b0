package shadow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/gitcmd"
	"dormouse/store/gitrepo"
)

// GitIgnored asks the git command which of some files, by their paths with slashes below root, the repositories that they lie
// in ignore: the innermost one, and for a repository in the project also the ones above. Files in no repository are not ignored.
// A file of which git cannot tell counts as ignored.
func GitIgnored(ctx context.Context, root string, paths []string) (map[string]bool, error) {
	out := map[string]bool{}
	asked := map[string][]question{}
	for _, p := range paths {
		at := filepath.Join(root, filepath.FromSlash(p))
		for _, top := range repositories(root, filepath.Dir(at)) {
			rel, err := filepath.Rel(top, at)
			if err != nil {
				return nil, err
			}
			asked[top] = append(asked[top], question{of: p, ask: filepath.ToSlash(rel)})
			at = top // the next one is asked for this repository's folder
		}
	}
	for top, list := range asked {
		if err := ask(ctx, top, list, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// question is a path that a repository is asked for, and the file that is meant by it.
type question struct{ of, ask string }

// repositories are the tops of the repositories that a folder lies in, the innermost first, up to the one that root is in.
func repositories(root, dir string) []string {
	for !exists(dir) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
	}
	var out []string
	for {
		l, ok := gitrepo.Find(dir, func(string) bool { return false })
		if !ok || l.Bare {
			return out
		}
		out = append(out, l.Root)
		if _, inside := below(root, l.Root); !inside || filepath.Dir(l.Root) == l.Root {
			return out
		}
		dir = filepath.Dir(l.Root)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ask asks one repository. When git refuses the whole list because of one path in it (behind a symbolic link, say), the paths are
// asked for one by one.
func ask(ctx context.Context, top string, list []question, out map[string]bool) error {
	var stdin strings.Builder
	for _, q := range list {
		stdin.WriteString(q.ask + "\x00")
	}
	got, err := gitcmd.Command{Dir: top, Args: []string{"check-ignore", "-z", "--stdin"}, Stdin: stdin.String()}.Run(ctx)
	switch code := gitcmd.Code(err); {
	case err == nil, code == 1:
		ignored := got.Fields()
		for _, q := range list {
			out[q.of] = out[q.of] || slices.Contains(ignored, q.ask)
		}
		return nil
	case code != 128 || strings.Contains(gitcmd.Said(err), "dubious ownership"):
		return fmt.Errorf("ask git in %s what it ignores: %w", top, err)
	case len(list) == 1:
		out[list[0].of] = true
		return nil
	}
	for _, q := range list {
		if err := ask(ctx, top, []question{q}, out); err != nil {
			return err
		}
	}
	return nil
}

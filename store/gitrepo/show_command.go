package gitrepo

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"dormouse/store/gitcmd"
)

func showCommand(ctx context.Context, l Location, id string, limit int) (Shown, error) {
	e, err := lookupCommand(ctx, l, id)
	if err != nil {
		return Shown{}, err
	}
	out := Shown{LogEntry: e}
	what := []string{"--root", e.SHA}
	if len(e.Parents) > 0 {
		what = []string{e.Parents[0], e.SHA}
	}
	tree := func(max int, how ...string) (gitcmd.Output, error) {
		args := append([]string{"diff-tree", "-r", "-M50%", "--no-commit-id", "--no-ext-diff", "--no-textconv", "--no-color"}, how...)
		return gitcmd.Command{Dir: l.Root, Args: append(args, what...), MaxOutput: max}.Run(ctx)
	}
	raw, err := tree(0, "-z", "--raw", "--no-abbrev")
	if err != nil {
		return Shown{}, err
	}
	numbers, err := tree(0, "-z", "--numstat")
	if err != nil {
		return Shown{}, err
	}
	if out.Files, err = parseChanges(raw.Fields(), numbers.Fields()); err != nil {
		return Shown{}, err
	}
	patch, err := tree(limit+1, "-p", "-U3", "--src-prefix=a/", "--dst-prefix=b/")
	if err != nil {
		return Shown{}, err
	}
	kept, cut := wholeLines(patch.Stdout, limit)
	out.Diff, out.Cut = strings.ToValidUTF8(string(kept), "\uFFFD"), cut
	return out, nil
}

// ops are the letters of git diff --raw.
var ops = map[byte]string{'A': "add", 'M': "modify", 'T': "modify", 'D': "delete", 'R': "move", 'C': "copy"}

// parseChanges reads the parts of git diff-tree -z --raw and --numstat, which name the same files in the same order.
func parseChanges(raw, numbers []string) ([]FileChange, error) {
	var out []FileChange
	for len(raw) >= 2 {
		head := strings.Fields(raw[0])
		if len(head) != 5 || ops[head[4][0]] == "" {
			return nil, fmt.Errorf("git diff-tree: cannot read %.80q", raw[0])
		}
		f := FileChange{Op: ops[head[4][0]], Path: raw[1]}
		raw = raw[2:]
		if f.Op == "move" || f.Op == "copy" {
			if len(raw) == 0 {
				return nil, fmt.Errorf("git diff-tree: %s names no new path", f.Path)
			}
			f.From, f.Path, raw = f.Path, raw[0], raw[1:]
		}
		var err error
		if numbers, err = f.count(numbers); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// count takes a file's numbers of lines from the front of the parts of --numstat and returns the rest: "1\t2\tpath", or
// "1\t2\t", "old path", "new path".
func (f *FileChange) count(parts []string) (rest []string, err error) {
	if len(parts) == 0 {
		return nil, nil // cut off, or a change of mode alone
	}
	fields := strings.SplitN(parts[0], "\t", 3)
	if len(fields) != 3 {
		return nil, fmt.Errorf("git diff-tree: cannot read %.80q", parts[0])
	}
	path, rest := fields[2], parts[1:]
	if path == "" && len(rest) >= 2 {
		path, rest = rest[1], rest[2:]
	}
	if path != f.Path {
		return parts, nil
	}
	if fields[0] == "-" {
		f.Binary = true
		return rest, nil
	}
	var errA, errR error
	f.Added, errA = strconv.Atoi(fields[0])
	f.Removed, errR = strconv.Atoi(fields[1])
	if errA != nil || errR != nil {
		return nil, fmt.Errorf("git diff-tree: cannot read %.80q", parts[0])
	}
	return rest, nil
}

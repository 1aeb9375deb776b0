package project

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dormouse/store/gitcmd"
)

// maxLooked is how much of what changed is looked through for secrets, in bytes of diff.
const maxLooked = 32 << 20

// inspect looks at what git add has staged and notes what must not be committed.
func (c *Committer) inspect(ctx context.Context, o *openTurn) {
	nested, err := o.git.newRepositories(ctx)
	switch {
	case err != nil:
		o.refuse(CannotTell, "%v", err)
		return
	case len(nested) > 0:
		o.refuse(NestedRepository, "a repository lies in the work tree that is no submodule of it (%s); make it one, or tell git to ignore it", strings.Join(nested, ", "))
		return
	}
	if c.o.Redact == nil {
		return
	}
	out, err := gitcmd.Command{Dir: o.git.Root, MaxOutput: maxLooked,
		Args: []string{"diff", "--cached", "-U0", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/"}}.Run(ctx)
	switch {
	case err != nil:
		o.refuse(CannotTell, "%v", err)
		return
	case out.Cut:
		o.refuse(HoldsSecret, "the changes are larger than the %d MB that are looked through for secrets; commit by hand", maxLooked>>20)
		return
	}
	new := added(string(out.Stdout))
	for _, path := range slices.Sorted(maps.Keys(new)) {
		_, found, err := c.o.Redact(new[path].String())
		if err != nil {
			o.refuse(CannotTell, "whether %s holds a secret: %v", path, err)
		}
		if found > 0 {
			o.refuse(HoldsSecret, "what was added to %s looks like a secret; take it out, tell git to ignore the file, or commit by hand", path)
		}
	}
}

// newRepositories are the repositories that are staged though .gitmodules does not name them.
func (g Git) newRepositories(ctx context.Context) ([]string, error) {
	out, err := g.read(ctx, "diff", "--cached", "--raw", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=none")
	if err != nil {
		return nil, err
	}
	var paths []string
	parts := out.Fields()
	for i := 0; i+1 < len(parts); i += 2 {
		if f := strings.Fields(parts[i]); len(f) == 5 && f[1] == "160000" && f[0] != ":160000" {
			paths = append(paths, parts[i+1])
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	known, err := g.read(ctx, "config", "-z", "--blob", ":.gitmodules", "--get-regexp", `^submodule\..*\.path$`)
	if err != nil && gitcmd.Code(err) < 0 {
		return nil, err
	}
	named := map[string]bool{}
	for _, kv := range known.Fields() {
		_, path, _ := strings.Cut(kv, "\n")
		named[path] = true
	}
	var strangers []string
	for _, p := range paths {
		if !named[p] {
			strangers = append(strangers, p)
		}
	}
	return strangers, nil
}

// added gathers the lines that a diff adds, by path.
func added(diff string) map[string]*strings.Builder {
	out := map[string]*strings.Builder{}
	path, left := "", 0 // lines of the hunk that are still to come
	for line := range strings.Lines(diff) {
		switch {
		case left > 0:
			if text, ok := strings.CutPrefix(line, "+"); ok {
				if out[path] == nil {
					out[path] = &strings.Builder{}
				}
				out[path].WriteString(text)
			}
			if !strings.HasPrefix(line, `\`) {
				left--
			}
		case strings.HasPrefix(line, "@@ "):
			left = hunk(line)
		case strings.HasPrefix(line, "+++ "):
			path = strings.TrimPrefix(strings.Trim(strings.TrimRight(line[4:], "\t\r\n"), `"`), "b/")
		}
	}
	return out
}

// hunk is how many lines follow a hunk's head, "@@ -1,2 +3 @@".
func hunk(head string) int {
	total := 0
	for _, f := range strings.Fields(head)[1:] {
		if f == "@@" {
			break
		}
		n, start := 1, 0
		if _, err := fmt.Sscanf(f[1:], "%d,%d", &start, &n); err != nil {
			n = 1
		}
		total += n
	}
	return total
}

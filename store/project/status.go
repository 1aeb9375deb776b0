package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Status is how a work tree stands.
type Status struct {
	Branch string // short name; empty when HEAD is detached
	Head   string // its newest commit; empty before the first one
	// Doing is what is under way and not finished: a merge, a rebase, ...; empty when nothing is.
	Doing   string
	Changes []Change
}

// Change is a path that differs from the newest commit.
type Change struct {
	// Code is git's own: the letter of the index and that of the work tree, '.' for no change; "??" for an untracked path.
	Code string
	Path string // of an untracked folder with a slash at its end
}

// Clean reports whether nothing differs from the newest commit and nothing is untracked.
func (s Status) Clean() bool { return len(s.Changes) == 0 }

// Status asks the git command how the work tree stands. Ignored files do not count, nor does what is uncommitted within a
// submodule. It writes nothing, not even git's own index.
func (g Git) Status(ctx context.Context) (Status, error) {
	if g.Bare {
		return Status{}, fmt.Errorf("status of %s: it is a bare repository, which has no work tree", g.Root)
	}
	out, err := g.read(ctx, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--no-renames", "--ignore-submodules=dirty")
	if err != nil {
		return Status{}, fmt.Errorf("status of %s: %w", g.Root, err)
	}
	s, err := parseStatus(out.Fields())
	if err != nil {
		return Status{}, fmt.Errorf("status of %s: %w", g.Root, err)
	}
	s.Doing = g.underWay(ctx)
	return s, nil
}

// parseStatus reads the parts of git status --porcelain=v2 --branch -z.
func parseStatus(parts []string) (Status, error) {
	var s Status
	for i := 0; i < len(parts); i++ {
		kind, rest, _ := strings.Cut(parts[i], " ")
		fields := 0 // before the path
		switch kind {
		case "#":
			s.header(rest)
			continue
		case "?":
			s.Changes = append(s.Changes, Change{Code: "??", Path: rest})
			continue
		case "1":
			fields = 7
		case "2":
			fields = 8
			i++ // the path that it was moved from
		case "u":
			fields = 9
		default:
			return s, fmt.Errorf("git status: cannot read %.80q", parts[i])
		}
		all := strings.SplitN(rest, " ", fields+1)
		if len(all) != fields+1 {
			return s, fmt.Errorf("git status: cannot read %.80q", rest)
		}
		s.Changes = append(s.Changes, Change{Code: all[0], Path: all[fields]})
	}
	return s, nil
}

func (s *Status) header(line string) {
	key, value, _ := strings.Cut(line, " ")
	switch {
	case key == "branch.oid" && value != "(initial)":
		s.Head = value
	case key == "branch.head" && value != "(detached)":
		s.Branch = value
	}
}

// signs are what lies in a git folder while something is under way.
var signs = []struct{ path, doing string }{
	{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase or the applying of patches"}, {"MERGE_HEAD", "a merge"},
	{"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"}, {"sequencer", "a series of cherry-picks or reverts"},
	{"BISECT_LOG", "a bisect"},
}

// underWay says what is under way in the work tree.
func (g Git) underWay(ctx context.Context) string {
	for _, s := range signs {
		if _, err := os.Stat(filepath.Join(g.GitDir, s.path)); err == nil {
			return s.doing
		}
	}
	if _, err := os.Stat(filepath.Join(g.CommonDir, "reftable")); err != nil {
		return ""
	}
	for _, s := range signs { // these are references, which reftable keeps elsewhere
		if strings.HasSuffix(s.path, "_HEAD") {
			if _, err := g.read(ctx, "rev-parse", "-q", "--verify", s.path); err == nil {
				return s.doing
			}
		}
	}
	return ""
}

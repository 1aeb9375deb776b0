package gitrepo

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"dormouse/store/gitcmd"
)

// gitCommand runs a git command that only reads.
func gitCommand(ctx context.Context, l Location, args ...string) (string, error) {
	out, err := gitcmd.Read(ctx, l.Root, args...)
	if err != nil {
		return "", err
	}
	return strings.TrimRight(string(out.Stdout), "\n"), nil
}

// gitAnswer is gitCommand for questions to which exit code 1 answers that there is none.
func gitAnswer(ctx context.Context, l Location, args ...string) (string, error) {
	out, err := gitCommand(ctx, l, args...)
	if gitcmd.Code(err) == 1 {
		return "", nil
	}
	return out, err
}

func inspectCommand(ctx context.Context, l Location) (Info, error) {
	var info Info
	var err error
	if info.Branch, err = gitAnswer(ctx, l, "symbolic-ref", "--short", "-q", "HEAD"); err != nil {
		return info, err
	}
	if info.Head, err = gitAnswer(ctx, l, "rev-parse", "-q", "--verify", "HEAD"); err != nil {
		return info, err
	}
	out, err := gitAnswer(ctx, l, "config", "--local", "--get-regexp", `^remote\..*\.url$`)
	if err != nil {
		return info, err
	}
	seen := map[string]bool{}
	for line := range strings.SplitSeq(out, "\n") {
		key, url, ok := strings.Cut(line, " ")
		name := strings.TrimSuffix(strings.TrimPrefix(key, "remote."), ".url")
		if ok && !seen[name] {
			seen[name] = true
			info.Remotes = append(info.Remotes, Remote{Name: name, URL: url})
		}
	}
	sortRemotes(info.Remotes)
	return info, nil
}

func firstCommand(ctx context.Context, l Location) (string, error) {
	revs := []string{"--branches"}
	if head, err := gitAnswer(ctx, l, "rev-parse", "-q", "--verify", "HEAD"); err != nil {
		return "", err
	} else if head != "" {
		revs = append(revs, "HEAD")
	}
	args := append([]string{"rev-list", "--timestamp", "--max-parents=0"}, revs...)
	out, err := gitCommand(ctx, l, args...)
	if err != nil {
		return "", err
	}
	var best root
	for line := range strings.SplitSeq(out, "\n") {
		if when, oid, ok := strings.Cut(line, " "); ok {
			t, err := strconv.ParseInt(when, 10, 64)
			if err != nil {
				return "", fmt.Errorf("git rev-list: time %q", when)
			}
			best.offer(t, oid)
		}
	}
	return best.oid, nil
}

package gitrepo

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"dormouse/store/gitcmd"
)

// entryFormat prints a commit as the lines that parseEntry reads.
const entryFormat = "--format=%H%n%P%n%an%n%ae%n%at%n%ct%n%B"

func logCommand(ctx context.Context, l Location, q LogQuery) ([]LogEntry, error) {
	args := []string{"log", "-z", entryFormat, "--encoding=UTF-8", "--no-show-signature", "--no-notes", "--no-decorate", "--date-order"}
	if q.Since != 0 {
		args = append(args, "--max-age="+strconv.FormatInt(q.Since, 10))
	}
	if q.Until != 0 {
		args = append(args, "--min-age="+strconv.FormatInt(q.Until, 10))
	}
	if q.Mail != "" {
		args = append(args, "--fixed-strings", "--author=<"+q.Mail+">")
	}
	if q.Limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(q.Limit))
	}
	args = append(args, "--branches")
	head, err := gitAnswer(ctx, l, "rev-parse", "-q", "--verify", "HEAD")
	if err != nil {
		return nil, err
	}
	if head != "" {
		args = append(args, "HEAD")
	}
	out, err := gitcmd.Read(ctx, l.Root, append(args, "--")...)
	if err != nil {
		if head == "" && strings.Contains(gitcmd.Said(err), "does not have any commits") {
			return nil, nil
		}
		return nil, err
	}
	return parseEntries(out, q)
}

func parseEntries(out gitcmd.Output, q LogQuery) ([]LogEntry, error) {
	var list []LogEntry
	for _, raw := range out.Fields() {
		e, err := parseEntry(raw)
		if err != nil {
			return nil, err
		}
		if q.fits(e) {
			list = append(list, e)
		}
	}
	return list, nil
}

// parseEntry reads a commit in entryFormat.
func parseEntry(raw string) (LogEntry, error) {
	lines := strings.SplitN(raw, "\n", 7)
	if len(lines) < 7 {
		return LogEntry{}, fmt.Errorf("git log: cannot read %.80q", raw)
	}
	e := LogEntry{SHA: lines[0], Author: strings.ToValidUTF8(lines[2], "\uFFFD"), Mail: strings.ToValidUTF8(lines[3], "\uFFFD")}
	if lines[1] != "" {
		e.Parents = strings.Fields(lines[1])
	}
	var errA, errT error
	e.Authored, errA = strconv.ParseInt(lines[4], 10, 64)
	e.Time, errT = strconv.ParseInt(lines[5], 10, 64)
	if errA != nil || errT != nil {
		return LogEntry{}, fmt.Errorf("git log: commit %s has the times %q and %q", e.SHA, lines[4], lines[5])
	}
	e.Subject, e.Body = split(lines[6])
	return e, nil
}

func lookupCommand(ctx context.Context, l Location, id string) (LogEntry, error) {
	full, err := gitCommand(ctx, l, "rev-parse", "--verify", "--end-of-options", id+"^{commit}")
	if said := gitcmd.Said(err); strings.Contains(said, "ambiguous") {
		return LogEntry{}, ErrAmbiguous
	} else if gitcmd.Code(err) == 128 && (strings.Contains(said, "Needed a single revision") || strings.Contains(said, "expected commit type") || strings.Contains(said, "does not name")) {
		return LogEntry{}, ErrNoCommit
	}
	if err != nil {
		return LogEntry{}, err
	}
	out, err := gitcmd.Read(ctx, l.Root, "log", "-z", "-1", "--no-walk", entryFormat, "--encoding=UTF-8", "--no-show-signature", "--no-notes", "--no-decorate", full, "--")
	if err != nil {
		if strings.Contains(gitcmd.Said(err), "bad object") { // a whole id is taken for one that exists
			return LogEntry{}, ErrNoCommit
		}
		return LogEntry{}, err
	}
	list, err := parseEntries(out, LogQuery{})
	if err != nil || len(list) != 1 {
		return LogEntry{}, fmt.Errorf("git log printed %d commits for %s: %w", len(list), full, err)
	}
	return list[0], nil
}

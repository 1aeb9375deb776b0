package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"dormouse/store/gitcmd"
)

// LogEntry is one commit of a person's repository.
type LogEntry struct {
	SHA          string
	Parents      []string
	Author, Mail string
	Authored     int64  // Unix seconds
	Time         int64  // of the committer, Unix seconds
	Subject      string // the message's first line
	Body         string // the rest of it
}

// LogQuery asks for commits. Zero fields do not filter.
type LogQuery struct {
	Since, Until int64  // bounds of Time in Unix seconds, both inclusive
	Mail         string // of the author, whole
	Limit        int
}

func (q LogQuery) fits(e LogEntry) bool {
	return (q.Since == 0 || e.Time >= q.Since) && (q.Until == 0 || e.Time <= q.Until) && (q.Mail == "" || e.Mail == q.Mail)
}

// Errors of a look at commits.
var (
	ErrNoCommit  = errors.New("there is no such commit")
	ErrAmbiguous = errors.New("more than one commit begins like this")
)

// Log lists the commits of all local branches and HEAD, the newest first by Time. It writes nothing. Where go-git fails, the
// git command is asked.
func Log(ctx context.Context, l Location, a Access, q LogQuery) ([]LogEntry, error) {
	return either(ctx, l, a, "list the commits of",
		func() ([]LogEntry, error) { return logGoGit(ctx, l, q) },
		func() ([]LogEntry, error) { return logCommand(ctx, l, q) })
}

// Lookup finds the commit that a whole or shortened id names, also one that no branch holds any more. The error wraps ErrNoCommit or
// ErrAmbiguous.
func Lookup(ctx context.Context, l Location, a Access, id string) (LogEntry, error) {
	if err := checkID(id); err != nil {
		return LogEntry{}, err
	}
	return either(ctx, l, a, "find commit "+id+" in",
		func() (LogEntry, error) { return lookupGoGit(l, id) },
		func() (LogEntry, error) { return lookupCommand(ctx, l, id) })
}

// Show is what a commit changed against its first parent. Of its diff, limit bytes are kept, whole lines. The error is as
// Lookup's.
func Show(ctx context.Context, l Location, a Access, id string, limit int) (Shown, error) {
	if err := checkID(id); err != nil {
		return Shown{}, err
	}
	return either(ctx, l, a, "show commit "+id+" of",
		func() (Shown, error) { return showGoGit(ctx, l, id, limit) },
		func() (Shown, error) { return showCommand(ctx, l, id, limit) })
}

var hexID = regexp.MustCompile(`^[0-9a-f]{4,64}$`)

func checkID(id string) error {
	if !hexID.MatchString(id) {
		return fmt.Errorf("%w: %q is no id of a commit: it has 4 to 64 of the characters 0-9 and a-f", ErrNoCommit, id)
	}
	return nil
}

// either reads by go-git where that can, else by the command. What go-git does not find, the command may.
func either[T any](ctx context.Context, l Location, a Access, doing string, goGit, command func() (T, error)) (T, error) {
	var why error
	if a.Way == ByGoGit {
		v, err := goGit()
		if err == nil || ctx.Err() != nil || errors.Is(err, ErrAmbiguous) {
			return v, err
		}
		why = err
	}
	v, err := command()
	if err == nil {
		return v, nil
	}
	if errors.Is(err, gitcmd.ErrNoGit) && why != nil {
		err = why
	}
	return v, fmt.Errorf("%s %s: %w", doing, l.Root, err)
}

// split cuts a commit's message into its first line and the rest.
func split(message string) (subject, body string) {
	message = strings.ToValidUTF8(strings.TrimSpace(message), "\uFFFD")
	subject, body, _ = strings.Cut(message, "\n")
	return strings.TrimSpace(subject), strings.TrimSpace(body)
}

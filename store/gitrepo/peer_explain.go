package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// remedies say what helps, by words in what git, ssh or go-git said. The first that fits counts.
var remedies = []struct {
	said *regexp.Regexp
	help string
}{
	{regexp.MustCompile(`Host key verification failed|knownhosts: key is unknown|knownhosts: key mismatch`),
		"connect to the host once in a terminal with ssh, compare the fingerprint, and accept it"},
	{regexp.MustCompile(`Permission denied \(|SSH_AUTH_SOCK|unable to authenticate|ssh: handshake failed`),
		"add your ssh key to the agent (ssh-add) and to the account that holds the repository"},
	{regexp.MustCompile(`could not read (Username|Password)|terminal prompts disabled|Authentication failed|authentication required|authorization failed|HTTP 40[13]|error: 40[13]`),
		"log in once with the git command (git ls-remote URL), so that a credential helper keeps the password, or use an ssh address"},
	{regexp.MustCompile(`Could not resolve host|Failed to connect|no such host|Connection refused|connection refused|[Cc]onnection timed out|i/o timeout|Network is unreachable|No route to host|Operation timed out|Connection reset`),
		"the machine is offline or the host is not there; it is tried again"},
	{regexp.MustCompile(`does not appear to be a git repository|[Rr]epository .*not found|repository not found|not found: did you run|does not exist|No such file or directory`),
		"check the address; a folder becomes a remote with: git init --bare FOLDER"},
	{regexp.MustCompile(`refusing to update checked out branch|branch is currently checked out`),
		"the remote has a work tree; take a bare repository: git init --bare FOLDER"},
	{regexp.MustCompile(`dubious ownership`), "the folder belongs to another user; git says above how to trust it"},
	{regexp.MustCompile(`executable file not found`), "install git, which a remote in a folder needs"},
	{regexp.MustCompile(`No space left on device|[Qq]uota exceeded|disk quota`), "free some space"},
}

var credentials = regexp.MustCompile(`://[^/@\s]+@`)

// maxSaid is how much of what a command said is repeated, in bytes. The end says most.
const maxSaid = 600

// explain adds to a failed exchange what was being done with whom, and what helps.
func (p *Peer) explain(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("%s %s: it did not answer in time; it is tried again: %w", doing, p.url, ctx.Err())
		}
		return fmt.Errorf("%s %s: %w", doing, p.url, ctx.Err())
	}
	said := plainly(credentials.ReplaceAllString(err.Error(), "://"))
	if len(said) > maxSaid {
		said = "…" + strings.ToValidUTF8(said[len(said)-maxSaid:], "")
	}
	for _, r := range remedies {
		if r.said.MatchString(said) {
			said += "; " + r.help
			break
		}
	}
	return &exchangeError{text: fmt.Sprintf("%s %s: %s", doing, p.url, said), cause: err}
}

// boilerplate is what git says after every failure to reach a repository.
var boilerplate = regexp.MustCompile(`(?s)fatal: Could not read from remote repository\.\s*|Please make sure you have the correct access rights\s+and the repository exists\.`)

// plainly puts what a command said on one line, without what it always says.
func plainly(said string) string {
	if short := strings.TrimSpace(boilerplate.ReplaceAllString(said, "")); short != "" {
		said = short
	}
	return strings.Join(strings.FieldsFunc(said, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}

// exchangeError says what happened in words that may be shown, and is what caused it for errors.Is.
type exchangeError struct {
	text  string
	cause error
}

func (e *exchangeError) Error() string { return e.text }
func (e *exchangeError) Unwrap() error { return e.cause }

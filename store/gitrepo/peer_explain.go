package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// remedies say what helps, by words in what git, ssh or go-git said, and what kind of failure that is. The first that fits counts.
var remedies = []struct {
	said *regexp.Regexp
	help string
	kind error
}{
	{regexp.MustCompile(`REMOTE HOST IDENTIFICATION HAS CHANGED|knownhosts: key mismatch`),
		"the host shows another key than the one that is known: ask whoever runs it; if it is right, take the old key out of known_hosts (ssh-keygen -R HOST)", nil},
	{regexp.MustCompile(`Host key verification failed|knownhosts: key is unknown`),
		"connect to the host once in a terminal with ssh, compare the fingerprint, and accept it", ErrUnknownHost},
	{regexp.MustCompile(`Permission denied \(|SSH_AUTH_SOCK|unable to authenticate|ssh: handshake failed`),
		"add your ssh key to the agent (ssh-add) and to the account that holds the repository", ErrLogin},
	{regexp.MustCompile(`could not read (Username|Password)|terminal prompts disabled|Authentication failed|authentication required|authorization failed|HTTP 40[13]|error: 40[13]`),
		"a token that is missing, wrong or expired: give a new one with dormouse sync login, log in once with the git command (git ls-remote URL), so that a credential helper keeps it, or use an ssh address", ErrLogin},
	{regexp.MustCompile(`Could not resolve host|Failed to connect|no such host|Connection refused|connection refused|[Cc]onnection timed out|i/o timeout|Network is unreachable|No route to host|Operation timed out|Connection reset|Connection closed by|unexpected disconnect|early EOF|RPC failed|remote end hung up|[Ee]mpty reply|unexpected EOF|low speed|Temporary failure in name resolution`),
		"the machine is offline or the host is not there; it is tried again", ErrOffline},
	{regexp.MustCompile(`does not appear to be a git repository|[Rr]epository .*not found|repository not found|not found: did you run|does not exist|No such file or directory`),
		"check the address; a folder becomes a remote with: git init --bare FOLDER", nil},
	{regexp.MustCompile(`refusing to update checked out branch|branch is currently checked out`),
		"the remote has a work tree; take a bare repository: git init --bare FOLDER", nil},
	{regexp.MustCompile(`dubious ownership`), "the folder belongs to another user; git says above how to trust it", nil},
	{regexp.MustCompile(`executable file not found`), "install git, which a remote in a folder needs", nil},
	{regexp.MustCompile(`No space left on device|[Qq]uota exceeded|disk quota`), "free some space", nil},
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
			return fmt.Errorf("%s %s: it did not answer in time; it is tried again: %w", doing, p.url, errors.Join(ErrOffline, ctx.Err()))
		}
		return fmt.Errorf("%s %s: %w", doing, p.url, ctx.Err())
	}
	if gone := p.away(); gone != nil {
		return gone // it was pulled out meanwhile
	}
	var kind error
	help := ""
	said := plainly(credentials.ReplaceAllString(err.Error(), "://"))
	for _, r := range remedies {
		if r.said.MatchString(said) {
			help, kind = "; "+r.help, r.kind
			break
		}
	}
	if len(said) > maxSaid {
		said = "…" + strings.ToValidUTF8(said[len(said)-maxSaid:], "")
	}
	return &exchangeError{text: fmt.Sprintf("%s %s: %s%s", doing, p.url, said, help), causes: causes(err, kind)}
}

func causes(err, kind error) []error {
	if kind == nil || errors.Is(err, ErrRefused) || errors.Is(err, ErrRace) {
		return []error{err}
	}
	return []error{err, kind}
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
	text   string
	causes []error
}

func (e *exchangeError) Error() string   { return e.text }
func (e *exchangeError) Unwrap() []error { return e.causes }

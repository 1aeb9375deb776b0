package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Peer is another repository, named by a URL or a folder, with which a repository of ours exchanges its main branch.
//
// The git command does it where it is installed, go-git where it is not: only the git command reads all of ~/.ssh/config,
// asks credential helpers and knows proxies and single sign-on, and go-git itself runs the git command for a folder. Neither
// asks the person anything: what would need an answer fails, and the error says what to do once by hand.
//
// Every method may be called again after a failure. They need no lock on the repository: Fetch adds objects alone, and
// the refs are the caller's to move.
type Peer struct {
	repo *Repo
	url  string
	git  string // the git command; empty where there is none

	user, token string // see SetToken
}

// SetToken gives the name and the token by which an https address is read and written; a credential helper of the person's is not asked
// then. It is kept in memory, and handed to git by its environment alone.
func (p *Peer) SetToken(user, token string) { p.user, p.token = user, token }

// Kinds of failure to reach a peer.
var (
	// ErrOffline says that the network, the host or the folder is not there at this moment.
	ErrOffline = errors.New("offline")
	// ErrLogin says that the peer was reached and does not know us: a token or key that is missing, wrong or expired.
	ErrLogin = errors.New("not logged in")
	// ErrUnknownHost says that the key by which the host shows who it is is not known here; see HostKey.
	ErrUnknownHost = errors.New("unknown host key")
)

// Errors of a Push that say more than that it failed.
var (
	// ErrRace says that the peer's branch was moved while something was sent to it: fetch, join, send again.
	ErrRace = errors.New("somebody else sent something at the same moment")
	// ErrRefused says that the peer was reached and does not want what was sent.
	ErrRefused = errors.New("the remote refused what was sent")
)

// How long one exchange may take. A first clone over a slow line is the longest.
const (
	askTime  = time.Minute
	moveTime = 20 * time.Minute
)

// Peer is the repository at url, as our repository sees it. It does no I/O beyond looking for the git command.
func (r *Repo) Peer(url string) *Peer {
	p := &Peer{repo: r, url: url}
	if path, err := exec.LookPath("git"); err == nil {
		p.git = path
	}
	return p
}

// Head is the newest commit of the peer's main branch; zero where it has none yet.
func (p *Peer) Head(ctx context.Context) (OID, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	ask := p.headGoGit
	if p.git != "" {
		ask = p.headCommand
	}
	if err := p.away(); err != nil {
		return OID{}, err
	}
	tip, err := ask(ctx)
	return tip, p.explain(ctx, "ask the remote", err)
}

// away says that a folder is not there: the stick is not plugged in, the share not mounted, or it never was.
func (p *Peer) away() error {
	folder := strings.TrimPrefix(p.url, "file://")
	if !filepath.IsAbs(folder) || p.overSSH() {
		return nil
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return &exchangeError{causes: []error{ErrOffline}, text: fmt.Sprintf("ask the remote %s: the folder is not there; plug in the stick or mount the share "+
		"that it lies on. A new folder becomes a remote with: git init --bare FOLDER", p.url)}
}

// Fetch brings the commit tip of the peer's main branch, as Head gave it, and all that it builds on into our repository. It
// moves no branch of ours.
func (p *Peer) Fetch(ctx context.Context, tip OID) error {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	fetch := p.fetchGoGit
	if p.git != "" {
		fetch = p.fetchCommand
	}
	if err := p.explain(ctx, "fetch from the remote", fetch(ctx)); err != nil {
		return err
	}
	if !p.repo.Has(tip) { // it was rewritten after Head had looked
		return fmt.Errorf("fetch from the remote %s: %w", p.url, ErrRace)
	}
	return nil
}

// Push makes the peer's main branch name a commit that descends from what it named. It never forces: when the branch was
// moved meanwhile, the error wraps ErrRace and nothing is changed; when the peer does not want it, ErrRefused.
func (p *Peer) Push(ctx context.Context, commit OID) error {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	push := p.pushGoGit
	if p.git != "" {
		push = p.pushCommand
	}
	return p.explain(ctx, "send to the remote", push(ctx, commit))
}

// Replace makes the peer's main branch name a commit in place of another one, on which it need not build. When the branch names
// something else by then, the error wraps ErrRace and nothing is changed; when the peer does not want its history rewritten,
// ErrRefused.
func (p *Peer) Replace(ctx context.Context, old, commit OID) error {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	replace := p.replaceGoGit
	if p.git != "" {
		replace = p.replaceCommand
	}
	err := replace(ctx, old, commit)
	if errors.Is(err, ErrRace) && strings.Contains(err.Error(), "non-fast-forward") { // the lease held: the server minds
		err = fmt.Errorf("%w: it does not let its history be rewritten (non-fast-forward)", ErrRefused)
	}
	return p.explain(ctx, "rewrite the history of the remote", err)
}

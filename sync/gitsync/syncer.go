package gitsync

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/store/ledger"
)

// Remote is the other side of an exchange, as gitrepo.Peer is. It is used by one goroutine at a time.
type Remote interface {
	// Head is the newest commit of the remote's main branch; zero where there is none.
	Head(context.Context) (gitrepo.OID, error)
	// Fetch brings that commit and all that it builds on into our repository and moves no branch.
	Fetch(ctx context.Context, tip gitrepo.OID) error
	// Push moves the remote's main branch forward to a commit of ours. It fails with gitrepo.ErrRace when somebody else moved
	// the branch meanwhile, and with gitrepo.ErrRefused when the remote does not want it.
	Push(ctx context.Context, commit gitrepo.OID) error
	// Replace makes the remote's main branch name a commit in place of another one, on which it need not build. It fails as Push
	// does.
	Replace(ctx context.Context, old, commit gitrepo.OID) error
}

// Options are what a Syncer is made of. Repo, Machine, Commit and Joined must be set.
type Options struct {
	// Repo is the repository of the memory, whose work tree is the memory folder.
	Repo    *gitrepo.Repo
	Machine string
	// Commit commits what is in the own log and not yet committed. It must not run beside a write to that log.
	Commit func() error
	// Joined is told that lines of other machines came in: read their logs again, render, index. It returns how many decisions
	// and runs are new. It may be told more than once of the same lines.
	Joined func(context.Context) (received int, err error)
	// Erasures are what the log says is erased. Nil erases nothing.
	Erasures func() ledger.Erasures
	// Connect is how a remote is reached; default: Repo.Peer.
	Connect func(url string) Remote
	// ConnectSealed is Connect for the repository in which lies what an encrypted remote holds; default: that one's Peer.
	ConnectSealed func(repo *gitrepo.Repo, url string) Remote
	// Keys is the file of this machine's keys for encrypted remotes, outside of the memory folder; empty: there are none.
	Keys string
	// Name is what this machine is called on others.
	Name string
	Now  func() time.Time // default: time.Now
	// Pause waits between two tries, or until ctx ends; default: a timer.
	Pause func(context.Context, time.Duration) error
	// Jitter is a number from 0 to 1 by which pauses differ between machines; default: random.
	Jitter func() float64
}

// Syncer exchanges the memory with the remote. It is safe for concurrent use; one exchange runs at a time.
type Syncer struct {
	o    Options
	turn chan struct{} // holds one token while an exchange runs
	seen map[string]sighting
	step func(name string) error // tests stop an exchange at a step
	// untold says that other machines' logs on the disk have changed and that the caller has not taken that in yet.
	untold bool

	print     string                      // of the erasures that the following are about
	clean     map[gitrepo.OID]bool        // commits that hold nothing that is erased
	rewritten map[gitrepo.OID]gitrepo.OID // commits of remotes, and what took their place
	looked    bool                        // what a crash has left was removed
	dirty     bool                        // something rewritten lies in the repository still
	heeded    gitrepo.OID                 // commit of a remote that holds no erase decision that is not known
	whole     map[gitrepo.OID]bool        // logs of it that were found to hold whole lines, while that was looked for

	vault   *vault
	sealed  map[string]*sealed // encrypted remotes that were used, by address
	strange int                // segments of the remote that could not be opened

	carrying sync.Mutex          // held while sessions are sent or fetched
	carried  map[string]*carried // what was noted of them; nil before it was read
}

// New is a syncer that has not looked at anything yet.
func New(o Options) *Syncer {
	if o.Connect == nil {
		o.Connect = func(url string) Remote { return o.Repo.Peer(url) }
	}
	if o.ConnectSealed == nil {
		o.ConnectSealed = func(repo *gitrepo.Repo, url string) Remote { return repo.Peer(url) }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Pause == nil {
		o.Pause = pause
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return &Syncer{o: o, vault: &vault{path: o.Keys}, turn: make(chan struct{}, 1), seen: map[string]sighting{}, whole: map[gitrepo.OID]bool{}, sealed: map[string]*sealed{}, step: func(string) error { return nil }}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Result is what an exchange did. It counts also beside an error.
type Result struct {
	Received int  // decisions and runs of other machines that are new here
	Sent     bool // something was pushed
}

// Errors that the person has to settle. Nothing was sent, and nothing here was changed by what they are about.
var (
	// ErrOff says that no remote is set.
	ErrOff = errors.New("sync is off: no remote is set; set one with: dormouse sync setup URL")
	// ErrRewound says that the remote does not hold what was there at the last exchange.
	ErrRewound = errors.New("the remote was rewound, emptied or replaced")
	// ErrOwnLog says that the remote holds lines of this machine's log that this machine does not have.
	ErrOwnLog = errors.New("the remote holds another log of this machine")
	// ErrNotMemory says that the remote is a repository of something else.
	ErrNotMemory = errors.New("the remote holds something else than a memory")
)

// Remote is the URL of the remote; empty when sync is off.
func (s *Syncer) Remote() (string, error) { return s.o.Repo.RemoteURL() }

// Sync makes one exchange with the remote that is set.
func (s *Syncer) Sync(ctx context.Context) (Result, error) {
	if err := s.begin(ctx); err != nil {
		return Result{}, err
	}
	defer s.end()
	url, err := s.Remote()
	if err != nil {
		return Result{}, err
	}
	if url == "" {
		return Result{}, ErrOff
	}
	return s.exchange(ctx, url, false)
}

// Setup makes one exchange with another remote, or with the same one again, and sets it when that went well. With restore, a
// remote that was rewound, emptied or replaced, or that holds another log of this machine, is accepted: what this machine knows
// is put onto it again, beside what it holds.
func (s *Syncer) Setup(ctx context.Context, url string, restore bool) (Result, error) {
	url, err := CheckURL(url, s.o.Repo.Dir())
	if err != nil {
		return Result{}, err
	}
	if err := s.begin(ctx); err != nil {
		return Result{}, err
	}
	defer s.end()
	res, err := s.exchange(ctx, url, restore)
	if err == nil && restore {
		err = s.forgetCarried(url)
	}
	if err != nil {
		return res, err
	}
	return res, s.o.Repo.SetRemoteURL(url)
}

// Off forgets the remote. The memory, the remote's content and what is known of the remote stay.
func (s *Syncer) Off(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.end()
	return s.o.Repo.SetRemoteURL("")
}

func (s *Syncer) begin(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Syncer) end() { <-s.turn }

package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dormouse/store/gitrepo"
)

// AgentMail is the address of the author of every commit that is made for an agent. The domain is one that nobody can have.
const AgentMail = "agent@dormouse.invalid"

// Reason says why what a turn changed was not committed.
type Reason string

// The reasons.
const (
	NothingChanged   Reason = "nothing_changed" // nothing to commit; not worth a report
	BeginUnknown     Reason = "begin_unknown"   // nobody told when the turn began
	NotClean         Reason = "not_clean"       // there were changes when it began
	UnderWay         Reason = "under_way"       // a merge, a rebase, ...
	Detached         Reason = "detached"        // HEAD is no branch
	Moved            Reason = "moved"           // somebody committed or changed the branch meanwhile
	Shared           Reason = "shared"          // another session worked in the same work tree
	NestedRepository Reason = "nested"          // a new repository lies in the work tree
	HoldsSecret      Reason = "secret"          // what changed looks like a secret
	Unsigned         Reason = "unsigned"        // commits are to be signed, and that needs an answer
	Refused          Reason = "refused"         // git, or a hook of the person's, did not want it
	CannotTell       Reason = "cannot_tell"     // the repository cannot be read
	NoRepository     Reason = "no_repository"   // there is no work tree to commit in
)

// Turn is one turn of an agent, as its hook tells of it.
type Turn struct {
	Session string // its id, as the commit is to name it
	Project string // id
	Dir     string // absolute; the folder that the agent works in
	N       int    // number of the turn
	Model   string // may be empty
	Words   string // the beginning of the prompt
}

// Outcome is what became of a turn.
type Outcome struct {
	Turn   Turn
	At     int64  // Unix seconds
	Commit string // its id; empty when nothing was committed
	Reason Reason // why not
	Text   string // the reason in words, and what helps
}

// CommitterOptions are what a Committer needs of others. All but Open may be nil.
type CommitterOptions struct {
	// Open is the repository that a folder lies in: a Registry's Open.
	Open func(ctx context.Context, dir string) (Git, error)
	// Redact takes secrets out of a text and says how many there were.
	Redact func(text string) (clean string, found int, err error)
	// Others are the other sessions that called a tool in the work tree since a time.
	Others func(root, session string, since time.Time) ([]string, error)
	// Report is told of a turn that was not committed, once for each project, session and reason. It must not block.
	Report func(Outcome)
	Now    func() time.Time // time.Now when nil
}

// Committer commits what agents changed, a turn at a time, in projects whose person wants that. It may be used from several
// goroutines.
//
// The person's hooks run as they do at their own commits, since they say what may be committed in this project; one that
// refuses leaves everything as it was. Their signing is honoured where it asks nothing.
type Committer struct {
	o CommitterOptions

	mu    sync.Mutex
	open  map[string]*openTurn   // by session
	locks map[string]*sync.Mutex // by the repository's common folder
	last  map[string]Outcome     // by project
	told  map[string]bool

	life    context.Context // of the git commands
	end     context.CancelFunc
	running sync.WaitGroup
	closed  bool
}

// openTurn is a turn that has begun.
type openTurn struct {
	Turn
	git     Git
	branch  string
	head    string
	began   time.Time
	reason  Reason // why it will not be committed, as far as is known
	text    string
	sharers []string // sessions with an open turn in the same work tree
}

// NewCommitter is a committer without any turn. It does no I/O.
func NewCommitter(o CommitterOptions) *Committer {
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Committer{o: o, open: map[string]*openTurn{}, locks: map[string]*sync.Mutex{}, last: map[string]Outcome{}, told: map[string]bool{}}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Close waits until commits that are being made are done, for at most this time, then ends their git commands and waits until
// git's index is what it was. Turns that begin or end afterwards are not committed.
func (c *Committer) Close(within time.Duration) {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	timer := time.AfterFunc(within, c.end)
	defer timer.Stop()
	c.running.Wait()
	c.end()
}

// enter is a context that ends with the committer too; leave must be called when the work is done. ok is false after Close.
func (c *Committer) enter(ctx context.Context) (_ context.Context, leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ctx, func() {}, false
	}
	c.running.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.life, cancel)
	return ctx, func() { stop(); cancel(); c.running.Done() }, true
}

// turnTime is how long a turn may be open. One whose end nobody told of would else keep all others in its folder from being
// committed.
const turnTime = 12 * time.Hour

// Begin looks at the work tree as a turn begins. It never fails: what it finds out speaks at the turn's end.
func (c *Committer) Begin(ctx context.Context, t Turn) {
	ctx, leave, ok := c.enter(ctx)
	defer leave()
	if !ok {
		return
	}
	o := &openTurn{Turn: t, began: c.o.Now()}
	o.look(ctx, c.o.Open)
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, other := range c.open {
		switch {
		case o.began.Sub(other.began) > turnTime:
			delete(c.open, id)
		case id != t.Session && other.git.Root != "" && other.git.Root == o.git.Root:
			other.sharers = append(other.sharers, t.Session)
			o.sharers = append(o.sharers, id)
		}
	}
	c.open[t.Session] = o
}

// look opens the repository and notes what stands against a commit.
func (o *openTurn) look(ctx context.Context, open func(context.Context, string) (Git, error)) {
	g, err := open(ctx, o.Dir)
	switch {
	case errors.Is(err, ErrNoRepository):
		o.refuse(NoRepository, "there is no git repository at %s; dormouse bind --init makes one", o.Dir)
		return
	case err != nil:
		o.refuse(CannotTell, "%v", err)
		return
	case g.Bare:
		o.refuse(NoRepository, "%s is a bare repository, which has no files", g.Root)
		return
	}
	o.git = g
	s, err := g.Status(ctx)
	if err != nil {
		o.refuse(CannotTell, "%v", err)
		return
	}
	o.branch, o.head = s.Branch, s.Head
	switch {
	case s.Doing != "":
		o.refuse(UnderWay, "%s was under way when the turn began; finish it", s.Doing)
	case s.Branch == "":
		o.refuse(Detached, "no branch was checked out; git switch BRANCH")
	case !s.Clean():
		o.refuse(NotClean, "%s had changes that were not committed when the turn began (%s); commit them, or tell git to ignore them", g.Root, some(s.Changes))
	}
}

// refuse notes the first reason against a commit.
func (o *openTurn) refuse(r Reason, format string, args ...any) {
	if o.reason == "" {
		o.reason, o.text = r, fmt.Sprintf(format, args...)
	}
}

// some names the first paths.
func some(list []Change) string {
	var names []string
	for i, ch := range list {
		if i == 3 {
			names = append(names, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		names = append(names, ch.Path)
	}
	return strings.Join(names, ", ")
}

// End commits what changed since the session's turn began. Whatever stands against that is in the outcome.
func (c *Committer) End(ctx context.Context, t Turn) Outcome {
	ctx, leave, ok := c.enter(ctx)
	defer leave()
	c.mu.Lock()
	o := c.open[t.Session]
	delete(c.open, t.Session)
	c.mu.Unlock()
	if !ok {
		o = &openTurn{Turn: t}
		o.refuse(CannotTell, "Dormouse is shutting down; commit by hand")
		return c.settle(o, "")
	}
	if o == nil {
		o = &openTurn{Turn: t}
		o.refuse(BeginUnknown, "nobody told that the turn had begun: its changes cannot be told from yours")
		return c.settle(o, "")
	}
	o.N, o.Model, o.Words = cmpOr(t.N, o.N), cmpOr(t.Model, o.Model), cmpOr(t.Words, o.Words)
	if o.git.Root == "" {
		return c.settle(o, "")
	}
	lock := c.lock(o.git.CommonDir)
	lock.Lock()
	defer lock.Unlock()
	if c.unchanged(ctx, o) {
		o.reason, o.text = NothingChanged, ""
		return c.settle(o, "")
	}
	c.alone(o)
	if o.reason != "" {
		return c.settle(o, "")
	}
	return c.settle(o, c.commit(ctx, o))
}

func cmpOr[T comparable](a, b T) T {
	var zero T
	if a != zero {
		return a
	}
	return b
}

// lock is the lock of one repository.
func (c *Committer) lock(dir string) *sync.Mutex {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.locks[dir] == nil {
		c.locks[dir] = &sync.Mutex{}
	}
	return c.locks[dir]
}

// unchanged reports whether there is nothing to commit, and notes what has come up since the turn began.
func (c *Committer) unchanged(ctx context.Context, o *openTurn) bool {
	s, err := o.git.Status(ctx)
	if err != nil {
		o.refuse(CannotTell, "%v", err)
		return false
	}
	switch {
	case s.Clean():
		return true
	case s.Doing != "":
		o.refuse(UnderWay, "%s is under way; finish it, and commit by hand", s.Doing)
	case s.Branch == "":
		o.refuse(Detached, "no branch is checked out; git switch BRANCH")
	case s.Branch != o.branch || s.Head != o.head:
		o.refuse(Moved, "the branch was moved while the agent worked: what is left belongs to no known turn; commit it by hand")
	}
	return false
}

// alone notes other sessions that worked in the same work tree.
func (c *Committer) alone(o *openTurn) {
	c.mu.Lock()
	sharers := slices.Clone(o.sharers)
	c.mu.Unlock()
	if len(sharers) == 0 && c.o.Others != nil {
		var err error
		if sharers, err = c.o.Others(o.git.Root, o.Session, o.began); err != nil {
			o.refuse(CannotTell, "whether another session worked in %s: %v", o.git.Root, err)
		}
	}
	if len(sharers) > 0 {
		slices.Sort(sharers)
		o.refuse(Shared, "another session worked in %s at the same time (%s); commit by hand, or give each agent a git worktree", o.git.Root,
			strings.Join(slices.Compact(sharers), ", "))
	}
}

// settle keeps and reports what became of a turn.
func (c *Committer) settle(o *openTurn, commit string) Outcome {
	out := Outcome{Turn: o.Turn, At: c.o.Now().Unix(), Commit: commit, Reason: o.reason, Text: o.text}
	if commit != "" {
		out.Reason, out.Text = "", ""
	}
	c.mu.Lock()
	mine := o.Project + "\x00" + o.Session + "\x00"
	news := false
	switch {
	case out.Reason == NothingChanged:
	case commit != "":
		c.last[o.Project] = out
		for key := range c.told {
			if strings.HasPrefix(key, mine) {
				delete(c.told, key) // when it goes wrong again, that is news
			}
		}
	default:
		c.last[o.Project] = out
		news = !c.told[mine+string(out.Reason)]
		c.told[mine+string(out.Reason)] = true
	}
	c.mu.Unlock()
	if news && c.o.Report != nil {
		c.o.Report(out)
	}
	return out
}

// Last is what became of a project's newest turn that changed something, since the service began.
func (c *Committer) Last(project string) (Outcome, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.last[project]
	return o, ok
}

// Forget drops what was found out about a project, when the person turns auto-commit off.
func (c *Committer) Forget(project string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.last, project)
	for id, o := range c.open {
		if o.Project == project {
			delete(c.open, id)
		}
	}
}

// ByAgent reports whether a commit was made here for an agent.
func ByAgent(e gitrepo.LogEntry) bool { return e.Mail == AgentMail }

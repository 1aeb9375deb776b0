package shadow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// ErrNotFound says that there is no such session or turn in a project's shadow history.
var ErrNotFound = errors.New("not in the shadow history")

// DefaultMaxFile is the longest content that is kept, in bytes.
const DefaultMaxFile = 5 << 20

// Options say where the repositories lie and what is not to be kept.
type Options struct {
	Dir string // of all repositories: <home>/projects/shadow
	// Secret reports whether a content holds a secret. An error keeps the content from being stored. It must be set.
	Secret func(text string) (bool, error)
	// Ignored are those of some files, by their paths below the project's folder root, that the project's git ignores. The error
	// keeps all from being stored. Default: GitIgnored.
	Ignored func(ctx context.Context, root string, paths []string) (map[string]bool, error)
	Exclude []string // patterns of path.Match, for whole paths and for the folders above; from the project's folder on
	MaxFile int      // bytes; DefaultMaxFile when 0
}

// History is a session as it is read from: nodes in the order of their numbers from one on, and one node.
type History interface {
	Nodes(from int) iter.Seq2[memory.Node, error]
	Node(id string) (memory.Node, error)
}

// Session is what is recorded of: one session of a project.
type Session struct {
	ID, Agent string
	Cwd       string // where it began
	ProjectID string
	Roots     []string // the project's folders on this machine, the main one first
	History   History
}

// Store is the shadow history of all projects of a state folder. Its methods may be called from several goroutines. One process at
// a time may use it: the holder of the state folder's lock.
type Store struct {
	o Options

	mu    sync.Mutex
	repos map[string]*repo
	scans map[string]*scan // of sessions that were read of late
	order []string

	seen sightings
}

// New is the store of o.Dir. It does no I/O.
func New(o Options) *Store {
	if o.Ignored == nil {
		o.Ignored = GitIgnored
	}
	if o.MaxFile == 0 {
		o.MaxFile = DefaultMaxFile
	}
	return &Store{o: o, repos: map[string]*repo{}, scans: map[string]*scan{}}
}

// repo is the repository of one project. Whoever writes to it holds the lock. Whoever reads holds packs, which keeps packs from being
// removed, so that nobody who asks waits for a session to be recorded.
type repo struct {
	sync.Mutex
	packs sync.RWMutex
	git   *gitrepo.Repo
}

func (s *Store) repo(projectID string) (*repo, error) {
	if projectID == "" || !filepath.IsLocal(projectID) || filepath.Base(projectID) != projectID {
		return nil, fmt.Errorf("project %q: %w", projectID, ErrNotFound)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.repos[projectID]
	if r == nil {
		r = &repo{git: gitrepo.OpenBare(s.Dir(projectID))}
		s.repos[projectID] = r
	}
	return r, nil
}

// Dir is the folder of a project's repository, a bare one.
func (s *Store) Dir(projectID string) string { return filepath.Join(s.o.Dir, projectID+".git") }

// open makes the repository where it is missing, and takes away what interrupted writes left. Callers hold the lock.
func (s *Store) open(r *repo) error {
	if err := home.Mkdir(s.o.Dir); err != nil {
		return err
	}
	if err := home.Mkdir(r.git.Dir()); err != nil {
		return err
	}
	if err := r.git.Init(nil); err != nil {
		return err
	}
	return r.git.RemoveTemps()
}

// branches is where the sessions' branches lie.
const branches = "refs/heads/session/"

func branch(sessionID string) string { return branches + sessionID }

// Forget removes all that is kept of a session. Its contents go with the next Pack, which Forget makes.
func (s *Store) Forget(projectID, sessionID string) error {
	r, err := s.repo(projectID)
	if err != nil {
		return err
	}
	r.Lock()
	defer r.Unlock()
	s.dropScan(sessionID)
	if !r.git.Exists() {
		return nil
	}
	tip, err := r.git.Ref(branch(sessionID))
	if err != nil || tip.IsZero() {
		return err
	}
	if err := r.git.SetRefs([]gitrepo.RefMove{{Name: branch(sessionID), From: tip}}); err != nil {
		return fmt.Errorf("forget the shadow history of session %s: %w", sessionID, err)
	}
	if err := r.pointHead(); err != nil {
		return err
	}
	return r.pack()
}

// Remove deletes a project's whole shadow history.
func (s *Store) Remove(projectID string) error {
	r, err := s.repo(projectID)
	if err != nil {
		return err
	}
	r.Lock()
	defer r.Unlock()
	r.packs.Lock()
	defer r.packs.Unlock()
	if err := os.RemoveAll(r.git.Dir()); err != nil {
		return fmt.Errorf("remove the shadow history of project %s: %w", projectID, err)
	}
	r.git = gitrepo.OpenBare(r.git.Dir())
	return nil
}

// pointHead makes HEAD name the branch with the newest commit, the last by name among equals.
func (r *repo) pointHead() error {
	refs, err := r.git.Refs(branches)
	if err != nil {
		return err
	}
	x := r.git.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	best, when := gitrepo.MainBranch, int64(-1)
	for name, oid := range refs {
		c, err := x.Commit(oid)
		if err != nil {
			return err
		}
		if c.When > when || c.When == when && name > best {
			best, when = name, c.When
		}
	}
	if now, err := r.git.Head(); err != nil || now == best {
		return err
	}
	return r.git.SetHead(best)
}

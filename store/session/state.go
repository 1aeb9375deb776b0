package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// entry is one node file, in the order of history/.
type entry struct {
	name string // in history/, as parseName takes it
	oid  gitrepo.OID
	hot  bool // the file is in the work tree
	stat gitrepo.Stat
}

// id is the node's.
func (e *entry) id() string { return e.name[idStart : len(e.name)-len(nodeExt)] }

func (e *entry) seq() int { return seqOf(e.name) }

func (e *entry) role() memory.Role { return roleOf(e.name[roleAt]) }

func newEntry(seq int, role memory.Role, id string) entry {
	return entry{name: nodeName(seq, role, id)}
}

// state is what is known of an open session's history. Entries, heads and what lanes hold are only ever appended to, so that a
// reader may go on with the slices it took while a batch adds to them.
type state struct {
	repo      *gitrepo.Repo
	lanes     lanes // of the nodes that have one: the committed ones, and those that a batch of this process added
	entries   []entry
	committed int            // entries[:committed] are in commits; the others are files in history/
	byID      map[string]int // places by the nodes' ids; nil until ids is asked
	bonds     *bonds         // of every entry; nil until somebody asks
	marks     []mark         // the commits, those of a lane in their order; as good as bonds, unless strange
	strange   bool           // there are commits that are not ours
	kept      kept
	turns     int      // prompts so far; -1 until a writer asks
	pending   []header // of entries[committed:]
	subjects  map[int]string
	stale     map[int][]string // files in history/ that are ignored, by their number
	problems  []string
	foreign   string // a file in a committed history/ that is no node; nothing can be committed beside it
}

func newState(repo *gitrepo.Repo) *state {
	return &state{repo: repo, subjects: map[int]string{}, stale: map[int][]string{}, turns: -1}
}

// load reads a session's history: names and numbers from git's trees, and the files of the open turn.
func load(repo *gitrepo.Repo) (*state, error) {
	st := newState(repo)
	if !repo.Exists() {
		return st, nil
	}
	r := repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	var err error
	if !st.loadKept(r) {
		err = st.loadLanes(r)
	}
	if err == nil {
		err = st.loadFiles()
	}
	if st.bonds != nil {
		st.addPending()
	}
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w%s", repo.Dir(), err, remedy(err, repo.Dir()))
	}
	return st, nil
}

// remedy says what a person can do about a history that cannot be read; nothing where it is the machine that fails.
func remedy(err error, dir string) string {
	var p *fs.PathError
	if errors.As(err, &p) && !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return fmt.Sprintf("; git fsck tells more. Restore %s from a backup, or move it away: what the agent's transcript still holds is captured again",
		filepath.Join(dir, ".git"))
}

func (st *state) readHeader(r *gitrepo.Reader, i int) (header, error) {
	data, err := readEntry(st.repo, r, &st.entries[i])
	if err != nil {
		return header{}, err
	}
	h, err := parseHeader(data)
	if err != nil {
		return h, fmt.Errorf("node %s of %s: %w", st.entries[i].name, st.repo.Dir(), err)
	}
	h.prompt = h.prompt && st.entries[i].role() == memory.RoleUser
	return h, nil
}

// ids gives every node's place by its id. A reader of turns does without; for the others it is made once. Callers hold the session's
// lock, or are its only ones.
func (st *state) ids() map[string]int {
	if st.byID != nil {
		return st.byID
	}
	st.byID = make(map[string]int, len(st.entries)+16)
	for i := range st.entries {
		id := st.entries[i].id()
		if _, twice := st.byID[id]; twice {
			st.reject(st.entries[i].name)
			continue
		}
		st.byID[id] = i
	}
	return st.byID
}

// reject notes a committed file in history/ that is none of ours.
func (st *state) reject(name string) {
	st.foreign = name
	st.problem("history/%s in a newest commit is not a node, or is there twice; nothing can be appended while it is there", name)
}

// nextSeq is the number of the node that is appended next.
func (st *state) nextSeq() int {
	if len(st.entries) == 0 {
		return 1
	}
	return st.entries[len(st.entries)-1].seq() + 1
}

func (st *state) problem(format string, args ...any) {
	st.problems = append(st.problems, fmt.Sprintf(format, args...))
}

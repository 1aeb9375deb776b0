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
	name string // in history/
	seq  int
	role memory.Role
	oid  gitrepo.OID
	hot  bool // the file is in the work tree
	stat gitrepo.Stat
}

// id is the node's.
func (e *entry) id() string { return e.name[idStart : len(e.name)-len(nodeExt)] }

func newEntry(seq int, role memory.Role, id string) entry {
	return entry{name: nodeName(seq, role, id), seq: seq, role: role}
}

// state is what is known of an open session's history. Entries, heads and what lanes hold are only ever appended to, so that a
// reader may go on with the slices it took while a batch adds to them.
type state struct {
	repo      *gitrepo.Repo
	lanes     lanes // of the nodes that have one: the committed ones, and those that a batch of this process added
	entries   []entry
	committed int // entries[:committed] are in commits; the others are files in history/
	byID      map[string]int
	heads     []header // of every entry; nil until somebody asks
	turns     int      // prompts so far; -1 until a writer asks
	pending   []header // of entries[committed:]
	subjects  map[int]string
	stale     map[int][]string // files in history/ that are ignored, by their number
	problems  []string
	foreign   string // a file in a committed history/ that is no node; nothing can be committed beside it
}

func newState(repo *gitrepo.Repo) *state {
	return &state{repo: repo, byID: map[string]int{}, subjects: map[int]string{}, stale: map[int][]string{}, turns: -1}
}

// load reads a session's history: names and numbers from git's trees, and the files of the open turn.
func load(repo *gitrepo.Repo) (*state, error) {
	st := newState(repo)
	if !repo.Exists() {
		return st, nil
	}
	r := repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	err := st.loadLanes(r)
	if err == nil {
		err = st.loadFiles()
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
	h.prompt = h.prompt && st.entries[i].role == memory.RoleUser
	return h, nil
}

// loadHeads reads every node's header.
func (st *state) loadHeads() error {
	if st.heads != nil {
		return nil
	}
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	heads := make([]header, 0, len(st.entries)+16)
	for i := range st.committed {
		h, err := st.readHeader(r, i)
		if err != nil {
			return err
		}
		// Ids of known nodes are shared, so that a link costs no text.
		if at, ok := st.byID[string(h.parent)]; ok {
			h.parent = memory.Ref(st.entries[at].id())
		}
		if at, ok := st.byID[string(h.calledBy)]; ok {
			h.calledBy = memory.Ref(st.entries[at].id())
		}
		heads = append(heads, h)
	}
	for _, h := range st.pending {
		h.seen, h.files = nil, nil // their commit has used them, or the pending ones have them
		heads = append(heads, h)
	}
	st.heads = heads
	return nil
}

// nextSeq is the number of the node that is appended next.
func (st *state) nextSeq() int {
	if len(st.entries) == 0 {
		return 1
	}
	return st.entries[len(st.entries)-1].seq + 1
}

func (st *state) problem(format string, args ...any) {
	st.problems = append(st.problems, fmt.Sprintf(format, args...))
}

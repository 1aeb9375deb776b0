package session

import (
	"fmt"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// holdBytes is how many bytes of the open turn a bulk batch keeps in memory before it packs them, not knowing yet whether
// their turn will be over.
const holdBytes = 8 << 20

// Batch adds nodes to a session. It is for one goroutine and must end with Close or Abort.
type Batch struct {
	x    *Session
	bulk bool
	err  error // the first failure; nothing goes on after it
	done bool

	// Set by the first Append or Close.
	st       *state
	dir      string        // where it writes: the session's folder, or one that becomes it
	fresh    bool          // the session is being made
	draft    *gitrepo.Repo // its repository, where it is
	entries  []entry
	heads    []header
	lanes    lanes          // with the new entries
	active   int            // lane of the newest node of the main conversation
	byID     map[string]int // places of the new entries, counted from the session's first
	subjects map[int]string
	turns    int
	contexts []delta // of the new commits
	made     []newCommit
	ends     []int  // places before which a turn was over
	model    string // of the newest answer
	images   []gitrepo.RefMove
	written  memory.Session // the meta.json that a new session got

	pack *gitrepo.PackWriter // of a bulk batch
	held []heldFile          // of the newest entries, that are not packed yet
	size int                 // bytes in held
}

// heldFile is a node's file that waits to be packed.
type heldFile struct {
	oid  gitrepo.OID
	data []byte
}

// Begin starts a batch, after those before it are closed. bulk is for importing: turns that are over go into one pack and
// leave no files in history/. Nothing is durable, nor seen by readers, before Close.
func (x *Session) Begin(bulk bool) *Batch {
	x.writing.Lock()
	return &Batch{x: x, bulk: bulk}
}

// Append adds a node. It assigns Seq and Metadata.Turn. A node whose id the session has is skipped. After an error only Abort
// is left.
func (b *Batch) Append(n memory.Node) (added bool, err error) {
	if b.done {
		return false, fmt.Errorf("append to session %s: the batch is closed", b.x.id)
	}
	if err := b.open(); err != nil {
		return false, b.fail(err)
	}
	if !safeName(n.ID) {
		return false, b.fail(fmt.Errorf("node id %q cannot be a file's name", n.ID))
	}
	if _, known := b.find(n.ID); known {
		return false, nil
	}
	if n.Role != memory.RoleUser && n.Role != memory.RoleAssistant && n.Role != memory.RoleTool {
		return false, b.fail(fmt.Errorf("node %s has the role %q", n.ID, n.Role))
	}
	if err := b.put(n); err != nil {
		return false, b.fail(err)
	}
	return true, nil
}

// open loads the session's history.
func (b *Batch) open() (err error) {
	if b.err != nil || b.st != nil {
		return b.err
	}
	first, err := b.load()
	if err == nil {
		err = b.weavePending()
	}
	if err == nil && first && !b.fresh {
		err = b.catchUp()
	}
	return err
}

// load loads the history. first says that an earlier write may have been interrupted.
func (b *Batch) load() (first bool, err error) {
	x := b.x
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.deleted {
		return false, fmt.Errorf("%w: it was deleted", ErrNotFound)
	}
	if err := x.refresh(); err != nil {
		return false, err
	}
	b.fresh, b.dir = !x.exists, x.dir()
	if b.fresh {
		b.dir = x.settle()
	}
	first = !x.tidied
	if b.fresh || first || x.st == nil || !x.st.repo.Exists() {
		if err := b.prepare(); err != nil {
			return first, err
		}
	}
	x.tidied = true
	if b.st, err = x.loaded(true); err != nil {
		return first, err
	}
	if b.fresh {
		b.st = newState(b.draft)
	}
	b.st.ids()
	if b.st.foreign != "" {
		return first, fmt.Errorf("history/%s was committed and is not a node; take it out of the main branch", b.st.foreign)
	}
	if err := b.st.loadTurns(); err != nil {
		return first, err
	}
	b.byID, b.subjects, b.turns = map[string]int{}, map[int]string{}, b.st.turns
	b.lanes = b.st.lanes.clone()
	b.active = b.lanes.active()
	for i := b.st.committed; i < len(b.st.entries); i++ { // turns that were over when an earlier process was stopped
		if b.head(i).prompt && b.openTurn(i) {
			b.ends = append(b.ends, i)
		}
	}
	return first, nil
}

// weavePending gives lanes to the nodes that an earlier process left without a commit.
func (b *Batch) weavePending() error {
	for i := len(b.lanes.of); i < len(b.st.entries); i++ {
		if err := b.weave(b.st.entries[i].id(), b.head(i), true); err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) fail(err error) error {
	if b.err == nil {
		b.err = fmt.Errorf("append to session %s: %w", b.x.id, err)
	}
	return b.err
}

// find gives a node's place in the session.
func (b *Batch) find(id string) (int, bool) {
	if i, ok := b.byID[id]; ok {
		return i, true
	}
	i, ok := b.st.ids()[id]
	return i, ok
}

// total is the number of nodes with those of the batch.
func (b *Batch) total() int { return len(b.st.entries) + len(b.entries) }

// put gives a new node its number and turn, and stores it.
func (b *Batch) put(n memory.Node) error {
	n.Seq = b.nextSeq()
	if n.Seq > maxSeq {
		return fmt.Errorf("it has %d nodes, and no more than that", maxSeq)
	}
	if n.StartsTurn() && b.openTurn(b.total()) {
		if err := b.endTurn(); err != nil {
			return err
		}
	}
	head := headerOf(&n)
	if err := b.weave(n.ID, &head, false); err != nil {
		return err
	}
	n.Metadata.Turn = head.turn
	data, err := n.MarshalJSON()
	if err != nil {
		return err
	}
	e := newEntry(n.Seq, n.Role, n.ID)
	if err := b.keep(&e, append(data, '\n')); err != nil {
		return err
	}
	b.byID[n.ID] = b.total()
	b.entries = append(b.entries, e)
	b.heads = append(b.heads, head)
	noteSubject(b.subjects, &n)
	if m := modelOf(&n); m != "" {
		b.model = m
	}
	return nil
}

func (b *Batch) nextSeq() int {
	if n := len(b.entries); n > 0 {
		return b.entries[n-1].seq() + 1
	}
	return b.st.nextSeq()
}

// openTurn reports whether a commit is due before a prompt at this place: there are nodes without one, and not only such as
// came before the first prompt.
func (b *Batch) openTurn(at int) bool {
	for i := b.lastEnd(); i < at; i++ {
		if b.head(i).turn > 0 {
			return true
		}
	}
	return false
}

// head is the header of a node that was not committed when the batch began.
func (b *Batch) head(i int) *header {
	if i < len(b.st.entries) {
		return &b.st.pending[i-b.st.committed]
	}
	return &b.heads[i-len(b.st.entries)]
}

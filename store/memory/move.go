package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Receipt says what one source node of a record held when the record's scope was changed.
type Receipt struct {
	Operation string `json:"operation"`
	SessionID string `json:"session_id"`
	NodeID    string `json:"node_id"`
	Role      Role   `json:"role"`
	Hash      string `json:"hash"` // NodeHash of the node
}

// Move is a change of a record's scope. Its receipts are of the turns that the record comes from: of the node of the user, of the node
// of the assistant, and of each node that bears the record out.
type Move struct {
	Operation string    `json:"operation"`
	To        Scope     `json:"to"`
	Digest    string    `json:"digest"` // of the moved set: the record, its two scopes and all receipts
	Receipts  []Receipt `json:"receipts"`
}

// Live gives the NodeHash of a node as it is now; false where the node is not there.
type Live func(session, node string) (hash string, ok bool)

// NodeHash is the SHA-256 of a node's canonical JSON, in hex.
func NodeHash(n *Node) (string, error) {
	raw, err := Encode(n)
	if err != nil {
		return "", fmt.Errorf("hash node %s: %w", n.ID, err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// moveDigest covers everything that a move says.
func moveDigest(p *Proposal, m *Move) string {
	parts := []string{"move", m.Operation, string(p.Kind), p.RecordID, string(p.Scope), string(m.To)}
	for _, r := range slices.SortedFunc(slices.Values(m.Receipts), compareReceipts) {
		parts = append(parts, r.Operation, r.SessionID, r.NodeID, string(r.Role), r.Hash)
	}
	return digest(64, parts...)
}

func compareReceipts(a, b Receipt) int {
	return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.NodeID, b.NodeID), cmp.Compare(a.Hash, b.Hash))
}

// Move changes the scope of an event or a fact. The receipts' operation is filled in. A move to the scope that the record came with
// is the undo of the move that is in force.
func (r *Ruler) Move(rec Record, to Scope, receipts []Receipt, reason string) ([]Decision, error) {
	ref, home := rec.Ref(), r.State.Home(rec)
	if ref.Kind != RecordEvent && ref.Kind != RecordFact {
		return nil, fmt.Errorf("only an event or a fact has a scope that can be changed, not a %s: %w", ref.Kind, ErrUnfit)
	}
	if !to.Valid() {
		return nil, fmt.Errorf("%q is no scope: %w", to, ErrUnfit)
	}
	old, moved := r.State.moves[ref]
	switch {
	case moved && to == home.InScope():
		return []Decision{r.undo(old.decision, reason)}, nil
	case moved && to == old.move.To && rec.InScope() == to, !moved && to == rec.InScope():
		return nil, fmt.Errorf("%s: %w", ref.ID, ErrSettled)
	}
	p := r.bare(rec)
	p.Scope = home.InScope()
	op := "op_" + digest(16, "scope", string(ref.Kind), ref.ID, string(p.Scope), string(to), formatInt(r.Now), old.decision)
	m := &Move{Operation: op, To: to, Receipts: slices.Clone(receipts)}
	for i := range m.Receipts {
		m.Receipts[i].Operation = op
	}
	slices.SortFunc(m.Receipts, compareReceipts)
	m.Digest = moveDigest(&p, m)
	p.Move = m
	if why := m.lacks(&p, home.Origin()); why != "" {
		return nil, fmt.Errorf("%s: %s: %w", ref.ID, why, ErrUnfit)
	}
	return []Decision{r.ruled(ActionScope, true, reason, p)}, nil
}

// lacks says what a move has no receipt for; "" where it is whole.
func (m *Move) lacks(p *Proposal, from *Provenance) string {
	if m.Digest != moveDigest(p, m) {
		return "its digest is another one"
	}
	has := map[Role]bool{}
	nodes := map[string]bool{}
	for _, r := range m.Receipts {
		if r.Operation != m.Operation || r.Hash == "" {
			return "a receipt is of another operation"
		}
		has[r.Role], nodes[r.NodeID] = true, true
	}
	switch {
	case from == nil || len(from.NodeIDs) == 0:
		return "it names no turn that it comes from"
	case !has[RoleUser]:
		return "there is no receipt for the node of the user"
	case !has[RoleAssistant]:
		return "there is no receipt for the node of the assistant"
	}
	for _, n := range from.NodeIDs {
		if !nodes[n] {
			return "there is no receipt for node " + n
		}
	}
	return ""
}

// holds reports whether all receipts are there and say what the nodes still hold.
func (m *Move) holds(p *Proposal, from *Provenance, live Live) bool {
	if live == nil || !m.To.Valid() || m.lacks(p, from) != "" {
		return false
	}
	for _, r := range m.Receipts {
		if now, ok := live(r.SessionID, r.NodeID); !ok || now != r.Hash {
			return false
		}
	}
	return true
}

// moved is the move of a record that is in force.
type moved struct {
	decision string
	proposal Proposal // without its record
	move     *Move
}

// placed is a record that is served in another scope than it came with, or in none.
type placed struct {
	home  Scope
	claim ClaimKey // in its own scope
}

// noteMove keeps a move; of several the last one counts.
func (s *State) noteMove(d *Decision, ref RecordRef) {
	if d.Proposal.Move == nil || ref.Kind != RecordEvent && ref.Kind != RecordFact {
		return
	}
	p := d.Proposal
	p.Record = nil
	s.moves[ref] = moved{decision: d.ID, proposal: p, move: d.Proposal.Move}
}

// Verify holds the receipts of moved records against the nodes as they are, now and at each later Settle. Until it is called no
// node is known to be there, so that a moved record is served in no scope.
func (s *State) Verify(live Live) {
	s.live = live
	if s.Moves() {
		s.Settle()
	}
}

// Moves reports whether any record was moved, so that Verify may change something.
func (s *State) Moves() bool { return len(s.moves) > 0 }

// takeHome gives moved records the scope that they came with, before anything else is added up.
func (s *State) takeHome() {
	for ref, p := range s.placed {
		if r := s.Record(ref); r != nil {
			setScope(r, p.home)
		}
	}
	clear(s.placed)
}

// place puts moved records into their new scope, if all receipts hold, else into none.
func (s *State) place() {
	withheld := map[string][]string{}
	for ref, m := range s.moves {
		r := s.Record(ref)
		if r == nil {
			continue
		}
		s.placed[ref] = placed{home: r.InScope(), claim: r.Claim()}
		to := Scope("")
		if m.proposal.Scope == r.InScope() && m.move.holds(&m.proposal, r.Origin(), s.live) {
			to = m.move.To
		}
		setScope(r, to)
		if to == "" || to.Private() {
			for _, receipt := range m.move.Receipts {
				withheld[receipt.SessionID] = append(withheld[receipt.SessionID], receipt.NodeID)
			}
		}
	}
	for session, nodes := range withheld {
		slices.Sort(nodes)
		withheld[session] = slices.Compact(nodes)
	}
	s.withheld = withheld
}

func setScope(r Record, to Scope) {
	switch r := r.(type) {
	case *Event:
		r.Scope = to
	case *Fact:
		r.Scope = to
	}
}

// Home is a record in the scope that it came with: itself, or a copy.
func (s *State) Home(r Record) Record {
	p, ok := s.placed[r.Ref()]
	if !ok {
		return r
	}
	switch r := r.(type) {
	case *Event:
		c := *r
		c.Scope = p.home
		return &c
	case *Fact:
		c := *r
		c.Scope = p.home
		return &c
	}
	return r
}

// Moved tells from which scope a record was moved and by which decision.
func (s *State) Moved(ref RecordRef) (home Scope, decision string, ok bool) {
	m, ok := s.moves[ref]
	return m.proposal.Scope, m.decision, ok
}

// Withheld are the nodes of the turns from which something comes that is private or served in no scope, sorted, by session: their words
// are not to be found by anybody's search. The caller does not change it.
func (s *State) Withheld() map[string][]string { return s.withheld }

// WithheldNode reports whether a node is among those of Withheld.
func (s *State) WithheldNode(node string) bool {
	for _, nodes := range s.withheld {
		if _, ok := slices.BinarySearch(nodes, node); ok {
			return true
		}
	}
	return false
}

// PrivateScope is the scope of what the person alone is shown, of a project.
func PrivateScope(project string) Scope {
	return Scope("private:" + cmp.Or(project, "default"))
}

// Private reports whether the person alone is shown what has the scope.
func (s Scope) Private() bool { return strings.HasPrefix(string(s), "private:") }

package daemon

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// rescope moves a record into the scope that the person names, with receipts of the turns that it comes from.
func (r *ruler) rescope(rec memory.Record) ([]memory.Decision, error) {
	to, err := r.scopeNamed(r.q.To, r.State.Home(rec))
	if err != nil {
		return nil, err
	}
	receipts, err := r.d.receipts(rec)
	var told *api.Error
	if errors.As(err, &told) {
		if home, id, moved := r.State.Moved(rec.Ref()); moved && home == to { // going back needs no receipt
			d, ok := r.Decision(id)
			if ok {
				return r.Undo(d, r.q.Reason)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return r.Move(rec, to, receipts, r.q.Reason)
}

// scopeNamed reads what a person calls a scope.
func (r *ruler) scopeNamed(name string, home memory.Record) (memory.Scope, error) {
	kind, rest, _ := strings.Cut(name, ":")
	switch {
	case name == "private":
		project := ""
		if p := home.Origin(); p != nil {
			project = p.ProjectID
		}
		return memory.PrivateScope(project), nil
	case name == string(memory.Global):
		return memory.Global, nil
	case kind == "agent" && rest != "":
		return memory.AgentScope(rest), nil
	case kind == "project" && rest != "":
		id, err := r.d.projectID(r.ctx, rest)
		return memory.ProjectScope(id), err
	}
	return "", fmt.Errorf("a scope is private, global, project:NAME or agent:NAME, not %q: %w", clipped(name, 100), memory.ErrUnfit)
}

// receipts say what the turns hold that a record comes from: the node of the user, that of the assistant, and what bears it out.
func (d *Daemon) receipts(rec memory.Record) ([]memory.Receipt, error) {
	p := rec.Origin()
	if p == nil || p.SessionID == "" || len(p.NodeIDs) == 0 {
		return nil, fmt.Errorf("%s names no turn that it comes from: %w", rec.Ref().ID, memory.ErrUnfit)
	}
	x, err := d.sessions.Open(p.SessionID)
	if err != nil {
		return nil, &api.Error{Code: api.CodeElsewhere, Message: fmt.Sprintf("session %s, which %s comes from, is not on this machine: who is shown it can be changed where the session is",
			p.SessionID, rec.Ref().ID)}
	}
	turns := map[int]bool{}
	for _, node := range p.NodeIDs {
		n, ok := x.TurnOf(node)
		if !ok {
			return nil, &api.Error{Code: api.CodeNotFound, Message: fmt.Sprintf("the turn of session %s that %s comes from is gone", p.SessionID, rec.Ref().ID)}
		}
		turns[n] = true
	}
	var out []memory.Receipt
	for n := range turns {
		nodes, err := x.Turn(n)
		if err != nil {
			return nil, err
		}
		for _, node := range sources(nodes, p.NodeIDs) {
			hash, err := memory.NodeHash(node)
			if err != nil {
				return nil, err
			}
			out = append(out, memory.Receipt{SessionID: p.SessionID, NodeID: node.ID, Role: node.Role, Hash: hash})
		}
	}
	return out, nil
}

// sources are the nodes of a turn that a receipt is made of: the person's, the last of the assistant, and those that bear a record out.
func sources(nodes []memory.Node, evidence []string) (out []*memory.Node) {
	user, assistant := -1, -1
	for i := range nodes {
		switch {
		case nodes[i].Role == memory.RoleUser && user < 0:
			user = i
		case nodes[i].Role == memory.RoleAssistant:
			assistant = i
		}
	}
	for i := range nodes {
		if i == user || i == assistant || slices.Contains(evidence, nodes[i].ID) {
			out = append(out, &nodes[i])
		}
	}
	return out
}

// liveNode is what a node of a session holds now. It is called while the ledger is locked, and asks nothing of it.
func (d *Daemon) liveNode(session, node string) (hash string, ok bool) {
	if d.sessions == nil {
		return "", false
	}
	x, err := d.sessions.Open(session)
	if err != nil {
		return "", false
	}
	n, err := x.Node(node)
	if err != nil {
		return "", false
	}
	hash, err = memory.NodeHash(&n)
	return hash, err == nil
}

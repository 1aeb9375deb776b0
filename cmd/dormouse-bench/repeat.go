package main

import (
	"fmt"
	"io"

	"dormouse/service/distill"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// sessionNodes is how many nodes a repeated session has at least.
const sessionNodes = 1000

// repeated makes many sessions out of few: each is a row of the turns of real ones, with ids of its own. They are made when they
// are opened, so that no more than one is in memory.
type repeated struct {
	turns [][]memory.Node // of all sessions, one after the other
	from  []int           // the first turn of each repeated session
	to    []int
	nodes int
}

// repeat lays out sessions of sessionNodes nodes each, with at least nodes in all.
func repeat(t *transcripts, nodes int) *repeated {
	r := &repeated{}
	all, _ := t.List() // the list of what was read never fails
	for _, m := range all {
		s := t.sessions[m.ID]
		var turn []memory.Node
		for i := range s.nodes {
			if n := s.nodes[i]; n.Metadata.AgentID == "" {
				if n.StartsTurn() && len(turn) > 0 {
					r.turns, turn = append(r.turns, turn), nil
				}
				turn = append(turn, n)
			}
		}
		if len(turn) > 0 {
			r.turns = append(r.turns, turn)
		}
	}
	for at := 0; r.nodes < nodes; {
		from, have := at, 0
		for ; have < sessionNodes; at++ {
			have += len(r.turns[at%len(r.turns)])
		}
		r.from, r.to = append(r.from, from), append(r.to, at)
		r.nodes += have
	}
	return r
}

func (r *repeated) meta(i int) memory.Session {
	return memory.Session{ID: fmt.Sprintf("cc_%08x", i), Agent: "claude-code", AgentSessionID: fmt.Sprint(i), Cwd: "/home/u/app", ProjectID: fmt.Sprintf("p%d", i%10),
		CreatedAt: firstTime + int64(i)*3600, UpdatedAt: firstTime + int64(i)*3600 + 1800}
}

// List names all sessions.
func (r *repeated) List() ([]memory.Session, error) {
	var out []memory.Session
	for i := range r.from {
		out = append(out, r.meta(i))
	}
	return out, nil
}

// Root is a session's first node.
func (r *repeated) Root(id string) (string, error) {
	var i int
	if _, err := fmt.Sscanf(id, "cc_%x", &i); err != nil || i >= len(r.from) {
		return "", fmt.Errorf("no session %s", id)
	}
	return nodeOf(i, 0), nil
}

// Open makes a session.
func (r *repeated) Open(id string) (distill.Transcript, error) {
	var i int
	if _, err := fmt.Sscanf(id, "cc_%x", &i); err != nil || i >= len(r.from) {
		return nil, fmt.Errorf("no session %s", id)
	}
	s := &benchSession{meta: r.meta(i)}
	at := s.meta.CreatedAt
	for t := r.from[i]; t < r.to[i]; t++ {
		for _, n := range r.turns[t%len(r.turns)] {
			n.ID, n.ParentID, n.CalledBy = nodeOf(i, len(s.nodes)), "", ""
			if k := len(s.nodes); k > 0 {
				n.ParentID = memory.Ref(nodeOf(i, k-1))
			}
			at++
			n.CreatedAt, n.Metadata.Turn = at, t-r.from[i]+1
			s.nodes = append(s.nodes, n)
			s.links = append(s.links, session.Link{ID: n.ID, Parent: n.ParentID, Seq: len(s.nodes), Turn: n.Metadata.Turn, Role: n.Role})
		}
	}
	s.meta.HeadID = memory.Ref(nodeOf(i, len(s.nodes)-1))
	s.index()
	return s, nil
}

func nodeOf(session, n int) string { return memory.NodeID("bench", fmt.Sprint(session), fmt.Sprint(n)) }

// printScale prints how fast many sessions were distilled.
func printScale(w io.Writer, f distillFigures) error {
	_, err := fmt.Fprintf(w, "sessions %d, nodes %d, records %d, entities %d, edges %d\n%.1f CPU s, %.0f nodes a CPU second, private memory %.0f MB, of that before %.0f MB\n",
		f.Sessions, f.Nodes, f.Records, f.Entities, f.Edges, f.CPUSeconds, float64(f.Nodes)/max(f.CPUSeconds, 1e-9), f.PrivateMB, f.BeforeMB)
	return err
}

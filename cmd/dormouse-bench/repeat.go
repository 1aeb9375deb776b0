package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"dormouse/service/distill"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// How many nodes a repeated session has at least, and one that is distilled alone when it has gone idle.
const sessionNodes, idleNodes = 1000, 200

// repeated makes many sessions out of few: each is a row of the turns of real ones, with ids of its own. The turns lie in a file
// and a session is made when it is opened, so that what is measured is not the bench's own memory.
type repeated struct {
	turns *os.File
	at    []int64 // where each turn begins in the file, and where the last one ends
	size  []int   // nodes of each turn
	from  []int   // the first turn of each repeated session
	to    []int
	nodes int
	spent float64 // CPU seconds that making sessions has taken
}

// repeat lays out sessions of sessionNodes nodes each, with at least nodes in all, and as many more of idleNodes each as idle says.
func repeat(t *transcripts, nodes, idle int) (*repeated, error) {
	f, err := os.CreateTemp("", "dormouse-bench-turns-")
	if err != nil {
		return nil, fmt.Errorf("make a file for the turns: %w", err)
	}
	r := &repeated{turns: f, at: []int64{0}}
	all, _ := t.List() // the list of what was read never fails
	for _, m := range all {
		var turn []memory.Node
		for _, n := range t.sessions[m.ID].nodes {
			if n.Metadata.AgentID != "" {
				continue
			}
			if n.StartsTurn() && len(turn) > 0 {
				err = errors.Join(err, r.keep(turn))
				turn = nil
			}
			turn = append(turn, n)
		}
		if len(turn) > 0 {
			err = errors.Join(err, r.keep(turn))
		}
	}
	for at := 0; err == nil && r.nodes < nodes; {
		at = r.lay(at, sessionNodes)
	}
	for range idle {
		r.lay(r.to[len(r.to)-1], idleNodes)
	}
	return r, err
}

// lay makes a session of the turns from one on, and returns the turn after it.
func (r *repeated) lay(at, nodes int) int {
	from, have := at, 0
	for ; have < nodes; at++ {
		have += r.size[at%len(r.size)]
	}
	r.from, r.to, r.nodes = append(r.from, from), append(r.to, at), r.nodes+have
	return at
}

// keep writes a turn to the file.
func (r *repeated) keep(turn []memory.Node) error {
	raw, err := json.Marshal(turn)
	if err == nil {
		_, err = r.turns.Write(raw)
	}
	r.at, r.size = append(r.at, r.at[len(r.at)-1]+int64(len(raw))), append(r.size, len(turn))
	return err
}

// turn reads one back.
func (r *repeated) turn(n int) (nodes []memory.Node, err error) {
	n %= len(r.size)
	raw := make([]byte, r.at[n+1]-r.at[n])
	if _, err := r.turns.ReadAt(raw, r.at[n]); err != nil {
		return nil, fmt.Errorf("read a turn back: %w", err)
	}
	return nodes, json.Unmarshal(raw, &nodes)
}

func (r *repeated) close() error { return errors.Join(r.turns.Close(), os.Remove(r.turns.Name())) }

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
	began := cpuSeconds()
	defer func() { r.spent += cpuSeconds() - began }()
	s := &benchSession{meta: r.meta(i)}
	at := s.meta.CreatedAt
	for t := r.from[i]; t < r.to[i]; t++ {
		nodes, err := r.turn(t)
		if err != nil {
			return nil, err
		}
		for _, n := range nodes {
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
	_, err := fmt.Fprintf(w, `sessions %d, nodes %d, records %d, entities %d, edges %d
%.1f CPU s, %.0f nodes a CPU second, private memory %.0f MB, of that before %.0f MB
one more session of %d nodes, gone idle: %.2f CPU s (the slowest of %d)
opening the log of %.0f MB: %.1f CPU s, private memory %.0f MB, of that %.0f MB at the end
`,
		f.Sessions, f.Nodes, f.Records, f.Entities, f.Edges, f.CPUSeconds, float64(f.Nodes)/max(f.CPUSeconds, 1e-9), f.PrivateMB, f.BeforeMB,
		idleNodes, f.IdleSeconds, idleSessions, f.LogMB, f.OpenSeconds, f.OpenMB, f.OpenedMB)
	return err
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/recall"
	"dormouse/store/memory"
)

// committed is one line of a sessions set's queries.jsonl: the subject of a commit and the sessions that made it.
type committed struct {
	Project string   `json:"project"`
	Query   string   `json:"query"`
	Gold    []string `json:"gold"`
}

// manifested is one line of MANIFEST.jsonl.
type manifested struct {
	ID      string `json:"id"`
	Project string `json:"project"`
}

// recallSessions asks for the sessions of commits by their subjects, among the sessions of the same project. So that a subject is
// not found in the session that wrote it, calls of git commit are dropped first, and so is every line that holds a subject.
func recallSessions(dir string) ([]recallRow, error) {
	queries, store, err := maskedSessions(dir)
	if err != nil {
		return nil, err
	}
	p, err := openProduct()
	if err != nil {
		return nil, err
	}
	rows, err := []recallRow(nil), p.indexTurns(store)
	if err == nil {
		rows, err = scoreSessions("dormouse", queries, func(project, query string) ([]string, error) {
			ids, err := p.sessions(project, query)
			for i, id := range ids {
				ids[i] = store.sessions[id].meta.AgentSessionID
			}
			return ids, err
		})
	}
	if err = errors.Join(err, p.close()); err != nil {
		return nil, err
	}
	plain := plainDialogs(store)
	base, err := scoreSessions("bm25", queries, func(project, query string) ([]string, error) { return plain.rank(project, query), nil })
	return append(rows, base...), err
}

// maskedSessions reads the questions and the sessions of a set, without what would give the answers away.
func maskedSessions(dir string) ([]committed, *transcripts, error) {
	queries, err := readLines[committed](filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return nil, nil, err
	}
	manifest, err := readLines[manifested](filepath.Join(dir, "MANIFEST.jsonl"))
	if err != nil {
		return nil, nil, err
	}
	project := map[string]string{}
	for _, m := range manifest {
		project[m.ID] = m.Project
	}
	store, err := readTraces(dir)
	if err != nil {
		return nil, nil, err
	}
	subjects := map[string]leakMask{}
	for _, q := range queries {
		subjects[q.Project] = append(subjects[q.Project], strings.ToLower(q.Query))
	}
	for _, s := range store.sessions {
		if s.meta.ProjectID = project[s.meta.AgentSessionID]; s.meta.ProjectID == "" {
			return nil, nil, fmt.Errorf("session %s is not in MANIFEST.jsonl", s.meta.AgentSessionID)
		}
		s.nodes = subjects[s.meta.ProjectID].apply(s.nodes)
	}
	return queries, store, nil
}

// indexTurns indexes the turns of sessions as the product does.
func (p *product) indexTurns(store *transcripts) error {
	for _, id := range slices.Sorted(maps.Keys(store.sessions)) {
		s := store.sessions[id]
		turns := map[int][]memory.Node{}
		for i, n := range s.nodes {
			turns[s.links[i].Turn] = append(turns[s.links[i].Turn], n)
		}
		for _, t := range slices.Sorted(maps.Keys(turns)) {
			if err := p.index.Put(context.Background(), recall.DocsFromTurn(s.meta, t, turns[t])); err != nil {
				return err
			}
		}
	}
	return nil
}

func scoreSessions(system string, queries []committed, rank func(project, query string) ([]string, error)) ([]recallRow, error) {
	board := newRankings()
	for _, q := range queries {
		ranked, err := rank(q.Project, q.Query)
		if err != nil {
			return nil, err
		}
		gold := map[string]bool{}
		for _, g := range q.Gold {
			gold[g] = true
		}
		board.addRanking(ranked, gold, "all", q.Project)
	}
	return board.rows(system, "sessions", nil), nil
}

// leakMask is the lower-cased subjects of a project's commits.
type leakMask []string

// apply blanks the calls of git commit and the lines with a subject; the nodes keep their places.
func (m leakMask) apply(nodes []memory.Node) []memory.Node {
	out := slices.Clone(nodes)
	for i := range out {
		n := &out[i]
		if n.Role == memory.RoleTool && bytes.Contains(n.Input, []byte("git commit")) {
			*n = memory.Node{ID: n.ID, Role: n.Role}
			continue
		}
		n.Output = m.lines(n.Output)
		if m.in(string(n.Input)) || m.in(strings.Join(n.Metadata.Commands, "\n")) {
			n.Input, n.Metadata.Commands = nil, nil
		}
	}
	return out
}

func (m leakMask) in(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(m, func(s string) bool { return strings.Contains(text, s) })
}

func (m leakMask) lines(text string) string {
	if !m.in(text) {
		return text
	}
	lines := strings.Split(text, "\n")
	return strings.Join(slices.DeleteFunc(lines, m.in), "\n")
}

// plainDialogs is the baseline over whole sessions: what was said, without calls and results.
func plainDialogs(store *transcripts) plainSet {
	out := plainSet{}
	for _, id := range slices.Sorted(maps.Keys(store.sessions)) {
		s := store.sessions[id]
		var b strings.Builder
		for _, n := range s.nodes {
			if n.Role != memory.RoleTool && !strings.HasPrefix(n.Output, "<system-reminder>") {
				b.WriteString(n.Output + "\n")
			}
		}
		out.add(s.meta.ProjectID, s.meta.AgentSessionID, b.String())
	}
	return out
}

package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// spoken is one line of turns.jsonl.
type spoken struct {
	Conv    string `json:"conv"`
	Session string `json:"session"`
	ID      string `json:"dia_id"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	Caption string `json:"image_caption"`
}

func (t *spoken) text() string {
	s := t.Speaker + ": " + t.Text
	if t.Caption != "" {
		s += " [shares " + t.Caption + "]"
	}
	return s
}

// asked is one line of questions.jsonl.
type asked struct {
	Conv         string   `json:"conv"`
	Category     int      `json:"category"`
	CategoryName string   `json:"category_name"`
	Question     string   `json:"question"`
	Evidence     []string `json:"evidence"`
}

// Questions of category 5 have no answer in their conversation; they are reported apart.
const (
	answerable   = "categories 1-4"
	unanswerable = 5
)

func (q *asked) sets() []string {
	if q.Category == unanswerable {
		return []string{q.CategoryName}
	}
	return []string{answerable, q.CategoryName}
}

func compareSets(a, b string) int {
	if (a == answerable) != (b == answerable) {
		if a == answerable {
			return -1
		}
		return 1
	}
	return cmp.Compare(a, b)
}

// ranker ranks the turns of a conversation for a question, best first, by their ids.
type ranker func(conv, question string) ([]string, error)

// recallTurns ranks the turns of each question's own conversation. A conversation is a project of one index, so that the
// product's scopes keep the others out. A session's rank is that of its best turn.
func recallTurns(dir string) ([]recallRow, error) {
	turns, err := readLines[spoken](filepath.Join(dir, "turns.jsonl"))
	if err != nil {
		return nil, err
	}
	questions, err := readLines[asked](filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	product, done, err := productRanker(turns)
	if err != nil {
		return nil, err
	}
	rows, err := scoreTurns("dormouse", product, turns, questions)
	if err = errors.Join(err, done()); err != nil {
		return nil, err
	}
	plain, err := scoreTurns("bm25", plainRanker(turns), turns, questions)
	return append(rows, plain...), err
}

func scoreTurns(system string, rank ranker, turns []spoken, questions []asked) ([]recallRow, error) {
	sessionOf := map[string]string{}
	for _, t := range turns {
		sessionOf[t.Conv+"/"+t.ID] = t.Session
	}
	byTurn, bySession := scoreboard{}, scoreboard{}
	for _, q := range questions {
		if len(q.Evidence) == 0 {
			continue
		}
		ranked, err := rank(q.Conv, q.Question)
		if err != nil {
			return nil, err
		}
		gold, goldSessions := map[string]bool{}, map[string]bool{}
		for _, e := range q.Evidence {
			gold[e] = true
			goldSessions[sessionOf[q.Conv+"/"+e]] = true
		}
		var sessions []string
		seen := map[string]bool{}
		for _, id := range ranked {
			if s := sessionOf[q.Conv+"/"+id]; !seen[s] {
				seen[s] = true
				sessions = append(sessions, s)
			}
		}
		byTurn.add(ranked, gold, q.sets()...)
		bySession.add(sessions, goldSessions, q.sets()...)
	}
	return append(byTurn.rows(system, "turns"), bySession.rows(system, "sessions")...), nil
}

// productRanker indexes the turns as the product does with those of agents and searches them with its default settings.
func productRanker(turns []spoken) (rank ranker, done func() error, err error) {
	dir, err := os.MkdirTemp("", "dormouse-bench-*")
	if err != nil {
		return nil, nil, err
	}
	ix, _, err := index.Open(index.Options{Dir: filepath.Join(dir, "index")})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	done = func() error { return errors.Join(ix.Close(), os.RemoveAll(dir)) }
	var docs []index.Doc
	for i := range turns {
		t := &turns[i]
		meta := memory.Session{ID: t.Conv + "." + t.Session, ProjectID: t.Conv}
		node := memory.Node{ID: t.ID, Role: memory.RoleUser, Output: t.text(), Metadata: memory.Metadata{Kind: memory.KindPrompt}}
		docs = append(docs, recall.DocsFromTurn(meta, i+1, []memory.Node{node})...)
	}
	if err := ix.Put(context.Background(), docs); err != nil {
		return nil, nil, errors.Join(err, done())
	}
	s := recall.Searcher{Index: ix}
	return func(conv, question string) ([]string, error) {
		hits, err := s.Search(context.Background(), recall.Query{Text: question, View: memory.View{Project: conv}, Limit: 200})
		var ids []string
		for _, h := range hits {
			ids = append(ids, h.Nodes[0])
		}
		return ids, err
	}, done, nil
}

// readLines reads a file of one JSON object a line.
func readLines[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		out = append(out, v)
	}
	return out, lines.Err()
}

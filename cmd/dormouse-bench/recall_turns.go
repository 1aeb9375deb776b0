package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"dormouse/store/index"
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

// sessionID is the id of the session in the index: unique over all conversations.
func (t *spoken) sessionID() string { return t.Conv + "." + t.Session }

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

// ranker ranks what a project holds for a question: turns by their ids and sessions by theirs, both best first.
type ranker func(project, question string) (turns, sessions []string, err error)

// recallTurns ranks the turns and the sessions of each question's own conversation. A conversation is a project of one index, so
// that the product's scopes keep the others out.
func recallTurns(dir string) ([]recallRow, error) {
	turns, err := readLines[spoken](filepath.Join(dir, "turns.jsonl"))
	if err != nil {
		return nil, err
	}
	questions, err := readLines[asked](filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	p, err := openProduct()
	if err != nil {
		return nil, err
	}
	rows, err := []recallRow(nil), p.index.Put(context.Background(), turnDocs(turns))
	if err == nil {
		rows, err = scoreTurns("dormouse", p.turnsAndSessions, turns, questions)
	}
	if err = errors.Join(err, p.close()); err != nil {
		return nil, err
	}
	plain, err := scoreTurns("bm25", plainTurns(turns), turns, questions)
	return append(rows, plain...), err
}

func turnDocs(turns []spoken) (docs []index.Doc) {
	for i := range turns {
		t := &turns[i]
		docs = append(docs, said(t.Conv, t.sessionID(), i+1, t.ID, t.text())...)
	}
	return docs
}

func scoreTurns(system string, rank ranker, turns []spoken, questions []asked) ([]recallRow, error) {
	sessionOf := map[string]string{}
	for i := range turns {
		sessionOf[turns[i].Conv+"/"+turns[i].ID] = turns[i].sessionID()
	}
	byTurn, bySession := newRankings(), newRankings()
	for _, q := range questions {
		if len(q.Evidence) == 0 {
			continue
		}
		ranked, sessions, err := rank(q.Conv, q.Question)
		if err != nil {
			return nil, err
		}
		gold, goldSessions := map[string]bool{}, map[string]bool{}
		for _, e := range q.Evidence {
			gold[e] = true
			goldSessions[sessionOf[q.Conv+"/"+e]] = true
		}
		byTurn.addRanking(ranked, gold, q.sets()...)
		bySession.addRanking(sessions, goldSessions, q.sets()...)
	}
	return append(byTurn.rows(system, "turns", compareSets), bySession.rows(system, "sessions", compareSets)...), nil
}

// turnsAndSessions asks the product for turns; a session's rank is that of its best turn.
func (p *product) turnsAndSessions(project, question string) (turns, sessions []string, err error) {
	turns, err = p.nodes(project, question)
	if err != nil {
		return nil, nil, err
	}
	sessions, err = p.sessions(project, question)
	return turns, sessions, err
}

// plainTurns is the baseline, with an index of turns and one of whole sessions for each conversation.
func plainTurns(turns []spoken) ranker {
	byTurn, bySession := plainSet{}, plainSet{}
	texts, order := map[string]string{}, []string{}
	convs := map[string]string{}
	for i := range turns {
		t := &turns[i]
		byTurn.add(t.Conv, t.ID, t.text())
		if _, ok := texts[t.sessionID()]; !ok {
			order = append(order, t.sessionID())
			convs[t.sessionID()] = t.Conv
		}
		texts[t.sessionID()] += t.text() + "\n"
	}
	for _, id := range order {
		bySession.add(convs[id], id, texts[id])
	}
	return func(project, question string) ([]string, []string, error) {
		return byTurn.rank(project, question), bySession.rank(project, question), nil
	}
}

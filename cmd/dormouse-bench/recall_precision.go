package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// belief is one entry of beliefs.seed.json.
type belief struct {
	ID           string   `json:"_id"`
	User         string   `json:"user_id"`
	Type         string   `json:"type"`
	Name         string   `json:"canonical_name"`
	Aliases      []string `json:"aliases"`
	Content      string   `json:"content"`
	Scope        []string `json:"scope"`
	Pinned       bool     `json:"pinned"`
	ResolvedAt   *string  `json:"resolved_at"`
	SupersededBy *string  `json:"superseded_by"`
}

// elsewhere reports whether a belief is shown in another place than among those that are relevant to a question: at the beginning of a
// session, or with the open questions.
func (b *belief) elsewhere() bool {
	return b.Pinned || b.Type == "open_question" || b.ResolvedAt != nil
}

func (b *belief) name() string { return strings.ReplaceAll(b.Name, "_", " ") }

// precisionCase is one entry of retrieval.cases.json.
type precisionCase struct {
	ID     string   `json:"caseId"`
	User   string   `json:"userId"`
	Scope  []string `json:"scope"`
	Query  string   `json:"query"`
	Expect struct {
		Relevant struct {
			Only []string `json:"shouldOnlyInclude"`
		} `json:"relevantBeliefs"`
	} `json:"expect"`
}

// The user of cases that name none, and the scope of what holds everywhere.
const (
	precisionUser = "test-user"
	everywhere    = "user:universal"
)

// recallPrecision asks what is surely relevant to a question, as what is given to an agent unasked, and counts what does not belong
// there.
func recallPrecision(dir string) ([]recallRow, error) {
	var beliefs []belief
	var cases []precisionCase
	for name, into := range map[string]any{"beliefs.seed.json": &beliefs, "retrieval.cases.json": &cases} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = json.Unmarshal(raw, into)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
	}
	product, done, err := productBeliefs(beliefs)
	if err != nil {
		return nil, err
	}
	rows, err := scorePrecision("dormouse", cases, product)
	if err = errors.Join(err, done()); err != nil {
		return nil, err
	}
	plain, err := scorePrecision("bm25 top 1", cases, plainBeliefs(beliefs))
	return append(rows, plain...), err
}

// believer gives the ids of the beliefs that it holds relevant to a case.
type believer func(c *precisionCase) ([]string, error)

func scorePrecision(system string, cases []precisionCase, of believer) ([]recallRow, error) {
	board, none := newScoreboard("precision", "recall", "exact"), newScoreboard("empty")
	for i := range cases {
		c := &cases[i]
		want := c.Expect.Relevant.Only
		if want == nil {
			continue
		}
		got, err := of(c)
		if err != nil {
			return nil, err
		}
		if len(want) == 0 {
			none.add(scores{"empty": yes(len(got) == 0)}, "nothing expected")
			continue
		}
		hits := 0
		for _, id := range got {
			if slices.Contains(want, id) {
				hits++
			}
		}
		board.add(scores{"precision": percent(hits, len(got)), "recall": percent(hits, len(want)),
			"exact": yes(hits == len(want) && hits == len(got))}, "something expected")
	}
	return append(board.rows(system, "beliefs", nil), none.rows(system, "beliefs", nil)...), nil
}

func yes(ok bool) float64 {
	if ok {
		return 100
	}
	return 0
}

// scopeOfBelief is the product's scope for one of the set's.
func scopeOfBelief(scope string) memory.Scope {
	if scope == everywhere {
		return memory.Global
	}
	return memory.ProjectScope(memory.Slug(scope))
}

// productBeliefs remembers each user's beliefs as facts about entities with these names, each user in a memory of their own.
func productBeliefs(beliefs []belief) (of believer, done func() error, err error) {
	users := map[string]*product{}
	done = func() (err error) {
		for _, p := range users {
			err = errors.Join(err, p.close())
		}
		return err
	}
	byUser := map[string][]*belief{}
	for i := range beliefs {
		byUser[beliefs[i].User] = append(byUser[beliefs[i].User], &beliefs[i])
	}
	for user, list := range byUser {
		p, err := openProduct()
		if err == nil {
			users[user] = p
			err = p.remember(beliefState(list))
		}
		if err != nil {
			return nil, nil, errors.Join(err, done())
		}
	}
	return func(c *precisionCase) ([]string, error) { return users[c.user()].believed(c) }, done, nil
}

func (c *precisionCase) user() string {
	if c.User == "" {
		return precisionUser
	}
	return c.User
}

// remember indexes the records of a state and lets searches know them.
func (p *product) remember(s *memory.State) error {
	return p.index.Put(context.Background(), recall.DocsFromState(s))
}

// believed asks in each scope of a case.
func (p *product) believed(c *precisionCase) ([]string, error) {
	if p == nil {
		return nil, nil
	}
	var out []string
	for _, scope := range c.Scope {
		hits, err := p.searcher.Search(context.Background(), recall.Query{Text: c.Query, View: memory.View{Project: memory.Slug(scope)},
			Kinds: []index.Kind{index.KindFact}, Sure: true})
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			if id := h.Nodes[0]; !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out, nil
}

func beliefState(list []*belief) *memory.State {
	s := memory.Fold(nil)
	for i, b := range list {
		if b.elsewhere() {
			continue
		}
		for _, scope := range b.Scope {
			sc := scopeOfBelief(scope)
			from := memory.Provenance{ProjectID: memory.Slug(scope), SessionID: "s", NodeIDs: []string{b.ID}, IngestionTime: firstTime + int64(i)}
			e := &memory.Entity{ID: "component." + memory.Slug(b.Name), Type: "component", Name: b.name(), Aliases: b.Aliases, Scope: sc, Provenance: from}
			f := &memory.Fact{ID: b.ID + "." + memory.Slug(scope), Subject: e.ID, Verb: "is", Object: b.Content, Status: memory.StatusActive, Author: memory.SubjectPerson,
				Trust: memory.TrustPerson, Scope: sc, Provenance: from}
			if b.SupersededBy != nil {
				f.SupersededBy = memory.Ref(*b.SupersededBy)
				e.SupersededBy = memory.Ref(*b.SupersededBy)
			}
			s.Entities[memory.Key{Scope: sc, ID: e.ID}] = e
			s.Facts[f.ID] = f
		}
	}
	return s
}

// plainBeliefs is the baseline: the best by words alone, of those that may be shown.
func plainBeliefs(beliefs []belief) believer {
	return func(c *precisionCase) ([]string, error) {
		bm := newPlainBM25()
		for i := range beliefs {
			b := &beliefs[i]
			scoped := slices.ContainsFunc(b.Scope, func(s string) bool { return s == everywhere || slices.Contains(c.Scope, s) })
			if b.User == c.user() && b.SupersededBy == nil && !b.elsewhere() && scoped {
				bm.add(b.ID, strings.Join(append(append([]string{b.name()}, b.Aliases...), b.Content), " "))
			}
		}
		ranked := bm.rank(c.Query)
		return ranked[:min(1, len(ranked))], nil
	}
}

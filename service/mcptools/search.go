package mcptools

import (
	"context"
	"slices"

	"dormouse/service/api"
)

// searcher finds memories.
type searcher interface {
	Search(context.Context, api.SearchQuery) (api.Search, error)
}

const (
	// useWords is how much of a long question is used, in bytes.
	useWords = 4000
	maxHits  = 200
)

const cutWords = "the question was long; its first 4000 bytes were used"

// words is a question as it is asked, and a note where it was too long.
func words(s string) (used, note string) {
	if len(s) <= useWords {
		return s, ""
	}
	return s[:runeEnd(s, useWords)], cutWords
}

func (t *Tools) searchTool() tool {
	return tool{name: "memory_search", title: "Search the memory", run: t.search,
		about: "Find memories (events, facts, entities) and raw turns of past sessions by words, best first. Each hit says who stands behind it and how to open its turn.",
		params: []param{{name: "query", needed: true, max: maxWords, about: "Words, names, paths, error texts, in any language."},
			{name: "kind", oneOf: []string{"event", "fact", "entity", "turn"}, about: "Only these."},
			limitParam(10, 50), cursorParam}}
}

func (t *Tools) search(ctx context.Context, c *call) (*page, error) {
	query, note := words(c.text("query"))
	q := api.SearchQuery{Words: query, Project: c.place.id, For: c.agent, Limit: min(c.from+c.number("limit")+1, maxHits)}
	if k := c.text("kind"); k != "" {
		q.Kinds = []string{k}
	}
	got, err := t.m.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	if got.Indexing {
		note = joined(note, catchingUp)
	}
	hits, more := some(got.Hits, c.from, c.number("limit"))
	p := &page{title: "search for " + clip(line(query), 60), more: more, note: note}
	for _, h := range hits {
		p.items = append(p.items, hitItem(h))
	}
	if len(p.items) == 0 {
		p.note = joined("nothing in the memory fits", note)
	}
	return p, nil
}

const catchingUp = "the index is still catching up, so something may be missing"

// maxText is the longest text of a record in an answer, in bytes.
const maxText = 600

func hitItem(h api.Hit) item {
	it := item{What: h.What, ID: h.ID, Kind: string(h.Kind), Trust: string(h.Trust), Time: moment(h.Time), Session: h.SessionID, Turn: h.Turn, Open: open(h.SessionID, h.Turn)}
	switch {
	case h.What == "turn":
		it.ID, it.Text = "", line(h.Snippet)
		if h.Title != "" {
			it.Note = "in: " + clip(line(h.Title), 80)
		}
	case h.What == "entity" && h.Snippet != "":
		it.Text = line(h.Title) + " (" + line(h.Snippet) + ")"
	default:
		it.Text = line(h.Title)
	}
	it.Text = clip(it.Text, maxText)
	if h.Candidate != "" {
		it.Note = joined("not settled: "+clip(line(h.Candidate), 120), it.Note)
	}
	it.on(h.Branch)
	it.away(h.Missing)
	return it
}

// trunks are the usual names of the branch that everything is merged into; of them nothing needs to be told.
var trunks = []string{"", "main", "master", "trunk", "HEAD"}

// on says on which branch of git something came about: what holds there may not hold where the agent works.
func (it *item) on(branch string) {
	if !slices.Contains(trunks, branch) {
		it.Note = joined(it.Note, "on branch "+clip(line(branch), 60))
	}
}

// away says that what an item comes from cannot be opened here.
func (it *item) away(missing string) {
	if missing != "" {
		it.Open, it.Note = "", joined(it.Note, "its session "+it.Session+" is "+missing)
	}
}

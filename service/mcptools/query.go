package mcptools

import (
	"context"

	"dormouse/service/api"
)

func (t *Tools) queryTool() tool {
	return tool{name: "memory_query", title: "Ask the memory", run: t.query,
		about: "Ask a question; get the sentences of the memory that answer it, word for word, each with its source. Nothing fitting, nothing returned.",
		params: []param{{name: "question", needed: true, max: maxWords, about: ""},
			limitParam(5, 20), cursorParam}}
}

func (t *Tools) query(ctx context.Context, c *call) (*page, error) {
	question, note := words(c.text("question"))
	got, err := t.m.Ask(ctx, api.AskQuery{Question: question, Project: c.place.id, For: c.agent, Limit: c.from + c.number("limit") + 1})
	if err != nil {
		return nil, err
	}
	if got.Indexing {
		note = joined(note, catchingUp)
	}
	said, more := some(got.Sentences, c.from, c.number("limit"))
	p := &page{title: "answer to " + clip(line(question), 60), more: more, note: note}
	for _, s := range said {
		if s.Hit < 0 || s.Hit >= len(got.Hits) {
			continue
		}
		it := hitItem(got.Hits[s.Hit])
		it.Text, it.What, it.Kind = clip(line(s.Text), maxText), "sentence", ""
		if s.Speaker != "" {
			it.Trust = s.Speaker
		}
		p.items = append(p.items, it)
	}
	if len(p.items) == 0 {
		p.note = joined("the memory holds no answer to that", note)
	}
	return p, nil
}

package mcptools

import (
	"context"
	"fmt"
)

func (t *Tools) coreTool() tool {
	return tool{name: "memory_core", title: "The core of the memory", run: t.core,
		about:  "The page that a session here begins with: what happened last, what the project is made of, preferences, what is open. Each line with its source.",
		params: []param{cursorParam}}
}

func (t *Tools) core(ctx context.Context, c *call) (*page, error) {
	got, err := t.m.Core(ctx, c.place.id)
	if err != nil {
		return nil, err
	}
	list := blocks("core", clean(got.Text), c.piece())
	items, _ := some(list, c.from, len(list))
	return &page{title: "core", items: items}, nil
}

// blocks are items of the pieces of a text.
func blocks(what, text string, bytes int) []item {
	parts := pieces(text, bytes)
	out := make([]item, 0, len(parts))
	for i, p := range parts {
		it := item{What: what, Text: p, block: true}
		if len(parts) > 1 {
			it.Note = fmt.Sprintf("part %d of %d", i+1, len(parts))
		}
		out = append(out, it)
	}
	return out
}

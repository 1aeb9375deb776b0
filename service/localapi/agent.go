package localapi

import (
	"context"
	"strings"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// maxWhat is how many folders and names may be asked for at once.
const maxWhat = 20

// agentTable lists the paths that agents' tools use beside the others.
func (b *Backend) agentTable() map[string]route {
	return map[string]route{
		api.PathLocate:  get(b.locate, "what"),
		api.PathAsk:     get(b.ask, "q", "project", "for", "limit"),
		api.PathPropose: post(b.propose, "text", "kind", "project", "for", "session"),
	}
}

func (b *Backend) locate(ctx context.Context, p *params) (any, error) {
	var what []string
	for line := range strings.Lines(p.needed("what")) {
		if line = strings.TrimSpace(line); line != "" {
			what = append(what, line)
		}
	}
	if len(what) > maxWhat {
		p.wrong("what has at most %d lines", maxWhat)
	}
	if err := p.check(b.Locate != nil); err != nil {
		return nil, err
	}
	v, err := b.Locate(ctx, what)
	v.Projects = list(v.Projects)
	return v, err
}

// Limits of what agents may ask for and offer.
const (
	maxAnswers     = 50
	defaultAnswers = 5
	maxOffer       = 1000 // bytes
)

func (b *Backend) ask(ctx context.Context, p *params) (any, error) {
	q := api.AskQuery{Question: p.needed("q"), Project: p.text("project"), For: p.text("for"), Limit: p.number("limit", 1, maxAnswers, defaultAnswers)}
	if err := p.check(b.Ask != nil); err != nil {
		return nil, err
	}
	v, err := b.Ask(ctx, q)
	v.Sentences, v.Hits = list(v.Sentences), list(v.Hits)
	return v, err
}

func (b *Backend) propose(ctx context.Context, p *params) (any, error) {
	q := api.ProposeQuery{Text: p.needed("text"), Project: p.text("project"), For: p.needed("for"), Session: p.text("session")}
	if len(q.Text) > maxOffer {
		p.wrong("text is longer than %d bytes; say it shorter", maxOffer)
	}
	if kind := p.oneOf("kind", string(memory.KindLearning), string(memory.KindDecision), string(memory.KindWork), string(memory.KindEvent)); len(kind) > 1 {
		p.wrong("kind is one")
	} else if len(kind) == 1 {
		q.Kind = memory.Kind(kind[0])
	}
	if err := p.check(b.Propose != nil); err != nil {
		return nil, err
	}
	return b.Propose(ctx, q)
}

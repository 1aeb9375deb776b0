package localapi

import (
	"context"
	"path/filepath"

	"dormouse/service/api"
)

// oneTurn is the turn that a request names; nil for all.
func (p *params) oneTurn() *int {
	if !p.has("turn") {
		return nil
	}
	n := p.number("turn", 0, maxTurn, 0)
	return &n
}

// yes reads a choice; absent, it is false.
func (p *params) yes(name string) bool {
	switch p.text(name) {
	case "true":
		return true
	case "false", "":
	default:
		p.wrong("%s has to be true or false, not %q", name, clip(p.text(name)))
	}
	return false
}

func (b *Backend) diff(ctx context.Context, p *params) (any, error) {
	id, turn := p.needed("id"), p.oneTurn()
	if err := p.check(b.Diff != nil); err != nil {
		return nil, err
	}
	v, err := b.Diff(ctx, id, turn)
	v.Files, v.Turns = list(v.Files), list(v.Turns)
	return v, err
}

func (b *Backend) restore(ctx context.Context, p *params) (any, error) {
	q := api.RestoreQuery{ID: p.needed("id"), Turn: p.oneTurn(), Side: p.needed("side"), Dir: p.values.Get("dir"), Force: p.yes("force")}
	if q.Side != "before" && q.Side != "after" {
		p.wrong("side has to be before or after, not %q", clip(q.Side))
	}
	if !filepath.IsAbs(q.Dir) {
		p.wrong("dir has to be the whole path of a folder, not %q", clip(q.Dir))
	}
	if err := p.check(b.Restore != nil); err != nil {
		return nil, err
	}
	v, err := b.Restore(ctx, q)
	v.Files = list(v.Files)
	return v, err
}

func (b *Backend) setShadow(ctx context.Context, p *params) (any, error) {
	project := p.needed("project")
	p.needed("on")
	on := p.yes("on")
	if err := p.check(b.SetShadow != nil); err != nil {
		return nil, err
	}
	return b.SetShadow(ctx, project, on)
}

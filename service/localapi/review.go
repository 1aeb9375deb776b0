package localapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"dormouse/service/api"
)

// Limits of what may be asked for.
const (
	maxFacts         = 10_000
	defaultFacts     = 200
	maxDecisions     = 10_000
	defaultDecisions = 50
	maxParts         = 50
)

// reviewTable lists the paths of review. A decision may rewrite the history of the memory, however long that takes.
func (b *Backend) reviewTable() map[string]route {
	return map[string]route{
		api.PathReview:    get(b.review, "project", "limit"),
		api.PathDecide:    {method: http.MethodPost, params: []string{"action", "id", "project", "other", "parts", "set", "reason", "to"}, answer: ignoring(b.decide)},
		api.PathDecisions: get(b.decisions, "id", "limit"),
		api.PathTags:      get(b.tags, "tag", "project", "limit", "for"),
		api.PathFacts:     get(b.facts, "subject", "project", "all", "as_of_event", "as_of_known", "limit", "for"),
	}
}

func (b *Backend) review(ctx context.Context, p *params) (any, error) {
	project, limit := p.text("project"), p.number("limit", 1, maxFacts, defaultFacts)
	if err := p.check(b.Review != nil); err != nil {
		return nil, err
	}
	v, err := b.Review(ctx, project, limit)
	v.Items = list(v.Items)
	return v, err
}

func (b *Backend) decide(ctx context.Context, p *params) (any, error) {
	d := api.Decide{Action: p.needed("action"), ID: p.needed("id"), Project: p.text("project"), Other: p.text("other"), Set: p.text("set"), Reason: p.text("reason"), To: p.text("to")}
	if d.Action != "" && !slices.Contains(api.Actions, d.Action) {
		p.wrong("action has to be one of %s, not %q", strings.Join(api.Actions, ", "), clip(d.Action))
	}
	for part := range strings.Lines(p.text("parts")) {
		if part = strings.TrimSpace(part); part != "" {
			d.Parts = append(d.Parts, part)
		}
	}
	if len(d.Parts) > maxParts {
		p.wrong("parts are at most %d", maxParts)
	}
	for name, wanted := range map[string]bool{"other": d.Action == api.DoMerge, "parts": d.Action == api.DoSplit, "set": d.Action == api.DoEdit, "to": d.Action == api.DoScope} {
		if has := p.has(name); has != wanted && d.Action != "" {
			if wanted {
				p.wrong("%s is needed to %s", name, d.Action)
			} else {
				p.wrong("%s is nothing to %s with", name, clip(d.Action))
			}
		}
	}
	if err := p.check(b.Decide != nil); err != nil {
		return nil, err
	}
	v, err := b.Decide(ctx, d)
	v.Decisions = list(v.Decisions)
	return v, err
}

func (b *Backend) decisions(ctx context.Context, p *params) (any, error) {
	q := api.DecisionQuery{ID: p.text("id"), Limit: p.number("limit", 1, maxDecisions, defaultDecisions)}
	if err := p.check(b.Decisions != nil); err != nil {
		return nil, err
	}
	v, err := b.Decisions(ctx, q)
	v.Decisions = list(v.Decisions)
	return v, err
}

func (b *Backend) facts(ctx context.Context, p *params) (any, error) {
	q := api.FactQuery{Subject: p.text("subject"), Project: p.text("project"), All: p.oneOf("all", "true") != nil, AsOf: p.asOf(),
		Limit: p.number("limit", 1, maxFacts, defaultFacts), For: p.text("for")}
	if err := p.check(b.Facts != nil); err != nil {
		return nil, err
	}
	v, err := b.Facts(ctx, q)
	v.Facts = list(v.Facts)
	return v, err
}

// asOf reads from when to look back. A date is its last second: what had happened by then.
func (p *params) asOf() api.AsOf {
	at := func(name string) int64 {
		t := p.time(name, true)
		if v := p.text(name); t > 0 && !strings.ContainsAny(v, "T") && strings.Contains(v, "-") {
			t--
		}
		return t
	}
	return api.AsOf{Event: at("as_of_event"), Known: at("as_of_known")}
}

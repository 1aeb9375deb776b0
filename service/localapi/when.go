package localapi

import (
	"context"
	"slices"
	"strings"
	"time"

	"dormouse/service/api"
)

const defaultWhen = 20

// whenTable lists the path of questions about a time.
func (b *Backend) whenTable() map[string]route {
	return map[string]route{api.PathWhen: get(b.when, "q", "time", "mode", "zone", "project", "agent", "limit")}
}

func (b *Backend) when(ctx context.Context, p *params) (any, error) {
	q := api.WhenQuery{Question: p.text("q"), Time: p.text("time"), Mode: p.text("mode"), Zone: p.text("zone"), Project: p.text("project"),
		Agent: p.text("agent"), Limit: p.number("limit", 1, maxHits, defaultWhen)}
	if q.Question == "" && q.Time == "" {
		p.wrong("q or time is needed")
	}
	if q.Mode != "" && !slices.Contains(api.WhenModes, q.Mode) {
		p.wrong("mode has to be one of %s, not %q", strings.Join(api.WhenModes, ", "), clip(q.Mode))
	}
	if _, err := time.LoadLocation(q.Zone); err != nil {
		p.wrong("zone has to be the name of a time zone such as Europe/Berlin, not %q", clip(q.Zone))
	}
	if err := p.check(b.When != nil); err != nil {
		return nil, err
	}
	return b.When(ctx, q)
}

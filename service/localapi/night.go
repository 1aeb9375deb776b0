package localapi

import (
	"context"

	"dormouse/service/api"
)

// maxNights is how many reports are given at once.
const maxNights = 400

func (b *Backend) night(ctx context.Context, p *params) (any, error) {
	kind := api.NightNow
	if k := p.oneOf("kind", api.NightNow, api.NightLight); len(k) > 0 {
		kind = k[0]
	}
	if err := p.check(b.Night != nil); err != nil {
		return nil, err
	}
	n, err := b.Night(ctx, kind)
	n.Pauses, n.Stages, n.Waits = list(n.Pauses), list(n.Stages), list(n.Waits)
	return n, err
}

func (b *Backend) nights(ctx context.Context, p *params) (any, error) {
	limit := p.number("limit", 1, maxNights, 1)
	if err := p.check(b.Nights != nil); err != nil {
		return nil, err
	}
	v, err := b.Nights(ctx, limit)
	return list(v), err
}

// maxDays is the longest time of which days are given at once, in days.
const maxDays = 400

func (b *Backend) days(ctx context.Context, p *params) (any, error) {
	since, until := p.time("since", false), p.time("until", true)
	if since == 0 || until <= since || until-since > maxDays*86400 {
		p.wrong("since and until have to be at most %d days apart, and until the later one", maxDays)
	}
	if err := p.check(b.Days != nil); err != nil {
		return nil, err
	}
	v, err := b.Days(ctx, since, until)
	return list(v), err
}

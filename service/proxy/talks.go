package proxy

import (
	"slices"
	"time"

	"dormouse/service/pager"
)

// Talk is a conversation whose requests may be shortened, as it stands.
type Talk struct {
	Client, Upstream, Model string
	Used                    time.Time // of its newest request
	Whole                   bool      // its provider did not take what was shortened: it passes as it is
	Held                    pager.Held
}

// Talks are the conversations that are held, the newest first; none where nothing is shortened.
func (p *Proxy) Talks() []Talk {
	if p.paging == nil {
		return nil
	}
	p.paging.mu.Lock()
	defer p.paging.mu.Unlock()
	var out []Talk
	for _, c := range p.paging.live {
		out = append(out, Talk{Client: c.client, Upstream: c.upstream, Model: c.model, Used: c.used, Whole: c.refused, Held: c.engine.Held()})
	}
	slices.SortStableFunc(out, func(a, b Talk) int { return b.Used.Compare(a.Used) })
	return out
}

package daemon

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"dormouse/service/cost"
	"dormouse/service/embed"
)

// embedded meters what an embedding endpoint is asked. The library that asks it hands on the vectors alone, so what a call took is not
// known: the meter gets the most that its texts can have come to, marked as estimated, once a minute. Batches that failed are left out.
type embedded struct {
	meter *cost.Meter
	now   func() time.Time
	log   *slog.Logger

	mu      sync.Mutex
	waiting map[string]cost.Entry // by purpose
	written time.Time
}

// What an embedding model is asked for.
const (
	purposeDocuments = "embed-documents"
	purposeQueries   = "embed-queries"
)

// embeddedEvery is how often what was asked is written down: a search does not wait for the disk.
const embeddedEvery = time.Minute

// of is the model whose calls are metered. price is in US dollars per million tokens.
func (e *embedded) of(m embed.Model, provider, model string, price float64) embed.Model {
	wrap := func(ask embed.Embedder, purpose string) embed.Embedder {
		return func(ctx context.Context, texts []string) ([][]float32, error) {
			out, err := ask(ctx, texts)
			if err == nil {
				e.add(provider, model, purpose, price, texts)
			}
			return out, err
		}
	}
	m.Embed, m.Query = wrap(m.Embed, purposeDocuments), wrap(m.Query, purposeQueries)
	return m
}

func (e *embedded) add(provider, model, purpose string, price float64, texts []string) {
	u := cost.Usage{Calls: len(texts)}
	for _, t := range texts {
		u.InputTokens += int64(len(t))/3 + 1 // more than any known model makes of it
	}
	u.CostMicros = int64(price*float64(u.InputTokens) + 0.999999)
	e.mu.Lock()
	w, ok := e.waiting[purpose]
	if !ok {
		w = cost.New(e.now(), provider, model, purpose)
		w.Estimated = true
	}
	w.Usage = w.Plus(u)
	if e.waiting == nil {
		e.waiting = map[string]cost.Entry{}
	}
	e.waiting[purpose] = w
	due := e.now().Sub(e.written) >= embeddedEvery
	e.mu.Unlock()
	if due {
		e.flush()
	}
}

// flush writes down what waits.
func (e *embedded) flush() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.written = e.now()
	for purpose, w := range e.waiting {
		if err := e.meter.Append(w); err != nil {
			e.log.Warn("what embeddings took is not written down yet", "component", "cost", "error", err)
			return
		}
		delete(e.waiting, purpose)
	}
}

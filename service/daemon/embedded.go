package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"dormouse/service/config"
	"dormouse/service/cost"
	"dormouse/service/embed"
)

// embedded meters what an embedding endpoint is asked, and holds it to its caps. The library that asks it hands on the vectors alone, so
// what a call took is not known: the meter gets the most that its texts can have come to, marked as estimated. Batches that failed are
// left out of the meter, and counted for the caps while the service runs, since they may have been paid for.
type embedded struct {
	meter *cost.Meter
	now   func() time.Time
	log   *slog.Logger
	caps  config.Embed
	// hold says why nothing may be sent now; empty where it may.
	hold func() string

	mu      sync.Mutex
	waiting map[string]cost.Entry // by purpose
	written time.Time
	// day and month are those that spent and spentMonth are of.
	day, month        string
	spent, spentMonth cost.Usage
}

// What an embedding model is asked for.
const (
	purposeDocuments = "embed-documents"
	purposeQueries   = "embed-queries"
)

// What was asked is written down every embeddedEvery, since a search does not wait for the disk, and sooner once it comes to
// embeddedMost tokens: a crash forgets no more than that.
const (
	embeddedEvery = time.Minute
	embeddedMost  = 100_000
)

// held says why an embedding model is not asked now, though it could be.
type held struct{ why string }

func (h *held) Error() string { return "the embedding model is not asked: " + h.why }

// Capped marks what is no failure of the model.
func (h *held) Capped() bool { return true }

// of is the model whose calls are metered. price is in US dollars per million tokens.
func (e *embedded) of(m embed.Model, provider, model string, price float64) embed.Model {
	wrap := func(ask embed.Embedder, purpose string) embed.Embedder {
		return func(ctx context.Context, texts []string) ([][]float32, error) {
			u := mostOf(texts, price)
			if err := e.reserve(u); err != nil {
				return nil, err
			}
			out, err := ask(ctx, texts)
			if err == nil {
				e.add(provider, model, purpose, u)
			}
			return out, err
		}
	}
	m.Embed, m.Query = wrap(m.Embed, purposeDocuments), wrap(m.Query, purposeQueries)
	return m
}

// mostOf is the most that texts can come to.
func mostOf(texts []string, price float64) cost.Usage {
	u := cost.Usage{Calls: len(texts)}
	for _, t := range texts {
		u.InputTokens += int64(len(t))/3 + 1 // more than any known model makes of it
	}
	u.CostMicros = int64(price*float64(u.InputTokens) + 0.999999)
	return u
}

// reserve takes what a call may come to off the day and the month, or says why it may not be made.
func (e *embedded) reserve(u cost.Usage) error {
	if e.hold != nil {
		if why := e.hold(); why != "" {
			return &held{why}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.open(); err != nil {
		return err
	}
	day, month := e.spent.Plus(u), e.spentMonth.Plus(u)
	for _, c := range []struct {
		what     string
		of       cost.Usage
		tokens   int64
		dollars  float64
		settings string
	}{{"today", day, e.caps.MaxTokens, e.caps.MaxCost, ""}, {"this month", month, e.caps.MaxTokensMonth, e.caps.MaxCostMonth, "_month"}} {
		if c.tokens > 0 && c.of.InputTokens > c.tokens {
			return &held{fmt.Sprintf("it may take %d tokens %s, and the next texts would go beyond (embed.max_tokens%s)", c.tokens, c.what, c.settings)}
		}
		if c.dollars > 0 && float64(c.of.CostMicros) > c.dollars*1e6 {
			return &held{fmt.Sprintf("it may take $%.2f %s, and the next texts would go beyond (embed.max_cost%s)", c.dollars, c.what, c.settings)}
		}
	}
	e.spent, e.spentMonth = day, month
	return nil
}

// open reads what the day and the month have taken, when a new one has begun. What is dated later counts as well, so that a clock
// that is set back opens nothing. mu is held.
func (e *embedded) open() error {
	today := e.now().Format(time.DateOnly)
	if e.day != "" && today <= e.day && cost.Month(today) <= e.month {
		return nil
	}
	month := cost.Month(today)
	found, err := e.meter.Read(month+"-01", "")
	if err != nil {
		return fmt.Errorf("read what embeddings took: %w", err)
	}
	e.spent, e.spentMonth = cost.Usage{}, cost.Usage{}
	count := func(x cost.Entry) {
		if x.Purpose != purposeDocuments && x.Purpose != purposeQueries {
			return
		}
		e.spentMonth = e.spentMonth.Plus(x.Usage)
		if x.Day >= today {
			e.spent = e.spent.Plus(x.Usage)
		}
	}
	for _, x := range found.Entries {
		count(x)
	}
	for _, x := range e.waiting { // is not in the meter yet
		count(x)
	}
	e.day, e.month = today, month
	return nil
}

func (e *embedded) add(provider, model, purpose string, u cost.Usage) {
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
	due := w.InputTokens >= embeddedMost || e.now().Sub(e.written) >= embeddedEvery
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

package daemon

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"dormouse/service/config"
	"dormouse/service/cost"
	"dormouse/service/embed"
)

// tally is an embedding model that counts what it is asked, and how often it fails.
type tally struct {
	texts int
	fails error
}

func (a *tally) ask(_ context.Context, texts []string) ([][]float32, error) {
	a.texts += len(texts)
	return make([][]float32, len(texts)), a.fails
}

func TestTheCapsOfTheEmbeddingModelHoldOverRestartsAndClocks(t *testing.T) {
	now := time.Date(2026, 5, 30, 12, 0, 0, 0, time.UTC)
	meter := cost.At(t.TempDir())
	text := strings.Repeat("x", 297) // 100 tokens at most
	for name, caps := range map[string]config.Embed{
		"tokens": {MaxTokens: 250, MaxTokensMonth: 450},
		"money":  {MaxCost: 250e-6, MaxCostMonth: 450e-6}, // at a dollar for a million
	} {
		a := &tally{}
		model := func() (embed.Model, *embedded) { // as after a start
			e := &embedded{meter: meter, now: func() time.Time { return now }, log: slog.New(slog.DiscardHandler), written: now, caps: caps}
			return e.of(embed.Model{Embed: a.ask, Query: a.ask}, "p", "m", 1), e
		}
		m, e := model()
		takes := func(want int) {
			t.Helper()
			before := a.texts
			for range 10 {
				if _, err := m.Embed(t.Context(), []string{text}); err != nil {
					h := (*held)(nil)
					if !errors.As(err, &h) || !capped(err) || !strings.Contains(err.Error(), "embed.max_") {
						t.Fatalf("%s: %v", name, err)
					}
					break
				}
			}
			if got := a.texts - before; got != want {
				t.Errorf("%s, %v: %d texts were sent, want %d", name, now, got, want)
			}
		}
		takes(2)
		if _, err := m.Query(t.Context(), []string{text}); !capped(err) {
			t.Errorf("%s: a question goes beyond the cap: %v", name, err)
		}
		takes(0)
		now = now.AddDate(0, 0, -1) // a clock that is set back opens nothing
		takes(0)
		e.flush()
		m, e = model()
		takes(0)
		now = now.AddDate(0, 0, 2)
		takes(2) // the last day of May: 400 of 450 in this month
		e.flush()
		m, e = model()
		now = now.AddDate(0, 0, 1)
		takes(2) // June
		e.flush()
		now = now.AddDate(0, 0, 1)
		takes(2)
		now = now.AddDate(0, 0, 1)
		takes(0) // the month's cap
		now = time.Date(2026, 8, 30, 12, 0, 0, 0, time.UTC)
	}
}

func TestABatchThatFailsCountsForTheCapAndNotForTheMeter(t *testing.T) {
	meter, a := cost.At(t.TempDir()), &tally{fails: errors.New("half an answer")}
	e := &embedded{meter: meter, now: clock, log: slog.New(slog.DiscardHandler), written: clock(), caps: config.Embed{MaxTokens: 10}}
	m := e.of(embed.Model{Embed: a.ask, Query: a.ask}, "p", "m", 0)
	for range 20 {
		_, _ = m.Embed(t.Context(), []string{"x"})
	}
	e.flush()
	if found, err := meter.Read("", ""); err != nil || len(found.Entries) != 0 || a.texts != 10 {
		t.Errorf("%+v, %v, %d texts were sent", found, err, a.texts)
	}
}

func TestWhereTheNetworkCostsNoEmbeddingModelElsewhereIsAsked(t *testing.T) {
	for c, want := range map[config.Embed]bool{
		{Provider: embed.OpenAI}:                                          true,
		{Provider: embed.Ollama}:                                          false,
		{Provider: embed.Ollama, BaseURL: "http://10.0.0.7:11434"}:        true,
		{Provider: embed.Compatible, BaseURL: "http://127.0.0.1:8080/v1"}: false,
	} {
		p := params(t.TempDir(), t.TempDir())
		c.MaxTokens = 5
		p.Config.Embed = c
		d := New(p)
		if d.holdEmbedding() != "" {
			t.Errorf("%+v: held at home", c)
		}
		d.senses.metered.Store(true)
		if got := d.holdEmbedding() != ""; got != want {
			t.Errorf("%+v: held %v", c, got)
		}
		if got := d.embedded.caps.MaxTokens != 0; got != want {
			t.Errorf("%+v: capped %v", c, got)
		}
		a := &tally{}
		_, err := d.embedded.of(embed.Model{Embed: a.ask, Query: a.ask}, "p", "m", 0).Query(t.Context(), []string{"x"})
		if got := capped(err); got != want || a.texts == 1 == want {
			t.Errorf("%+v: %v, %d texts were sent", c, err, a.texts)
		}
		d.p.Config.Sleep.OnMetered = true
		if d.holdEmbedding() != "" {
			t.Errorf("%+v: the person allowed it", c)
		}
	}
}

package daemon

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/cost"
	"dormouse/service/embed"
	"dormouse/service/redact"
)

// costOf asks a service what models took.
func costOf(t *testing.T, s *service, by string) api.Cost {
	t.Helper()
	c, err := s.Cost(t.Context(), api.CostQuery{By: by})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWhatModelsTookIsTheSumOfWhatTheProviderTold(t *testing.T) {
	k := newChatter(t, func(call int, user string) (int, string) {
		if call == 2 {
			return http.StatusInternalServerError, "oops" // tried again
		}
		return accounts(call, user)
	})
	p := modelParams(t, k.URL, 3)
	s := start(t, p)
	until(t, s, "the end of the first sleep", func(st api.Status) bool { return st.Counts.Events == 3 && st.Backlog.Waiting == 0 })
	if _, err := s.TryModel(t.Context()); err != nil {
		t.Fatal(err)
	}
	st, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answered := int64(k.calls() - 1)
	want := api.Usage{Calls: k.calls(), InputTokens: 1000 * answered, OutputTokens: 100 * answered, CostMicros: 2000 * answered}
	for _, by := range cost.Ways {
		c := costOf(t, s, by)
		var sum api.Usage
		for _, r := range c.Rows {
			sum = api.Usage(cost.Usage(sum).Plus(cost.Usage(r.Told)))
		}
		if c.Total.Told != want || sum != want || c.Total.Estimated != (api.Usage{}) {
			t.Errorf("by %s: %+v, sum %+v, want %+v", by, c.Total, sum, want)
		}
	}
	if m := st.LLM.Month; m.Calls != want.Calls || m.Tokens != 1100*answered || m.CostMicros != want.CostMicros || m.MaxTokens != 20_000_000 {
		t.Errorf("%+v", m)
	}
	if rows := costOf(t, s, "purpose").Rows; len(rows) != 2 {
		t.Errorf("reading and a try are not told apart: %+v", rows)
	}
	for name, q := range map[string]api.CostQuery{"colour": {By: "colour"}, "no day": {Since: "soon"}} {
		if _, err := s.Cost(t.Context(), q); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

func TestTheMonthsCapHoldsTheBacklogWithItsReason(t *testing.T) {
	k := newChatter(t, accounts)
	p := modelParams(t, k.URL, 3)
	p.Config.LLM.MaxTokensMonth = 5500
	night := clock()
	p.Now = func() time.Time { return night }
	s := start(t, p)
	st := until(t, s, "the cap", func(st api.Status) bool { return st.LLM.Why != "" })
	if !strings.Contains(st.LLM.Why, "the month's cap is reached") || st.Backlog.Waiting != 1 || st.Counts.Events != 2 {
		t.Errorf("%+v, %+v", st.LLM, st.Backlog)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	night = night.AddDate(0, 0, 1) // another night of the same month
	s = start(t, p)
	if _, err := s.Sleep(t.Context()); err == nil || !strings.Contains(err.Error(), "month") || k.calls() != 2 {
		t.Errorf("%d calls, %v", k.calls(), err)
	}
}

func TestWhatAnEmbeddingEndpointIsAskedIsMeteredAsEstimated(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"embedding": []float32{1, 0, 0}}}})
	}))
	defer server.Close()
	p := params(t.TempDir(), t.TempDir())
	p.Config.Embed.Provider, p.Config.Embed.Model, p.Config.Embed.BaseURL = embed.OpenAI, "m", server.URL
	p.Env = func(string) string { return "the-key" }
	d := New(p)
	if err := p.Home.Create(); err != nil {
		t.Fatal(err)
	}
	var err error
	if d.redactor, err = redact.New(redact.Options{Key: make([]byte, 32)}); err != nil {
		t.Fatal(err)
	}
	m, err := d.embedding(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Embed(t.Context(), []string{"abc", "abcdef"}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Query(t.Context(), []string{"abc"}); err != nil {
		t.Fatal(err)
	}
	server.Close()
	if _, err := m.Query(t.Context(), []string{"another"}); err == nil {
		t.Fatal("no error")
	}
	got, err := d.cost(context.Background(), api.CostQuery{By: "purpose"})
	if err != nil || len(got.Rows) != 2 || got.Total.Told != (api.Usage{}) || got.Total.Estimated != (api.Usage{Calls: 3, InputTokens: 7}) {
		t.Errorf("%+v %v", got, err)
	}
	if again, err := d.cost(context.Background(), api.CostQuery{By: "purpose"}); err != nil || again.Total != got.Total {
		t.Errorf("counted twice: %+v %v", again, err)
	}
}

package model

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
)

func costsFake() *fake {
	row := func(key string, calls int, tokens, micros int64) api.CostRow {
		return api.CostRow{Key: key, Provider: "anthropic", Told: api.Usage{Calls: calls, InputTokens: tokens - 1, OutputTokens: 1, CostMicros: micros}}
	}
	day := api.Cost{Rows: []api.CostRow{row("2026-05-02", 3, 1200, 40_000), row("2026-05-04", 1, 300, 10_000)}, Damaged: 2}
	day.Total = row("", 4, 1500, 50_000)
	day.Total.Estimated = api.Usage{Calls: 1, InputTokens: 5}
	return &fake{cost: map[string]api.Cost{"day": day, "model": {Rows: []api.CostRow{row("small", 1, 900, 1000), row("haiku", 3, 600, 49_000)}}, "purpose": {Rows: []api.CostRow{row("extract", 4, 1500, 50_000), row("odd", 0, 0, 0)}}}}
}

func TestCostsAreDrawnByDayModelAndPurpose(t *testing.T) {
	f := costsFake()
	page := presenter(f).Costs(t.Context(), 30)
	if page.Summary != "$0.05 · 1,505 tokens · 5 calls in 30 days" || len(page.Days) != 30 || page.Empty != nil {
		t.Fatalf("%+v", page)
	}
	for i, want := range map[int]Bar{29: {"Today · 4 May", "$0.01 · 300 tokens · 1 call", 0.25, "4 May"}, 28: {"Yesterday · 3 May", "nothing", 0, "3 May"}, 27: {"Saturday · 2 May", "$0.04 · 1,200 tokens · 3 calls", 1, "2 May"}} {
		if page.Days[i] != want {
			t.Errorf("%d: %+v", i, page.Days[i])
		}
	}
	models := []Bar{{"haiku · anthropic", "$0.05 · 600 tokens · 3 calls", 1, ""}, {"small · anthropic", "under $0.01 · 900 tokens · 1 call", 1000.0 / 49_000, ""}}
	aims := []Bar{{"Learning from sessions", "$0.05 · 1,500 tokens · 4 calls", 1, ""}, {"odd", "0 tokens · 0 calls", 0, ""}}
	if !reflect.DeepEqual(page.Models, models) || !reflect.DeepEqual(page.Aims, aims) {
		t.Errorf("%+v\n%+v", page.Models, page.Aims)
	}
	if page.Note != "Your agents' own calls are not in it. Of 1 call the provider told nothing; the most that they can have taken is counted. 2 lines of the meter could not be read." {
		t.Errorf("%q", page.Note)
	}
	if want := "cost day 2026-04-05 2026-05-04"; f.asked[0] != want {
		t.Errorf("asked %q", f.asked)
	}
}

func TestWithoutPricesTokensAreDrawn(t *testing.T) {
	f := costsFake()
	for by, c := range f.cost {
		for i := range c.Rows {
			c.Rows[i].Told.CostMicros = 0
		}
		c.Total.Told.CostMicros = 0
		f.cost[by] = c
	}
	page := presenter(f).Costs(t.Context(), 30)
	if page.Days[27].Share != 1 || page.Days[29].Share != 0.25 || page.Models[0].Label != "small · anthropic" || strings.Contains(page.Summary, "$") {
		t.Errorf("%+v", page)
	}
}

func TestNoCostsAreSaidToBeNone(t *testing.T) {
	f := &fake{}
	if page := presenter(f).Costs(t.Context(), 30); page.Empty == nil || page.Summary != "" || len(page.Budgets) == 0 {
		t.Errorf("%+v", page)
	}
	for _, call := range []string{"cost", ""} {
		if page := presenter(&fake{err: map[string]error{call: errors.New("no")}}).Costs(t.Context(), 30); page.Trouble == nil {
			t.Errorf("%q: %+v", call, page)
		}
	}
}

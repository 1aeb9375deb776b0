package main

import (
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
)

func testCost() api.Cost {
	told := func(calls int, in, out, micros int64) api.Usage {
		return api.Usage{Calls: calls, InputTokens: in, OutputTokens: out, CostMicros: micros}
	}
	return api.Cost{By: "model", Since: "2026-05-01", Damaged: 2, Rows: []api.CostRow{
		{Key: "haiku-5-2026", Provider: "anthropic", Told: told(412, 1_204_551, 88_120, 1_645_151), Estimated: told(1, 7_010, 2_000, 17_010)},
		{Key: "nomic-embed-text", Provider: "ollama", Estimated: told(900, 410_000, 0, 0)},
		{Key: "", Provider: "codex", Told: told(3, 60_000, 900, 0)},
	}, Total: api.CostRow{Told: told(415, 1_264_551, 89_020, 1_645_151), Estimated: told(901, 417_010, 2_000, 17_010)}}
}

func TestCostsLookAsTheyShould(t *testing.T) {
	for name, format := range map[string]func(v view) []string{
		"cost":      func(v view) []string { return formatCost(v, testCost()) },
		"cost-none": func(v view) []string { return formatCost(v, api.Cost{By: "day", Rows: []api.CostRow{}}) },
	} {
		golden(t, name+".80", format(viewOf(80)))
		golden(t, name+".120", format(viewOf(120)))
	}
}

func TestCostsAreAskedForByDays(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	for _, c := range []struct {
		args []string
		want api.CostQuery
	}{
		{nil, api.CostQuery{By: "day"}},
		{[]string{"--by", "purpose", "--since", "2026-05", "--until", "2026-05"}, api.CostQuery{By: "purpose", Since: "2026-05-01", Until: "2026-05-31"}},
		{[]string{"--since", "2026-05-03", "--until", "2026-05-03", "--json"}, api.CostQuery{By: "day", Since: "2026-05-03", Until: "2026-05-03"}},
	} {
		r := dormouse(t, home, append([]string{"cost"}, c.args...)...)
		if r.code != exitOK || f.costAsked != c.want {
			t.Errorf("%q: %+v, asked %+v", c.args, r, f.costAsked)
		}
	}
	for _, args := range [][]string{{"--by", "colour"}, {"--since", "soon"}, {"--until", "soon"}} {
		if r := dormouse(t, home, append([]string{"cost"}, args...)...); r.code != exitUsage || !strings.Contains(r.err, args[0]) {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

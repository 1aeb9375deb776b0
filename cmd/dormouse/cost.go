package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

// costWays are what costs can be summed by.
var costWays = []string{"day", "month", "model", "purpose", "provider"}

func costCommand(a *app) *cobra.Command {
	var since, until string
	q := api.CostQuery{}
	cmd := &cobra.Command{
		Use:   "cost",
		Short: "What language and embedding models took: calls, tokens, money",
		Long: `What language and embedding models took of your tokens and money, by day, month, model, purpose or provider. The sums are those
that the providers themselves told, to the digit; what a provider did not tell, because a call broke off or its answer says nothing of
it, is shown beside them, as the most that it can have taken.

Of your agents' own calls those are in it that go through the proxy, as a purpose of their own; they count for no cap. What a night and a month may take is set in config.toml, under [llm].

--since and --until take ` + accepted + `.`,
		Example: `  dormouse cost
  dormouse cost --by model --since 2026-05
  dormouse cost --by purpose --since 7d --json | jq .total.told`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(costWays, q.By) {
				return usage(cmd, "--by is one of %s, not %q", strings.Join(costWays, ", "), q.By)
			}
			var err error
			if q.Since, err = dayOf(since, a.Now(), false); err != nil {
				return usage(cmd, "--since: %v", err)
			}
			if q.Until, err = dayOf(until, a.Now(), true); err != nil {
				return usage(cmd, "--until: %v", err)
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.Cost, error) { return c.Cost(cmd.Context(), q) }, formatCost)
		},
	}
	cmd.Flags().StringVar(&q.By, "by", "day", "day, month, model, purpose or provider")
	cmd.Flags().StringVar(&since, "since", "", "from this day on, for example 2026-05 or 7d")
	cmd.Flags().StringVar(&until, "until", "", "up to this day, which is included")
	return cmd
}

// dayOf is the day of a time that the person gave; of a month or a day as an end, its last one.
func dayOf(s string, now time.Time, end bool) (string, error) {
	if s == "" {
		return "", nil
	}
	at, err := parseTime(s, now, false)
	if err != nil {
		return "", err
	}
	if to, err := parseTime(s, now, true); end && err == nil && to > at {
		at = to - 1
	}
	return time.Unix(at, 0).In(now.Location()).Format(time.DateOnly), nil
}

// formatCost is the table of what models took.
func formatCost(v view, c api.Cost) []string {
	p := &page{view: v}
	period := joined(map[bool]string{true: "since " + c.Since}[c.Since != ""], map[bool]string{true: "until " + c.Until}[c.Until != ""])
	if len(c.Rows) == 0 {
		p.say("Models took nothing "+orNone(period, "so far")+". Whether one is set:", "dormouse status")
		p.damaged(c.Damaged)
		return p.lines
	}
	t := text.Table{Head: p.Faint, Columns: []text.Column{{Title: c.By}, {Title: "provider", Drop: 2}, {Title: "calls", Right: true, Drop: 3},
		{Title: "tokens in", Right: true}, {Title: "tokens out", Right: true}, {Title: "cost", Right: true}, {Title: "estimated", Right: true, Drop: 1}}}
	for _, r := range c.Rows {
		t.Rows = append(t.Rows, costLine(r, orNone(text.Line(r.Key), "unknown")))
	}
	t.Rows = append(t.Rows, costLine(c.Total, "total"))
	p.table(t, "")
	if period != "" {
		p.gap()
		p.prose("What counts: "+period+".", "", p.Faint)
	}
	if e := c.Total.Estimated; e.Calls > 0 {
		p.gap()
		whose := "what they took; they count as the most that they"
		if e.Calls == 1 {
			whose = "what it took; it counts as the most that it"
		}
		p.prose(fmt.Sprintf("Estimated: of %s the provider did not tell %s can have taken.", count(e.Calls, "call"), whose), "", p.Faint)
	}
	p.damaged(c.Damaged)
	return p.lines
}

// damaged tells how many lines of the meter are in no sum.
func (p *page) damaged(lines int) {
	switch {
	case lines == 1:
		p.prose("1 line of the meter could not be read and is in no sum.", "", p.Warn)
	case lines > 1:
		p.prose(fmt.Sprintf("%s of the meter could not be read and are in no sum.", count(lines, "line")), "", p.Warn)
	}
}

func costLine(r api.CostRow, key string) []string {
	estimated := ""
	if e := r.Estimated; e.Calls > 0 {
		estimated = joined(number(e.InputTokens+e.OutputTokens)+" tokens", money(e.CostMicros))
	}
	return []string{key, text.Line(r.Provider), number(r.Told.Calls), number(r.Told.InputTokens), number(r.Told.OutputTokens), money(r.Told.CostMicros), estimated}
}

// money is an amount, or nothing where none is known.
func money(micros int64) string {
	if micros == 0 {
		return ""
	}
	return dollars(micros)
}

package model

import (
	"cmp"
	"context"
	"slices"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// CostsPage is what language and embedding models took.
type CostsPage struct {
	Trouble *Trouble
	Summary string
	Budgets []Meter // of this night and this month
	Days    []Bar   // one a day, the earliest first, days without any among them
	Models  []Bar   // the most first
	Aims    []Bar   // what they were asked for; the most first
	Note    string  // what the sums do not say by themselves
	Empty   *Empty
}

// Bar is a part of a sum.
type Bar struct {
	Label string
	Text  string  // what it took
	Share float64 // of the largest, from 0 to 1
	Short string  // the label, where there is little room; empty where it has none
}

// CostRanges are the times that can be looked at.
func CostRanges() []Choice {
	return []Choice{{"30", lang.Count(30, "{n} days")}, {"90", lang.Count(90, "{n} days")}, {"365", lang.Say("A year")}}
}

// Costs asks what models took in the last days.
func (p *Presenter) Costs(ctx context.Context, days int) CostsPage {
	b, w := p.o.Backend(), p.style()
	s, err := b.Status(ctx)
	if err != nil {
		return CostsPage{Trouble: troubleOf(err)}
	}
	today := midnight(w.now)
	q := api.CostQuery{Since: today.AddDate(0, 0, 1-days).Format(time.DateOnly), Until: today.Format(time.DateOnly)}
	sums := map[string]api.Cost{}
	for _, by := range []string{"day", "model", "purpose"} {
		q.By = by
		if sums[by], err = b.Cost(ctx, q); err != nil {
			return CostsPage{Trouble: troubleOf(err)}
		}
	}
	total := sums["day"].Total
	page := CostsPage{Budgets: spend(s.LLM), Summary: lang.Count(days, "{usage} in {n} days", usage(total))}
	if len(sums["day"].Rows) == 0 {
		page.Summary = ""
		page.Empty = &Empty{Title: lang.Say("Nothing was spent"), Text: lang.Say("No model was asked in this time. Without one, rules read your sessions; they cost nothing. To set one, see [llm] in config.toml.")}
		return page
	}
	byMoney := total.Told.CostMicros+total.Estimated.CostMicros > 0
	page.Days = w.dayBars(sums["day"].Rows, today, days, byMoney)
	page.Models = bars(sums["model"].Rows, byMoney, func(r api.CostRow) string { return dots(Line(r.Key), Line(r.Provider)) })
	page.Aims = bars(sums["purpose"].Rows, byMoney, func(r api.CostRow) string { return aimName(r.Key) })
	page.Note = costNote(sums["day"])
	return page
}

// aimName is what a model was asked for.
func aimName(id string) string {
	names := map[string]lang.Word{"extract": lang.Mark("Learning from sessions"), "title": lang.Mark("Titles"), "tags": lang.Mark("Tags"), "embed": lang.Mark("Meaning of texts"),
		"try": lang.Mark("Trying a model"), "summary": lang.Mark("Summaries"), "agents, through the proxy": lang.Mark("Your agents, through the proxy")}
	return worded(names, id)
}

// usage is what calls took in words.
func usage(r api.CostRow) string {
	calls, cost := r.Told.Calls+r.Estimated.Calls, r.Told.CostMicros+r.Estimated.CostMicros
	price := ""
	if cost > 0 {
		price = money(cost)
	}
	return dots(price, lang.Count(tokens(r), "{n} tokens"), lang.Count(calls, "{n} calls"))
}

func tokens(r api.CostRow) int64 {
	return r.Told.InputTokens + r.Told.OutputTokens + r.Estimated.InputTokens + r.Estimated.OutputTokens
}

// costSize is how much a row counts: money, or tokens where no price is known.
func costSize(r api.CostRow, byMoney bool) int64 {
	if byMoney {
		return r.Told.CostMicros + r.Estimated.CostMicros
	}
	return tokens(r)
}

// dayBars are the rows by day, with the days of which there is none.
func (w style) dayBars(rows []api.CostRow, today time.Time, days int, byMoney bool) []Bar {
	byDay := map[string]api.CostRow{}
	most := int64(1)
	for _, r := range rows {
		byDay[r.Key] = r
		most = max(most, costSize(r, byMoney))
	}
	var out []Bar
	for i := range days {
		day := today.AddDate(0, 0, 1-days+i)
		at := day.Unix()
		bar := Bar{Label: w.dayTitle(&at), Text: lang.Say("nothing"), Short: lang.Date(day)}
		if r, ok := byDay[day.Format(time.DateOnly)]; ok {
			bar.Text, bar.Share = usage(r), float64(costSize(r, byMoney))/float64(most)
		}
		out = append(out, bar)
	}
	return out
}

// bars are rows with what they took, the largest first.
func bars(rows []api.CostRow, byMoney bool, label func(api.CostRow) string) []Bar {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b api.CostRow) int {
		return cmp.Or(cmp.Compare(costSize(b, byMoney), costSize(a, byMoney)), cmp.Compare(tokens(b), tokens(a)))
	})
	var out []Bar
	for _, r := range rows {
		out = append(out, Bar{Label: label(r), Text: usage(r), Share: float64(costSize(r, byMoney)) / float64(max(1, costSize(rows[0], byMoney)))})
	}
	return out
}

// costNote says what of a sum is estimated, and what could not be read.
func costNote(c api.Cost) string {
	note := lang.Say("Your agents' own calls are not in it.")
	if e := c.Total.Estimated; e.Calls > 0 {
		note = joined(" ", note, lang.Count(e.Calls, "Of {n} calls the provider told nothing; the most that they can have taken is counted."))
	}
	if c.Damaged > 0 {
		note = joined(" ", note, lang.Count(c.Damaged, "{n} lines of the meter could not be read."))
	}
	return note
}

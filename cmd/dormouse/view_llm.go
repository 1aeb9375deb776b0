package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
)

// model tells what reads sessions, what the language model took this night, and why sessions wait for it.
func (p *page) model(l api.LLM) {
	switch {
	case l.Provider == "":
		p.field("Read by", text.Line(l.Extractor))
		return
	case l.Extractor == "model":
		p.field("Read by", modelName(l.Model, l.Provider))
	default:
		p.field("Read by", text.Line(l.Extractor)+"; other questions go to "+modelName(l.Model, l.Provider))
	}
	p.field("Spent", p.spent(l))
	p.field("This month", p.spentInMonth(l))
	p.field("Held up by", text.Clean(l.Why))
}

// modelName is a model and who provides it.
func modelName(model, provider string) string {
	if model == "" {
		return text.Line(provider) + " with its own model"
	}
	return text.Line(model) + " through " + text.Line(provider)
}

// spent is what the night took of what it may.
func (p *page) spent(l api.LLM) string {
	cost := "cost unknown, no price is given"
	if l.Priced {
		cost = costOf(l.CostMicros, l.MaxCostMicros)
	}
	since := ""
	if l.Since > 0 {
		since = "since " + p.when(l.Since)
	}
	return joined(tokensOf(l.Tokens, l.MaxTokens), cost, count(l.Calls, "call"), since)
}

// spentInMonth is what the calendar month took of what it may.
func (p *page) spentInMonth(l api.LLM) string {
	m := l.Month
	if m.Calls == 0 && m.MaxTokens == 0 && m.MaxCostMicros == 0 {
		return ""
	}
	cost := ""
	if l.Priced {
		cost = costOf(m.CostMicros, m.MaxCostMicros)
	}
	return joined(tokensOf(m.Tokens, m.MaxTokens), cost, count(m.Calls, "call"), "dormouse cost tells more")
}

// tokensOf is how many tokens were taken of those that may be; most is 0 where there is no bound.
func tokensOf[N int | int64](n, most N) string {
	if most > 0 {
		return fmt.Sprintf("%s of %s", number(n), count(most, "token"))
	}
	return count(n, "token")
}

// costOf is what was spent of what may be, in millionths of a dollar; most is 0 where there is no bound.
func costOf(micros, most int64) string {
	if most > 0 {
		return dollars(micros) + " of " + dollars(most)
	}
	return dollars(micros)
}

// dollars is an amount of millionths of a dollar.
func dollars(micros int64) string {
	s := fmt.Sprintf("$%.4f", float64(micros)/1e6)
	return strings.TrimSuffix(s, "00")
}

// formatTried tells how a language model took a tiny question.
func formatTried(v view, t api.ModelTried) []string {
	p := &page{view: v}
	name := modelName(t.Model, t.Provider)
	if t.Failure != "" {
		p.prose(name+" did not answer: "+text.Clean(t.Failure), "", v.Warn)
		return p.lines
	}
	cost := "cost unknown: no price is given"
	if t.Priced {
		cost = dollars(t.CostMicros)
	}
	took := time.Duration(t.Milliseconds) * time.Millisecond
	p.prose(v.Good(name+" answered")+" "+cmp.Or(joined("in "+took.String(), fmt.Sprintf("%s tokens in, %s out", number(t.InputTokens), number(t.OutputTokens)),
		cost)), "", nil)
	if t.Calls > 1 {
		p.prose(fmt.Sprintf("It took %d calls: the first answer had not the form that was asked for, or the provider was busy.", t.Calls), "", nil)
	}
	return p.lines
}

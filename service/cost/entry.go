// Package cost is the meter: what each call of a language or an embedding model took, by provider, model and purpose, in files of a month
// each, and the sums of them.
//
// It never holds a word of what was asked or answered, never asks a provider, and never guesses: what a provider did not tell is marked.
package cost

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Usage is what calls took.
type Usage struct {
	Calls        int   `json:"calls"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	CostMicros   int64 `json:"cost_micros"` // in millionths of a US dollar; 0 where no price is known
}

// Plus is the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Calls + v.Calls, u.InputTokens + v.InputTokens, u.OutputTokens + v.OutputTokens, u.CostMicros + v.CostMicros}
}

// Minus takes a usage off another one.
func (u Usage) Minus(v Usage) Usage {
	return Usage{u.Calls - v.Calls, u.InputTokens - v.InputTokens, u.OutputTokens - v.OutputTokens, u.CostMicros - v.CostMicros}
}

// Tokens are those of input and output together.
func (u Usage) Tokens() int64 { return u.InputTokens + u.OutputTokens }

// Entry is one line of the meter: a call, or the sum of the calls of a day that are alike.
type Entry struct {
	ID       string `json:"id,omitempty"` // of the call; empty for a sum
	At       int64  `json:"at"`           // Unix seconds; of a sum its last call's
	Day      string `json:"day"`          // of the person's calendar, as 2026-05-31
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Purpose  string `json:"purpose"` // the kind of question
	Usage
	// Estimated says that the provider did not tell what the call took: it counts as all that it could have been.
	Estimated bool `json:"estimated,omitempty"`
}

// maxName bounds the name of a model or provider, in bytes: an endpoint may call itself what it likes.
const maxName = 80

// New is the entry of a call that ended at a time, in whose zone its day is.
func New(at time.Time, provider, model, purpose string) Entry {
	return Entry{At: at.Unix(), Day: at.Format(time.DateOnly), Provider: name(provider), Model: name(model), Purpose: name(purpose)}
}

func name(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) > maxName {
		s = strings.ToValidUTF8(s[:maxName], "")
	}
	return s
}

// Month is the month of a day or a time's day, as 2026-05; empty for what is no day.
func Month(day string) string {
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day[:len("2006-01")]
}

// What rows can be summed by.
const (
	ByDay      = "day"
	ByMonth    = "month"
	ByModel    = "model"
	ByPurpose  = "purpose"
	ByProvider = "provider"
)

// Ways are all of them.
var Ways = []string{ByDay, ByMonth, ByModel, ByPurpose, ByProvider}

// Row is a sum: what the providers told, and beside it what had to be estimated.
type Row struct {
	Key       string `json:"key"` // the day, month, model, purpose or provider
	Provider  string `json:"provider,omitempty"`
	Told      Usage  `json:"told"`      // as the providers told it, to the digit
	Estimated Usage  `json:"estimated"` // of calls of which the provider told nothing: the most that they can have taken
}

func (r *Row) add(e Entry) {
	if e.Estimated {
		r.Estimated = r.Estimated.Plus(e.Usage)
		return
	}
	r.Told = r.Told.Plus(e.Usage)
}

// Sum adds entries up in one of the Ways, and all of them. Days and months come newest first, all else by cost and tokens.
func Sum(entries []Entry, by string) (rows []Row, total Row, err error) {
	if !slices.Contains(Ways, by) {
		return nil, total, fmt.Errorf("costs are summed by %s, not by %q", strings.Join(Ways, ", "), by)
	}
	at := map[[2]string]*Row{}
	for _, e := range entries {
		key, provider := keyOf(e, by)
		r := at[[2]string{key, provider}]
		if r == nil {
			r = &Row{Key: key, Provider: provider}
			at[[2]string{key, provider}] = r
		}
		r.add(e)
		total.add(e)
	}
	rows = []Row{}
	for _, r := range at {
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		if by == ByDay || by == ByMonth {
			return strings.Compare(b.Key, a.Key)
		}
		x, y := a.Told.Plus(a.Estimated), b.Told.Plus(b.Estimated)
		return cmp.Or(cmp.Compare(y.CostMicros, x.CostMicros), cmp.Compare(y.Tokens(), x.Tokens()), strings.Compare(a.Key, b.Key), strings.Compare(a.Provider, b.Provider))
	})
	return rows, total, nil
}

func keyOf(e Entry, by string) (key, provider string) {
	switch by {
	case ByDay:
		return e.Day, ""
	case ByMonth:
		return Month(e.Day), ""
	case ByPurpose:
		return e.Purpose, ""
	case ByProvider:
		return e.Provider, ""
	}
	return e.Model, e.Provider
}

package doctor

import (
	"context"
	"fmt"
)

// Fixed is what was done, or would be, about one finding.
type Fixed struct {
	Check string `json:"check"`
	What  string `json:"what"`            // what is done
	Done  bool   `json:"done"`            // false where it was only shown
	Error string `json:"error,omitempty"` // why it could not be done
}

// Repair carries out what is safe: what takes nothing away that is not made again, and touches nothing of the person's. Where dry is set it
// only says what it would do. tell is told of each before it is done; it may be nil.
func Repair(ctx context.Context, r Report, dry bool, tell func(Fixed)) []Fixed {
	out := []Fixed{}
	for _, f := range r.Findings {
		if f.Fix == "" || f.fix == nil || ctx.Err() != nil {
			continue
		}
		done := Fixed{Check: f.Check, What: f.Fix}
		if tell != nil {
			tell(done)
		}
		if !dry {
			if err := f.fix(); err != nil {
				done.Error = fmt.Sprint(err)
			} else {
				done.Done = true
			}
		}
		out = append(out, done)
	}
	return out
}

// Mend gives a finding what can be done about it safely.
func (f Finding) Mend(what string, fix func() error) Finding {
	f.Fix, f.fix = what, fix
	return f
}

// Found is a finding of a check that is made elsewhere; remedy is empty where nothing is wrong.
func Found(s State, remedy, format string, args ...any) Finding {
	return Finding{State: s, Text: fmt.Sprintf(format, args...), Remedy: remedy}
}

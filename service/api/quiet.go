package api

import "time"

// Quiet are the hours in which the person wants no notification, in minutes since local midnight. They may span midnight; equal ones are none.
type Quiet struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Until is for how long at least t lies in quiet hours; 0 when it does not.
func (q Quiet) Until(t time.Time) time.Duration {
	now := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second
	from, to := time.Duration(q.From)*time.Minute, time.Duration(q.To)*time.Minute
	switch {
	case from < to && from <= now && now < to, from > to && now < to:
		return to - now
	case from > to && now >= from:
		return to + 24*time.Hour - now
	}
	return 0
}
